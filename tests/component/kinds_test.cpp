// Guards that any object type can be a component, without a base class, a macro or a registration (AI-5, EC-3).

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

enum class Colour { red, green, blue };
enum Plain { first, second };

struct Position {
    float x = 0;
    float y = 0;
};

class Encapsulated {
  public:
    Encapsulated() = default;
    explicit Encapsulated(int secret) : secret_(secret) {}
    [[nodiscard]] int secret() const { return secret_; }

  private:
    int secret_ = -1;
};

template <class T>
struct Boxed {
    T inside{};
};

union Number {
    int whole;
    float real;
};

class Shape {
  public:
    Shape() = default;
    Shape(const Shape&) = default;
    Shape(Shape&&) noexcept = default;
    Shape& operator=(const Shape&) = default;
    Shape& operator=(Shape&&) noexcept = default;
    virtual ~Shape() = default;
    [[nodiscard]] virtual int corners() const { return 0; }
};

class Square final : public Shape {
  public:
    [[nodiscard]] int corners() const override { return 4; }
};

int twice(int x) { return 2 * x; }

}  // namespace

TEST_CASE("a plain struct is a component") {
    World world;
    const Entity e = world.spawn(Position{1, 2});
    CHECK(world.get<const Position>(e).x == 1);
    CHECK(world.get<const Position>(e).y == 2);
}

TEST_CASE("an int is a component") {
    World world;
    const Entity e = world.spawn(42);
    CHECK(world.get<const int>(e) == 42);
    world.get<int>(e) = 7;
    CHECK(world.get<int>(e) == 7);
}

TEST_CASE("numbers of different types are different components") {
    World world;
    const Entity e = world.spawn(1, 2U, 3L, 4.0F, 5.0, 'c', true, static_cast<short>(6));
    CHECK(world.get<const int>(e) == 1);
    CHECK(world.get<const unsigned>(e) == 2);
    CHECK(world.get<const long>(e) == 3);
    CHECK(world.get<const float>(e) == 4.0F);
    CHECK(world.get<const double>(e) == 5.0);
    CHECK(world.get<const char>(e) == 'c');
    CHECK(world.get<const bool>(e));
    CHECK(world.get<const short>(e) == 6);
}

TEST_CASE("default-constructed numbers are zero") {
    World world;
    for (int i = 0; i < 3; ++i) {
        const Entity dirty = world.spawn(77, 7.7);
        world.despawn(dirty);
        const Entity e = world.spawn<int, double>();
        CHECK(world.get<const int>(e) == 0);
        CHECK(world.get<const double>(e) == 0.0);
    }
}

TEST_CASE("a string is a component") {
    World world;
    const std::string text(100, 'x');
    const Entity e = world.spawn(text);
    CHECK(world.get<const std::string>(e) == text);
    world.get<std::string>(e) += "y";
    CHECK(world.get<const std::string>(e).size() == 101);
}

TEST_CASE("enums are components, each of its own") {
    World world;
    const Entity e = world.spawn(Colour::green, second);
    CHECK(world.get<const Colour>(e) == Colour::green);
    CHECK(world.get<const Plain>(e) == second);
    CHECK_FALSE(world.has<int>(e));
}

TEST_CASE("an entity is a component") {
    World world;
    const Entity target = world.spawn();
    const Entity e = world.spawn(target);
    CHECK(world.get<const Entity>(e) == target);
    world.set(e, e);
    CHECK(world.get<const Entity>(e) == e);
    const Entity defaulted = world.spawn<Entity>();
    CHECK_FALSE(bool(world.get<const Entity>(defaulted)));
}

TEST_CASE("standard containers are components") {
    World world;
    const Entity e = world.spawn(std::vector<int>{1, 2, 3}, std::array<int, 3>{4, 5, 6}, std::optional<int>{7});
    CHECK(world.get<const std::vector<int>>(e).size() == 3);
    CHECK(world.get<const std::array<int, 3>>(e)[2] == 6);
    CHECK(world.get<const std::optional<int>>(e) == 7);
}

TEST_CASE("a class with private members is a component") {
    World world;
    const Entity e = world.spawn(Encapsulated{5});
    CHECK(world.get<const Encapsulated>(e).secret() == 5);
    CHECK(world.get<const Encapsulated>(world.spawn<Encapsulated>()).secret() == -1);
}

TEST_CASE("templates with different arguments are different components") {
    World world;
    const Entity e = world.spawn(Boxed<int>{1}, Boxed<float>{2.0F});
    CHECK(world.get<const Boxed<int>>(e).inside == 1);
    CHECK(world.get<const Boxed<float>>(e).inside == 2.0F);
    CHECK_FALSE(world.has<Boxed<double>>(e));
}

TEST_CASE("a union is a component") {
    World world;
    const Entity e = world.spawn(Number{.whole = 12});
    CHECK(world.get<const Number>(e).whole == 12);
}

TEST_CASE("a pointer and a function pointer are components") {
    World world;
    int target = 3;
    const Entity e = world.spawn(&target, &twice);
    CHECK(*world.get<int*>(e) == 3);
    CHECK(world.get<int (*)(int)>(e)(4) == 8);
}

TEST_CASE("a base class and a derived class are two components") {
    World world;
    const Entity e = world.spawn(Square{});
    CHECK(world.has<Square>(e));
    CHECK_FALSE(world.has<Shape>(e));
    world.set(e, Shape{});
    CHECK(world.get<const Shape>(e).corners() == 0);
    CHECK(world.get<const Square>(e).corners() == 4);
}

TEST_CASE("a move-only type is a component") {
    World world;
    const Entity e = world.spawn(std::make_unique<int>(9));
    CHECK(*world.get<std::unique_ptr<int>>(e) == 9);
    world.add<Position>(e);
    CHECK(*world.get<std::unique_ptr<int>>(e) == 9);
}

TEST_CASE("a shared pointer as a component keeps its count right") {
    const auto shared = std::make_shared<int>(1);
    {
        World world;
        const Entity e = world.spawn(shared);
        CHECK(shared.use_count() == 2);
        world.spawn_many(10, shared);
        CHECK(shared.use_count() == 12);
        world.add<Position>(e);
        CHECK(shared.use_count() == 12);
        world.despawn(e);
        CHECK(shared.use_count() == 11);
    }
    CHECK(shared.use_count() == 1);
}

TEST_CASE("a variant is a component") {
    World world;
    const Entity e = world.spawn(std::variant<int, std::string>{std::string{"text"}});
    CHECK(std::get<std::string>(world.get<std::variant<int, std::string>>(e)) == "text");
}

TEST_CASE("a large component is carried whole") {
    World world;
    std::array<int, 5000> big{};
    big[4999] = 17;
    const Entity e = world.spawn(big);
    for (int i = 0; i < 20; ++i) world.spawn(big);
    world.add<Position>(e);
    CHECK(world.get<const std::array<int, 5000>>(e)[4999] == 17);
    world.check();
}

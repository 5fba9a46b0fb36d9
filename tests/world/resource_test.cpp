// Guards resources: one value of each type in a world, of any object type; how they are set, found, replaced and
// removed, and when they end.

#include "../base/thrown.hpp"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using api_test::thrown_by;
using api_test::throws;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Gravity {
    float x = 0;
    float y = -9.81F;
};

struct Level {
    std::string name;
    int number = 0;
};

struct Window {
    explicit Window(int w, int h = 100) : width(w), height(h) {}
    int width;
    int height;
};

struct Paused {};

struct Named {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.name = "the named one"};
};

struct Fixed {
    Fixed(int first, int second) : sum(first + second) {}
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
    std::atomic<int> sum;
};

// Can be moved but not assigned, so it is replaced at a new address.
struct Sealed {
    const int value;
};

struct alignas(4096) Wide {
    int value = 0;
};

struct alignas(1 << 16) Wider {
    int value = 0;
};

struct Huge {
    std::array<std::uint8_t, 1 << 20> bytes{};
};

// std::is_copy_constructible says yes, and a copy does not compile: nobody may ask for one.
struct Owners {
    std::vector<std::unique_ptr<int>> list;
};

// Writes its number into a list when it ends.
template <int N>
struct Ending {
    explicit Ending(std::vector<int>& ends) : list(&ends) {}
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    ~Ending() { list->push_back(N); }
    std::vector<int>* list;
};

template <class T>
bool is_aligned(const T& value) {
    return reinterpret_cast<std::uintptr_t>(&value) % alignof(T) == 0;
}

}  // namespace

TEST_CASE("a resource is set, read, written and removed") {
    World world;
    CHECK_FALSE(world.has_resource<Gravity>());
    world.set_resource(Gravity{1, 2});
    CHECK(world.has_resource<Gravity>());
    CHECK(world.resource<Gravity>().y == 2);
    world.resource<Gravity>().x = 5;
    CHECK(world.resource<const Gravity>().x == 5);
    CHECK(world.find_resource<Gravity>() == &world.resource<Gravity>());
    CHECK(world.find_resource<const Gravity>() == &world.resource<Gravity>());
    CHECK(world.remove_resource<Gravity>());
    CHECK_FALSE(world.remove_resource<Gravity>());
    CHECK_FALSE(world.has_resource<Gravity>());
    CHECK(world.find_resource<Gravity>() == nullptr);
    CHECK(world.find_resource<const Gravity>() == nullptr);
    world.check();
}

TEST_CASE("a const world reads its resources") {
    World world;
    world.set_resource(Level{"cave", 3});
    const World& read = world;
    CHECK(read.resource<const Level>().name == "cave");
    CHECK(read.find_resource<const Level>()->number == 3);
    CHECK(read.find_resource<const Gravity>() == nullptr);
    CHECK((read.has_resource<Level>()));
    CHECK_FALSE((read.has_resource<Level, Gravity>()));
    CHECK(throws(Errc::missing_resource, [&] { (void)read.resource<const Gravity>(); }));
    static_assert(std::is_same_v<decltype(world.resource<const Level>()), const Level&>);
    static_assert(std::is_same_v<decltype(world.find_resource<const Level>()), const Level*>);
}

TEST_CASE("has_resource asks for all of them") {
    World world;
    world.set_resource(1);
    world.set_resource(2.0);
    CHECK((world.has_resource<int, double>()));
    CHECK_FALSE((world.has_resource<int, float, double>()));
    CHECK(world.has_resource<>());
    world.remove_resource<int>();
    CHECK_FALSE((world.has_resource<int, double>()));
}

TEST_CASE("emplace_resource builds from parentheses and from braces, and returns the resource") {
    World world;
    Window& window = world.emplace_resource<Window>(640);
    CHECK(window.width == 640);
    CHECK(window.height == 100);
    CHECK(&window == &world.resource<Window>());
    CHECK(world.emplace_resource<Level>("sea", 7).number == 7);
    CHECK(world.emplace_resource<Gravity>().y == -9.81F);
    CHECK(world.emplace_resource<std::vector<int>>(3U, 5).size() == 3);
    CHECK(world.emplace_resource<int>() == 0);
    CHECK(world.emplace_resource<Fixed>(1, 2).sum == 3);
    world.check();
}

TEST_CASE("a missing resource is an error that names it and says what to do") {
    World world;
    auto error = thrown_by([&] { world.resource<Gravity>(); });
    REQUIRE(error);
    INFO(error->text);
    CHECK(error->code == Errc::missing_resource);
    CHECK(error->says("resource<"));
    CHECK(error->says("Gravity"));
    CHECK(error->says("set_resource()"));
    CHECK(error->says("has_resource<"));
    CHECK(error->says("find_resource<"));
    error = thrown_by([&] { (void)world.resource<const Named>(); });
    REQUIRE(error);
    CHECK(error->code == Errc::missing_resource);
    CHECK(error->says("the named one"));
}

TEST_CASE("any object type can be a resource") {
    World world;
    world.set_resource(std::make_unique<int>(4));
    CHECK(*world.resource<std::unique_ptr<int>>() == 4);
    world.set_resource(std::make_unique<int>(5));
    CHECK(*world.resource<std::unique_ptr<int>>() == 5);
    world.set_resource(std::function<int()>{[] { return 6; }});
    CHECK(world.resource<std::function<int()>>()() == 6);
    world.set_resource(Paused{});
    CHECK(world.has_resource<Paused>());
    world.set_resource(Errc::cycle);
    CHECK(world.resource<Errc>() == Errc::cycle);
    int number = 8;
    world.set_resource(&number);
    *world.resource<int*>() = 9;
    CHECK(number == 9);
    CHECK_FALSE(world.has_resource<int>());
    world.emplace_resource<Owners>().list.push_back(std::make_unique<int>(3));
    CHECK(world.resource<Owners>().list.size() == 1);
    const Level lvalue{"copied", 1};
    world.set_resource(lvalue);
    CHECK(world.resource<Level>().name == "copied");
    world.check();
}

TEST_CASE("an over-aligned resource is aligned") {
    World world;
    world.set_resource(Wide{7});
    world.emplace_resource<Wider>(8);
    CHECK(is_aligned(world.resource<Wide>()));
    CHECK(is_aligned(world.resource<Wider>()));
    world.set_resource(Wide{9});
    CHECK(is_aligned(world.resource<Wide>()));
    CHECK(world.resource<Wide>().value == 9);
    CHECK(world.resource<Wider>().value == 8);
}

TEST_CASE("a large resource is set, replaced and removed, and counts as memory of the world") {
    World world;
    const auto before = world.stats().bytes_reserved;
    Huge& huge = world.emplace_resource<Huge>();
    huge.bytes[77] = 1;
    CHECK(world.stats().bytes_reserved >= before + sizeof(Huge));
    const auto other = std::make_unique<Huge>();
    other->bytes[(1 << 20) - 1] = 2;
    world.set_resource(*other);
    CHECK(&world.resource<Huge>() == &huge);
    CHECK(huge.bytes[77] == 0);
    CHECK(huge.bytes[(1 << 20) - 1] == 2);
    const auto with_it = world.stats().bytes_reserved;
    CHECK(world.remove_resource<Huge>());
    CHECK(world.stats().bytes_reserved == with_it - sizeof(Huge));
}

TEST_CASE("a resource keeps its address while others come and go") {
    World world;
    Level& level = world.emplace_resource<Level>("here", 1);
    [&]<std::size_t... Ns>(std::index_sequence<Ns...>) {
        (world.emplace_resource<std::array<char, Ns + 1>>(), ...);
        (world.remove_resource<std::array<char, Ns + 1>>(), ...);
    }(std::make_index_sequence<100>{});
    world.spawn_many(1000, Gravity{});
    world.clear();
    world.shrink_to_fit();
    CHECK(&level == &world.resource<Level>());
    CHECK(level.name == "here");
    world.check();
}

TEST_CASE("a resource that can be move-assigned without a throw is replaced where it stands") {
    World world;
    Level& level = world.emplace_resource<Level>("old", 1);
    world.set_resource(Level{"new", 2});
    CHECK(&world.resource<Level>() == &level);
    CHECK(level.name == "new");
    CHECK(&world.emplace_resource<Level>("newer", 3) == &level);
    CHECK(level.number == 3);
    const auto number = &world.emplace_resource<int>(1);
    world.set_resource(2);
    CHECK(*number == 2);
}

TEST_CASE("a resource that cannot be assigned is replaced at a new address") {
    World world;
    world.emplace_resource<Sealed>(1);
    CHECK(world.emplace_resource<Sealed>(2).value == 2);
    world.set_resource(Sealed{3});
    CHECK(world.resource<const Sealed>().value == 3);
    CHECK(world.emplace_resource<Fixed>(1, 2).sum == 3);
    CHECK(world.emplace_resource<Fixed>(3, 4).sum == 7);
    world.check();
}

TEST_CASE("the new value may be made from the old one") {
    World world;
    world.set_resource(Level{"a long name that does not fit into the string itself", 1});
    world.set_resource(world.resource<Level>());
    CHECK(world.resource<Level>().name.size() == 52);
    world.set_resource(std::move(world.resource<Level>()));
    CHECK(world.resource<Level>().name.size() == 52);
    world.emplace_resource<Level>(world.resource<Level>().name + "!", world.resource<Level>().number + 1);
    CHECK(world.resource<Level>().name.back() == '!');
    CHECK(world.resource<Level>().number == 2);
    world.emplace_resource<Sealed>(1);
    world.set_resource(world.resource<Sealed>());
    world.emplace_resource<Sealed>(world.resource<Sealed>().value + 1);
    CHECK(world.resource<Sealed>().value == 2);
}

TEST_CASE("one type can be a component and a resource") {
    World world;
    const Entity e = world.spawn(Level{"of an entity", 1});
    CHECK_FALSE(world.has_resource<Level>());
    world.set_resource(Level{"of the world", 2});
    CHECK(world.get<const Level>(e).name == "of an entity");
    CHECK(world.resource<const Level>().name == "of the world");
    CHECK(world.remove_resource<Level>());
    CHECK(world.has<Level>(e));
    CHECK(world.query<Level>().count() == 1);
    CHECK(world.stats().components == 1);
    world.check();
}

TEST_CASE("the same type behind an alias is another resource") {
    World world;
    using First = stoa::Alias<int, struct FirstTag>;
    using Second = stoa::Alias<int, struct SecondTag>;
    world.set_resource(First{1});
    world.set_resource(Second{2});
    CHECK(world.resource<First>().value == 1);
    CHECK(world.resource<Second>().value == 2);
    CHECK_FALSE(world.has_resource<int>());
}

TEST_CASE("worlds have resources of their own") {
    World a;
    World b;
    a.set_resource(1);
    CHECK_FALSE(b.has_resource<int>());
    b.set_resource(2);
    CHECK(a.resource<int>() == 1);
    CHECK(b.remove_resource<int>());
    CHECK(a.has_resource<int>());
}

TEST_CASE("resources survive clear") {
    World world;
    world.spawn(Gravity{});
    const Level& level = world.emplace_resource<Level>("stays", 1);
    world.clear();
    CHECK(&world.resource<Level>() == &level);
    CHECK(level.name == "stays");
}

TEST_CASE("resources move with their world") {
    World world;
    Fixed& fixed = world.emplace_resource<Fixed>(1, 2);
    World home = std::move(world);
    CHECK(&home.resource<Fixed>() == &fixed);
    CHECK_FALSE(world.has_resource<Fixed>());
    CHECK(world.find_resource<Fixed>() == nullptr);
    world = std::move(home);
    CHECK(&world.resource<Fixed>() == &fixed);
    CHECK_FALSE(home.has_resource<Fixed>());
    world.check();
}

TEST_CASE("resources end with their world, the last that came first") {
    std::vector<int> ends;
    {
        World world;
        world.emplace_resource<Ending<3>>(ends);
        world.emplace_resource<Ending<1>>(ends);
        world.emplace_resource<Ending<2>>(ends);
        CHECK(ends.empty());
    }
    CHECK(ends == std::vector{2, 1, 3});
}

TEST_CASE("a replaced resource keeps its place in the order, one that comes again goes to the end") {
    std::vector<int> ends;
    {
        World world;
        world.emplace_resource<Ending<1>>(ends);
        world.emplace_resource<Ending<2>>(ends);
        world.emplace_resource<Ending<3>>(ends);
        world.emplace_resource<Ending<4>>(ends);
        world.emplace_resource<Ending<1>>(ends);
        CHECK(ends == std::vector{1});
        CHECK(world.remove_resource<Ending<2>>());
        CHECK(world.remove_resource<Ending<4>>());
        CHECK(ends == std::vector{1, 2, 4});
        world.emplace_resource<Ending<2>>(ends);
        world.check();
        ends.clear();
    }
    CHECK(ends == std::vector{2, 3, 1});
}

TEST_CASE("assigning a world ends the resources of its target") {
    std::vector<int> ends;
    World a;
    World b;
    a.emplace_resource<Ending<1>>(ends);
    b.emplace_resource<Ending<2>>(ends);
    a = std::move(b);
    CHECK(ends == std::vector{1});
    CHECK(a.has_resource<Ending<2>>());
}

TEST_CASE("entities end before resources") {
    std::vector<int> ends;
    struct Guest {
        std::vector<int>* list = nullptr;
        World* world = nullptr;
        Guest(std::vector<int>& ends_, World& world_) : list(&ends_), world(&world_) {}
        Guest(Guest&& other) noexcept : list(std::exchange(other.list, nullptr)), world(other.world) {}
        Guest& operator=(Guest&&) = delete;
        ~Guest() {
            if (list != nullptr) list->push_back(world->has_resource<Ending<1>>() ? 10 : -1);
        }
    };
    {
        World world;
        world.emplace_resource<Ending<1>>(ends);
        world.spawn(Guest{ends, world});
    }
    CHECK(ends == std::vector{10, 1});
}

TEST_CASE("resources can be set, replaced and removed inside a walk") {
    World world;
    world.spawn_many(3, Gravity{});
    world.set_resource(0);
    int calls = 0;
    world.query<const Gravity>().each([&](const Gravity&) {
        ++calls;
        world.resource<int>() += 1;
        world.set_resource(Level{"seen", calls});
        world.emplace_resource<Fixed>(calls, 1);
        CHECK(world.remove_resource<Level>());
        CHECK(throws(Errc::locked, [&] { world.spawn(); }));
    });
    CHECK(calls == 3);
    CHECK(world.resource<int>() == 3);
    CHECK(world.resource<Fixed>().sum == 4);
    CHECK_FALSE(world.has_resource<Level>());
    world.spawn();
    world.check();
}

TEST_CASE("a world that was moved away has no resources and takes none") {
    World world;
    world.set_resource(1);
    const World home = std::move(world);
    CHECK_FALSE(world.has_resource<int>());
    CHECK(world.find_resource<int>() == nullptr);
    CHECK(world.find_resource<const int>() == nullptr);
    CHECK_FALSE(world.remove_resource<int>());
    const auto is_gone = [](const char* word, auto&& call) {
        const auto error = thrown_by(call);
        return error && error->code == Errc::world_gone && error->says(word);
    };
    CHECK(is_gone("resource", [&] { world.resource<int>(); }));
    CHECK(is_gone("resource", [&] { (void)std::as_const(world).resource<const int>(); }));
    CHECK(is_gone("set_resource", [&] { world.set_resource(2); }));
    CHECK(is_gone("emplace_resource", [&] { world.emplace_resource<double>(2.0); }));
    CHECK_FALSE(World{std::move(world)}.has_resource<double>());
    CHECK(home.resource<const int>() == 1);
}

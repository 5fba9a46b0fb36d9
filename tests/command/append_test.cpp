// Guards Commands::append: the commands of two buffers in one, in order, whatever they hold.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace stoa;

namespace {

struct Value {
    int number = 0;
};
struct Text {
    std::string of;
};
struct alignas(256) Aligned {
    int number = 0;
};

template <class Call>
Errc error_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.code();
    }
    return Errc::corrupt;  // nothing was thrown
}

}  // namespace

TEST_CASE("appended commands follow those of the buffer") {
    World world;
    Commands first{world};
    Commands second{world};
    std::vector<int> order;
    const auto note = [&](Commands& to, int number) { to.run([&order, number](World&) { order.push_back(number); }); };
    first.append(std::move(second));  // both are empty
    note(first, 1);
    first.append(std::move(second));
    note(second, 2);
    const Entity spawned = second.spawn(Text{"a text that does not fit into a small string"}, Aligned{3});
    note(second, 3);
    first.append(std::move(second));
    CHECK(second.empty());
    CHECK(first.size() == 4);
    note(first, 4);
    note(second, 5);  // it is still a buffer of its world
    first.append(std::move(second));
    CHECK(first.flush() == FlushReport{6, 0});
    CHECK(order == std::vector<int>{1, 2, 3, 4, 5});
    CHECK(world.get<Text>(spawned).of.size() > 30);
    CHECK(world.get<Aligned>(spawned).number == 3);
    world.check();
}

TEST_CASE("long buffers, and buffers that hold one kind of command, are appended whole") {
    for (const int count : {1, 3, 200, 5000}) {
        World world;
        std::vector<Entity> all(static_cast<std::size_t>(count) * 3);
        world.spawn_many(std::span{all}, Value{1});
        Commands whole{world};
        for (std::size_t part = 0; part < 3; ++part) {
            Commands piece{world};
            for (std::size_t i = part; i < all.size(); i += 3) piece.despawn(all[i]);
            whole.append(std::move(piece));
        }
        for (int part = 0; part < 3; ++part) {
            Commands piece{world};
            for (int i = 0; i < count; ++i) piece.spawn(Value{i}, Text{"t"});
            whole.append(std::move(piece));
        }
        CHECK(whole.size() == all.size() * 2);
        CHECK(whole.flush().applied == all.size() * 2);
        CHECK(world.size() == all.size());
        world.check();
    }
}

TEST_CASE("edits of one entity from two buffers are folded as from one") {
    World world;
    const Entity e = world.spawn(Value{1});
    Commands first{world};
    Commands second{world};
    const Entity born = first.spawn(Value{5});
    first.set(e, Value{2}, Text{"a"});
    second.remove<Text>(e);
    second.set(e, Value{3});
    second.set(born, Text{"b"});
    world.commands().append(std::move(first));
    world.commands().append(std::move(second));
    CHECK(world.flush().applied == 5);
    CHECK(world.get<Value>(e).number == 3);
    CHECK_FALSE(world.has<Text>(e));
    CHECK(world.get<Text>(born).of == "b");
    world.check();
}

TEST_CASE("what cannot be appended stays as it is") {
    World world;
    World other;
    Commands first{world};
    Commands second{other};
    first.spawn(Value{1});
    second.spawn(Value{2});
    CHECK(error_of([&] { first.append(std::move(second)); }) == Errc::conflict);
    CHECK(first.size() == 1);
    CHECK(second.size() == 1);
    first.append(std::move(first));
    CHECK(first.size() == 1);
    CHECK(first.flush().applied == 1);
    auto gone = std::make_unique<World>();
    Commands last{*gone};
    gone.reset();
    CHECK(error_of([&] { first.append(std::move(last)); }) == Errc::world_gone);
    CHECK(error_of([&] { last.append(std::move(first)); }) == Errc::world_gone);
}

namespace {

// Calls a function when it is copied into a buffer.
struct Sly {
    explicit Sly(std::function<void()> call) : act(std::move(call)) {}
    Sly(const Sly& other) { other.act(); }
    Sly(Sly&&) noexcept {}
    Sly& operator=(Sly&&) noexcept { return *this; }
    ~Sly() = default;

    std::function<void()> act;
};

}  // namespace

TEST_CASE("a value that is being recorded may append to its buffer, not append its buffer") {
    World world;
    const Entity e = world.spawn();
    Commands first{world};
    Commands second{world};
    second.set(e, Value{1});
    const Sly moves([&] { first.append(std::move(second)); });
    CHECK(error_of([&] { second.set(e, moves); }) == Errc::locked);
    CHECK(second.size() == 1);
    CHECK(first.empty());
    first.set(e, Value{2});
    const Sly adds([&] { second.append(std::move(first)); });
    second.set(e, adds);
    CHECK(second.size() == 3);
    second.remove<Sly>(e);
    CHECK(second.flush().applied == 4);
    CHECK(world.get<Value>(e).number == 2);
    CHECK_FALSE(world.has<Sly>(e));
    world.check();
}

TEST_CASE("ids of a buffer that was appended and dropped are given back") {
    World world;
    {
        Commands first{world};
        Commands second{world};
        for (int i = 0; i < 100; ++i) second.spawn(Value{i});
        first.append(std::move(second));
    }
    world.check();
    for (int i = 0; i < 100; ++i) CHECK(world.spawn().index() < 100);
    world.check();
}

TEST_CASE("a flush applies what is appended to its buffer inside it") {
    World world;
    std::vector<int> order;
    world.commands().run([&](World& inside) {
        order.push_back(1);
        Commands more{inside};
        more.run([&](World&) { order.push_back(3); });
        inside.commands().append(std::move(more));
        order.push_back(2);
    });
    CHECK(world.flush().applied == 2);
    CHECK(order == std::vector<int>{1, 2, 3});
}

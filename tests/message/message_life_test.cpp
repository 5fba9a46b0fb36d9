// Guards where messages live and end: in the world, with which they move; destructors of messages that use the world;
// readers that outlive it; and the order in which a world ends.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/thrown.hpp"

using namespace stoa;
using api_test::thrown_by;

namespace {

// Calls a function when it ends; moved from, it does nothing.
struct AtEnd {
    std::function<void()> call;

    explicit AtEnd(std::function<void()> f) : call(std::move(f)) {}
    AtEnd(AtEnd&& other) noexcept : call(std::exchange(other.call, nullptr)) {}
    AtEnd& operator=(AtEnd&&) = delete;
    ~AtEnd() {
        if (call) call();
    }
};

// Calls a function when it is moved.
struct AtMove {
    std::function<void()> call;

    explicit AtMove(std::function<void()> f) : call(std::move(f)) {}
    AtMove(AtMove&& other) : call(std::exchange(other.call, nullptr)) {
        if (call) call();
    }
    AtMove& operator=(AtMove&&) = delete;
    ~AtMove() = default;
};

struct Other {
    int number = 0;
};

}  // namespace

TEST_CASE("messages move with the world, and survive clear") {
    World world;
    MessageReader<int> reader{world};
    world.spawn();
    world.send(1);
    world.clear();
    CHECK(reader.size() == 1);
    World next = std::move(world);
    next.send(2);
    CHECK(reader.size() == 2);
    World assigned;
    MessageReader<int> of_assigned{assigned};
    assigned.send(9);
    assigned = std::move(next);
    CHECK(of_assigned.empty());
    assigned.send(3);
    CHECK(reader.size() == 3);
    assigned.end_frame();
    assigned.end_frame();
    CHECK(reader.lost() == 3);
    assigned.check();
}

TEST_CASE("a world that was moved from takes no messages and no readers") {
    World world;
    world.send(1);
    const World home = std::move(world);
    const auto is_gone = [](const char* word, auto&& call) {
        const auto error = thrown_by(call);
        return error && error->code == Errc::world_gone && error->says(word);
    };
    CHECK(is_gone("send", [&] { world.send(2); }));
    CHECK(is_gone("send", [&] { world.send(std::string()); }));
    CHECK(is_gone("MessageReader", [&] { const MessageReader<int> reader{world}; }));
    world.check();
    home.check();
    world = World{};
    world.send(3);
}

TEST_CASE("a reader may outlive its world, and is empty then") {
    std::optional<World> world{std::in_place};
    MessageReader<int> reader{*world};
    MessageReader<int> other{*world};
    world->send(1);
    world->end_frame();
    world->end_frame();
    world->send(2);
    CHECK(reader.size() == 1);
    world.reset();
    CHECK(reader.empty());
    CHECK(reader.size() == 0);
    CHECK(reader.lost() == 1);
    CHECK(reader.read().empty());
    reader.clear();
    const MessageReader<int> moved = std::move(reader);
    CHECK(moved.empty());
    CHECK(moved.lost() == 1);
}

TEST_CASE("a reader that was moved keeps its place") {
    World world;
    MessageReader<int> nothing;
    CHECK(nothing.empty());
    CHECK(nothing.read().empty());
    CHECK(nothing.lost() == 0);
    MessageReader<int> first{world};
    world.send(1);
    MessageReader<int> second = std::move(first);
    CHECK(first.empty());
    CHECK(second.size() == 1);
    world.send(2);
    MessageReader<int> third{world};
    third = std::move(second);
    CHECK(third.size() == 2);
    MessageReader<int>& self = third;
    third = std::move(self);
    CHECK(third.size() == 2);
    world.check();
    third = MessageReader<int>{};
    world.end_frame();
    CHECK(third.lost() == 0);
    world.check();
}

TEST_CASE("destructors of dropped messages send and read; that belongs to the next frame") {
    World world;
    MessageReader<int> reader{world};
    std::vector<int> seen;
    bool locked = false;
    // In both orders of the two types.
    world.send(AtEnd([&] {
        world.send(1);
        world.send(Other{1});
        for (const int& value : reader.read()) seen.push_back(value);
        locked = thrown_by([&] { world.end_frame(); })->code == Errc::locked;
        world.check();
        const MessageReader<Other> inside{world};
    }));
    world.send(Other{0});
    world.end_frame();
    CHECK(seen == std::vector<int>{1});
    CHECK(locked);
    MessageReader<Other> others{world};
    world.send(AtEnd([&] {
        world.send(AtEnd([&] { seen.push_back(3); }));
        seen.push_back(2);
    }));
    world.end_frame();
    CHECK(seen == std::vector<int>{1, 2});
    world.end_frame();
    CHECK(seen == std::vector<int>{1, 2, 3});
    world.check();
}

TEST_CASE("what is sent inside end_frame survives it, whichever type was used first") {
    for (const bool sender_first : {false, true}) {
        CAPTURE(sender_first);
        World world;
        if (sender_first) world.send(AtEnd([] {}));
        MessageReader<Other> others{world};
        world.send(AtEnd([&] { world.send(Other{1}); }));
        world.end_frame();
        CHECK(others.size() == 1);
        world.end_frame();
        CHECK(others.size() == 1);
        world.end_frame();
        CHECK(others.lost() == 1);
    }
}

TEST_CASE("a constructor of a message reads, ends frames and sends others, but none of its own type") {
    World world;
    MessageReader<AtMove> reader{world};
    MessageReader<int> ints{world};
    std::optional<Errc> refused;
    world.send(AtMove([&] {
        world.send(1);
        CHECK(reader.empty());
        refused = thrown_by([&] { world.send(AtMove([] {})); })->code;
        world.check();
    }));
    CHECK(refused == Errc::locked);
    CHECK(reader.size() == 1);
    CHECK(ints.size() == 1);
    reader.clear();
    world.send(AtMove([&] { world.end_frame(); }));
    CHECK(reader.size() == 1);
    world.check();
    world.send(AtMove([] {}));
    CHECK(reader.size() == 2);
    reader.clear();
    world.end_frame();
    world.check();
}

TEST_CASE("a world ends with components, then commands, then messages, then resources") {
    std::string order;
    const auto note = [&](char what) { return AtEnd([&order, what] { order += what; }); };
    {
        World world;
        world.set_resource(note('r'));
        world.send(note('m'));
        world.commands().spawn(note('c'));
        world.spawn(note('e'));
    }
    CHECK(order == "ecmr");
}

TEST_CASE("at the end of a world, destructors of messages use it; nothing can be sent any more") {
    std::optional<World> owner{std::in_place};
    World& world = *owner;
    world.set_resource(Other{5});
    MessageReader<int> reader{world};
    world.send(1);
    int resource = 0;
    std::vector<Errc> refused;
    const auto refuse = [&](auto&& call) {
        if (const auto error = thrown_by(call)) refused.push_back(error->code);
    };
    const auto send_all = [&] {
        refuse([&] { world.send(1); });
        refuse([&] { world.send(AtEnd([] {})); });
        refuse([&] { world.send(2.5); });
        refuse([&] { const MessageReader<int> inside{world}; });
        refuse([&] { const MessageReader<float> inside{world}; });
    };
    world.send(AtEnd([&] {
        resource = world.resource<const Other>().number;
        CHECK(reader.empty());
        send_all();
    }));
    world.set_resource(AtEnd(send_all));
    world.spawn(AtEnd([&] { world.send(3); }));
    owner.reset();
    CHECK(resource == 5);
    CHECK(refused == std::vector<Errc>(10, Errc::world_gone));
    CHECK(reader.empty());
}

// Guards what messages promise outside of systems: each reader sees each message once and in order, loops do not see
// what is sent inside them, references hold, and only end_frame drops messages, by its two rules.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/fault_allocator.hpp"

using namespace stoa;

namespace {

struct Hit {
    Entity target;
    int damage = 0;
};
struct Empty {};
struct alignas(256) Wide {
    int number = 0;
};
struct Large {
    std::array<int, 50000> numbers{};
};
struct Number {
    int value = 0;
};

std::vector<int> values(MessageReader<int>& reader) {
    std::vector<int> all;
    for (const int& value : reader.read()) all.push_back(value);
    return all;
}

using Ints = std::vector<int>;

static_assert(!std::is_copy_constructible_v<MessageReader<Hit>> &&
              std::is_nothrow_move_constructible_v<MessageReader<Hit>>);
static_assert(std::is_nothrow_move_assignable_v<MessageReader<Hit>>);
static_assert(std::forward_iterator<detail::MessageIterator<Hit>>);
static_assert(std::ranges::forward_range<MessageRange<Hit>>);

}  // namespace

TEST_CASE("a reader reads what was sent after it was made, once and in order") {
    World world;
    world.send(1);
    MessageReader<int> first{world};
    CHECK(first.empty());
    world.send(2);
    MessageReader<int> second{world};
    world.send(3);
    CHECK(first.size() == 2);
    CHECK(second.size() == 1);
    CHECK(values(first) == Ints{2, 3});
    CHECK(first.empty());
    CHECK(values(first).empty());
    CHECK(values(second) == Ints{3});
    world.send(4);
    CHECK(values(first) == Ints{4});
    CHECK(second.size() == 1);
    world.check();
}

TEST_CASE("messages of different types do not meet, and have nothing to do with resources and components") {
    World world;
    MessageReader<int> ints{world};
    MessageReader<Hit> hits{world};
    const Entity e = world.spawn(Number{1});
    world.set_resource(Number{2});
    MessageReader<Number> numbers{world};
    world.send(Hit{e, 3});
    world.send(Number{5});
    CHECK(ints.empty());
    CHECK(hits.size() == 1);
    for (const Hit& hit : hits.read()) {
        CHECK(hit.target == e);
        CHECK(hit.damage == 3);
    }
    CHECK(world.resource<const Number>().value == 2);
    CHECK(world.get<const Number>(e).value == 1);
    CHECK(numbers.read().begin()->value == 5);
    const Hit constant{e, 4};
    world.send(constant);
    world.send<Hit>({e, 5});
    CHECK(hits.size() == 2);
}

TEST_CASE("read takes all that is unread, also what a break leaves") {
    World world;
    MessageReader<int> reader{world};
    for (int i = 0; i < 10; ++i) world.send(i);
    for (const int& value : reader.read()) {
        if (value == 3) break;
    }
    CHECK(reader.empty());
    CHECK(reader.lost() == 0);
    world.send(10);
    static_cast<void>(reader.read());
    CHECK(values(reader).empty());
}

TEST_CASE("a range has a size and can be walked again") {
    World world;
    MessageReader<int> reader{world};
    CHECK(reader.read().empty());
    CHECK(reader.read().begin() == reader.read().end());
    for (int i = 0; i < 1000; ++i) world.send(i);
    const MessageRange<int> range = reader.read();
    CHECK(range.size() == 1000);
    CHECK_FALSE(range.empty());
    for (int times = 0; times < 2; ++times) {
        int expected = 0;
        for (const int& value : range) REQUIRE(value == expected++);
        CHECK(expected == 1000);
    }
    auto at = range.begin();
    CHECK(*at++ == 0);
    CHECK(*at == 1);
    CHECK(std::ranges::distance(range) == 1000);
}

TEST_CASE("clear skips what is unread and does not count as lost") {
    World world;
    MessageReader<int> reader{world};
    world.send(1);
    reader.clear();
    CHECK(reader.empty());
    world.end_frame();
    world.end_frame();
    world.end_frame();
    CHECK(reader.lost() == 0);
    world.send(2);
    CHECK(values(reader) == Ints{2});
}

TEST_CASE("what is sent inside a loop is not part of it, and moves nothing") {
    World world;
    MessageReader<int> reader{world};
    for (int i = 0; i < 100; ++i) world.send(i);
    std::vector<const int*> seen;
    for (const int& value : reader.read()) {
        seen.push_back(&value);
        for (int i = 0; i < 100; ++i) world.send(1000 + value);
        REQUIRE(seen.size() <= 100);
        REQUIRE(value == static_cast<int>(seen.size()) - 1);
    }
    CHECK(seen.size() == 100);
    for (int i = 0; i < 100; ++i) CHECK(*seen[static_cast<std::size_t>(i)] == i);
    CHECK(reader.size() == 10000);
    world.check();
}

TEST_CASE("a message may be sent again from where it lies") {
    World world;
    MessageReader<std::string> reader{world};
    world.send(std::string(100, 'x'));
    for (const std::string& text : reader.read()) {
        for (int i = 0; i < 100; ++i) world.send(text);
    }
    CHECK(reader.size() == 100);
    for (const std::string& text : reader.read()) CHECK(text == std::string(100, 'x'));
}

TEST_CASE("end_frame drops what no reader has left to read, and everything without readers") {
    World world;
    auto alive = std::make_shared<int>();
    world.send(alive);
    CHECK(alive.use_count() == 2);
    world.end_frame();
    CHECK(alive.use_count() == 1);
    MessageReader<std::shared_ptr<int>> fast{world};
    MessageReader<std::shared_ptr<int>> slow{world};
    world.send(alive);
    static_cast<void>(fast.read());
    world.send(alive);
    world.end_frame();
    CHECK(alive.use_count() == 3);
    static_cast<void>(slow.read());
    static_cast<void>(fast.read());
    CHECK(alive.use_count() == 3);  // only end_frame drops
    world.end_frame();
    CHECK(alive.use_count() == 1);
    world.check();
}

TEST_CASE("end_frame destroys what is read also where unread messages follow") {
    World world;
    const auto alive = std::make_shared<int>();
    MessageReader<std::shared_ptr<int>> reader{world};
    for (int i = 0; i < 3; ++i) world.send(alive);
    static_cast<void>(reader.read());
    for (int i = 0; i < 2; ++i) world.send(alive);
    world.end_frame();
    CHECK(alive.use_count() == 3);
    static_cast<void>(reader.read());
    world.end_frame();
    CHECK(alive.use_count() == 1);
}

TEST_CASE("what is unread at the second end_frame is lost for its reader alone") {
    World world;
    MessageReader<int> reader{world};
    MessageReader<int> other{world};
    world.send(1);
    world.send(2);
    world.end_frame();
    CHECK(reader.size() == 2);
    CHECK(values(other) == Ints{1, 2});
    world.send(3);
    world.end_frame();
    CHECK(reader.lost() == 2);
    CHECK(reader.size() == 1);
    CHECK(other.lost() == 0);
    CHECK(values(reader) == Ints{3});
    CHECK(values(other) == Ints{3});
    world.end_frame();
    CHECK(reader.lost() == 2);
    world.send(4);
    world.end_frame();
    world.end_frame();
    world.end_frame();
    CHECK(reader.lost() == 3);
    CHECK(other.lost() == 1);
    CHECK(reader.empty());
    world.check();
}

TEST_CASE("a reader that is made between two frames loses nothing that it was not sent") {
    World world;
    world.send(1);
    MessageReader<int> reader{world};
    world.end_frame();
    world.end_frame();
    CHECK(reader.lost() == 0);
    world.send(2);
    world.end_frame();
    CHECK(values(reader) == Ints{2});
}

TEST_CASE("references hold until end_frame, in a queue that grows") {
    World world;
    MessageReader<int> reader{world};
    world.send(7);
    const int* first = &*reader.read().begin();
    for (int i = 0; i < 100000; ++i) world.send(i);
    CHECK(*first == 7);
    int expected = 0;
    for (const int& value : reader.read()) REQUIRE(value == expected++);
    CHECK(expected == 100000);
    world.check();
}

TEST_CASE("awkward types: move-only, empty, over-aligned, large") {
    World world;
    MessageReader<std::unique_ptr<int>> owners{world};
    MessageReader<Empty> empties{world};
    MessageReader<Wide> wides{world};
    MessageReader<Large> larges{world};
    for (int i = 0; i < 20; ++i) {
        world.send(std::make_unique<int>(i));
        world.send(Empty{});
        world.send(Wide{i});
        world.send(Large{{i}});
    }
    int expected = 0;
    for (const auto& owner : owners.read()) CHECK(*owner == expected++);
    CHECK(empties.size() == 20);
    CHECK(std::ranges::distance(empties.read()) == 20);
    expected = 0;
    for (const Wide& wide : wides.read()) {
        CHECK(reinterpret_cast<std::uintptr_t>(&wide) % 256 == 0);
        CHECK(wide.number == expected++);
    }
    expected = 0;
    for (const Large& large : larges.read()) CHECK(large.numbers[0] == expected++);
    world.end_frame();
    world.check();
}

TEST_CASE("a steady state allocates nothing") {
    World world;
    MessageReader<int> prompt{world};
    MessageReader<int> late{world};  // one frame behind
    MessageReader<int> idle{world};
    MessageReader<std::string> strings{world};
    std::uint64_t sum = 0;
    const auto frame = [&](int count) {
        for (const int& value : late.read()) sum += static_cast<std::uint64_t>(value);
        for (int i = 0; i < count; ++i) {
            world.send(i);
            world.send(std::string());
        }
        for (const int& value : prompt.read()) sum += static_cast<std::uint64_t>(value);
        world.end_frame();
        world.check();
    };
    for (int i = 0; i < 40; ++i) frame(5000 + i % 3);
    const std::uint64_t before = stoa_test::allocations_of_thread();
    const std::size_t bytes = world.stats().bytes_reserved;
    const std::uint64_t asked = stoa_test::allocations_of_thread() - before;  // by stats itself
    for (int i = 0; i < 40; ++i) {
        for (const int& value : late.read()) sum += static_cast<std::uint64_t>(value);
        for (int n = 0; n < 5000 + i % 3; ++n) {
            world.send(n);
            world.send(std::string());
        }
        for (const int& value : prompt.read()) sum += static_cast<std::uint64_t>(value);
        world.end_frame();
    }
    CHECK(stoa_test::allocations_of_thread() - before == asked);
    CHECK(world.stats().bytes_reserved == bytes);
    CHECK(sum != 0);
    CHECK(idle.lost() > 0);
}

TEST_CASE("an idle reader holds no memory, and shrink_to_fit gives the rest back") {
    World world;
    MessageReader<int> idle{world};
    for (int i = 0; i < 10; ++i) {
        for (int n = 0; n < 100000; ++n) world.send(n);
        world.end_frame();
    }
    const std::size_t busy = world.stats().bytes_reserved;
    CHECK(busy < 3 * 100000 * sizeof(int) + (std::size_t{1} << 20) + World{}.stats().bytes_reserved);
    world.end_frame();
    world.end_frame();
    world.shrink_to_fit();
    CHECK(world.stats().bytes_reserved + 2 * 100000 * sizeof(int) < busy);
    world.check();
    world.send(1);
    CHECK(values(idle) == Ints{1});
}

TEST_CASE("messages are sent inside walks, signals and flushes") {
    World world;
    MessageReader<int> reader{world};
    world.spawn(Number{1});
    world.spawn(Number{2});
    auto query = world.query<const Number>();
    query.each([&](const Number& number) { world.send(number.value); });
    CHECK(values(reader) == Ints{1, 2});
    const Subscription entering = query.on_enter([&](Entity, const Number& number) { world.send(number.value); });
    world.spawn(Number{3});
    CHECK(values(reader) == Ints{3});
    world.commands().run([](World& inside) { inside.send(4); });
    world.commands().spawn(Number{5});
    world.flush();
    CHECK(values(reader) == Ints{4, 5});
    for (auto [entity, number] : query) world.send(number.value);
    CHECK(reader.size() == 4);
}

TEST_CASE("inside par_each nothing is sent, on one thread too") {
    World world;
    MessageReader<int> reader{world};
    world.spawn(Number{1});
    SerialExecutor serial;
    const auto refused = [&](auto&& call) {
        try {
            world.query<const Number>().par_each(serial, [&](const Number&) { call(); });
        } catch (const Error& error) {
            CHECK(std::string(error.what()).find("par_each") != std::string::npos);
            return error.code() == Errc::conflict;
        }
        return false;
    };
    CHECK(refused([&] { world.send(1); }));
    CHECK(refused([&] { world.send(std::string("a type that was never used")); }));
    CHECK(refused([&] { const MessageReader<int> inside{world}; }));
    CHECK(refused([&] { const MessageReader<Large> inside{world}; }));
    CHECK(reader.empty());
    world.send(2);
    CHECK(values(reader) == Ints{2});
    world.check();
}

// Parallel walks with commands, messages and sums while memory runs out, and while the callback throws: after each
// fault, what was recorded before it in the order of the walk is there and nothing else, no id is lost, nothing leaks,
// and the same walk then succeeds.
#include "../support/fault_allocator.hpp"
#include "../support/order_executor.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>

using namespace stoa_test;
using stoa::Commands;
using stoa::Entity;
using stoa::Messages;
using stoa::World;
using support::OrderExecutor;

namespace {

struct Value {
    std::uint64_t number = 0;
};
struct Text {
    std::string of;
};
struct Loose {
    int number = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct Letter {
    std::string of;
    std::shared_ptr<int> alive;
};

constexpr std::uint64_t rows = 300;

void fill(World& world) {
    for (std::uint64_t i = 0; i < rows; ++i) {
        const Entity e = world.spawn(Value{i});
        if (i % 2 == 0) world.set(e, Loose{});
    }
}

// Calls attempt(nth, mode) for every point of failure; it returns false when the fault was not reached. Nothing leaks.
template <class Attempt>
std::uint64_t each_fault(Attempt&& attempt) {
    std::uint64_t points = 0;
    // What the process allocates once: types, and memory for exceptions.
    for (const std::uint64_t nth : {1'000'000u, 0u, 30u}) attempt(nth, FaultMode::once);
    const std::int64_t before = live_blocks();
    for (const FaultMode mode : {FaultMode::once, FaultMode::persistent}) {
        for (std::uint64_t nth = 0; nth < 5000; ++nth) {
            if (!attempt(nth, mode)) break;
            ++points;
        }
    }
    CHECK(live_blocks() == before);
    return points;
}

// Two commands for each entity; one of them has memory of its own. The count goes up when both are recorded.
struct Record {
    std::shared_ptr<int> alive;
    std::uint64_t& count;

    void operator()(Entity e, const Value& value, Commands& later) const {
        later.spawn(Text{std::string(40, 'x')}, Value{value.number + rows});
        ++count;
        later.run([held = alive, e](World& world) { world.remove<Loose>(e); });
        ++count;
    }
};

template <class... Terms>
bool fail_recording(std::uint64_t nth, FaultMode mode) {
    World world;
    fill(world);
    stoa::SerialExecutor serial;  // faults are those of one thread
    const auto alive = std::make_shared<int>(0);
    std::uint64_t count = 0;
    const Record record{alive, count};
    const auto query = world.query<const Value, Terms...>();
    const std::size_t matches = query.count();
    bool fired = false;
    bool threw = false;
    {
        const AllocationFaults faults(nth, mode);
        try {
            query.par_each(serial, world.commands(), record);
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        fired = faults.fired();
    }
    CHECK((!threw || fired));
    CHECK((threw || count == 2 * matches));
    CHECK(world.commands().size() == count);
    CHECK(static_cast<std::uint64_t>(alive.use_count()) == 2 + count / 2);
    world.check();
    CHECK(world.flush().applied == count);
    CHECK(world.size() == rows + (count + 1) / 2);
    CHECK(alive.use_count() == 2);
    world.check();
    // The same walk succeeds, and goes on with the ids that are left.
    query.par_each(serial, world.commands(), [](const Value&, Commands& later) { later.spawn(); });
    world.flush();
    world.check();
    return fired;
}

template <class... Terms>
bool fail_sending(std::uint64_t nth, FaultMode mode) {
    World world;
    fill(world);
    stoa::SerialExecutor serial;
    const auto alive = std::make_shared<int>(0);
    stoa::MessageReader<Letter> reader{world};
    bool fired = false;
    stoa::Schedule schedule{world};
    schedule.add_phase("phase").add("send", [&](stoa::Query<const Value, Terms...> values, Messages<Letter> letters) {
        std::uint64_t count = 0;
        const auto send = [&](const Value&, Messages<Letter>& own) {
            own.send(Letter{std::string(40, 'x'), alive});
            ++count;
        };
        bool threw = false;
        {
            const AllocationFaults faults(nth, mode);
            try {
                values.par_each(serial, letters, send);
            } catch (const std::bad_alloc&) {
                threw = true;
            }
            fired = faults.fired();
        }
        CHECK((!threw || fired));
        CHECK(reader.size() == count);
        CHECK(static_cast<std::uint64_t>(alive.use_count()) == 1 + count);
        world.check();
        values.par_each(serial, letters, send);
        CHECK(reader.read().size() == count);
        world.check();
    });
    schedule.update(1);
    world.end_frame();
    CHECK(alive.use_count() == 1);
    world.check();
    return fired;
}

template <class... Terms>
bool fail_reducing(std::uint64_t nth, FaultMode mode) {
    World world;
    fill(world);
    stoa::SerialExecutor serial;
    const auto query = world.query<const Value, Terms...>();
    const auto text = [](const Value&) { return std::string(40, 'x'); };
    bool fired = false;
    bool threw = false;
    std::size_t size = 0;
    {
        const AllocationFaults faults(nth, mode);
        try {
            size = query.par_reduce(serial, std::string(), text, std::plus<>{}).size();
        } catch (const std::bad_alloc&) {
            threw = true;
        }
        fired = faults.fired();
    }
    CHECK(threw == fired);
    CHECK((threw || size == 40 * query.count()));
    world.check();
    world.spawn(Value{});  // nothing is locked
    return fired;
}

}  // namespace

TEST_CASE("parallel recording without memory keeps what came before, and no id is lost") {
    CHECK(each_fault(fail_recording<>) > 300);
    CHECK(each_fault(fail_recording<stoa::With<Loose>>) > 150);
}

TEST_CASE("parallel sending without memory keeps what came before") {
    CHECK(each_fault(fail_sending<>) > 300);
    CHECK(each_fault(fail_sending<stoa::With<Loose>>) > 150);
}

TEST_CASE("a reduction without memory leaves nothing behind") {
    CHECK(each_fault(fail_reducing<>) > 300);
    CHECK(each_fault(fail_reducing<stoa::With<Loose>>) > 150);
}

TEST_CASE("a callback that throws in any row ends the walk there") {
    for (const auto order : {OrderExecutor::Order::first, OrderExecutor::Order::last, OrderExecutor::Order::random}) {
        World world;
        fill(world);
        stoa::MessageReader<Letter> reader{world};
        OrderExecutor executor(order);
        stoa::Schedule schedule{world};
        std::uint64_t at = 0;
        schedule.add_phase("phase").add("walk", [&](stoa::Query<const Value> values, Messages<Letter> letters) {
            Commands later{world};
            const auto record = [&](const Value& value, Commands& own) {
                own.spawn(Text{"a"});
                if (value.number == at) throw 1;
            };
            const auto send = [&](const Value& value, Messages<Letter>& own) {
                own.send(Letter{"a", nullptr});
                if (value.number == at) throw 2;
            };
            CHECK_THROWS_AS(values.par_each(executor, later, record), int);
            CHECK_THROWS_AS(values.par_each(executor, letters, send), int);
            CHECK(later.size() == at + 1);
            CHECK(reader.read().size() == at + 1);
            world.check();
        });
        for (; at < rows; ++at) schedule.update(1);
        CHECK(world.size() == rows);
        // The ids of all that was dropped are free again.
        CHECK(world.spawn().index() < 3000);
        world.check();
    }
}

// Guards par_each with messages: what its pieces send arrives in the order of the walk, whichever thread sent it, and
// references to messages hold. And that sending in any other way is refused inside a parallel walk.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "support/fault_allocator.hpp"
#include "support/order_executor.hpp"
#include "support/thread_executor.hpp"

using namespace stoa;
using support::OrderExecutor;

namespace {

struct Value {
    std::uint64_t number = 0;
};
struct Hit {
    Entity target;
    std::uint64_t number = 0;
};
struct Letter {
    std::shared_ptr<int> alive;
    std::uint64_t number = 0;
};

void fill(World& world, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) world.spawn(Value{i});
}

std::vector<std::unique_ptr<Executor>> all_executors() {
    std::vector<std::unique_ptr<Executor>> all;
    all.push_back(std::make_unique<SerialExecutor>());
    for (const auto order : {OrderExecutor::Order::first, OrderExecutor::Order::last, OrderExecutor::Order::random})
        all.push_back(std::make_unique<OrderExecutor>(order, 7, 3));
    for (const std::size_t threads : {2u, 4u, 8u}) all.push_back(std::make_unique<support::ThreadExecutor>(threads));
    return all;
}

// Runs a system once in each of some frames.
template <class System>
void run(World& world, int frames, System&& system) {
    Schedule schedule{world};
    schedule.add_phase("phase").add("system", std::forward<System>(system));
    for (int frame = 0; frame < frames; ++frame) schedule.update(1);
}

template <class T>
std::vector<std::uint64_t> numbers(MessageReader<T>& reader) {
    std::vector<std::uint64_t> all;
    for (const T& message : reader.read()) all.push_back(message.number);
    return all;
}

}  // namespace

TEST_CASE("pieces send in the order of the walk, behind what was sent before") {
    for (const std::size_t count : {0u, 1u, 64u, 300u, 5000u}) {
        for (const auto& executor : all_executors()) {
            World world;
            fill(world, count);
            MessageReader<Hit> early{world};
            run(world, 1, [&](Query<const Value> values, Messages<Hit> hits) {
                hits.send(Hit{{}, 1'000'000});
                values.par_each(*executor, hits, [](Entity e, const Value& value, Messages<Hit>& own) {
                    for (std::uint64_t i = 0; i < value.number % 4; ++i) own.send(Hit{e, value.number});
                });
                world.check();
                values.par_each(*executor, hits, [](const Value& value, const Messages<Hit>& own) {
                    if (value.number % 2 == 0) own.send(Hit{{}, value.number});
                });
                hits.send(Hit{{}, 2'000'000});
                world.check();
            });
            std::vector<std::uint64_t> expected{1'000'000};
            for (std::uint64_t i = 0; i < count; ++i) expected.insert(expected.end(), i % 4, i);
            for (std::uint64_t i = 0; i < count; i += 2) expected.push_back(i);
            expected.push_back(2'000'000);
            CHECK(early.size() == expected.size());
            CHECK(numbers(early) == expected);
            world.end_frame();
            world.check();
            world.send(Hit{{}, 3});
            CHECK(numbers(early) == std::vector<std::uint64_t>{3});
            world.check();
        }
    }
}

TEST_CASE("readers at any place see each message of a parallel walk once") {
    OrderExecutor executor(OrderExecutor::Order::last);
    World world;
    fill(world, 1000);
    std::vector<MessageReader<Hit>> readers;
    run(world, 30, [&](Query<const Value> values, Messages<Hit> hits, const Time& time) {
        readers.emplace_back(world);
        values.par_each(executor, hits, [&](const Value& value, Messages<Hit>& own) {
            if (value.number % (time.frame + 1) == 0) own.send(Hit{{}, value.number});
        });
        world.check();
        std::vector<std::uint64_t> expected;
        for (std::uint64_t i = 0; i < 1000; i += time.frame + 1) expected.push_back(i);
        for (std::size_t i = 0; i < readers.size(); i += 1 + time.frame % 3) {
            // At most what two walks have sent, the last one whole.
            const std::vector<std::uint64_t> unread = numbers(readers[i]);
            REQUIRE(unread.size() >= expected.size());
            CHECK(std::equal(expected.rbegin(), expected.rend(), unread.rbegin()));
        }
        world.check();
    });
    for (const MessageReader<Hit>& reader : readers) CHECK(reader.size() <= 2000);
}

TEST_CASE("references to messages hold, and a loop over them does not see what its walks send") {
    OrderExecutor executor(OrderExecutor::Order::random);
    World world;
    fill(world, 500);
    MessageReader<Hit> reader{world};
    std::vector<const Hit*> seen;
    run(world, 1, [&](Query<const Value> values, Messages<Hit> hits) {
        for (std::uint64_t i = 0; i < 100; ++i) hits.send(Hit{{}, i});
        for (const Hit& hit : reader.read()) {
            seen.push_back(&hit);
            values.par_each(executor, hits, [](const Value& value, Messages<Hit>& own) {
                if (value.number % 100 == 0) own.send(Hit{{}, value.number + 1000});
            });
        }
        REQUIRE(seen.size() == 100);
        for (std::uint64_t i = 0; i < 100; ++i) CHECK(seen[i]->number == i);
        CHECK(reader.size() == 500);
        world.check();
    });
}

TEST_CASE("what was sent before a throw in the order of the walk stays, the rest is destroyed") {
    for (const std::uint64_t at : {0u, 1u, 64u, 500u, 2999u}) {
        for (const auto& executor : all_executors()) {
            World world;
            fill(world, 3000);
            const auto alive = std::make_shared<int>(0);
            MessageReader<Letter> reader{world};
            const auto system = [&](Query<const Value> values, Messages<Letter> letters) {
                CHECK_THROWS_AS(values.par_each(*executor, letters,
                                                [&](const Value& value, Messages<Letter>& own) {
                                                    own.send(Letter{alive, value.number});
                                                    if (value.number >= at && value.number % 500 == at % 500) throw 1;
                                                }),
                                int);
                world.check();
                CHECK(alive.use_count() == static_cast<long>(at + 2));
                CHECK(reader.size() == at + 1);
                const std::vector<std::uint64_t> sent = numbers(reader);
                for (std::uint64_t i = 0; i <= at; ++i) CHECK(sent[i] == i);
            };
            run(world, 1, system);
            world.end_frame();
            CHECK(alive.use_count() == 1);
            world.check();
        }
    }
}

TEST_CASE("a message whose construction fails leaves no gap") {
    struct Fragile {
        explicit Fragile(std::uint64_t of) : number(of) {
            if (of % 10 == 0) throw 1;
        }
        std::uint64_t number;
    };
    for (const auto& executor : all_executors()) {
        World world;
        fill(world, 1000);
        MessageReader<Fragile> reader{world};
        run(world, 2, [&](Query<const Value> values, Messages<Fragile> all) {
            for (int round = 0; round < 3; ++round) {
                const auto send = [](const Value& value, Messages<Fragile>& own) {
                    try {
                        own.send(value.number);
                    } catch (int) {
                    }
                };
                values.par_each(*executor, all, send);
                world.check();
                CHECK_THROWS_AS(all.send(std::uint64_t{10}), int);
                world.check();
                CHECK(reader.size() == static_cast<std::size_t>(900 * (round + 1)));
            }
            const std::vector<std::uint64_t> sent = numbers(reader);
            CHECK(sent.size() == 2700);
            for (std::size_t i = 0; i < sent.size(); ++i) CHECK(sent[i] == i % 900 / 9 * 10 + i % 9 + 1);
        });
        world.check();
    }
}

TEST_CASE("sending with what was made outside is refused in every parallel walk") {
    World world;
    fill(world, 300);
    MessageReader<Hit> reader{world};
    const auto refused = [&](auto&& call) {
        try {
            call();
        } catch (const Error& error) {
            CHECK(std::string(error.what()).find("query.par_each(executor, messages, f)") != std::string::npos);
            return error.code() == Errc::conflict;
        }
        return false;
    };
    for (const auto& executor : all_executors()) {
        run(world, 1, [&](Query<const Value> values, Messages<Hit> hits, Messages<Letter> letters) {
            const std::vector<std::function<void()>> calls{
                [&] { hits.send(Hit{}); },
                [&] { world.send(Hit{}); },
                [&] { world.send(std::string("a type that was never used")); },
                [&] { const MessageReader<Hit> inside{world}; },
                [&] { values.par_each(*executor, hits, [](const Value&, Messages<Hit>&) {}); },
            };
            for (const auto& call : calls) {
                CHECK(refused([&] { values.par_each(*executor, [&](const Value&) { call(); }); }));
                CHECK(
                    refused([&] { values.par_each(*executor, hits, [&](const Value&, Messages<Hit>&) { call(); }); }));
                CHECK(refused(
                    [&] { values.par_each(*executor, letters, [&](const Value&, Messages<Letter>&) { call(); }); }));
                CHECK(refused([&] {
                    values.par_reduce(
                        *executor, 0, [&](const Value&) { return call(), 1; }, std::plus<>{});
                }));
            }
        });
    }
    CHECK(reader.empty());
    world.check();
}

TEST_CASE("parallel walks nest, with the messages of the piece; copies of them are the same") {
    for (const auto& executor : all_executors()) {
        World world;
        fill(world, 200);
        MessageReader<Hit> reader{world};
        run(world, 2, [&](Query<const Value> values, Messages<Hit> hits) {
            values.par_each(*executor, hits, [&](const Value& value, Messages<Hit> own) {
                own.send(Hit{{}, value.number});
                if (value.number % 50 != 0) return;
                values.par_each(*executor, own, [](const Value& inner, Messages<Hit>& innermost) {
                    innermost.send(Hit{{}, inner.number + 1000});
                });
                own.send(Hit{{}, value.number + 5000});
            });
            world.check();
        });
        std::vector<std::uint64_t> expected;
        for (std::uint64_t i = 0; i < 200; ++i) {
            expected.push_back(i);
            if (i % 50 != 0) continue;
            for (std::uint64_t k = 0; k < 200; ++k) expected.push_back(k + 1000);
            expected.push_back(i + 5000);
        }
        CHECK(numbers(reader) == expected);
        CHECK(reader.lost() == expected.size());
    }
}

TEST_CASE("a steady state of parallel sending allocates nothing") {
    World world;
    fill(world, 5000);
    SerialExecutor serial;  // executors may allocate, so the thread of the caller does it all
    MessageReader<Hit> reader{world};
    std::uint64_t before = 0;
    Schedule schedule{world};
    schedule.add_phase("phase").add("system", [&](Query<const Value> values, Messages<Hit> hits) {
        values.par_each(serial, hits, [](Entity e, const Value& value, Messages<Hit>& own) {
            if (value.number % 3 == 0) own.send(Hit{e, 1});
        });
    });
    for (int frame = 0; frame < 40; ++frame) {
        if (frame == 20) before = stoa_test::allocations_of_process();
        schedule.update(1);
        CHECK(reader.read().size() == 1667);
    }
    CHECK(stoa_test::allocations_of_process() <= before + 80);
    world.shrink_to_fit();
    world.check();
}

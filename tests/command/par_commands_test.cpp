// Guards par_each with commands: what its pieces record is what each records, in the same order, and everything, ids of
// spawns too, is the same for every executor. And that recording in any other way is refused inside a parallel walk.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
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
struct Text {
    std::string of;
};
struct Tag {};
struct Loose {
    std::uint64_t number = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Child {
    Entity parent;
};

std::uint32_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
    value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53ULL;
    return static_cast<std::uint32_t>(value >> 32);
}

void fill(World& world, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const Entity e = world.spawn(Value{i});
        if (i % 3 == 0) world.set(e, Text{std::to_string(i)});
        if (i % 5 == 0) world.set(e, Loose{i});
        if (i % 7 == 0) world.add<Tag>(e);
    }
}

// The edits of one entity, chosen by a number. Names: what `run` was called for, in order.
void edit(Entity e, const Value& value, Commands& later, std::uint64_t frame, std::vector<std::uint64_t>* names) {
    const std::uint32_t choice = mixed(value.number * 1000 + frame);
    if (choice % 3 == 0) later.set(e, Value{value.number + choice % 16});
    if (choice % 5 == 0) later.set(e, Text{"a text that does not fit into a small string " + std::to_string(choice)});
    if (choice % 7 == 0) later.remove<Text>(e);
    if (choice % 11 == 0) later.add<Tag>(e);
    if (choice % 13 == 0) later.remove<Tag, Loose>(e);
    if (choice % 17 == 0) later.set(e, Loose{choice});
    if (choice % 97 == 0) later.despawn(e);
    if (choice % 4 == 0) later.run([names, number = value.number](World&) { names->push_back(number); });
}

// Everything that can be seen, in the order of the walk.
std::vector<std::string> dump(World& world) {
    std::vector<std::string> lines;
    world.query<const Value, Maybe<const Text>, Maybe<const Loose>>().each(
        [&](Entity e, const Value& value, const Text* text, const Loose* loose) {
            lines.push_back(std::to_string(e.bits()) + ' ' + std::to_string(value.number) + ' ' +
                            (text != nullptr ? text->of : "-") + (loose != nullptr ? "L" : "") +
                            (world.has<Tag>(e) ? "T" : ""));
        });
    return lines;
}

std::vector<std::unique_ptr<Executor>> all_executors() {
    std::vector<std::unique_ptr<Executor>> all;
    all.push_back(std::make_unique<SerialExecutor>());
    for (const auto order : {OrderExecutor::Order::first, OrderExecutor::Order::last, OrderExecutor::Order::random})
        all.push_back(std::make_unique<OrderExecutor>(order, 7, 3));
    for (const std::size_t threads : {2u, 4u, 8u}) all.push_back(std::make_unique<support::ThreadExecutor>(threads));
    return all;
}

// What went wrong, in words; empty if nothing was thrown.
template <class Call>
std::string conflict_of(Call&& call) {
    try {
        call();
    } catch (const Error& error) {
        CHECK(error.code() == Errc::conflict);
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("par_each records the same commands in the same order as each") {
    for (const std::size_t count : {0u, 1u, 63u, 200u, 6000u}) {
        std::vector<std::vector<std::string>> expected;
        std::vector<std::uint64_t> expected_names;
        {
            World world;
            fill(world, count);
            for (std::uint64_t frame = 0; frame < 4; ++frame) {
                world.commands().run([&](World&) { expected_names.push_back(frame); });
                world.query<const Value>().each(
                    [&](Entity e, const Value& value) { edit(e, value, world.commands(), frame, &expected_names); });
                world.flush();
                expected.push_back(dump(world));
            }
        }
        for (const auto& executor : all_executors()) {
            World world;
            fill(world, count);
            std::vector<std::uint64_t> names;
            for (std::uint64_t frame = 0; frame < 4; ++frame) {
                world.commands().run([&](World&) { names.push_back(frame); });
                world.query<const Value>().par_each(
                    *executor, world.commands(),
                    [&](Entity e, const Value& value, Commands& later) { edit(e, value, later, frame, &names); });
                world.flush();
                world.check();
                CHECK(dump(world) == expected[frame]);
            }
            CHECK(names == expected_names);
        }
    }
}

namespace {

// Spawns and despawns for some frames. Returns everything that can be seen, and how far indices reach.
struct Growth {
    std::vector<std::string> lines;
    std::uint32_t last_index = 0;
    friend bool operator==(const Growth&, const Growth&) = default;
};

template <class Make>
Growth breed(Executor& executor, int frames, Make&& make_buffer) {
    World world;
    fill(world, 3000);
    Growth growth;
    for (int frame = 0; frame < frames; ++frame) {
        auto buffer = make_buffer(world);
        Commands& later = buffer ? *buffer : world.commands();
        world.query<Value>().par_each(executor, later, [&](Entity e, Value& value, Commands& own) {
            const std::uint32_t choice = mixed(e.bits() * 31 + static_cast<std::uint64_t>(frame));
            if (choice % 8 == 0) {
                const Entity child = own.spawn(Value{choice}, Child{e});
                value.number = child.bits();  // ids can be stored at once
            }
            if (choice % 8 == 1) own.despawn(e);
        });
        later.flush();
        world.check();
        growth.lines.push_back(std::to_string(world.size()));
    }
    for (const std::string& line : dump(world)) growth.lines.push_back(line);
    world.query<>().each([&](Entity e) { growth.last_index = std::max(growth.last_index, e.index()); });
    return growth;
}

}  // namespace

TEST_CASE("ids of spawns are the same for every executor, and used again") {
    const auto of_world = [](World&) { return std::optional<Commands>(); };
    const auto of_its_own = [](World& world) { return std::optional<Commands>(std::in_place, world); };
    std::vector<Growth> all;
    std::vector<Growth> own;
    for (const auto& executor : all_executors()) {
        all.push_back(breed(*executor, 30, of_world));
        own.push_back(breed(*executor, 30, of_its_own));
    }
    for (const Growth& growth : all) CHECK(growth == all[0]);
    for (const Growth& growth : own) CHECK(growth == own[0]);
    // About 3000 entities live at any time, and pieces hold some ids more. Without reuse it would be 11,000 more.
    CHECK(all[0].last_index < 3000 + 5000);
    CHECK(own[0].last_index < 3000 + 5000);
}

TEST_CASE("a piece that spawns much more than others gets all ids it needs") {
    std::vector<std::vector<std::uint64_t>> spawned;
    for (const auto& executor : all_executors()) {
        World world;
        for (std::uint64_t i = 0; i < 2000; ++i) world.spawn(Value{i});
        world.query<const Value>().par_each(*executor, world.commands(), [](const Value& value, Commands& later) {
            if (value.number == 1500) {
                for (int i = 0; i < 1000; ++i) later.spawn(Tag{});
            }
            if (value.number % 100 == 0) later.spawn(Tag{});
        });
        world.flush();
        world.check();
        CHECK(world.size() == 2000 + 1000 + 20);
        std::vector<Entity> ids;
        world.query<With<Tag>>().collect(ids);
        spawned.emplace_back();
        for (const Entity id : ids) spawned.back().push_back(id.bits());
        // What is left of the dealt ids can be used by others.
        for (int i = 0; i < 100; ++i) world.spawn();
        world.check();
    }
    for (const auto& ids : spawned) CHECK(ids == spawned[0]);
}

TEST_CASE("what was recorded before a throw in the order of the walk stays, the rest is dropped") {
    for (const std::uint64_t at : {0u, 1u, 63u, 64u, 500u, 2500u, 4999u}) {
        for (const auto& executor : all_executors()) {
            World world;
            for (std::uint64_t i = 0; i < 5000; ++i) world.spawn(Value{i});
            const auto alive = std::make_shared<int>(0);
            std::vector<std::uint64_t> names;
            world.commands().run([&](World&) { names.push_back(~std::uint64_t{0}); });
            const auto record = [&](const Value& value, Commands& later) {
                later.run([&names, alive, number = value.number](World&) { names.push_back(number); });
                later.spawn(Value{value.number + 10000});
                if (value.number >= at && value.number % 500 == at % 500) throw value.number;
            };
            std::uint64_t thrown = 0;
            try {
                world.query<const Value>().par_each(*executor, world.commands(), record);
            } catch (const std::uint64_t number) {
                thrown = number;
            }
            CHECK(thrown == at);
            CHECK(alive.use_count() == static_cast<long>(at + 2));
            CHECK(world.commands().size() == 1 + 2 * (at + 1));
            world.check();
            world.flush();
            REQUIRE(names.size() == at + 2);
            for (std::uint64_t i = 0; i <= at; ++i) CHECK(names[i + 1] == i);
            CHECK(world.size() == 5000 + at + 1);
            CHECK(alive.use_count() == 1);
            world.check();
            // No id is lost: the next ones come from those that were dropped.
            std::vector<Entity> more(1000);
            world.spawn_many(std::span{more}, Tag{});
            for (const Entity e : more) CHECK(e.index() < 20000);
            world.check();
        }
    }
}

TEST_CASE("a value that throws while it is recorded is a throw of f") {
    struct Bad {
        Bad() = default;
        Bad(const Bad&) { throw 5; }
        Bad(Bad&&) noexcept {}
        Bad& operator=(Bad&&) noexcept { return *this; }
        int number = 0;
    };
    OrderExecutor executor(OrderExecutor::Order::last);
    World world;
    for (std::uint64_t i = 0; i < 3000; ++i) world.spawn(Value{i});
    const Bad bad;
    CHECK_THROWS_AS(world.query<const Value>().par_each(executor, world.commands(),
                                                        [&](Entity e, const Value& value, Commands& later) {
                                                            later.add<Tag>(e);
                                                            if (value.number == 1000) later.set(e, bad);
                                                        }),
                    int);
    CHECK(world.commands().size() == 1001);
    CHECK(world.flush().applied == 1001);
    CHECK(world.query<With<Tag>>().count() == 1001);
    world.check();
}

TEST_CASE("with max_entities it runs on one thread, and uses every id") {
    World world{WorldOptions{.max_entities = 3010}};
    for (std::uint64_t i = 0; i < 3000; ++i) world.spawn(Value{i});
    OrderExecutor executor(OrderExecutor::Order::last);
    const auto spawn = [](const Value& value, Commands& later) {
        if (value.number % 200 == 0) later.spawn(Tag{});
    };
    try {
        world.query<const Value>().par_each(executor, world.commands(), spawn);
        FAIL("there are not so many ids");
    } catch (const Error& error) {
        CHECK(error.code() == Errc::capacity);
    }
    CHECK(executor.runs == 0);
    CHECK(world.commands().size() == 10);
    world.flush();
    CHECK(world.size() == 3010);
    world.check();
}

TEST_CASE("recording into a buffer that was made outside is refused, on one thread too") {
    World world;
    World second;
    for (std::uint64_t i = 0; i < 300; ++i) world.spawn(Value{i});
    const auto query = world.query<const Value>();
    Commands own{world};
    Commands others{second};
    std::vector<std::function<void(Entity)>> calls;
    for (Commands* buffer : {&own, &others, &world.commands()}) {
        calls.emplace_back([=](Entity e) { buffer->despawn(e); });
        calls.emplace_back([=](Entity) { buffer->spawn(); });
        calls.emplace_back([=](Entity) { buffer->spawn(Text{"a"}); });
        calls.emplace_back([=](Entity e) { buffer->set(e, Value{1}); });
        calls.emplace_back([=](Entity e) { buffer->set(e, Text{"a"}); });
        calls.emplace_back([=](Entity e) { buffer->add<Tag>(e); });
        calls.emplace_back([=](Entity e) { buffer->remove<Tag>(e); });
        calls.emplace_back([=](Entity) { buffer->run([](World&) {}); });
        calls.emplace_back([=](Entity) { buffer->spawn<Value>([](Value&) {}); });
        calls.emplace_back([=](Entity) { buffer->clear(); });
        calls.emplace_back([=, &world](Entity) { buffer->append(Commands(world)); });
        calls.emplace_back([=, &world](Entity) { Commands(world).append(std::move(*buffer)); });
    }
    own.run([](World&) {});
    for (const auto& executor : all_executors()) {
        for (const auto& call : calls) {
            const std::string plain =
                conflict_of([&] { query.par_each(*executor, [&](Entity e, const Value&) { call(e); }); });
            CHECK(plain.find("query.par_each(executor, later, f)") != std::string::npos);
            CHECK_FALSE(conflict_of([&] {
                            Commands third{world};
                            query.par_each(*executor, third, [&](Entity e, const Value&, Commands&) { call(e); });
                        }).empty());
            CHECK_FALSE(conflict_of([&] {
                            query.par_reduce(
                                *executor, 0, [&](Entity e, const Value&) { return call(e), 1; }, std::plus<>{});
                        }).empty());
            // Also where the sums of the pieces are combined.
            CHECK_FALSE(conflict_of([&] {
                            query.par_reduce(
                                *executor, 0, [](const Value&) { return 1; },
                                [&](int a, int b) { return call(Entity{}), a + b; });
                        }).empty());
        }
        CHECK_FALSE(conflict_of([&] {
                        query.par_each(*executor, own, [&](Entity e, const Value&, Commands&) { own.despawn(e); });
                    }).empty());
    }
    CHECK(own.size() == 1);
    CHECK(world.commands().empty());
    CHECK(others.empty());
    own.despawn(query.first());  // outside it works again
    CHECK(own.flush().applied == 2);
    world.check();
}

TEST_CASE("a buffer that is made inside may be used there, and later") {
    World world;
    for (std::uint64_t i = 0; i < 300; ++i) world.spawn(Value{i});
    for (const auto& executor : all_executors()) {
        std::optional<Commands> kept;
        world.query<const Value>().par_each(*executor, [&](Entity e, const Value& value) {
            Commands own{world};
            own.add<Tag>(e);
            own.spawn(Tag{});
            CHECK(own.size() == 2);
            if (value.number == 200) kept.emplace(std::move(own));
        });
        REQUIRE(kept.has_value());
        kept->run([](World&) {});
        CHECK(kept->flush().applied == 3);
        CHECK(world.query<With<Tag>>().count() == 2);
        world.query<With<Tag>, Without<Value>>().despawn_all();
        world.query<With<Tag>>().remove_all<Tag>();
        world.check();
    }
}

TEST_CASE("parallel walks nest, with the buffer of the piece") {
    std::vector<std::vector<std::string>> all;
    for (const auto& executor : all_executors()) {
        World world;
        fill(world, 400);
        const auto inner = world.query<const Value, With<Tag>>();
        for (int frame = 0; frame < 3; ++frame) {
            world.query<const Value, With<Loose>>().par_each(
                *executor, world.commands(), [&](Entity e, const Value& value, Commands& later) {
                    if (value.number % 50 == 0) later.spawn(Value{value.number}, Child{e});
                    if (value.number % 40 != 0) return;
                    inner.par_each(*executor, later, [&](Entity f, const Value& other, Commands& own) {
                        if (other.number % 3 == 0) own.spawn(Value{other.number}, Child{f});
                        CHECK_FALSE(conflict_of([&] { later.despawn(e); }).empty());
                    });
                    later.spawn(Value{value.number + 1}, Child{e});
                });
            world.flush();
            world.check();
        }
        all.push_back(dump(world));
    }
    for (const auto& lines : all) CHECK(lines == all[0]);
}

TEST_CASE("systems side by side record in parallel walks, and get the same ids in every run") {
    std::vector<std::vector<std::string>> all;
    for (const auto& executor : all_executors()) {
        World world;
        fill(world, 2000);
        Schedule schedule{world, *executor};
        Phase& phase = schedule.add_phase("phase");
        for (int system = 0; system < 4; ++system) {
            phase.add(std::to_string(system), [&, system](Query<const Value> values, Commands& later,
                                                          const Time& time) {
                later.spawn(Value{time.frame});
                values.par_each(*executor, later, [&](Entity e, const Value&, Commands& own) {
                    const std::uint32_t choice = mixed(e.bits() + time.frame * 77 + static_cast<std::uint64_t>(system));
                    if (choice % 40 == 0) own.spawn(Value{choice}, Child{e});
                    if (choice % 40 == 1) own.despawn(e);
                });
            });
        }
        for (int frame = 0; frame < 10; ++frame) schedule.update(1);
        world.check();
        all.push_back(dump(world));
    }
    for (const auto& lines : all) CHECK(lines == all[0]);
}

TEST_CASE("filtered, reversed and ordered walks record in their order") {
    for (const auto& executor : all_executors()) {
        World world;
        fill(world, 3000);
        HashIndex<&Value::number> by_number{world};
        const auto check = [&](const auto& handle) {
            std::vector<std::uint64_t> expected;
            handle.each([&](const Value& value) { expected.push_back(value.number); });
            std::vector<std::uint64_t> names;
            handle.par_each(*executor, world.commands(), [&](Value& value, Commands& later) {
                later.run([&names, number = value.number](World&) { names.push_back(number); });
            });
            world.flush();
            CHECK(names == expected);
        };
        check(world.query<Value>().reversed());
        check(world.query<Value>().ordered());
        check(world.query<Value, With<Loose>>().ordered().reversed());
        check(world.query<Value>().where(by_number != 100));
        check(world.query<Value, Without<Tag>>().where(by_number != 100).reversed());
        check(world.query<Value, Needs<Text>>());
        world.check();
    }
}

TEST_CASE("a steady state of parallel recording allocates nothing") {
    World world;
    for (std::uint64_t i = 0; i < 5000; ++i) world.spawn(Value{i});
    SerialExecutor serial;  // executors may allocate, so the thread of the caller does it all
    const auto query = world.query<Value>();
    std::uint64_t before = 0;
    for (int frame = 0; frame < 40; ++frame) {
        if (frame == 20) before = stoa_test::allocations_of_process();
        query.par_each(serial, world.commands(), [](Entity e, Value& value, Commands& later) {
            if (value.number % 10 == 0) {
                later.spawn(Value{value.number});
                later.despawn(e);
            }
        });
        world.flush();
    }
    CHECK(stoa_test::allocations_of_process() == before);
    CHECK(world.size() == 5000);
    world.check();
}

// Guards par_reduce: the values in the order of the walk, grouped by the rows alone, so that the result is bit-equal
// for every executor. combine() is associative and not commutative where the order matters.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/order_executor.hpp"
#include "support/thread_executor.hpp"

using namespace stoa;
using support::OrderExecutor;

namespace {

struct Mass {
    double kg = 0;
};
struct Other {
    int number = 0;
};
struct Loose {
    int number = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

std::vector<Entity> fill(World& world, std::size_t count) {
    std::vector<Entity> all(count);
    world.spawn_many(std::span{all}.first(count / 3), Mass{});
    world.spawn_many(std::span{all}.subspan(count / 3), Mass{}, Other{});
    stoa_test::Random random(count + 1);
    for (std::size_t i = 0; i < count; ++i) {
        world.get<Mass>(all[i]).kg = 1.0 / (1 + random.below(1000)) - 0.3;
        if (random.below(3) == 0) world.set(all[i], Loose{});
    }
    return all;
}

// The indices of the matches as text, in order.
struct Text {
    std::string of;
    friend bool operator==(const Text&, const Text&) = default;
};
Text join(Text a, const Text& b) {
    a.of += b.of;
    return a;
}

template <class Handle>
Text serial_text(const Handle& handle) {
    Text all{"<"};
    handle.each([&](Entity entity, const Mass&) { all.of += std::to_string(entity.index()) + ' '; });
    return all;
}

template <class Handle>
void check_order(const Handle& handle, Executor& executor) {
    const auto text = [](Entity entity, const Mass&) { return Text{std::to_string(entity.index()) + ' '}; };
    CHECK(handle.par_reduce(executor, Text{"<"}, text, join) == serial_text(handle));
}

}  // namespace

TEST_CASE("par_reduce combines the values in the order of the walk, for every executor") {
    for (const std::size_t count : {0u, 1u, 64u, 65u, 1000u, 5001u, 20000u}) {
        CAPTURE(count);
        World world;
        fill(world, count);
        SerialExecutor serial;
        OrderExecutor last(OrderExecutor::Order::last);
        OrderExecutor random(OrderExecutor::Order::random, count, 3);
        support::ThreadExecutor threads(4);
        HashIndex<&Other::number> by_number{world};
        for (Executor* executor : std::initializer_list<Executor*>{&serial, &last, &random, &threads}) {
            check_order(world.query<const Mass>(), *executor);
            check_order(world.query<const Mass, With<Loose>>(), *executor);
            check_order(world.query<const Mass, Without<Loose>>(), *executor);
            check_order(world.query<const Mass>().reversed(), *executor);
            check_order(world.query<const Mass>().ordered(), *executor);
            check_order(world.query<const Mass>().ordered().reversed(), *executor);
            check_order(world.query<const Mass>().where(by_number == 0), *executor);
            check_order(world.query<const Mass, With<Loose>>().where(by_number == 0).reversed(), *executor);
        }
        if (count > 1000) CHECK(last.jobs_run > 60);
    }
}

TEST_CASE("sums of par_reduce are bit-equal for every executor, and near those of a loop") {
    World world;
    fill(world, 30001);
    const auto query = world.query<const Mass>();
    const auto sum = [&](Executor& executor) {
        return std::bit_cast<std::uint64_t>(query.par_reduce(
            executor, 0.25, [](const Mass& mass) { return mass.kg; }, std::plus<>{}));
    };
    SerialExecutor serial;
    const std::uint64_t expected = sum(serial);
    double loop = 0.25;
    query.each([&](const Mass& mass) { loop += mass.kg; });
    CHECK(std::bit_cast<double>(expected) == doctest::Approx(loop).epsilon(1e-12));
    for (const std::size_t count : {2u, 3u, 4u, 8u, 64u}) {
        OrderExecutor random(OrderExecutor::Order::random, count, count);
        CHECK(sum(random) == expected);
        support::ThreadExecutor threads(count);
        CHECK(sum(threads) == expected);
    }
}

TEST_CASE("par_reduce has the type of its initial value, which is combined once, in front") {
    World world;
    fill(world, 5000);
    OrderExecutor executor(OrderExecutor::Order::last);
    const auto query = world.query<const Mass>();
    const auto one = [](const Mass&) { return 1; };
    CHECK(query.par_reduce(executor, 1000L, one, std::plus<>{}) == 6000L);
    static_assert(std::is_same_v<decltype(query.par_reduce(executor, 1000L, one, std::plus<>{})), long>);
    CHECK(world.query<const Other, Without<Mass>>().par_reduce(
              executor, 7, [](const Other& o) { return o.number; }, std::plus<>{}) == 7);
    // A family that is not active has no matches.
    CHECK(world.query<const Mass, Needs<Text>>().par_reduce(executor, 5, one, std::plus<>{}) == 5);
    // The largest of all, with the entity that has it.
    struct Best {
        double kg;
        Entity entity;
    };
    const Best best = query.par_reduce(
        executor, Best{-1, {}},
        [](Entity entity, const Mass& mass) {
            return Best{mass.kg, entity};
        },
        [](const Best& a, const Best& b) { return b.kg > a.kg ? b : a; });
    Best expected{-1, {}};
    query.each([&](Entity entity, const Mass& mass) {
        if (mass.kg > expected.kg) expected = {mass.kg, entity};
    });
    CHECK(best.kg == expected.kg);
    CHECK(best.entity == expected.entity);
    // Values that can only be moved, and cannot be made from nothing.
    struct Box {
        explicit Box(std::unique_ptr<int> of) : value(std::move(of)) {}
        std::unique_ptr<int> value;
    };
    const Box box = query.par_reduce(
        executor, Box(std::make_unique<int>(3)), [](const Mass&) { return Box(std::make_unique<int>(1)); },
        [](Box a, const Box& b) {
            *a.value += *b.value;
            return a;
        });
    CHECK(*box.value == 5003);
}

TEST_CASE("par_reduce may write what its terms write, and this counts as a change") {
    World world;
    fill(world, 5000);
    OrderExecutor executor(OrderExecutor::Order::last);
    const auto changed = world.query<const Mass, Changed<Mass>>();
    std::vector<Entity> seen;
    changed.collect(seen);
    seen.clear();
    const auto heavier = [](Mass& mass) { return mass.kg = 2; };
    CHECK(world.query<Mass, With<Other>>().par_reduce(executor, 0.0, heavier, std::plus<>{}) > 6000);
    changed.collect(seen);
    CHECK(seen.size() == world.query<Mass, With<Other>>().count());
}

TEST_CASE("what par_reduce throws is what comes first in the order of the walk") {
    World world;
    fill(world, 20000);
    const auto query = world.query<const Mass>();
    std::vector<Entity> all;
    query.collect(all);
    for (const auto order : {OrderExecutor::Order::first, OrderExecutor::Order::last, OrderExecutor::Order::random}) {
        OrderExecutor executor(order);
        const auto throwing = [&](Entity entity, const Mass&) -> int {
            if (entity == all[700] || entity == all[15000]) throw entity;
            return 1;
        };
        Entity thrown;
        try {
            query.par_reduce(executor, 0, throwing, std::plus<>{});
        } catch (const Entity entity) {
            thrown = entity;
        }
        CHECK(thrown == all[700]);
        CHECK_THROWS_AS(
            query.par_reduce(
                executor, 0, [](const Mass&) { return 1; },
                [](int a, int b) -> int { return a + b > 19000 ? throw std::runtime_error("many") : a + b; }),
            std::runtime_error);
    }
    world.despawn(all[0]);  // nothing is locked any more
    world.check();
}

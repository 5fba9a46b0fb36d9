// Guards that several threads may make and walk queries of one const World at the same time: equal and different ones,
// the first of the world, and right after a change that the lists of queries have missed for lack of memory.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <utility>

#include "support/fault_allocator.hpp"
#include "support/in_threads.hpp"

using stoa::Entity;
using stoa::World;
using stoa_test::in_threads;

namespace {

struct Number {
    int value = 0;
};
struct Name {
    int value = 0;
};
struct Burning {
    int heat = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct Scale {
    int factor = 2;
};
template <int N>
struct Kind {};

constexpr int entity_count = 400;

void fill(World& world) {
    for (int i = 0; i < entity_count; ++i) {
        const Entity e = i % 2 == 0 ? world.spawn(Number{i}) : world.spawn(Number{i}, Name{i});
        if (i % 4 == 0) world.set(e, Burning{i});
    }
    world.set_resource(Scale{});
}

constexpr int sum_of_all = entity_count * (entity_count - 1) / 2;

template <class Query>
int sum_of(const Query& query) {
    int sum = 0;
    query.each([&](const Number& number) { sum += number.value; });
    return sum;
}

// How many of all walks and questions have a wrong result.
int wrong_results(const World& world) {
    const auto all = world.query<const Number>();
    int wrong = sum_of(all) != sum_of_all;
    wrong += sum_of(all.reversed()) != sum_of_all || sum_of(all.ordered()) != sum_of_all;
    int ranged = 0;
    for (auto [e, number] : all) ranged += world.alive(e) ? number.value : 0;
    wrong += ranged != sum_of_all;
    int tabled = 0;
    all.each_table([&](auto& rows) {
        for (std::size_t i = 0; i < rows.size(); ++i) tabled += rows.template get<const Number>(i).value;
    });
    wrong += tabled != sum_of_all;
    wrong += world.query<const Number, stoa::With<Name>>().count() != entity_count / 2;
    wrong += world.query<const Number, const Burning>().count() != entity_count / 4;
    wrong += world.query<const Burning, stoa::Without<Name>>().empty();
    const auto family = world.query<const Number, stoa::Needs<const Scale>>();
    wrong += !family.active() || !family.contains(all.first());
    stoa::SerialExecutor serial;
    const auto value = [](const Number& number) { return number.value; };
    wrong += all.par_reduce(serial, 0, value, std::plus<>{}) != sum_of_all;
    return wrong;
}

}  // namespace

TEST_CASE("several threads may make and walk the first queries of a const World") {
    for (int round = 0; round < 20; ++round) {
        World world;
        fill(world);
        const World& reader = world;
        std::atomic<int> wrong{0};
        in_threads([&](int) {
            wrong += wrong_results(reader);
            wrong += reader.stats().queries == 0;
        });
        CHECK(wrong == 0);
        world.check();
    }
}

TEST_CASE("several threads may make different queries while others walk") {
    World world;
    fill(world);
    const World& reader = world;
    const auto shared = reader.query<const Number>();
    std::atomic<int> wrong{0};
    in_threads([&](int thread) {
        const auto make = [&]<int... Ns>(std::integer_sequence<int, Ns...>) {
            ((wrong += sum_of(reader.query<const Number, stoa::Without<Kind<Ns>>>()) != sum_of_all), ...);
        };
        for (int i = 0; i < 20; ++i) {
            const auto copy = shared;
            if (thread % 2 == 0) make(std::make_integer_sequence<int, 30>{});
            wrong += sum_of(copy) != sum_of_all;
        }
    });
    CHECK(wrong == 0);
    world.check();
}

TEST_CASE("threads that read miss no table that came without memory to note it") {
    for (int round = 0; round < 20; ++round) {
        World world;
        const Entity e = world.spawn(Number{1}, Name{2});
        const World& reader = world;
        const auto query = reader.query<const Number, stoa::Without<Name>>();
        {
            const stoa_test::AllocationFaults faults{0, stoa_test::FaultMode::persistent};
            REQUIRE(world.remove<Name>(e));
        }
        std::atomic<int> wrong{0};
        in_threads([&](int) {
            wrong += query.first() != e;
            wrong += reader.query<const Number>().count() != 1;
        });
        CHECK(wrong == 0);
        world.check();
    }
}

TEST_CASE("threads that read walk empty tables as often as they like") {
    World world;
    const Entity e = world.spawn(Number{1}, Name{2});
    world.remove<Name>(e);
    const World& reader = world;
    std::atomic<int> wrong{0};
    in_threads([&](int) {
        for (int i = 0; i < 1000; ++i) wrong += sum_of(reader.query<const Number>()) != 1;
    });
    CHECK(wrong == 0);
    CHECK(sum_of(world.query<const Number>()) == 1);  // this one may put the empty table aside
    world.check();
    world.add<Name>(e);
    CHECK(sum_of(reader.query<const Number, stoa::With<Name>>()) == 1);
}

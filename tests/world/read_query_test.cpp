// Queries of a const World: they see what queries see, in every walk and question; and what they leave as it is.
#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <stoa/stoa.hpp>
#include <type_traits>
#include <vector>

#include "base/thrown.hpp"
#include "support/fault_allocator.hpp"

using namespace stoa;
using api_test::throws;

namespace {

struct Number {
    int value = 0;
};
struct Name {
    int value = 0;
};
struct Tag {};
struct Rare {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Scale {
    int factor = 10;
};

using Ids = std::vector<Entity>;

static_assert(std::ranges::input_range<ReadQuery<const Number>>);
static_assert(std::ranges::input_range<ReadFiltered<const Number>>);
static_assert(std::is_copy_assignable_v<ReadQuery<const Number>>);

template <class Query>
Ids found(const Query& query) {
    Ids out;
    query.collect(out);
    return out;
}

Ids fill(World& world) {
    Ids ids;
    for (int i = 0; i < 200; ++i) {
        ids.push_back(i % 2 == 0 ? world.spawn(Number{i}, Tag{}) : world.spawn(Number{i}, Name{i}));
        if (i % 5 == 0) world.set(ids.back(), Rare{i});
    }
    return ids;
}

// The same for a query and for its reading twin.
template <class... Terms>
void check_alike(World& world, const Ids& ids) {
    const auto query = world.query<Terms...>();
    const auto reading = std::as_const(world).query<Terms...>();
    static_assert(std::is_same_v<decltype(reading), const ReadQuery<Terms...>>);
    CHECK(found(reading) == found(query));
    CHECK(found(reading.reversed()) == found(query.reversed()));
    CHECK(found(reading.ordered()) == found(query.ordered()));
    CHECK(found(reading.ordered().reversed()) == found(query.ordered().reversed()));
    CHECK(reading.count() == query.count());
    CHECK(reading.empty() == query.empty());
    CHECK(reading.first() == query.first());
    CHECK(reading.active());
    for (const Entity e : ids) CHECK(reading.contains(e) == query.contains(e));
}

}  // namespace

TEST_CASE("a query of a const World sees what a query sees") {
    World world;
    const Ids ids = fill(world);
    check_alike<>(world, ids);
    check_alike<const Number>(world, ids);
    check_alike<const Number, Maybe<const Rare>, With<Tag>>(world, ids);
    check_alike<Tag, const Rare>(world, ids);
    check_alike<Without<Tag>, AnyOf<Rare, Tag, Name>>(world, ids);
    check_alike<Lacks<Number, Rare>, Or<With<Tag>, With<Name, Rare>>>(world, ids);
}

TEST_CASE("walks of a read query") {
    World world;
    const Ids ids = fill(world);
    const World& reader = world;
    const auto query = reader.query<const Number, Maybe<const Rare>>();
    int sum = 0;
    query.each([&](const Number& number, const Rare*) { sum += number.value; });
    query.each([&](Entity e, const Number& number, const Rare* rare) {
        CHECK(reader.get<const Number>(e).value == number.value);
        CHECK((rare != nullptr) == (number.value % 5 == 0));
        CHECK(throws(Errc::locked, [&] { world.spawn(); }));
    });
    CHECK(sum == 19900);
    CHECK(query.each_until([](const Number& number, const Rare*) { return number.value == 7; }));
    int chunked = 0;
    reader.query<const Number>().each_chunk([&](std::span<const Number> numbers) {
        for (const Number& number : numbers) chunked += number.value;
    });
    int ranged = 0;
    for (auto [e, number, rare] : query) ranged += number.value;
    int tabled = 0;
    reader.query<const Number>().reversed().each_table([&](auto& rows) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            CHECK(reader.alive(rows.entity(i)));
            tabled += rows.template get<const Number>(i).value;
            CHECK(rows.template find<const Name>(i) == reader.find<const Name>(rows.entity(i)));
        }
    });
    CHECK(chunked == sum);
    CHECK(ranged == sum);
    CHECK(tabled == sum);
    CHECK(query.fetch(ids[4], [](const Number& number, const Rare*) { CHECK(number.value == 4); }));
    CHECK(throws(Errc::not_single, [&] { static_cast<void>(query.single()); }));
    SerialExecutor serial;
    const auto value = [](const Number& number, const Rare*) { return number.value; };
    CHECK(query.par_reduce(serial, 1, value, std::plus<>{}) == 19901);
    int parallel = 0;
    query.par_each(serial, [&](const Number& number, const Rare*) { parallel += number.value; });
    CHECK(parallel == sum);
    query.par_each(serial, world.commands(), [](Entity e, const Number& number, const Rare*, Commands& later) {
        if (number.value < 3) later.despawn(e);
    });
    world.flush();
    CHECK(query.count() == 197);
}

TEST_CASE("a read query with filters on fields") {
    World world;
    fill(world);
    OrderedIndex<&Number::value> by_value{world};
    const World& reader = world;
    const auto high = reader.query<const Number>().where(by_value >= 190);
    static_assert(std::is_same_v<decltype(high), const ReadFiltered<const Number>>);
    CHECK(high.count() == 10);
    CHECK(found(high.where(by_value < 193).reversed()) ==
          found(world.query<Number>().where(by_value >= 190, by_value < 193).reversed()));
    int sum = 0;
    high.ordered().each([&](const Number& number) { sum += number.value; });
    CHECK(sum == 1945);
    CHECK(!high.explain().empty());
    world.get<Number>(high.first()).value = 0;
    CHECK(high.count() == 9);
}

TEST_CASE("a read query is current, leaves ticks alone, and needs a world") {
    auto world = std::make_unique<World>();
    auto changed = world->query<Changed<Number>>();
    const World& reader = *world;
    const auto query = reader.query<const Number>();
    CHECK(query.empty());
    const Entity e = world->spawn(Number{1}, Name{});
    CHECK(query.single() == e);
    changed.each([] {});
    query.each([](const Number&) {});
    for (auto [id, number] : query) CHECK(number.value == 1);
    CHECK(changed.empty());
    world->despawn(e);
    world->shrink_to_fit();
    CHECK(query.empty());
    world.reset();
    CHECK(throws(Errc::world_gone, [&] { static_cast<void>(query.count()); }));
    World source;
    const World taken = std::move(source);
    CHECK(taken.query<>().empty());
    const World& gone = source;  // NOLINT(bugprone-use-after-move): it says that it is gone
    CHECK(throws(Errc::world_gone, [&] { static_cast<void>(gone.query<const Number>()); }));
}

TEST_CASE("a read query of a family hands out its resources for reading") {
    World world;
    world.spawn(Number{2});
    const World& reader = world;
    const auto family = reader.query<const Number, Needs<const Scale>>();
    CHECK(!family.active());
    CHECK(found(family).empty());
    world.set_resource(Scale{});
    int scaled = 0;
    CHECK(family.setup(
        [&](const Scale& scale) { family.each([&](const Number& number) { scaled = number.value * scale.factor; }); }));
    CHECK(scaled == 20);
}

TEST_CASE("a read query misses no table that came without memory to note it") {
    World world;
    const Entity e = world.spawn(Number{1}, Name{2});
    const World& reader = world;
    const auto query = reader.query<const Number, Without<Name>>();
    CHECK(query.empty());
    {
        const stoa_test::AllocationFaults faults{0, stoa_test::FaultMode::persistent};
        CHECK(world.remove<Name>(e));
    }
    CHECK(query.single() == e);
    CHECK(reader.query<const Number>().count() == 1);
    world.check();
}

TEST_CASE("a read query that cannot be made for lack of memory changes nothing") {
    for (std::uint64_t nth = 0; nth < 40; ++nth) {
        World world;
        world.spawn(Number{1});
        const World& reader = world;
        bool failed = false;
        {
            const stoa_test::AllocationFaults faults{nth, stoa_test::FaultMode::once};
            try {
                static_cast<void>(reader.query<const Number>());
            } catch (const std::bad_alloc&) {
                failed = true;
            }
        }
        world.check();
        CHECK(reader.query<const Number>().count() == 1);
        if (!failed) return;
    }
    FAIL("every allocation failed");
}

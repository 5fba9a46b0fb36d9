// Bulk changes and change tracking: what comes with whole chunks is added, what was changed before stays so, and rows
// that only came along are neither.
#include <doctest/doctest.h>

#include <span>
#include <stoa/stoa.hpp>
#include <string>

#include "support/matches.hpp"

using namespace stoa;
using stoa_test::collected;
using stoa_test::Entities;
using stoa_test::sorted;

namespace {

struct Number {
    int value = 0;
};
struct Name {
    std::string text;
};
struct Tag {};
struct Sparse {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

constexpr std::size_t rows = 9000;  // more than two chunks and a tail

struct Scene {
    World world;
    Entities ids;
    Entities tagged;  // were in the target before
    Query<Changed<Number>> changed;
    Query<Added<Tag>> added_tag;
    Query<Added<Name>> added_name;

    Scene()
        : changed(world.query<Changed<Number>>()),
          added_tag(world.query<Added<Tag>>()),
          added_name(world.query<Added<Name>>()) {
        ids.resize(rows);
        tagged.resize(5);
        world.spawn_many(std::span{ids}, Number{});
        world.spawn_many(std::span{tagged}, Number{}, Tag{});
        settle();
    }
    void settle() {
        collected(changed);
        collected(added_tag);
        collected(added_name);
    }
    void touch(const Entities& some) {
        for (const Entity e : some) world.get<Number>(e).value += 1;
    }
};

}  // namespace

TEST_CASE("a tag that comes to whole chunks is added there, and the other components keep their changes") {
    Scene scene;
    World& world = scene.world;
    const Entities touched = {scene.ids[1], scene.ids[4096], scene.ids[8999]};
    scene.touch(touched);
    CHECK(world.query<const Number>().add_all<Tag>() == rows);
    world.check();
    CHECK(collected(scene.added_tag) == sorted(scene.ids));
    CHECK(collected(scene.changed) == touched);
    CHECK((scene.added_tag.empty() && scene.changed.empty() && scene.added_name.empty()));
    CHECK(world.query<const Number>().add_all<Tag>() == 0);
    CHECK((scene.added_tag.empty() && scene.changed.empty()));

    scene.touch({scene.ids[7]});
    CHECK(world.query<Tag>().remove_all<Tag>() == rows + 5);
    world.check();
    CHECK(scene.added_tag.empty());
    CHECK(collected(scene.changed) == Entities{scene.ids[7]});
    CHECK(world.query<const Number>().add_all<Tag>() == rows + 5);
    CHECK(scene.added_tag.count() == rows + 5);
    CHECK(scene.changed.empty());
}

TEST_CASE("a column that comes to whole chunks is added and changed, replaced values are changed only") {
    Scene scene;
    World& world = scene.world;
    auto changed_name = world.query<Changed<Name>>();
    collected(changed_name);
    CHECK(world.query<Tag>().set_all(Name{"first"}) == 5);
    CHECK(collected(scene.added_name) == sorted(scene.tagged));
    CHECK(collected(changed_name) == sorted(scene.tagged));
    CHECK(world.query<const Number>().set_all(Name{"second"}) == rows + 5);
    CHECK(collected(scene.added_name) == sorted(scene.ids));
    CHECK(changed_name.count() == rows + 5);
    collected(changed_name);
    CHECK(scene.changed.empty());
    CHECK(world.query<const Number>().add_all<Name>() == 0);
    CHECK((scene.added_name.empty() && changed_name.empty() && scene.changed.empty()));
    CHECK(world.query<Tag>().set_all(Number{9}) == 5);
    CHECK(collected(scene.changed) == sorted(scene.tagged));
    CHECK(changed_name.empty());
    world.check();
}

TEST_CASE("rows that take the place of despawned ones bring their own changes") {
    Scene scene;
    World& world = scene.world;
    for (std::size_t i = 0; i < rows; i += 2) world.add<Tag>(scene.ids[i]);
    scene.settle();
    scene.touch({scene.ids[0], scene.ids[3], scene.ids[8999]});
    CHECK(world.query<Number, Tag>().despawn_all() == rows / 2 + 5);
    CHECK(collected(scene.changed) == Entities{scene.ids[3], scene.ids[8999]});
    Entities fresh(100);
    world.spawn_many(std::span{fresh}, Number{}, Tag{});
    CHECK(collected(scene.changed) == sorted(fresh));
    CHECK(collected(scene.added_tag) == sorted(fresh));
    world.check();
}

TEST_CASE("a bulk change of a sparse component is added and changed") {
    Scene scene;
    World& world = scene.world;
    auto added = world.query<Added<Sparse>>();
    auto changed = world.query<Changed<Sparse>>();
    CHECK(world.query<Tag>().add_all<Sparse>() == 5);
    CHECK(collected(added) == sorted(scene.tagged));
    CHECK(collected(changed) == sorted(scene.tagged));
    CHECK(world.query<const Number>().set_all(Sparse{3}) == rows + 5);
    CHECK(collected(added) == sorted(scene.ids));
    CHECK(changed.count() == rows + 5);
    CHECK(scene.changed.empty());
}

namespace {

template <int N>
struct Part {
    int value = N;
};
template <int N>
struct Mark {};

// The tick of a component in the only chunk of the store that has rows.
template <class T>
detail::Tick tick_of(const detail::Store& store) {
    for (const detail::Table* table : store.tables()) {
        const detail::Chunk& chunk = store.chunks()[table->tail_chunk_number()];
        if (table->row_count() != 0) return chunk.ticks[index_of(chunk.columns->find(store.id_of<T>()).tick_index)];
    }
    return 0;
}

}  // namespace

TEST_CASE("a chunk that changes hands with a tag keeps the ticks and the changes of each other component") {
    detail::Store store(WorldOptions{});
    // Ids in this order: a tag that comes or goes shifts the places of what stands behind it.
    static_cast<void>(detail::spawn<Mark<0>, Part<0>, Mark<1>, Part<1>, Mark<2>, Part<2>>(
        store, Mark<0>{}, Part<0>{}, Mark<1>{}, Part<1>{}, Mark<2>{}, Part<2>{}));
    stoa::detail::QueryAccess::make<Query<>>(store).despawn_all();
    Entities ids;
    for (int i = 0; i < 5; ++i)
        ids.push_back(detail::spawn<Part<0>, Part<1>, Part<2>>(store, Part<0>{}, Part<1>{}, Part<2>{}));
    auto first = stoa::detail::QueryAccess::make<Query<Changed<Part<0>>>>(store);
    auto second = stoa::detail::QueryAccess::make<Query<Changed<Part<1>>>>(store);
    auto third = stoa::detail::QueryAccess::make<Query<Changed<Part<2>>>>(store);
    const auto all = stoa::detail::QueryAccess::make<Query<const Part<0>>>(store);
    const auto hand_over = [&](auto&& change) {
        collected(first), collected(second), collected(third);
        detail::get<Part<2>>(store, ids[2]).value += 1;
        store.clock().advance_by(10);
        detail::get<Part<0>>(store, ids[0]).value += 1;
        store.clock().advance_by(10);
        detail::get<Part<1>>(store, ids[1]).value += 1;
        store.clock().advance_by(10);
        const detail::Tick before[] = {tick_of<Part<0>>(store), tick_of<Part<1>>(store), tick_of<Part<2>>(store)};
        CHECK(change() == ids.size());
        CHECK(tick_of<Part<0>>(store) == before[0]);
        CHECK(tick_of<Part<1>>(store) == before[1]);
        CHECK(tick_of<Part<2>>(store) == before[2]);
        CHECK(collected(first) == Entities{ids[0]});
        CHECK(collected(second) == Entities{ids[1]});
        CHECK(collected(third) == Entities{ids[2]});
        check(store);
    };
    hand_over([&] { return all.add_all<Mark<1>>(); });
    hand_over([&] { return all.add_all<Mark<0>, Mark<2>>(); });
    hand_over([&] { return all.remove_all<Mark<1>>(); });
    hand_over([&] { return all.remove_all<Mark<0>, Mark<2>>(); });
}

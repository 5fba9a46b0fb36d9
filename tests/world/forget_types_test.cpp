// Guards what World::forget_types makes the rooms do, without a library: some types of this program are taken for those
// of one. tests/plugin has the whole, with libraries that are loaded and unloaded.

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "component/library_types.hpp"
#include "component/registry.hpp"
#include "query/query_index.hpp"
#include "storage/forget_components.hpp"
#include "storage/store_state.hpp"
#include "support/seeds.hpp"

using namespace stoa;
using detail::LibraryTypes;
using detail::Store;
using detail::UsesLeft;

namespace {

// Sparse ones come first, more than have a bit of their own in the mask of an entity.
constexpr std::size_t sparse_count = 70;
constexpr std::size_t count = 80;

template <std::size_t I>
struct Numbered {
    std::string text = "number " + std::to_string(I) + ", and long enough to be allocated";
    void reset() noexcept {}
    static constexpr Traits stoa_traits{.storage = I < sparse_count ? Storage::sparse : Storage::table,
                                        .cleanup = I % 7 == 3,
                                        .pooled = I % 5 == 2,
                                        .track = I % 4 == 1 ? Track::rows : Track::chunks};
};

struct Verbs {
    void (*set)(World&, Entity);
    bool (*remove)(World&, Entity);
    bool (*has)(World&, Entity);
    std::size_t (*matches)(World&);
    ComponentId (*id)(World&);
};

template <std::size_t I>
constexpr Verbs verbs_of() {
    using T = Numbered<I>;
    return {[](World& world, Entity e) { world.set(e, T{}); },
            [](World& world, Entity e) { return world.remove<T>(e); },
            [](World& world, Entity e) { return world.has<T>(e); },
            [](World& world) { return world.query<const T>().count() + world.query<Changed<T>>().count(); },
            [](World& world) { return world.component<T>().id; }};
}

template <std::size_t... Is>
constexpr std::array<Verbs, count> all_verbs(std::index_sequence<Is...>) {
    return {verbs_of<Is>()...};
}
constexpr std::array<Verbs, count> verbs = all_verbs(std::make_index_sequence<count>{});

// As World::forget_types does, but the registry remembers the types. Returns: what is left of them.
std::string forget(World& world, const LibraryTypes& types) {
    Store& store = detail::store_of(world, "test");
    UsesLeft left;
    name_component_uses(store, types, left);
    detail::QueryIndex::of(store).name_uses(types, left);
    if (!left.empty()) return left.text();
    end_recycled(store, types);
    forget_components(store, types);
    detail::QueryIndex::of(store).forget_types(types);
    return {};
}

void mark(LibraryTypes& types, ComponentId id) {
    const auto number = static_cast<std::size_t>(id);
    if (types.components.size() <= number) types.components.resize(number + 1);
    types.components[number] = true;
}

}  // namespace

TEST_CASE("forgetting any types leaves the others as they are") {
    stoa_test::for_each_seed(10, [](stoa_test::Random& random) {
        World world{WorldOptions{.keep_removed = random.below(3) == 0}};
        std::vector<Entity> entities;
        std::vector<std::vector<bool>> has;
        for (int i = 0; i < 30; ++i) entities.push_back(world.spawn());
        has.resize(entities.size(), std::vector<bool>(count));
        for (int step = 0; step < 600; ++step) {
            const std::uint32_t which = random.below(count);
            const std::uint32_t at = random.below(static_cast<std::uint32_t>(entities.size()));
            if (random.below(3) != 0) {
                verbs[which].set(world, entities[at]);
                has[at][which] = true;
            } else {
                REQUIRE(verbs[which].remove(world, entities[at]) == has[at][which]);
                has[at][which] = false;
            }
            if (random.below(8) != 0) continue;
            world.end_frame();
            LibraryTypes types;
            bool is_left = false;
            for (std::uint32_t i = random.below(4); i < count; i += 1 + random.below(20)) {
                for (std::size_t e = 0; e < entities.size(); ++e) {
                    // Mostly nothing is left.
                    if (has[e][i] && random.below(40) != 0) {
                        verbs[i].remove(world, entities[e]);
                        has[e][i] = false;
                    }
                    is_left |= has[e][i];
                }
                mark(types, verbs[i].id(world));
            }
            world.end_frame();
            REQUIRE(forget(world, types).empty() == !is_left);
            world.check();
            for (std::size_t e = 0; e < entities.size(); ++e) {
                for (std::size_t i = 0; i < count; ++i) REQUIRE(verbs[i].has(world, entities[e]) == has[e][i]);
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t expected = 0;
            for (const std::vector<bool>& row : has) expected += row[i];
            REQUIRE(verbs[i].matches(world) == 2 * expected);
        }
    });
}

TEST_CASE("a query that is held keeps its types, and other queries go on") {
    World world;
    auto others = world.query<const Numbered<71>>();
    LibraryTypes types;
    mark(types, world.component<Numbered<75>>().id);
    {
        const auto held = world.query<Numbered<75>, Without<Numbered<71>>>();
        const auto copy = held;  // NOLINT(performance-unnecessary-copy-initialization): copies count
        CHECK(forget(world, types).find("queries of ") == 0);
        CHECK(forget(world, types).ends_with("Numbered<75> (2)"));
    }
    const std::size_t queries = world.stats().queries;
    CHECK(forget(world, types).empty());
    CHECK(world.stats().queries == queries - 1);
    world.spawn(Numbered<71>{});
    const Entity both = world.spawn(Numbered<71>{}, Numbered<75>{});
    CHECK(others.count() == 2);
    CHECK((world.query<Numbered<75>, Without<Numbered<71>>>().empty()));
    CHECK(world.query<Numbered<75>>().first() == both);
}

TEST_CASE("a query that outlives its world says so") {
    auto world = std::make_unique<World>();
    const auto query = world->query<const Numbered<71>>();
    const auto copy = query;
    world.reset();
    try {
        static_cast<void>(copy.count());
        FAIL("the world is gone");
    } catch (const Error& error) {
        CHECK(error.code() == Errc::world_gone);
    }
}

TEST_CASE("an address in no library is refused") {
    World world;
    const int on_the_stack = 0;
    for (const void* address : {static_cast<const void*>(nullptr), static_cast<const void*>(&on_the_stack)}) {
        try {
            world.forget_types(address);
            FAIL("there is no such library");
        } catch (const Error& error) {
            CHECK(error.code() == Errc::unknown_name);
            CHECK(std::string(error.what()).starts_with("forget_types: no library"));
        }
    }
}

TEST_CASE("types are not forgotten inside a walk or a flush") {
    static const int in_the_program = 0;
    World world;
    world.spawn(Numbered<71>{});
    int refused = 0;
    const auto try_it = [&] {
        try {
            world.forget_types(&in_the_program);
        } catch (const Error& error) {
            refused += error.code() == Errc::locked && std::string(error.what()).starts_with("forget_types: ");
        }
    };
    world.query<Numbered<71>>().each([&](const Numbered<71>&) { try_it(); });
    world.query<Numbered<71>>().each_table([&](auto&) { try_it(); });
    world.commands().run([&](World&) { try_it(); });
    world.flush();
    CHECK(refused == 3);
}

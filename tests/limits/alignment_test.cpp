// Over-aligned components, from 16 to 4096 bytes, in tables and outside them: every address is aligned, for the first
// rows, after growth and after migration, and the values come along.
#include "../support/values.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace stoa_test;

namespace {

template <std::size_t Alignment, stoa::Storage Where>
struct alignas(Alignment) Aligned {
    int number = 0;
    static constexpr stoa::Traits stoa_traits{.storage = Where};
};

/// The same with a life of its own, so that it is moved by its constructor and not as bytes.
template <std::size_t Alignment>
struct alignas(Alignment) AlignedCounted : Traced<AlignedCounted<Alignment>> {
    using Traced<AlignedCounted>::Traced;
};

template <class C>
bool aligned(const C& component) {
    return reinterpret_cast<std::uintptr_t>(&component) % alignof(C) == 0;
}

template <class C>
void check_all(stoa::World& world, const std::vector<stoa::Entity>& entities) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const C* found = world.find<const C>(entities[i]);
        wrong += found == nullptr || !aligned(*found) || found->number != static_cast<int>(i) ? 1 : 0;
    }
    CHECK(wrong == 0);
}

template <std::size_t Alignment, stoa::Storage Where>
void check_alignment() {
    CAPTURE(Alignment);
    using C = Aligned<Alignment, Where>;
    static_assert(alignof(C) == Alignment);
    const int count = Alignment >= 1024 ? 300 : 2000;
    stoa::World world;
    std::vector<stoa::Entity> entities;
    for (int i = 0; i < count; ++i) {
        entities.push_back(i % 2 == 0 ? world.spawn(C{i}) : world.spawn<C>());
        C& made = world.get<C>(entities.back());
        CHECK(aligned(made));
        made.number = i;
    }
    check_all<C>(world, entities);
    for (const stoa::Entity entity : entities) {
        world.add<Position>(entity);
    }
    check_all<C>(world, entities);
    for (std::size_t i = 0; i < entities.size(); i += 2) {
        world.set(entities[i], make<Name>(5), Red{});
    }
    check_all<C>(world, entities);
    for (const stoa::Entity entity : entities) {
        world.remove<Position>(entity);
    }
    check_all<C>(world, entities);
    const stoa::Entity copy = world.clone(entities[1]);
    CHECK(aligned(world.get<const C>(copy)));
    world.spawn_many(100, C{7});
    CHECK(aligned(world.emplace<C>(copy, 9)));
    CHECK_NOTHROW(world.check());
}

template <std::size_t Alignment>
void check_counted() {
    CAPTURE(Alignment);
    using C = AlignedCounted<Alignment>;
    {
        stoa::World world;
        std::vector<stoa::Entity> entities;
        for (int i = 0; i < 300; ++i) {
            entities.push_back(world.spawn(C{i}, make<Position>(i)));
        }
        for (std::size_t i = 0; i < entities.size(); ++i) {
            world.add<Name>(entities[i]);
            if (i % 3 == 0) {
                world.remove<Position>(entities[i]);
            }
        }
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < entities.size(); ++i) {
            const C& found = world.get<const C>(entities[i]);
            wrong += !aligned(found) || found.checked() != static_cast<int>(i) ? 1 : 0;
        }
        CHECK(wrong == 0);
        CHECK(C::ledger().alive == 300);
    }
    CHECK(C::ledger().alive == 0);
    CHECK(C::ledger().wrong == 0);
}

}  // namespace

TEST_SUITE("limits: alignment") {
    TEST_CASE("components in tables are aligned up to 4096 bytes") {
        check_alignment<16, stoa::Storage::table>();
        check_alignment<32, stoa::Storage::table>();
        check_alignment<64, stoa::Storage::table>();
        check_alignment<128, stoa::Storage::table>();
        check_alignment<256, stoa::Storage::table>();
        check_alignment<512, stoa::Storage::table>();
        check_alignment<1024, stoa::Storage::table>();
        check_alignment<2048, stoa::Storage::table>();
        check_alignment<4096, stoa::Storage::table>();
    }

    TEST_CASE("components outside the tables are aligned up to 4096 bytes") {
        check_alignment<16, stoa::Storage::sparse>();
        check_alignment<32, stoa::Storage::sparse>();
        check_alignment<64, stoa::Storage::sparse>();
        check_alignment<128, stoa::Storage::sparse>();
        check_alignment<256, stoa::Storage::sparse>();
        check_alignment<512, stoa::Storage::sparse>();
        check_alignment<1024, stoa::Storage::sparse>();
        check_alignment<2048, stoa::Storage::sparse>();
        check_alignment<4096, stoa::Storage::sparse>();
    }

    TEST_CASE("over-aligned components that are not plain bytes stay aligned and balanced") {
        check_counted<16>();
        check_counted<128>();
        check_counted<4096>();
    }

    TEST_CASE("several alignments live side by side in one table") {
        using A = Aligned<16, stoa::Storage::table>;
        using B = Aligned<4096, stoa::Storage::table>;
        using C = Aligned<256, stoa::Storage::table>;
        stoa::World world;
        std::vector<stoa::Entity> entities;
        for (int i = 0; i < 200; ++i) {
            entities.push_back(world.spawn(A{i}, 'x', B{i}, make<Name>(5), C{i}));
        }
        check_all<A>(world, entities);
        check_all<B>(world, entities);
        check_all<C>(world, entities);
        world.shrink_to_fit();
        check_all<B>(world, entities);
        CHECK_NOTHROW(world.check());
    }
}

// An entity with 1024 components in its table, added sixteen at a time, with every value kept on the way; and one with
// more components outside the tables than fit into the bits of a word. Each type costs the compiler time, so each is
// used in as few verbs as will do: it is born with its number, so nothing has to write it.
#include "../support/build_kind.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <utility>

namespace {

constexpr std::size_t piece = 16;

template <std::size_t Number>
struct Numbered {
    int number = static_cast<int>(Number) + 1;
};

template <std::size_t Number>
struct NumberedSparse {
    int number = static_cast<int>(Number) + 1;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

template <template <std::size_t> class C, std::size_t First, std::size_t... I>
bool add_piece(stoa::World& world, stoa::Entity entity, std::index_sequence<I...>) {
    return world.add<C<First + I>...>(entity);
}
template <template <std::size_t> class C, std::size_t... P>
bool add_pieces(stoa::World& world, stoa::Entity entity, std::index_sequence<P...>) {
    return (add_piece<C, P * piece>(world, entity, std::make_index_sequence<piece>{}) && ...);
}

// Not inlined: a thousand copies of a verb in one function take the compiler minutes.
template <class C>
[[gnu::noinline]] int number_of(stoa::World& world, stoa::Entity entity) {
    const C* found = world.find<const C>(entity);
    return found == nullptr ? -1 : found->number;
}

// How many of the components the entity has with the right number.
template <template <std::size_t> class C, std::size_t... N>
std::size_t right_numbers(stoa::World& world, stoa::Entity entity, std::index_sequence<N...>) {
    std::size_t right = 0;
    ((right += number_of<C<N>>(world, entity) == static_cast<int>(N) + 1 ? 1 : 0), ...);
    return right;
}

template <template <std::size_t> class C, std::size_t Pieces>
void check_many() {
    constexpr std::size_t count = Pieces * piece;
    using All = std::make_index_sequence<count>;
    stoa::World world;
    const stoa::Entity entity = world.spawn();
    CHECK(add_pieces<C>(world, entity, std::make_index_sequence<Pieces>{}));
    CHECK(world.components(entity).size() == count);
    CHECK(right_numbers<C>(world, entity, All{}) == count);
    CHECK_NOTHROW(world.check());

    const stoa::Entity copy = world.clone(entity);
    CHECK(world.components(copy).size() == count);
    CHECK(right_numbers<C>(world, copy, All{}) == count);
    CHECK(world.remove<C<0>, C<63>, C<count - 1>>(entity));
    CHECK(world.remove<C<64>>(entity));
    CHECK(world.components(entity).size() == count - 4);
    CHECK(right_numbers<C>(world, entity, All{}) == count - 4);
    CHECK(world.remove_all(entity));
    CHECK(world.components(entity).empty());
    CHECK(world.alive(entity));
    CHECK_NOTHROW(world.check());

    world.shrink_to_fit();
    CHECK(right_numbers<C>(world, copy, All{}) == count);
    CHECK(world.despawn(copy));
    CHECK(right_numbers<C>(world, copy, All{}) == 0);
    CHECK_NOTHROW(world.check());  // nothing of it is left in its index
    const stoa::Entity heir = world.spawn();
    CHECK(heir.index() == copy.index());
    CHECK(world.components(heir).empty());
    CHECK(right_numbers<C>(world, heir, All{}) == 0);
    world.clear();
    CHECK_NOTHROW(world.check());
}

}  // namespace

TEST_SUITE("limits: many components") {
    // Under a sanitizer 192 are enough to pass the limits of words and of what maps hold directly: the compiler needs
    // minutes for more.
    TEST_CASE("one entity can have 1024 components in a table") {
        check_many<Numbered, stoa_test::sanitized_build ? 12 : 64>();
    }

    TEST_CASE("one entity can have 192 components outside the tables") { check_many<NumberedSparse, 12>(); }
}

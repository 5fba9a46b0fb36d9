// Guards which systems may run side by side: random pairs of queries beside a brute-force search for a table that both
// reach and in which one writes what the other touches. In both directions: what may meet is kept apart, and what
// cannot meet is not.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace stoa;
using detail::AccessSet;

namespace {

// Bits: components in tables first, then those in sparse sets.
template <int N>
struct Part {
    int value = 0;
};
template <int N>
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
constexpr unsigned in_tables = 4;

using A = Part<0>;
using B = Part<1>;
using C = Part<2>;
using D = Part<3>;
using S = Loose<4>;
using T = Loose<5>;

template <class P>
constexpr unsigned number = 0;
template <int N>
constexpr unsigned number<Part<N>> = N;
template <int N>
constexpr unsigned number<Loose<N>> = N;
template <class P>
constexpr unsigned bit = 1u << number<std::remove_const_t<P>>;

// What a query means, said a second time: which sets of components match, and what it touches.
struct Meaning {
    unsigned required = 0;
    unsigned excluded = 0;
    std::vector<unsigned> any;
    std::vector<unsigned> lacks;
    unsigned reads = 0;
    unsigned writes = 0;

    template <class P>
    void add(P*) {
        required |= bit<P>;
        touch<P>();
    }
    template <class P>
    void add(Maybe<P>*) {
        touch<P>();
    }
    template <class P>
    void add(Mut<P>*) {
        required |= bit<P>;
        writes |= bit<P>;
    }
    template <class... Ps>
    void add(With<Ps...>*) {
        required |= (bit<Ps> | ...);
    }
    template <class... Ps>
    void add(Without<Ps...>*) {
        excluded |= (bit<Ps> | ...);
    }
    template <class... Ps>
    void add(AnyOf<Ps...>*) {
        any.push_back((bit<Ps> | ...));
    }
    template <class... Ps>
    void add(Lacks<Ps...>*) {
        lacks.push_back((bit<Ps> | ...));
    }
    template <class P>
    void add(Changed<P>*) {
        required |= bit<P>;
        reads |= bit<P>;
    }
    template <class P>
    void add(Added<P>*) {
        required |= bit<P>;
        reads |= bit<P>;
    }
    template <class P>
    void touch() {
        (std::is_const_v<P> ? reads : writes) |= bit<P>;
    }

    // Whether some entity with these components in tables, and any in sparse sets, may match. Its chunk is walked then.
    bool reaches(unsigned table) const {
        constexpr unsigned tables = (1u << in_tables) - 1;
        if ((required & tables & ~table) != 0 || (excluded & table) != 0) return false;
        for (const unsigned group : any) {
            if ((group & (table | ~tables)) == 0) return false;
        }
        for (const unsigned group : lacks) {
            if ((group & ~table) == 0) return false;
        }
        return true;
    }
};

template <class... Terms>
struct List {};
template <class... As, class... Bs>
constexpr List<As..., Bs...> operator+(List<As...>, List<Bs...>) {
    return {};
}

struct Probe {
    Meaning meaning;
    AccessSet access;
};

template <class... Terms>
Probe probe(World& world, List<Terms...>) {
    Probe made{{}, AccessSet(stoa::detail::store_of(world, "test"))};
    (made.meaning.add(static_cast<Terms*>(nullptr)), ...);
    made.access.recorder().walks<Terms...>();
    return made;
}

// Queries that were drawn by lot, the same ones each time: for each component how it stands in the query, and a group.
constexpr std::uint32_t drawn(std::uint32_t seed, std::uint32_t number) {
    std::uint64_t x = (std::uint64_t{seed} << 32 | number) * 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 31)) * 0xbf58476d1ce4e5b9ULL;
    return static_cast<std::uint32_t>(x >> 33);
}

template <class P, std::uint32_t Lot>
constexpr auto term() {
    constexpr std::uint32_t kind = Lot % 16;
    if constexpr (kind == 0)
        return List<P>();
    else if constexpr (kind == 1)
        return List<const P>();
    else if constexpr (kind == 2)
        return List<Maybe<P>>();
    else if constexpr (kind == 3)
        return List<Maybe<const P>>();
    else if constexpr (kind == 4)
        return List<Mut<P>>();
    else if constexpr (kind == 5)
        return List<Changed<P>>();
    else if constexpr (kind == 6)
        return List<Added<P>>();
    else if constexpr (kind <= 8)
        return List<With<P>>();
    else if constexpr (kind <= 11)
        return List<Without<P>>();
    else
        return List<>();
}
template <std::uint32_t Lot>
constexpr auto group() {
    constexpr std::uint32_t kind = Lot % 13;
    if constexpr (kind == 0)
        return List<AnyOf<A>>();
    else if constexpr (kind == 1)
        return List<AnyOf<A, B>>();
    else if constexpr (kind == 2)
        return List<AnyOf<B, C, D>>();
    else if constexpr (kind == 3)
        return List<AnyOf<A, S>>();
    else if constexpr (kind == 4)
        return List<AnyOf<A, B>, AnyOf<C, D>>();
    else if constexpr (kind == 5)
        return List<Without<A, B>>();
    else if constexpr (kind == 6)
        return List<Without<B, C, S>>();
    else if constexpr (kind == 7)
        return List<AnyOf<T>>();
    else if constexpr (kind == 8)
        return List<Lacks<A, B>>();
    else if constexpr (kind == 9)
        return List<Lacks<B, S>, Lacks<C, D>>();
    else if constexpr (kind == 10)
        return List<AnyOf<C, D>, Lacks<C, D>>();
    else
        return List<>();
}

template <std::uint32_t Seed>
using Drawn = decltype(term<A, drawn(Seed, 0)>() + term<B, drawn(Seed, 1)>() + term<C, drawn(Seed, 2)>() +
                       term<D, drawn(Seed, 3)>() + term<S, drawn(Seed, 4)>() + term<T, drawn(Seed, 5)>() +
                       group<drawn(Seed, 6)>());

struct Verdict {
    bool unsafe = false;   // there is a table with a value that one writes and the other touches
    bool meeting = false;  // they reach a common table, and one names for writing what the other names
};

Verdict verdict(const Meaning& a, const Meaning& b) {
    constexpr unsigned tables = (1u << in_tables) - 1;
    const unsigned contested = (a.writes & (b.reads | b.writes)) | (b.writes & (a.reads | a.writes));
    Verdict found;
    found.unsafe = found.meeting =
        (contested & ~tables) != 0;  // a sparse set is one place, whatever else its entities have
    for (unsigned table = 0; table <= tables; ++table) {
        if (!a.reaches(table) || !b.reaches(table)) continue;
        found.unsafe |= (contested & table) != 0;
        found.meeting |= contested != 0;
    }
    return found;
}

std::vector<Probe> drawn_probes(World& world) {
    std::vector<Probe> all;
    const auto add = [&]<std::uint32_t... Seeds>(std::integer_sequence<std::uint32_t, Seeds...>) {
        (all.push_back(probe(world, Drawn<Seeds>{})), ...);
    };
    add(std::make_integer_sequence<std::uint32_t, 120>{});
    return all;
}

}  // namespace

TEST_CASE("two queries clash exactly when a table exists in which they meet") {
    World world;
    const std::vector<Probe> probes = drawn_probes(world);
    std::size_t apart = 0;
    std::size_t clashing = 0;
    for (std::size_t i = 0; i < probes.size(); ++i) {
        for (std::size_t j = 0; j < probes.size(); ++j) {
            const Verdict expected = verdict(probes[i].meaning, probes[j].meaning);
            const bool clashes = probes[i].access.clashes(probes[j].access);
            CAPTURE(i);
            CAPTURE(j);
            if (expected.unsafe) REQUIRE(clashes);
            if (!expected.meeting) REQUIRE_FALSE(clashes);
            const bool contested =
                (probes[i].meaning.writes & (probes[j].meaning.reads | probes[j].meaning.writes)) != 0;
            clashing += clashes;
            apart += contested && !clashes;
        }
    }
    // The lot has both, and pairs that only their filters keep apart.
    CHECK(clashing > 1000);
    CHECK(apart > 100);
}

TEST_CASE("filters that keep two systems apart, and filters that do not") {
    World world;
    struct Case {
        Probe a, b;
        bool clash;
    };
    const auto of = [&](auto terms) { return probe(world, terms); };
    const Case cases[] = {
        {of(List<A, AnyOf<B>>{}), of(List<A, Without<B>>{}), false},
        {of(List<A, AnyOf<B, C>>{}), of(List<A, Without<B, C>>{}), false},
        {of(List<A, AnyOf<B, C>>{}), of(List<A, Without<B>>{}), true},
        {of(List<A, AnyOf<B, C>, Without<B>>{}), of(List<A, Without<C>>{}), false},
        {of(List<A, AnyOf<B, S>>{}), of(List<A, Without<B, S>>{}), true},
        {of(List<A, With<S>>{}), of(List<A, Without<S>>{}), true},
        {of(List<A, Added<S>>{}), of(List<A, Without<S>>{}), true},
        {of(List<A, Added<B>>{}), of(List<A, Without<B>>{}), false},
        {of(List<S, With<B>>{}), of(List<S, Without<B>>{}), true},
        {of(List<A, Lacks<B, C>>{}), of(List<A, With<B, C>>{}), false},
        {of(List<A, Lacks<A, B>>{}), of(List<A, With<B>>{}), false},
        {of(List<A, Lacks<B, C>>{}), of(List<A, With<B>>{}), true},
        {of(List<A, Lacks<B, S>>{}), of(List<A, With<B, S>>{}), true},
        {of(List<A, Lacks<B, C>, With<B>>{}), of(List<A, AnyOf<C, D>, Without<D>>{}), false},
    };
    for (const Case& each : cases) {
        CAPTURE(&each - cases);
        CHECK(each.a.access.clashes(each.b.access) == each.clash);
        CHECK(each.b.access.clashes(each.a.access) == each.clash);
    }
}

TEST_CASE("an access that names a component reaches all tables with it") {
    World world;
    AccessSet all(stoa::detail::store_of(world, "test"));
    all.recorder().writes<B>();
    CHECK(all.clashes(probe(world, List<const B>{}).access));
    CHECK(all.clashes(probe(world, List<const A, Maybe<const B>>{}).access));
    CHECK_FALSE(all.clashes(probe(world, List<Maybe<const B>, Without<B>>{}).access));
    CHECK_FALSE(all.clashes(probe(world, List<A, const C>{}).access));
}

namespace {

struct HasAOrLacksB {};

}  // namespace

// A kind of term that no other file knows: all that it says is in its facts.
template <>
struct stoa::detail::Term<HasAOrLacksB> : TermDefaults {
    static constexpr std::size_t alternative_count = 2;
    static constexpr void add_alternatives(Alternative*& out, std::uint32_t& condition) {
        *out++ = {&type_handle<A>, condition};
        *out++ = {&type_handle<B>, condition++, false};
    }
};

TEST_CASE("a kind of term that only states its facts is matched, and compared") {
    World world;
    const Entity a = world.spawn(A{}, B{}, C{});
    const Entity b = world.spawn(B{}, C{});
    const Entity c = world.spawn(C{});
    const auto odd = world.query<C, HasAOrLacksB>();
    CHECK(odd.contains(a));
    CHECK_FALSE(odd.contains(b));
    CHECK(odd.contains(c));
    AccessSet access(stoa::detail::store_of(world, "test"));
    access.recorder().walks<C, HasAOrLacksB>();
    CHECK(access.clashes(probe(world, List<C, Without<A>>{}).access));
    CHECK(access.clashes(probe(world, List<C, With<B>>{}).access));
    CHECK_FALSE(access.clashes(probe(world, List<C, With<B>, Without<A>>{}).access));
    CHECK_FALSE(probe(world, List<C, With<B>, Without<A>>{}).access.clashes(access));
}

// A naive model of who matches what: which components each entity has, and what each query asks for. Computes from the
// state before and after a verb who enters and who leaves which query. Called by the random tests of signals, watches
// and caches.
#pragma once

#include <stoa/stoa.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace watch_test {

using stoa::Entity;

struct A {
    int value = 0;
};
struct B {
    std::string text;
};
struct Tag {};
struct S {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct F {
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct G {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};
struct H {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse, .cleanup = true};
};
/// Built beside its old value, because moving may throw.
struct K {
    int value = 0;
    K() = default;
    explicit K(int number) : value(number) {}
    K(const K&) = default;
    K(K&& other) noexcept(false) : value(other.value) {}
    K& operator=(const K&) = default;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct C {
    int value = 0;
};

enum Bit : unsigned { a = 1, b = 2, tag = 4, s = 8, f = 16, g = 32, h = 64, k = 128, c = 256 };
inline constexpr unsigned kinds = 9;
inline constexpr unsigned cleanup = Bit::g | Bit::h;
inline constexpr unsigned valued = Bit::a | Bit::b | Bit::s | Bit::g | Bit::h | Bit::k | Bit::c;

template <class T>
T make(int number) {
    if constexpr (requires { T{std::string()}; }) {
        return T{std::string(20, 'x') + std::to_string(number)};
    } else if constexpr (std::is_empty_v<T>) {
        return T{};
    } else {
        return T{number};
    }
}

/// Calls `call.operator()<Component>()` for the kind with this number.
template <class Call>
void with_kind(unsigned kind, Call&& call) {
    switch (kind) {
        case 0:
            return call.template operator()<A>();
        case 1:
            return call.template operator()<B>();
        case 2:
            return call.template operator()<Tag>();
        case 3:
            return call.template operator()<S>();
        case 4:
            return call.template operator()<F>();
        case 5:
            return call.template operator()<G>();
        case 6:
            return call.template operator()<H>();
        case 7:
            return call.template operator()<K>();
        default:
            return call.template operator()<C>();
    }
}

/// The same for a kind and the one that stands `Step` after it.
template <class Call>
void with_pair(unsigned kind, Call&& call) {
    switch (kind) {
        case 0:
            return call.template operator()<A, S>();
        case 1:
            return call.template operator()<B, F>();
        case 2:
            return call.template operator()<Tag, G>();
        case 3:
            return call.template operator()<S, H>();
        case 4:
            return call.template operator()<F, K>();
        case 5:
            return call.template operator()<G, C>();
        case 6:
            return call.template operator()<H, A>();
        case 7:
            return call.template operator()<K, B>();
        default:
            return call.template operator()<C, Tag>();
    }
}
inline unsigned pair_bits(unsigned kind) { return 1u << kind | 1u << ((kind + 3) % kinds); }

/// What one entity is.
struct Form {
    bool there = false;
    bool ghost = false;
    unsigned has = 0;
};

/// What a query asks for, and which components it hands out.
struct Ask {
    unsigned required = 0;
    unsigned excluded = 0;
    unsigned any = 0;
    unsigned any_too = 0;
    unsigned lacks = 0;
    unsigned data = 0;

    bool sees_ghosts() const { return ((required | any | any_too) & cleanup) != 0; }
    bool matches(const Form& form) const {
        if (!form.there || (form.ghost && !sees_ghosts())) return false;
        return (form.has & required) == required && (form.has & excluded) == 0 && (any == 0 || (form.has & any) != 0) &&
               (any_too == 0 || (form.has & any_too) != 0) && (lacks == 0 || (form.has & lacks) != lacks);
    }
};

/// Calls visit(number, query, ask) for every query of the test.
template <class Visit>
void each_query(stoa::World& world, Visit&& visit) {
    using namespace stoa;
    visit(0, world.query<>(), Ask{});
    visit(1, world.query<A>(), Ask{.required = Bit::a, .data = Bit::a});
    visit(2, world.query<A, const C>(), Ask{.required = Bit::a | Bit::c, .data = Bit::a | Bit::c});
    visit(3, world.query<const A, Without<Tag>>(), Ask{.required = Bit::a, .excluded = Bit::tag, .data = Bit::a});
    visit(4, world.query<S>(), Ask{.required = Bit::s, .data = Bit::s});
    visit(5, world.query<A, Maybe<S>, Without<F>>(),
          Ask{.required = Bit::a, .excluded = Bit::f, .data = Bit::a | Bit::s});
    visit(6, world.query<Tag, AnyOf<S, B>>(), Ask{.required = Bit::tag, .any = Bit::s | Bit::b});
    visit(7, world.query<G>(), Ask{.required = Bit::g, .data = Bit::g});
    visit(8, world.query<const H, Without<A>>(), Ask{.required = Bit::h, .excluded = Bit::a, .data = Bit::h});
    visit(9, world.query<const B, Mut<K>>(), Ask{.required = Bit::b | Bit::k, .data = Bit::b | Bit::k});
    visit(10, world.query<With<C>, AnyOf<A, S>, AnyOf<F, G>>(),
          Ask{.required = Bit::c, .any = Bit::a | Bit::s, .any_too = Bit::f | Bit::g});
    visit(11, world.query<AnyOf<G, H>>(), Ask{.any = Bit::g | Bit::h});
    visit(12, world.query<Without<A>, Without<S>>(), Ask{.excluded = Bit::a | Bit::s});
    visit(13, world.query<const C, Lacks<A, S>>(), Ask{.required = Bit::c, .lacks = Bit::a | Bit::s, .data = Bit::c});
    visit(14, world.query<Lacks<Tag, B>>(), Ask{.lacks = Bit::tag | Bit::b});
}
inline constexpr int queries = 15;

/// What a verb does to one entity.
struct Step {
    Entity entity;
    Form before;
    Form after;
    unsigned written = 0;  // components that were there and got a value
};

}  // namespace watch_test

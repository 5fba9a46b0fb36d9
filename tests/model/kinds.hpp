// The component kinds of the model, numbered, and what the driver needs to know and do with each: traits, and the verbs
// that take exactly one component. Invariant: kind k is the k-th type of ModelKinds; bit k of a KindMask stands for it.
// Called by the driver.
#pragma once

#include "../support/type_list.hpp"

#include <stoa/stoa.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace stoa_test {

using ModelKinds = TypeList<Position, Velocity, Name, Counted, Owner, Red, Blue, Burning, Note, Pinned, Flag, Bag,
                            Crate, Grave, Tomb, Haunted, Wide, Hollow, Score, int, stoa::Entity, SparseCounted>;

using KindMask = std::uint32_t;
static_assert(ModelKinds::size <= 32);

template <class C, class List = ModelKinds>
struct KindNumber;
template <class C, class... Rest>
struct KindNumber<C, TypeList<C, Rest...>> {
    static constexpr std::uint32_t value = 0;
};
template <class C, class First, class... Rest>
struct KindNumber<C, TypeList<First, Rest...>> {
    static constexpr std::uint32_t value = 1 + KindNumber<C, TypeList<Rest...>>::value;
};

template <class C>
inline constexpr std::uint32_t kind_of = KindNumber<C>::value;

/// What one look at an entity says of one component.
struct Seen {
    bool has = false;
    bool found = false;
    int number = 0;
};

struct Kind {
    const char* name;
    bool carries_number;
    bool cleanup;
    bool copyable;
    bool pooled;
    Seen (*look)(stoa::World&, stoa::Entity);             // has and find<const C>
    int (*get)(stoa::World&, stoa::Entity);               // get<const C>
    void (*write_get)(stoa::World&, stoa::Entity, int);   // get<C>
    bool (*write_find)(stoa::World&, stoa::Entity, int);  // find<C>, false when null
    int (*get_unchecked)(stoa::World&, stoa::Entity);
    void (*emplace)(stoa::World&, stoa::Entity, int);
    Seen (*take)(stoa::World&, stoa::Entity);  // null for kinds that cannot be moved
    std::uint64_t (*id)(stoa::World&);
    const Ledger& (*ledger)();  // null for kinds that are not watched
};

const std::vector<Kind>& kinds();

}  // namespace stoa_test

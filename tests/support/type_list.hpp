// A list of types and the loop over it. Called by the snapshot and the model.
#pragma once

#include "components.hpp"

#include <cstddef>

namespace stoa_test {

template <class... Ts>
struct TypeList {
    static constexpr std::size_t size = sizeof...(Ts);

    /// Calls `visit.template operator()<T>()` for each type, in order.
    template <class Visit>
    static void each(Visit&& visit) {
        (visit.template operator()<Ts>(), ...);
    }
};

/// Every component of components.hpp, and two that are not structs.
using AllComponents =
    TypeList<Position, Velocity, Name, Counted, Counted2, Owner, Red, Blue, Burning, Note, Pinned, SparseCounted,
             Clumsy, Flag, Bag, Crate, PooledCounted, Grave, Tomb, Haunted, Wide, Hollow, Score, int, stoa::Entity>;

}  // namespace stoa_test

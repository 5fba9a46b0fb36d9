// Pairs that mix storages, traits and shapes, and some only of one sort. Called by the list of combos.
#include "make_combo.hpp"

namespace stoa_test {
namespace {

template <class A, class B>
Combo pair() {
    Combo made = ComboVerbs<A, B>::combo();
    if constexpr (std::is_move_constructible_v<B>) made.replace = &replace_first<A, B>;
    return made;
}

}  // namespace

std::vector<Combo> combos_of_two() {
    using stoa::Entity;
    return {
        pair<Position, Velocity>(), pair<Velocity, Position>(), pair<Position, Name>(),      pair<Name, Counted>(),
        pair<Counted, Owner>(),     pair<Red, Blue>(),          pair<Position, Red>(),       pair<Burning, Position>(),
        pair<Burning, Note>(),      pair<Pinned, Velocity>(),   pair<Flag, Red>(),           pair<Bag, Counted>(),
        pair<Crate, Bag>(),         pair<Grave, Position>(),    pair<Grave, Tomb>(),         pair<Tomb, Haunted>(),
        pair<Haunted, Position>(),  pair<Wide, int>(),          pair<Hollow, Score>(),       pair<Entity, Name>(),
        pair<Wide, Hollow>(),       pair<Pinned, Note>(),       pair<SparseCounted, Blue>(), pair<Owner, Score>(),
    };
}

}  // namespace stoa_test

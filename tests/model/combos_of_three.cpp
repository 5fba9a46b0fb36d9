// Triples, each also as a chain of edits through an EntityRef: add the first, set the second, remove the third. Called
// by the list of combos.
#include "make_combo.hpp"

namespace stoa_test {
namespace {

template <class A, class B, class C>
Combo triple() {
    Combo made = ComboVerbs<A, B, C>::combo();
    if constexpr (std::is_move_constructible_v<B>) {
        made.chain = &chain_edits<A, B, C>;
        made.replace = &replace_first<A, B>;
    }
    return made;
}

}  // namespace

std::vector<Combo> combos_of_three() {
    using stoa::Entity;
    return {
        triple<Position, Velocity, Name>(),  triple<Name, Counted, Bag>(),       triple<Position, Burning, Red>(),
        triple<Burning, Note, Crate>(),      triple<Grave, Position, Counted>(), triple<Tomb, Velocity, Grave>(),
        triple<Haunted, Name, Blue>(),       triple<Wide, Hollow, Score>(),      triple<int, Entity, Position>(),
        triple<Owner, Counted, Red>(),       triple<Pinned, Note, Velocity>(),   triple<Flag, Blue, Wide>(),
        triple<SparseCounted, Bag, Grave>(), triple<Counted, Grave, Haunted>(),
    };
}

}  // namespace stoa_test

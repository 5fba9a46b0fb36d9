// Every kind alone. Called by the list of combos.
#include "make_combo.hpp"

namespace stoa_test {

std::vector<Combo> combos_of_one() {
    std::vector<Combo> made;
    ModelKinds::each([&]<class C>() { made.push_back(ComboVerbs<C>::combo()); });
    return made;
}

}  // namespace stoa_test

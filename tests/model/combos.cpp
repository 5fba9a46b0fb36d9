// Puts the parts of the list together. Called by the driver.
#include "combos.hpp"

namespace stoa_test {

const std::vector<Combo>& combos() {
    static const std::vector<Combo> all = [] {
        std::vector<Combo> made = combos_of_one();
        for (auto part : {combos_of_two(), combos_of_three()}) {
            made.insert(made.end(), part.begin(), part.end());
        }
        return made;
    }();
    return all;
}

}  // namespace stoa_test

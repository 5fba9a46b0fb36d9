// Guards that classes that overload what everybody writes, or live among functions that take anything, are components
// in both storages, with every verb.
#include "component/matrix.hpp"

using namespace matrix;

TEST_CASE("every verb takes classes with operators of their own") {
    try_kinds<HostileAddress, HostileText, HostileTag, HostileComma, HostileCompare, OwnNew, Greedy, Neighbour>();
}

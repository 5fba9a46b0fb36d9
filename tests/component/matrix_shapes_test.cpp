// Guards that classes of all shapes, and those that overload what everybody writes, are components with every verb.
#include "component/matrix.hpp"

using namespace matrix;

TEST_CASE("every verb takes classes of all shapes") {
    try_kinds<Aligned64, Aligned4096, Huge, Tag, EmptyWithDestructor, Final, VirtualBase, Aggregate, Bitfields, Union>();
}

TEST_CASE("every verb takes classes with operators of their own") {
    try_kinds<HostileAddress, HostileText, HostileTag, HostileComma, HostileCompare, OwnNew, Greedy, Neighbour>();
}

// Guards that classes of all shapes are components in both storages, with every verb.
#include "component/matrix.hpp"

using namespace matrix;

TEST_CASE("every verb takes classes of all shapes") {
    try_kinds<Aligned64, Aligned4096, Huge, Tag, EmptyWithDestructor, Final, VirtualBase, Aggregate, Bitfields,
              Union>();
}

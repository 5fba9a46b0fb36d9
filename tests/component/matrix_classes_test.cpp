// Guards that classes with constructors of all kinds are components in both storages, with every verb.
#include "component/matrix.hpp"

using namespace matrix;

TEST_CASE("every verb takes classes whose constructors are no constants") {
    try_kinds<FunctionMember, MapMember, DequeMember, ExplicitOnly, NoDefault, EmptyNoDefault, Immovable,
              ReferenceMember>();
}

TEST_CASE("every verb takes classes that copy and move in their own way") {
    try_kinds<ConstMember, ThrowingCopy, ThrowingMove, NoAssignment, SelfPointer, Counted>();
}

// Guards that types of the language and of the standard library are components in both storages, with every verb.
#include "component/matrix.hpp"

using namespace matrix;

TEST_CASE("every verb takes types of the language") {
    try_kinds<Number, Flag, Enum, Pointer, Function, Lambda, Link>();
}

TEST_CASE("every verb takes types of the standard library") {
    try_kinds<Text, Owner, Shared, List, Option, Choice, Row, Callback, Any>();
}

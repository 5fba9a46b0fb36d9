// The thousand components that the tables of a fragmented world have of their own. In a file of their own because a
// thousand types take the compiler some seconds. Called by fragments.cpp.
#include "fragments.hpp"

#include <utility>

namespace bench {
namespace {

using Add = void (*)(stoa::World&, stoa::Entity);

template <int Number>
void add(stoa::World& world, stoa::Entity id) {
    world.add<Own<Number>>(id);
}

template <class>
struct AddAll;

template <int... Number>
struct AddAll<std::integer_sequence<int, Number...>> {
    static constexpr Add functions[] = {add<Number>...};
};

}  // namespace

void add_own(stoa::World& world, stoa::Entity id, std::size_t number) {
    AddAll<std::make_integer_sequence<int, own_count>>::functions[number](world, id);
}

}  // namespace bench

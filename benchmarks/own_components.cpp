// The thousand component types of own_components.hpp. In a file of their own because they take the compiler some
// seconds.
#include "own_components.hpp"

#include "components.hpp"

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

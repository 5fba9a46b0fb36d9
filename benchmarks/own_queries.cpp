// A thousand queries over the component types of own_components.hpp. Apart from those because they are timed.
#include "own_components.hpp"

#include "components.hpp"
#include "harness.hpp"

#include <utility>

namespace bench {
namespace {

using Ask = void (*)(stoa::World&);

template <int Number>
void ask(stoa::World& world) {
    keep(world.query<const Data, stoa::Without<Own<Number>>>());
}

template <class>
struct Asks;

template <int... Number>
struct Asks<std::integer_sequence<int, Number...>> {
    static constexpr Ask all[] = {ask<Number>...};
};

}  // namespace

void query_without_own(stoa::World& world, std::size_t number) {
    Asks<std::make_integer_sequence<int, own_count>>::all[number](world);
}

}  // namespace bench

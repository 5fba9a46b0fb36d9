// expect: give a std::span over the vector
// A vector could be a column or one component for all entities.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>
#include <vector>

void spawn(stoa::World& world, std::span<stoa::Entity> ids, const std::vector<int>& numbers) {
#ifdef STOA_TEST_CONTROL
    world.spawn_columns(ids, std::span(numbers));
#else
    world.spawn_columns(ids, numbers);
#endif
}

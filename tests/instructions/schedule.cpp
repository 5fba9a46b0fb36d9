// The paths of a schedule: what it takes to run a system that does nothing, to skip one by its condition, and to update
// a stepped phase. tools/instructions.py counts their instructions, see count.hpp.
#include <cstddef>
#include <string>

#include <stoa/stoa.hpp>

#include "count.hpp"

namespace {

struct Gate {
    bool open = false;
};
enum class Mode { menu, play };

using counted::count;
using counted::operations;
using stoa::Phase;
using stoa::Schedule;
using stoa::World;

constexpr std::size_t systems = 100;
constexpr double step = 1.0 / 64;

// Each path knows nothing of what it is called with.
[[gnu::noipa]] void update_often(Schedule& schedule, std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) schedule.update(step);
}

// Counts updates of a schedule with many systems of one kind, which count their calls; by system.
template <class Options>
void count_systems(const char* name, const Options& options_of, std::size_t calls_of_each) {
    World world;
    world.set_resource(Gate{});
    Schedule schedule(world);
    schedule.add_state(Mode::menu);
    Phase& phase = schedule.add_phase("all");
    std::size_t calls = 0;
    for (std::size_t i = 0; i < systems; ++i)
        phase.add(
            std::to_string(i), [&calls] { ++calls; }, options_of());
    update_often(schedule, 2);  // plans, and enters the first state
    calls = 0;
    count(
        name, [&] { update_often(schedule, operations / systems); }, [&] { return calls == calls_of_each * systems; });
}

void count_steps() {
    World world;
    Schedule schedule(world);
    std::size_t steps = 0;
    schedule.add_phase("physics", {.step = step}).add("step", [&steps] { ++steps; });
    update_often(schedule, 1);
    count(
        "update_stepped", [&] { update_often(schedule, operations); }, [&] { return steps == operations + 1; });
}

}  // namespace

int main() {
    using Options = stoa::SystemOptions;
    const stoa::Condition open{"open", [](stoa::Res<const Gate> gate) { return gate->open; }};
    count_systems(
        "empty_system", [] { return Options{}; }, operations / systems);
    count_systems(
        "false_condition", [&] { return Options{.when = open}; }, 0);
    count_systems(
        "other_state", [] { return Options{.when = stoa::in_state(Mode::play)}; }, 0);
    count_steps();
}

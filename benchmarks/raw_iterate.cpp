// The walks of the hand-written twin: plain loops over arrays; see raw_world.hpp. Called by the workloads.
#include "raw_world.hpp"
#include "systems.hpp"

namespace bench {

void RawWorld::iterate1() {
    Position* positions = tables_[moving].positions.data();
    for (std::size_t i = 0; i < tables_[moving].size; ++i) {
        shift(positions[i]);
    }
}

void RawWorld::iterate2() {
    const Table& table = tables_[moving];
    move_all(table.positions.data(), table.velocities.data(), table.size);
}

void RawWorld::iterate3() {
    const Table& table = tables_[accelerated];
    accelerate_all(table.positions.data(), table.velocities.data(), accelerations_.data(), table.size);
}

void RawWorld::iterate_untagged() { iterate2(); }

void RawWorld::double_five() {
    for (Column<float>& column : five_) {
        float* values = column.data();
        for (std::size_t i = 0; i < column.size(); ++i) {
            values[i] *= 2.0F;
        }
    }
}

}  // namespace bench

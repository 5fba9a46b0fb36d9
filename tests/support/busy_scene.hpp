// A world that is busy in every way a schedule allows, for tests of determinism: systems that spawn, despawn, add,
// remove, write, watch, follow changes and use resources, many of which may run side by side. The same seed gives the
// same world, frame by frame, whatever executor runs it.
#pragma once

#include <stoa/stoa.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace support {

class BusyScene {
  public:
    // Serial without an executor.
    BusyScene(stoa::Executor* executor, std::uint32_t seed);

    void update() { schedule_->update(0.01); }
    stoa::World& world() { return world_; }
    stoa::Schedule& schedule() { return *schedule_; }

    // All that can be seen: every entity with its values, in walk order, and what the systems have counted.
    std::vector<std::uint64_t> fingerprint();

  private:
    void add_systems();

    stoa::World world_;
    std::optional<stoa::Schedule> schedule_;
};

}  // namespace support

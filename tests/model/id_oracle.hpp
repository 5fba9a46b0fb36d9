// Predicts the next entity id: freed indices come back first-freed-first with the next generation, then fresh ones
// ascend from 0, and an index whose generations are used up never comes back. Where several were freed in one call
// whose order is not promised (clear), any of them may be next. Called by the reference model.
#pragma once

#include <stoa/stoa.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace stoa_test {

class IdOracle {
  public:
    IdOracle(std::uint32_t first_generation, std::uint32_t last_generation)
        : first_generation_(first_generation), last_generation_(last_generation) {}

    /// Returns whether the id is what spawning had to give; if so it counts as taken.
    bool take(stoa::Entity id);

    /// Returns the next ids for a bulk call that did not report them: within a group of unknown order, those alive.
    /// Fewer than `count` mean that the order was not kept.
    std::vector<stoa::Entity> take_unseen(std::size_t count, stoa::World& world);

    /// The id was freed after all that were freed before.
    void release(stoa::Entity id);

    /// These ids were freed by one call, in an order that is not promised.
    void release_together(std::span<const stoa::Entity> ids);

    /// Returns a handle that no entity has had yet, or null when there is none: the next use of a free index.
    stoa::Entity to_come(std::size_t choice) const;

    std::uint32_t fresh_index() const { return fresh_; }

  private:
    struct Slot {
        std::uint32_t index;
        std::uint32_t generation;
        std::uint64_t group;
    };

    void queue(stoa::Entity id);

    std::uint32_t first_generation_;
    std::uint32_t last_generation_;
    std::uint32_t fresh_ = 0;
    std::uint64_t group_ = 0;
    std::deque<Slot> free_;
};

}  // namespace stoa_test

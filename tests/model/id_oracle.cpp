// The queue of freed ids. Invariant: slots of one group are adjacent. Called by the reference model.
#include "id_oracle.hpp"

#include "../support/handles.hpp"

namespace stoa_test {

bool IdOracle::take(stoa::Entity id) {
    if (free_.empty()) {
        const bool right = id == forge(fresh_, first_generation_);
        fresh_ += right ? 1 : 0;
        return right;
    }
    const std::uint64_t group = free_.front().group;
    for (auto slot = free_.begin(); slot != free_.end() && slot->group == group; ++slot) {
        if (id == forge(slot->index, slot->generation)) {
            free_.erase(slot);
            return true;
        }
    }
    return false;
}

std::vector<stoa::Entity> IdOracle::take_unseen(std::size_t count, stoa::World& world) {
    std::vector<stoa::Entity> taken;
    while (taken.size() < count && !free_.empty()) {
        const std::uint64_t group = free_.front().group;
        std::size_t rest = 0;  // members of the group that were passed over
        const std::size_t before = taken.size();
        while (taken.size() < count && rest < free_.size() && free_[rest].group == group) {
            const stoa::Entity id = forge(free_[rest].index, free_[rest].generation);
            if (world.alive(id)) {
                taken.push_back(id);
                free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(rest));
            } else {
                ++rest;
            }
        }
        if (rest != 0 && taken.size() < count) {
            return taken;  // some of the group were not used although more ids were needed
        }
        if (taken.size() == before) {
            return taken;
        }
    }
    while (taken.size() < count) {
        taken.push_back(forge(fresh_++, first_generation_));
    }
    return taken;
}

void IdOracle::release(stoa::Entity id) {
    ++group_;
    queue(id);
}

void IdOracle::release_together(std::span<const stoa::Entity> ids) {
    ++group_;
    for (const stoa::Entity id : ids) {
        queue(id);
    }
}

stoa::Entity IdOracle::to_come(std::size_t choice) const {
    if (free_.empty()) {
        return forge(fresh_, first_generation_);
    }
    const Slot& slot = free_[choice % free_.size()];
    return forge(slot.index, slot.generation);
}

void IdOracle::queue(stoa::Entity id) {
    if (id.generation() != last_generation_) {
        free_.push_back(Slot{id.index(), id.generation() + 1, group_});
    }
}

}  // namespace stoa_test

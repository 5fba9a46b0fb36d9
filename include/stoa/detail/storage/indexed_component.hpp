// What the store records of an indexed component: with two comparisons an index learns whether something changed, and
// it finds departed entities without testing the others. Written by the store, read by the room `index`.
//
// Invariant: every entity that lost the component since the sequence number `begin()` is in `departures`, at least
// once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/storage/ticks.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// The entities that something happened to: a ring buffer whose sequence numbers are never reused. A reader remembers
// the number up to which it has read; a reader that comes too late tests all entities instead. So readers do not
// register, entries are not cleared, and recording cannot fail.
class STOA_API EntityLog {
  public:
    EntityLog() = default;
    ~EntityLog() { delete[] entries_; }
    EntityLog(const EntityLog&) = delete;
    EntityLog& operator=(const EntityLog&) = delete;

    std::uint64_t begin() const { return begin_; }
    std::uint64_t end() const { return end_; }
    Entity operator[](std::uint64_t number) const { return entries_[number & (capacity_ - 1)]; }

    void note(Entity entity) noexcept {
        if (end_ - begin_ == capacity_) [[unlikely]]
            make_room();
        if (capacity_ == 0) return;
        entries_[end_ & (capacity_ - 1)] = entity;
        ++end_;
    }
    // Records events without listing them: every reader then tests all entities.
    void note_many() noexcept { begin_ = ++end_; }

  private:
    void make_room() noexcept;

    static constexpr std::uint64_t fewest = 256;
    static constexpr std::uint64_t most = 1 << 16;  // beyond this, testing all entities costs little more

    Entity* entries_ = nullptr;
    std::uint64_t capacity_ = 0;
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
};

struct IndexedComponent {
    Tick own_last = 0;
    const Tick* last = &own_last;  // the tick of the last write or arrival; for a sparse component it is in the set
    std::uint32_t readers = 0;     // without readers nothing is recorded
    EntityLog departures;          // the entities that lost the component

    void note(Entity entity) noexcept {
        if (readers != 0) departures.note(entity);
    }
};

}  // namespace stoa::detail

// The directory of a world: one entry for each entity index, from which every lookup starts.
//
// Invariants: a handle is alive exactly when its entry has its generation and a zero dead bit; free entries form one
// list, first freed first reused; an index whose generations are used up is retired: it is in no list and never used
// again.
//
// An id can be reserved from any thread: its entry leaves the free list, or is counted as pending beyond the last
// entry, and nothing else changes, so that other threads may read at the same time. Its entry is idle until the id is
// used or given back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/entity/directory_entry.hpp"
#include "stoa/detail/entity/id_leases.hpp"
#include "stoa/detail/entity/location.hpp"
#include "stoa/detail/entity/returned_ids.hpp"
#include "stoa/detail/entity/world_number.hpp"
#include "stoa/entity.hpp"
#include "stoa/options.hpp"

namespace stoa::detail {

class STOA_API Directory {
  public:
    // Throws Errc::capacity when all numbers of tagged worlds are in use.
    explicit Directory(const WorldOptions& options);
    ~Directory();
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    // Lookups.

    bool alive(Entity entity) const noexcept {
        const std::uint32_t index = entity.index();
        return index < size_ && entries_[index].is_alive(entity);
    }

    // Reads the entry once. Returns: whether the entity is alive; then `at` is its location.
    bool find(Entity entity, Location& at) const noexcept {
        const std::uint32_t index = entity.index();
        if (index >= size_) return false;
        const DirectoryEntry entry = entries_[index];
        at.bits = static_cast<std::uint32_t>(entry.bits);
        return entry.is_alive(entity);
    }

    void prefetch(Entity entity) const noexcept {
        if (entity.index() < size_) __builtin_prefetch(&entries_[entity.index()], 1);
    }

    // Requires: an entity or a ghost has the index.
    Location location(std::uint32_t index) const noexcept { return entries_[index].location(); }
    // Effects: the entity, which has its index, is at `to`; for a ghost `to` contains Location::dead.
    void move(Entity entity, Location to) noexcept { entries_[entity.index()] = DirectoryEntry::used(entity, to); }

    // Returns: true for a ghost, and for a handle that does not exist yet.
    bool maybe_ghost(Entity entity) const noexcept {
        const std::uint32_t index = entity.index();
        return index < size_ && entries_[index].is_dead(entity);
    }

    // New entities.

    // Whether take() may be called without prepare().
    bool ready() const noexcept { return free_head_ != none || size_ < ready_; }

    // Makes `count` calls of take() possible. Throws Errc::capacity, which names the verb, or std::bad_alloc; then
    // nothing has changed.
    void prepare(std::uint64_t count, const char* verb = "spawn");

    // The index and the handle that the next take() will use.
    std::uint32_t next_index() const noexcept { return free_head_ != none ? free_head_ : size_; }
    Entity next_entity() const noexcept {
        return free_head_ != none ? entries_[free_head_].entity(free_head_) : entity_of(size_, first_generation_);
    }
    // The index that the take() after the one of `index` will use.
    std::uint32_t index_after(std::uint32_t index) const noexcept {
        if (index >= size_) return index + 1;
        const std::uint32_t next = entries_[index].next_free();
        return next != none ? next : size_;
    }

    // Requires: ready(), or prepared.
    Entity take(Location at) noexcept {
        std::uint32_t index = free_head_;
        std::uint64_t generation;
        if (index == none) {
            index = size_++;
            generation = std::uint64_t{first_generation_} << 32;
        } else {
            const DirectoryEntry old = entries_[index];
            free_head_ = old.next_free();
            --idle_;
            generation = old.bits & DirectoryEntry::generation_mask;
        }
        entries_[index].bits = generation | at.bits;
        return Entity::from_bits(generation | index);
    }
    // Takes the same indices as `count` calls of take() at consecutive rows would. Writes the handles to `out`.
    void take_many(Location first, std::uint32_t count, Entity* out) noexcept;

    // Released entities.

    // Releases the entity or ghost at `index`: its entry gets the next generation and is appended to the free list.
    void release(std::uint32_t index) noexcept {
        DirectoryEntry& entry = entries_[index];
        if (entry.bits >= last_bits_) [[unlikely]]
            return retire(entry);
        entry = entry.next_idle();
        if (free_head_ == none) {
            free_head_ = index;
        } else {
            entries_[free_tail_].link_to(index);
        }
        free_tail_ = index;
        ++idle_;
    }
    void make_ghost(std::uint32_t index) noexcept {
        entries_[index].bits |= DirectoryEntry::dead_bit;
        ++ghosts_;
    }
    void release_ghost(std::uint32_t index) noexcept {
        --ghosts_;
        release(index);
    }

    // Reserved ids.

    // Returns: the id that take() would give next, without making it alive: every lookup treats it as dead until
    // use_reserved(). Throws Errc::capacity. Threads: may run concurrently with itself, give_back_later() and every
    // const call.
    Entity reserve();

    // Effects: takes ownership of a chain of blocks. Their ids are free from the next reservation or settle() on, with
    // the next generation. Threads: as reserve().
    void give_back_later(IdBlock* first, IdBlock* last) noexcept;

    // Gives every reserved id its entry, and puts returned ids into the free list. Throws std::bad_alloc; then nothing
    // has changed.
    void settle() {
        if (unsettled()) [[unlikely]]
            settle_slowly();
    }
    bool unsettled() const noexcept { return pending_ != 0 || !returned_.empty(); }

    // Requires: settled since the id was reserved. Effects: the entity is alive.
    void use_reserved(Entity entity, Location at) noexcept {
        entries_[entity.index()] = DirectoryEntry::used(entity, at);
        --idle_;
        --reserved_;
    }
    // Requires: settled since the id was reserved. The id is appended to the free list, with the next generation.
    void give_back(Entity entity) noexcept {
        use_reserved(entity, {});
        release(entity.index());
    }
    // Requires: settled since the id was reserved. Undoes the reservation. An id after which others were reserved is
    // given back instead.
    void cancel_reserved(Entity entity) noexcept {
        const std::uint32_t index = entity.index();
        const bool fresh = entity.generation() == first_generation_;
        if (unsettled() || (fresh ? index + 1 != size_ : entries_[index].next_free() != free_head_))
            return give_back(entity);
        --reserved_;
        if (fresh) {
            --size_;
            --idle_;
        } else {
            if (free_head_ == none) free_tail_ = index;
            free_head_ = index;
        }
    }

    // Ids for buffers that record concurrently.
    IdLeases& leases() noexcept { return leases_; }
    const IdLeases& leases() const noexcept { return leases_; }

    // Counts.

    std::uint64_t living() const noexcept { return size_ - idle_ - retired_ - ghosts_; }
    std::uint64_t ghosts() const noexcept { return ghosts_; }
    bool is_limited() const noexcept { return max_entities_ != 0; }  // by WorldOptions::max_entities
    std::uint32_t size() const noexcept { return size_; }            // indices that have an entry
    std::uint64_t bytes() const noexcept { return entries_.bytes(); }
    std::uint64_t bytes_huge() const noexcept { return entries_.bytes_huge(); }  // of those, in huge pages

    // Returns: null when the free list and the counters agree with the entries, else the broken invariant.
    const char* check() const noexcept;

  private:
    friend class IdLease;
    friend class IdLeases;

    static constexpr std::uint32_t none = DirectoryEntry::no_link;

    void retire(DirectoryEntry& entry) noexcept;
    void update_ready() noexcept;
    std::uint64_t limit() const noexcept;
    Entity reserve_without_free();  // reserve() when no index is free
    void settle_slowly();
    // For leases: the first index that is neither used nor reserved, and the reservation of the next `count` of them.
    std::uint64_t first_unreserved() const noexcept { return std::uint64_t{size_} + pending_; }
    void add_pending(std::uint32_t count) noexcept;
    [[noreturn]] void fail_capacity(std::uint64_t count, const char* verb) const;
    const char* check_free_list() const noexcept;

    DirectoryEntries entries_;
    std::uint32_t size_ = 0;
    std::uint32_t ready_ = 0;  // indices below this need no memory and stay below the limit; 0 while unsettled
    std::uint32_t free_head_ = none;
    std::uint32_t free_tail_ = none;
    std::uint32_t idle_ = 0;      // entries that are free or reserved
    std::uint32_t reserved_ = 0;  // those of them that are reserved
    std::uint32_t pending_ = 0;   // reserved indices from size_ on, which have no entry yet
    std::uint32_t retired_ = 0;
    std::uint32_t ghosts_ = 0;
    WorldNumber number_;
    std::uint32_t first_generation_;
    std::uint64_t last_bits_{std::uint64_t{number_.last()} << 32};  // entries of the last generation are not below
    std::uint64_t max_entities_;                                    // 0: no limit
    ReturnedIds returned_{number_.last()};
    IdLeases leases_{*this};
};

}  // namespace stoa::detail

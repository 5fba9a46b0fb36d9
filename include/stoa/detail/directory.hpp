// The directory of a world: one 8-byte record per entity index, from which every lookup starts.
//
//     record   generation : 32 | dead : 1 | location : 31        dead = 0: alive, at this location
//                                                                dead = 1: a ghost at this location, or an idle slot
//     location chunk number : 19 | row : 12                      whose low bits link to the next free slot
//
// Invariants: a handle is alive exactly when its generation and a zero dead bit stand in its record; free slots form
// one list, first freed first reused; a slot whose generations are used up is in no list and is never used again.
// The records are one array. A large one lies in address space of its own and grows without moving, where the system lends such;
// so a growing world copies at most what a small one has.
//
// An id can be reserved from any thread: its slot leaves the free list, or is counted as pending beyond the last record,
// and nothing else changes, so that others may read meanwhile. The slot is idle until the id is used or given back.
// Called by Store and by command buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stoa/detail/config.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// Where an entity's row is. The widths are part of the design record on chunk size.
struct Location {
    static constexpr std::uint32_t row_bits = 12;
    static constexpr std::uint32_t max_rows = 1u << row_bits;
    static constexpr std::uint32_t max_chunks = 1u << (31 - row_bits);
    static constexpr std::uint32_t dead = 0x80000000;  // stands beside the location in the record of a ghost

    std::uint32_t bits = 0;

    static constexpr Location of(std::uint32_t chunk, std::uint32_t row) { return {(chunk << row_bits) | row}; }
    constexpr std::uint32_t chunk() const { return bits >> row_bits; }
    constexpr std::uint32_t row() const { return bits & (max_rows - 1); }
};

// Reserved ids on their way back, in memory that their owner leaves with them: the ids follow. Blocks are made by
// new_block with this alignment.
struct IdBlock {
    static constexpr std::size_t alignment = 64;

    IdBlock* next = nullptr;
    std::uint32_t first = 0;  // the ids before this one have been handed out again
    std::uint32_t count = 0;

    // Safe: whoever returns a block has written `count` ids behind `header` bytes.
    static constexpr std::size_t header = 64;
    Entity* ids() { return reinterpret_cast<Entity*>(reinterpret_cast<std::byte*>(this) + header); }
};

class IdLease;

class STOA_API Directory {
  public:
    Directory(std::uint64_t max_entities, std::uint32_t first_generation) noexcept;
    ~Directory();
    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    bool alive(Entity entity) const noexcept {
        const std::uint32_t index = entity.index();
        return index < size_ && is_alive(record(index), entity);
    }

    // Reads the record once. True when the entity is alive; then `at` is its location.
    bool find(Entity entity, Location& at) const noexcept {
        const std::uint32_t index = entity.index();
        if (index >= size_) return false;
        const std::uint64_t bits = record(index);
        at.bits = static_cast<std::uint32_t>(bits);
        return is_alive(bits, entity);
    }

    void prefetch(Entity entity) const noexcept {
        if (entity.index() < size_) __builtin_prefetch(&record(entity.index()), 1);
    }

    // Requires: the slot is taken (alive or ghost).
    Location location(std::uint32_t index) const noexcept {
        return {static_cast<std::uint32_t>(record(index)) & link_mask};
    }
    // Records that the entity, which has its slot, is at `to`; for a ghost the dead bit stands in `to`.
    void move(Entity entity, Location to) noexcept {
        record(entity.index()) = (entity.bits() & ~std::uint64_t{0xffffffff}) | to.bits;
    }

    // True when take() may be called without prepare().
    bool ready() const noexcept { return free_head_ != nil || size_ < ready_; }

    // Makes `count` calls of take() possible. Throws Errc::capacity or std::bad_alloc; changes nothing then.
    void prepare(std::uint64_t count, const char* verb = "spawn");

    // The index that the next take() will use.
    std::uint32_t next_index() const noexcept { return free_head_ != nil ? free_head_ : size_; }

    Entity next_entity() const noexcept {
        const std::uint64_t generation = free_head_ != nil ? record(free_head_) >> 32 : first_generation_;
        return Entity::from_bits((generation << 32) | next_index());
    }

    // The index that the take() after the one of `index` will use.
    std::uint32_t index_after(std::uint32_t index) const noexcept {
        if (index >= size_) return index + 1;
        const std::uint32_t next = static_cast<std::uint32_t>(record(index)) & link_mask;
        return next != nil ? next : size_;
    }

    Entity take(Location at) noexcept {
        std::uint32_t index = free_head_;
        std::uint64_t generation;
        if (index == nil) {
            index = size_++;
            generation = std::uint64_t{first_generation_} << 32;
        } else {
            const std::uint64_t old = record(index);
            free_head_ = static_cast<std::uint32_t>(old) & link_mask;
            --idle_;
            generation = old & ~std::uint64_t{0xffffffff};
        }
        record(index) = generation | at.bits;
        return Entity::from_bits(generation | index);
    }

    // Takes the same slots as `count` calls of take() at consecutive rows would. Writes the handles to `out`.
    void take_many(Location first, std::uint32_t count, Entity* out) noexcept;

    // Ends the entity or ghost at `index`: its slot gets the next generation and joins the end of the free list.
    void release(std::uint32_t index) noexcept {
        std::uint64_t& slot = record(index);
        const std::uint32_t generation = static_cast<std::uint32_t>(slot >> 32) + 1;
        if (generation == 0) [[unlikely]] return retire(slot);
        slot = (std::uint64_t{generation} << 32) | dead_bit | nil;
        if (free_head_ == nil) {
            free_head_ = index;
        } else {
            std::uint64_t& tail = record(free_tail_);
            tail = (tail & ~std::uint64_t{link_mask}) | index;
        }
        free_tail_ = index;
        ++idle_;
    }

    // Reserved ids.

    // The id that take() would give next, without making it alive: it is dead for everyone until use_reserved().
    // Threads: may run beside itself, give_back_later() and every const call. Throws Errc::capacity.
    Entity reserve();

    // Effect: the ids of a chain of blocks are free again, soon: they are reserved anew, or used by the next spawn, with
    // the next generation. Owns the blocks from now on. Threads: as reserve().
    void give_back_later(IdBlock* first, IdBlock* last) noexcept;

    // Gives every reserved id its record, and takes back what was returned. Throws std::bad_alloc; changes nothing then.
    void settle() {
        if (unsettled()) [[unlikely]] settle_slowly();
    }

    // Requires: settled since the id was reserved. The entity is alive from now on.
    void use_reserved(Entity entity, Location at) noexcept {
        record(entity.index()) = (entity.bits() & ~std::uint64_t{0xffffffff}) | at.bits;
        --idle_;
        --reserved_;
    }
    // Requires: settled since the id was reserved. The id joins the end of the free list, with the next generation.
    void give_back(Entity entity) noexcept {
        record(entity.index()) = entity.bits() & ~std::uint64_t{0xffffffff};
        --idle_;
        --reserved_;
        release(entity.index());
    }

    // Requires: settled since the id was reserved. Undoes the reservation, as if it had not been; an id after which others were
    // reserved is given back instead.
    void cancel_reserved(Entity entity) noexcept {
        const std::uint32_t index = entity.index();
        const std::uint32_t link = static_cast<std::uint32_t>(record(index)) & link_mask;
        const bool fresh = entity.generation() == first_generation_;
        if (unsettled() || (fresh ? index + 1 != size_ : link != free_head_)) return give_back(entity);
        --reserved_;
        if (fresh) {
            --size_;
            --idle_;
        } else {
            if (free_head_ == nil) free_tail_ = index;
            free_head_ = index;
        }
    }

    // Leases: until end_leases(), each of these buffers has ids of its own, which are the same whatever the others do. Called
    // while nobody reserves; in between, reserve() works on. Throws std::bad_alloc, Errc::capacity: then there are none.
    void begin_leases(std::span<IdLease* const> leases);
    void end_leases(std::span<IdLease* const> leases) noexcept;
    // Gives back what a lease has more than it needs, unless ids wait to be settled.
    void trim_leases(std::span<IdLease* const> leases) noexcept;
    // Gives all of it back, at the next settle() if ids wait for that. Owns the lease, which was made by new, from now
    // on.
    void end_lease(IdLease* lease) noexcept;

    // Consecutive fresh indices.
    struct Block {
        std::uint64_t first;
        std::uint64_t size;
    };

    void make_ghost(std::uint32_t index) noexcept {
        record(index) |= dead_bit;
        ++ghosts_;
    }
    void release_ghost(std::uint32_t index) noexcept {
        --ghosts_;
        release(index);
    }

    // True when the record holds this generation with the dead bit set: a ghost, or a handle that is still to come.
    bool maybe_ghost(Entity entity) const noexcept {
        const std::uint32_t index = entity.index();
        return index < size_ && ((record(index) ^ entity.bits()) >> 31) == 1;
    }

    std::uint64_t living() const noexcept { return size_ - idle_ - retired_ - ghosts_; }
    std::uint64_t ghosts() const noexcept { return ghosts_; }
    std::uint32_t size() const noexcept { return size_; }  // indices that have a record
    std::uint64_t bytes() const noexcept;
    std::uint64_t bytes_huge() const noexcept;  // of those, in huge pages

    // Null when the free list and the counters agree with the records, else the broken invariant.
    const char* check() const noexcept;

  private:
    friend class IdLease;

    static constexpr std::uint32_t base_block = 256;
    static constexpr std::uint32_t most_blocks = 24;
    static constexpr std::uint32_t link_mask = 0x7fffffff;
    static constexpr std::uint32_t nil = link_mask;
    static constexpr std::uint64_t dead_bit = 0x80000000;

    std::uint64_t& record(std::uint32_t index) const noexcept { return records_[index]; }
    // Dead bit and generation in one comparison: bit 31 of a valid index is zero. Not by a shift, which would be one step more.
    static bool is_alive(std::uint64_t record, Entity entity) noexcept { return (record ^ entity.bits()) < dead_bit; }
    void retire(std::uint64_t& slot) noexcept;
    void update_ready() noexcept;
    std::uint64_t limit() const noexcept;
    void allocate(std::uint64_t records);
    bool move_to_own_space() noexcept;
    void replace_block(std::uint64_t records);
    void free_records() noexcept;
    bool unsettled() const noexcept { return pending_ != 0 || returned_ != nullptr || claimed_ != nullptr || worn_ != nullptr; }
    void settle_slowly();
    Entity reserve_returned(bool wait) noexcept;
    bool claim_block() noexcept;
    Block block(std::uint32_t seat, std::uint32_t number) const noexcept;
    Entity reserve_beside_leases();
    void return_ids(IdLease& lease, std::size_t keep) noexcept;  // requires: settled
    void return_ended_leases() noexcept;                         // requires: settled
    [[noreturn]] void fail_capacity(std::uint64_t count, const char* verb) const;

    std::uint64_t* records_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t ready_ = 0;      // indices below this need no memory and stay below the limit; 0 while unsettled
    std::uint32_t free_head_ = nil;
    std::uint32_t free_tail_ = nil;
    std::uint32_t idle_ = 0;       // slots that are free or reserved
    std::uint32_t reserved_ = 0;   // those of them that are reserved
    std::uint32_t pending_ = 0;    // reserved indices from size_ on, which have no record yet
    std::uint32_t retired_ = 0;
    std::uint32_t ghosts_ = 0;
    std::uint32_t first_generation_;
    std::uint32_t allocated_ = 0;  // records that have memory
    bool in_own_space_ = false;    // where they grow without moving; else in a block that is replaced
    std::uint64_t max_entities_;
    IdBlock* returned_ = nullptr;  // last returned first
    IdBlock* claimed_ = nullptr;   // first returned first; guarded by claiming_
    IdBlock* worn_ = nullptr;      // with an id that has no further generation; guarded by claiming_
    bool claiming_ = false;
    std::uint32_t seats_ = 0;         // while there are leases: theirs, and one for everyone else
    std::uint64_t others_taken_ = 0;  // from the last seat
    std::uint64_t first_leased_ = 0;
    IdLease* ended_leases_ = nullptr;  // whose ids go back at the next settle()
};

}  // namespace stoa::detail

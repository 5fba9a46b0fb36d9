// The slow half of the directory: memory, bulk ids, limits, reserved ids and the check of its invariants.
//
// Reserving is lock-free. Several threads take from the front of the free list, which nobody refills meanwhile, so a head
// that is seen twice still has the same successor. Only ids that a dropped buffer has returned are guarded by a flag, and
// who finds it set takes a fresh id instead.
#include "stoa/detail/directory.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "base/address_space.hpp"
#include "base/block_pool.hpp"
#include "base/raise.hpp"
#include "stoa/detail/id_lease.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t block_alignment = alignof(std::max_align_t);
constexpr std::uint32_t first_records = 512;
constexpr std::uint32_t own_space_records = 1 << 15;
constexpr std::uint32_t unit_records = address_unit / sizeof(std::uint64_t);
static_assert(sizeof(std::uint64_t) << 31 <= address_range, "indices have 31 bits");

}  // namespace

Directory::Directory(std::uint64_t max_entities, std::uint32_t first_generation) noexcept
    : first_generation_(std::max<std::uint32_t>(first_generation, 1)), max_entities_(max_entities) {}

Directory::~Directory() {
    free_records();
    for (IdBlock* list : {returned_, claimed_, worn_}) {
        while (list != nullptr) delete_block(std::exchange(list, list->next), IdBlock::alignment);
    }
    while (ended_leases_ != nullptr) delete std::exchange(ended_leases_, ended_leases_->next_ended_);
}

void Directory::prepare(std::uint64_t count, const char* verb) {
    settle();
    const std::uint64_t free = idle_ - reserved_;
    if (count <= free) return;
    const std::uint64_t fresh = count - free;
    if (fresh > limit() - size_) fail_capacity(count, verb);
    allocate(size_ + fresh);
    update_ready();
}

void Directory::fail_capacity(std::uint64_t count, const char* verb) const {
    raise(Errc::capacity, std::string(verb) + ": " + std::to_string(count) + " more entities do not fit into the world, its limit is " +
                              std::to_string(limit() - retired_) + "; despawn some or raise WorldOptions::max_entities");
}

void Directory::allocate(std::uint64_t records) {
    if (records <= allocated_) return;
    if (!in_own_space_ && (records < own_space_records || !move_to_own_space())) return replace_block(records);
    const std::uint64_t needed = (records + unit_records - 1) / unit_records * unit_records;
    if (needed <= allocated_) return;
    if (!back_addresses(records_ + allocated_, (needed - allocated_) * sizeof(std::uint64_t))) return replace_block(records);
    allocated_ = static_cast<std::uint32_t>(needed);
}

void Directory::update_ready() noexcept {
    ready_ = unsettled() ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(limit(), allocated_));
}

// How many indices may be in use. The last one of all would be the end mark of the free list.
std::uint64_t Directory::limit() const noexcept {
    return max_entities_ == 0 || max_entities_ > nil - retired_ ? nil : max_entities_ + retired_;
}

void Directory::replace_block(std::uint64_t records) {
    const std::uint64_t larger = std::clamp<std::uint64_t>(std::uint64_t{allocated_} * 2, std::max<std::uint64_t>(records, first_records), nil);
    auto* block = static_cast<std::uint64_t*>(new_block(sizeof(std::uint64_t) * larger, block_alignment));
    if (records_ != nullptr) std::memcpy(block, records_, sizeof(std::uint64_t) * size_);
    free_records();
    records_ = block;
    allocated_ = static_cast<std::uint32_t>(larger);
    in_own_space_ = false;
}

// Moves the records to address space that has room for as many as there can ever be.
bool Directory::move_to_own_space() noexcept {
    auto* space = static_cast<std::uint64_t*>(reserve_range());
    if (space == nullptr) return false;
    if (records_ != nullptr) std::memcpy(space, records_, sizeof(std::uint64_t) * size_);
    free_records();
    records_ = space;
    allocated_ = unit_records;
    in_own_space_ = true;
    return true;
}

void Directory::free_records() noexcept {
    if (in_own_space_) {
        release_range(records_, bytes());
    } else if (records_ != nullptr) {
        delete_block(records_, block_alignment);
    }
}

void Directory::take_many(Location first, std::uint32_t count, Entity* out) noexcept {
    std::uint32_t done = 0;
    for (; done < count && free_head_ != nil; ++done) out[done] = take({first.bits + done});
    const std::uint64_t generation = std::uint64_t{first_generation_} << 32;
    // Locations and indices of a bulk never carry into the generation, so both run on by themselves.
    const std::uint64_t location = generation | (first.bits + done);
    const std::uint64_t handle = generation | size_;
    const std::uint64_t fresh = count - done;
    std::uint64_t* const records = records_ + size_;
    Entity* const handles = out + done;
    for (std::uint64_t i = 0; i < fresh; ++i) {
        records[i] = location + i;
        handles[i] = Entity::from_bits(handle + i);
    }
    size_ += static_cast<std::uint32_t>(fresh);
}

void Directory::retire(std::uint64_t& slot) noexcept {
    slot = (std::uint64_t{0xffffffff} << 32) | dead_bit | nil;
    ++retired_;
    update_ready();
}

Entity Directory::reserve() {
    std::uint32_t head = __atomic_load_n(&free_head_, __ATOMIC_RELAXED);
    while (head != nil) {
        const std::uint64_t slot = record(head);
        const std::uint32_t next = static_cast<std::uint32_t>(slot) & link_mask;
        if (__atomic_compare_exchange_n(&free_head_, &head, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            __atomic_fetch_add(&reserved_, 1, __ATOMIC_RELAXED);
            return Entity::from_bits((slot & ~std::uint64_t{0xffffffff}) | head);
        }
    }
    if (const Entity again = reserve_returned(false)) return again;
    if (seats_ != 0) [[unlikely]] return reserve_beside_leases();
    std::uint32_t pending = __atomic_load_n(&pending_, __ATOMIC_RELAXED);
    do {
        if (std::uint64_t{size_} + pending >= limit()) [[unlikely]] {
            if (const Entity again = reserve_returned(true)) return again;
            fail_capacity(1, "spawn");
        }
    } while (!__atomic_compare_exchange_n(&pending_, &pending, pending + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    // The next spawn will come through prepare().
    if (__atomic_load_n(&ready_, __ATOMIC_RELAXED) != 0) __atomic_store_n(&ready_, 0, __ATOMIC_RELAXED);
    return Entity::from_bits((std::uint64_t{first_generation_} << 32) | (size_ + pending));
}

void Directory::give_back_later(IdBlock* first, IdBlock* last) noexcept {
    last->next = __atomic_load_n(&returned_, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&returned_, &last->next, first, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
    __atomic_store_n(&ready_, 0, __ATOMIC_RELAXED);
}

// A returned id with its next generation, or null. It stays counted as reserved.
Entity Directory::reserve_returned(bool wait) noexcept {
    const bool none = __atomic_load_n(&returned_, __ATOMIC_RELAXED) == nullptr &&
                      __atomic_load_n(&claimed_, __ATOMIC_RELAXED) == nullptr;
    if (none) return {};
    while (__atomic_exchange_n(&claiming_, true, __ATOMIC_ACQUIRE)) {
        if (!wait) return {};
    }
    Entity found;
    if (claim_block()) {
        IdBlock* block = claimed_;
        const Entity old = block->ids()[block->first++];
        found = Entity::from_bits(old.bits() + (std::uint64_t{1} << 32));
        if (block->first == block->count) {
            __atomic_store_n(&claimed_, block->next, __ATOMIC_RELAXED);
            delete_block(block, IdBlock::alignment);
        }
    }
    __atomic_store_n(&claiming_, false, __ATOMIC_RELEASE);
    return found;
}

// Makes the next id of claimed_ one that has a further generation. Requires: claiming_ is held.
bool Directory::claim_block() noexcept {
    while (true) {
        if (claimed_ == nullptr) {
            IdBlock* last_first = __atomic_exchange_n(&returned_, nullptr, __ATOMIC_ACQUIRE);
            IdBlock* in_order = nullptr;
            while (last_first != nullptr) {
                IdBlock* block = std::exchange(last_first, last_first->next);
                block->next = std::exchange(in_order, block);
            }
            __atomic_store_n(&claimed_, in_order, __ATOMIC_RELAXED);
        }
        IdBlock* block = claimed_;
        if (block == nullptr) return false;
        if (block->ids()[block->first].generation() != 0xffffffff) return true;
        __atomic_store_n(&claimed_, block->next, __ATOMIC_RELAXED);
        block->next = std::exchange(worn_, block);
    }
}

void Directory::settle_slowly() {
    allocate(std::uint64_t{size_} + pending_);
    for (; pending_ != 0; --pending_) {
        record(size_++) = (std::uint64_t{first_generation_} << 32) | dead_bit | nil;
        ++idle_;
        ++reserved_;
    }
    const auto take_back = [this](IdBlock* block) {
        for (; block->first != block->count; ++block->first) give_back(block->ids()[block->first]);
        delete_block(block, IdBlock::alignment);
    };
    while (claim_block()) take_back(std::exchange(claimed_, claimed_->next));
    while (worn_ != nullptr) take_back(std::exchange(worn_, worn_->next));
    return_ended_leases();
    update_ready();
}

std::uint64_t Directory::bytes() const noexcept {
    return std::uint64_t{allocated_} * sizeof(std::uint64_t);
}

std::uint64_t Directory::bytes_huge() const noexcept { return huge_bytes(records_, bytes()); }

const char* Directory::check() const noexcept {
    std::uint32_t free = 0;
    std::uint32_t last = nil;
    for (std::uint32_t index = free_head_; index != nil; index = static_cast<std::uint32_t>(record(index)) & link_mask) {
        if (index >= size_) return "the free list leads to an index that was never handed out";
        if ((record(index) & dead_bit) == 0) return "the free list leads to a living entity";
        if (++free > size_) return "the free list runs in a circle";
        last = index;
    }
    if (reserved_ > idle_ || free != idle_ - reserved_) return "free and reserved slots do not add up";
    if (free != 0 && last != free_tail_) return "the free list does not end at its tail";
    std::uint64_t dead = 0;
    for (std::uint32_t index = 0; index < size_; ++index) dead += (record(index) & dead_bit) != 0;
    if (dead != std::uint64_t{idle_} + retired_ + ghosts_) return "idle, retired and ghost slots do not add up";
    if (unsettled() && ready_ != 0) return "an id that is still to be settled can be overtaken";
    std::uint64_t returned = 0;
    for (IdBlock* list : {returned_, claimed_, worn_}) {
        for (; list != nullptr; list = list->next) returned += list->count - list->first;
    }
    if (returned > std::uint64_t{reserved_} + pending_) return "more ids were returned than reserved";
    return nullptr;
}

}  // namespace stoa::detail

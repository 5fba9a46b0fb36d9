// The slow half of the directory: bulk ids, limits, reserved ids and the check of its invariants.
//
// Reserving takes no lock. Several threads take from the front of the free list, which is not refilled at the same
// time, so a head that is read twice still has the same successor. Only ids that a dropped buffer has returned are
// guarded by a flag; a thread that finds it set takes a fresh id instead.
#include "stoa/detail/entity/directory.hpp"

#include <algorithm>
#include <string>

#include "base/raise.hpp"

namespace stoa::detail {

Directory::Directory(const WorldOptions& options)
    : number_(options.tagged),
      first_generation_(number_.first(options.first_generation)),
      max_entities_(options.max_entities) {}

Directory::~Directory() = default;

void Directory::prepare(std::uint64_t count, const char* verb) {
    settle();
    const std::uint64_t free = idle_ - reserved_;
    if (count <= free) return;
    const std::uint64_t fresh = count - free;
    if (fresh > limit() - size_) fail_capacity(count, verb);
    entries_.reserve(size_ + fresh, size_);
    update_ready();
}

void Directory::fail_capacity(std::uint64_t count, const char* verb) const {
    raise(Errc::capacity,
          std::string(verb) + ": " + std::to_string(count) + " more entities do not fit into the world, its limit is " +
              std::to_string(limit() - retired_) + "; despawn some or raise WorldOptions::max_entities");
}

void Directory::update_ready() noexcept {
    ready_ = unsettled() ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(limit(), entries_.capacity()));
}

// How many indices may be in use. The highest index is excluded, because its number marks the end of the free list.
std::uint64_t Directory::limit() const noexcept {
    return max_entities_ == 0 || max_entities_ > none - retired_ ? none : max_entities_ + retired_;
}

void Directory::take_many(Location first, std::uint32_t count, Entity* out) noexcept {
    std::uint32_t done = 0;
    for (; done < count && free_head_ != none; ++done) out[done] = take({first.bits + done});
    if (done == count) return;
    const std::uint64_t generation = std::uint64_t{first_generation_} << 32;
    // Locations and indices of a bulk never carry into the generation, so both can be incremented as plain numbers.
    const std::uint64_t location = generation | (first.bits + done);
    const std::uint64_t handle = generation | size_;
    const std::uint64_t fresh = count - done;
    DirectoryEntry* const entries = &entries_[size_];
    Entity* const handles = out + done;
    for (std::uint64_t i = 0; i < fresh; ++i) {
        entries[i].bits = location + i;
        handles[i] = Entity::from_bits(handle + i);
    }
    size_ += static_cast<std::uint32_t>(fresh);
}

void Directory::retire(DirectoryEntry& entry) noexcept {
    entry = DirectoryEntry::idle(number_.last());
    ++retired_;
    update_ready();
}

Entity Directory::reserve() {
    std::uint32_t head = __atomic_load_n(&free_head_, __ATOMIC_RELAXED);
    while (head != none) {
        const DirectoryEntry entry = entries_[head];
        if (__atomic_compare_exchange_n(&free_head_, &head, entry.next_free(), true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
            __atomic_fetch_add(&reserved_, 1, __ATOMIC_RELAXED);
            return entry.entity(head);
        }
    }
    return reserve_without_free();
}

// Not inlined into reserve(), whose fast path then saves no registers.
[[gnu::noinline]] Entity Directory::reserve_without_free() {
    // A returned id is still counted as reserved.
    if (const Entity again = returned_.take(ReturnedIds::When::unless_busy)) return again;
    if (leases_.active()) [[unlikely]]
        return leases_.take_unleased();
    std::uint32_t pending = __atomic_load_n(&pending_, __ATOMIC_RELAXED);
    do {
        if (std::uint64_t{size_} + pending >= limit()) [[unlikely]] {
            if (const Entity again = returned_.take(ReturnedIds::When::wait)) return again;
            fail_capacity(1, "spawn");
        }
    } while (!__atomic_compare_exchange_n(&pending_, &pending, pending + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    // Makes the next spawn call prepare().
    if (__atomic_load_n(&ready_, __ATOMIC_RELAXED) != 0) __atomic_store_n(&ready_, 0, __ATOMIC_RELAXED);
    return entity_of(std::uint64_t{size_} + pending, first_generation_);
}

void Directory::add_pending(std::uint32_t count) noexcept {
    pending_ += count;
    if (count != 0) ready_ = 0;
}

void Directory::give_back_later(IdBlock* first, IdBlock* last) noexcept {
    returned_.give(first, last);
    __atomic_store_n(&ready_, 0, __ATOMIC_RELAXED);
}

void Directory::settle_slowly() {
    entries_.reserve(first_unreserved(), size_);
    for (; pending_ != 0; --pending_) {
        entries_[size_++] = DirectoryEntry::idle(first_generation_);
        ++idle_;
        ++reserved_;
    }
    returned_.take_all([this](Entity id) noexcept { give_back(id); });
    leases_.return_retired();
    update_ready();
}

const char* Directory::check_free_list() const noexcept {
    std::uint32_t free = 0;
    std::uint32_t last = none;
    for (std::uint32_t index = free_head_; index != none; index = entries_[index].next_free()) {
        if (index >= size_) return "the free list leads to an index that was never handed out";
        if (!entries_[index].is_dead()) return "the free list leads to a living entity";
        if (++free > size_) return "the free list runs in a circle";
        last = index;
    }
    if (reserved_ > idle_ || free != idle_ - reserved_) return "free and reserved entries do not add up";
    if (free != 0 && last != free_tail_) return "the free list does not end at its tail";
    return nullptr;
}

const char* Directory::check() const noexcept {
    if (const char* fault = check_free_list()) return fault;
    std::uint64_t dead = 0;
    for (std::uint32_t index = 0; index < size_; ++index) {
        dead += entries_[index].is_dead();
        if (entries_[index].generation() < first_generation_ || entries_[index].generation() > number_.last())
            return "an entry has a generation that its world does not use";
    }
    if (dead != std::uint64_t{idle_} + retired_ + ghosts_) return "idle, retired and ghost entries do not add up";
    if (unsettled() && ready_ != 0) return "an id that is still to be settled can be overtaken";
    if (returned_.count() > std::uint64_t{reserved_} + pending_) return "more ids were returned than reserved";
    return nullptr;
}

}  // namespace stoa::detail

// Sparse storage of one component: values outside the tables, in pages that never move. A slot keeps its value and its
// owner; slots are never compacted, so addresses are stable and types that cannot be moved are fine.
//
//     index page [entity index] → slot + 1          owners [slot] → entity, or the next free slot
//                                                   page [slot] → value
//
// Invariant: owners[slot] == e exactly when the entity e has the component; so a lookup needs no directory.
// Called by Store and by the typed verbs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/storage/indexed_component.hpp"
#include "stoa/detail/storage/ticks.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// The place of a value in a sparse set.
enum class SparseSlot : std::uint32_t { none = 0xffffffff };

constexpr std::uint32_t index_of(SparseSlot slot) { return static_cast<std::uint32_t>(slot); }

// The bit of the set with this ordinal in the mask of an entity. The last bit represents all further sets, and is only
// a hint.
inline constexpr std::uint64_t shared_mask_bit = std::uint64_t{1} << 63;
constexpr std::uint64_t mask_bit_of(std::uint32_t ordinal) {
    return ordinal < 63 ? std::uint64_t{1} << ordinal : shared_mask_bit;
}

class STOA_API SparseSet {
  public:
    SparseSet(ComponentId id, const ComponentType& type, std::uint32_t ordinal) noexcept;
    ~SparseSet();
    SparseSet(const SparseSet&) = delete;
    SparseSet& operator=(const SparseSet&) = delete;

    const ComponentType& type() const { return type_; }
    ComponentId id() const { return id_; }
    std::uint64_t mask_bit() const { return mask_bit_; }
    std::uint32_t size() const { return size_; }

    bool contains(Entity entity) const { return slot_of(entity) != SparseSlot::none; }
    SparseSlot slot_of(Entity entity) const {
        const std::uint32_t page = entity.index() >> index_bits;
        if (page >= index_page_count_ || index_pages_[page] == nullptr) return SparseSlot::none;
        const std::uint32_t slot = index_pages_[page][entity.index() & (index_size - 1)] - 1;
        return slot != none && owners_[slot] == entity.bits() ? SparseSlot{slot} : SparseSlot::none;
    }

    // The value of a slot, or raw storage when the slot is free. Tags have none; any address will do.
    std::byte* value(SparseSlot slot) const {
        return pages_[index_of(slot) >> page_bits_] + std::size_t{index_of(slot) & page_mask_} * type_.size;
    }
    // The same, faster. Requires: T is the type of the set.
    template <class T>
    std::byte* value(SparseSlot slot) const {
        constexpr std::uint32_t bits = page_bits(sizeof(T));
        return pages_[index_of(slot) >> bits] + (index_of(slot) & ((1u << bits) - 1)) * sizeof(T);
    }

    // Slots as insert() will take them: next_free_slot() is next, then free_slot_after() of it, and so on.
    SparseSlot next_free_slot() const { return SparseSlot{free_head_ != none ? free_head_ : used_}; }
    SparseSlot free_slot_after(SparseSlot slot) const {
        if (index_of(slot) >= used_) return SparseSlot{index_of(slot) + 1};
        const std::uint32_t next = free_link(index_of(slot));
        return SparseSlot{next != none ? next : used_};
    }

    // True when insert() of an entity with this index needs no memory.
    bool ready(std::uint32_t index) const {
        const std::uint32_t page = index >> index_bits;
        return (free_head_ != none || used_ < capacity_) && page < index_page_count_ && index_pages_[page] != nullptr;
    }
    // Makes it so, for `count` insertions. Throws std::bad_alloc; changes nothing visible.
    void prepare_index(std::uint32_t index);
    void prepare_slots(std::uint32_t count);

    // Requires: ready, the entity is not in the set, and the value of next_free_slot() has been built.
    void insert(Entity entity, Tick now) noexcept {
        const SparseSlot slot = next_free_slot();
        if (ticks_ != nullptr) [[unlikely]]
            ticks_->arrive(index_of(slot), now);
        insert({&index_pages_[entity.index() >> index_bits][entity.index() & (index_size - 1)], slot}, entity, now);
    }
    // Where insert() puts an entity that is not in the set.
    struct Vacancy {
        std::uint32_t* entry = nullptr;  // null when it is in the set, or insert() is not enough
        SparseSlot slot{};
    };
    Vacancy vacancy(std::uint32_t index) const {
        const std::uint32_t page = index >> index_bits;
        const SparseSlot slot = next_free_slot();
        if (index_of(slot) >= quick_ || page >= index_page_count_ || index_pages_[page] == nullptr) [[unlikely]]
            return {};
        std::uint32_t* const entry = &index_pages_[page][index & (index_size - 1)];
        return *entry == 0 ? Vacancy{entry, slot} : Vacancy{};
    }
    void insert(Vacancy at, Entity entity, Tick now) noexcept {
        last_change_ = now;
        const std::uint32_t slot = index_of(at.slot);
        if (slot == free_head_) {
            free_head_ = free_link(slot);
        } else {
            ++used_;
        }
        owners_[slot] = entity.bits();
        *at.entry = slot + 1;
        ++size_;
    }

    // Removes the entity from the set; the caller has destroyed or relocated the value.
    void erase(Entity entity, SparseSlot slot) noexcept {
        index_pages_[entity.index() >> index_bits][entity.index() & (index_size - 1)] = 0;
        owners_[index_of(slot)] = (std::uint64_t{free_head_} << 32) | free_mark;
        free_head_ = index_of(slot);
        if (indexed_ != nullptr) [[unlikely]]
            indexed_->note(entity);
        if (--size_ == 0) start_over();
    }

    // Removes the entity from the set, but its value stays in the slot until release(), before which the caller
    // destroys it.
    void park(Entity entity, SparseSlot slot) noexcept;
    void release(SparseSlot slot) noexcept;

    // Gives the entity the value built in next_free_slot() instead of the one in `old_slot`, which is parked: the
    // caller destroys it.
    void replace(Entity entity, SparseSlot old_slot, Tick now) noexcept;

    // The value of a slot is handed out for writing. Threads: may run concurrently with itself, for different slots.
    void stamp(SparseSlot slot, Tick now) noexcept {
        __atomic_store_n(&last_change_, now, __ATOMIC_RELAXED);
        if (ticks_ != nullptr) [[unlikely]]
            ticks_->change_beside_others(index_of(slot), now);
    }
    // Starts to keep a tick for each slot. Throws std::bad_alloc.
    void track(Tick now);
    RowTicks* ticks() const { return ticks_; }  // null unless tracked
    // Records entities that lose the component from now on.
    void set_indexed(IndexedComponent& indexed) noexcept {
        indexed_ = &indexed;
        indexed.last = &last_change_;
    }

    // A set reports arrivals and departures to the notifier once it is observed or logged. It stays so.
    bool reports() const { return reports_ != 0; }
    bool is_logged() const { return (reports_ & logged) != 0; }
    bool ends_values() const { return ends_values_; }  // a value that leaves must be destroyed, recycled or logged
    void set_observed() {
        reports_ = static_cast<std::uint8_t>(reports_ | observed);
        update_quick();
    }
    void set_logged() {
        reports_ = static_cast<std::uint8_t>(reports_ | logged);
        ends_values_ = true;
        update_quick();
    }

    Tick& last_change() { return last_change_; }
    Tick last_change() const { return last_change_; }

    // Slots in use or free have indexes below this bound; owner() is null for a free one.
    std::uint32_t bound() const { return used_; }
    Entity owner(SparseSlot slot) const {
        return is_free(index_of(slot)) ? Entity{} : Entity::from_bits(owners_[index_of(slot)]);
    }
    // Calls visit(entity, slot) for all owners, in order of slots. It may erase the one it is called for.
    template <class Visit>
    void each_owner(Visit&& visit) const {
        for (std::uint32_t i = 0, end = used_; i < end; ++i) {
            if (const Entity entity = owner(SparseSlot{i})) visit(entity, SparseSlot{i});
        }
    }

    std::size_t bytes() const;
    const char* check() const;

  private:
    friend class SparseSets;

    static constexpr std::uint32_t none = index_of(SparseSlot::none);
    static constexpr std::uint8_t observed = 1;
    static constexpr std::uint8_t logged = 2;
    // A free slot has its link in the high half, where handles have a generation; an index that no entity can have in
    // the low half marks it.
    static constexpr std::uint64_t free_mark = 0xffffffff;
    static constexpr std::uint32_t index_bits = 12;
    static constexpr std::uint32_t index_size = 1u << index_bits;

    // A page has as many values as fit in 8 KiB, at most 1,024.
    static constexpr std::uint32_t page_bits(std::size_t size) {
        std::uint32_t bits = 0;
        while (bits < 10 && (size << (bits + 1)) <= 8 * 1024) ++bits;
        return bits;
    }

    bool is_free(std::uint32_t slot) const { return (owners_[slot] & free_mark) == free_mark; }
    std::uint32_t free_link(std::uint32_t slot) const { return static_cast<std::uint32_t>(owners_[slot] >> 32); }
    // Resets an empty set, so that slots are handed out in order again.
    void start_over() noexcept {
        if (parked_ != 0) [[unlikely]]
            return;
        free_head_ = none;
        used_ = 0;
    }
    void update_quick() { quick_ = reports_ == 0 && !tracked_ ? capacity_ : 0; }
    void add_page();
    void grow_ticks(std::uint32_t slots, Tick now);

    const ComponentType& type_;
    std::uint64_t mask_bit_;
    ComponentId id_;
    std::uint32_t size_ = 0;
    std::uint32_t used_ = 0;
    std::uint32_t capacity_ = 0;  // slots that have an owner entry and storage
    std::uint32_t quick_ = 0;  // slots that an insertion fills without further work: 0 if the set reports or is tracked
    std::uint32_t free_head_ = none;
    std::uint32_t page_bits_;
    std::uint32_t page_mask_;
    std::uint32_t index_page_count_ = 0;
    std::uint32_t page_count_ = 0;
    std::uint32_t page_capacity_ = 0;
    std::uint32_t owner_capacity_ = 0;
    bool tracked_ = false;
    bool ends_values_;
    std::uint8_t reports_ = 0;
    std::uint32_t parked_ =
        0;  // slots without an owner whose value still exists; marked as free, but not in the free list
    Tick last_change_ = 0;
    RowTicks* ticks_ = nullptr;
    IndexedComponent* indexed_ = nullptr;
    std::uint32_t** index_pages_ = nullptr;
    std::uint64_t* owners_ = nullptr;
    std::byte** pages_ = nullptr;
};

}  // namespace stoa::detail

// FlatMap: a hash map from a word to a small value, with open addressing and linear probing in one block of memory.
//
// Invariants: the capacity is 0 or a power of two; at least one slot is free, so that every search ends; no free slot
// is between the home of an entry and the entry. A key is never 0: that marks a free slot.
//
// Lookups, insertions into reserved room and erasures cannot fail. That is what a removal needs: it reserves nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/memory.hpp"

namespace stoa::detail {

template <class Value, class Memory = HeapMemory>
class FlatMap {
    static_assert(std::is_trivially_copyable_v<Value> && std::is_trivially_destructible_v<Value>,
                  "entries are moved as bytes");

  public:
    using Key = std::uint64_t;

    FlatMap() noexcept = default;
    explicit FlatMap(Memory memory) noexcept : memory_(memory) {}
    FlatMap(FlatMap&& other) noexcept : memory_(other.memory_) { swap(other); }
    FlatMap& operator=(FlatMap&& other) noexcept {
        FlatMap(std::move(other)).swap(*this);
        return *this;
    }
    ~FlatMap() { free_slots(); }

    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    std::size_t capacity() const noexcept { return capacity_; }
    std::size_t bytes() const noexcept { return capacity_ * sizeof(Slot); }

    // Returns: the value of the key, or null. The address is valid until the next insertion, erasure or reserve.
    Value* find(Key key) const noexcept {
        return find_if(key, [](const Value&) { return true; });
    }
    // The same for keys that are hashes: the first value of this key for which `is_wanted` returns true.
    template <class Predicate>
    Value* find_if(Key key, Predicate&& is_wanted) const {
        if (capacity_ == 0) return nullptr;
        for (std::size_t at = home_of(key);; at = next(at)) {
            if (slots_[at].key == key && is_wanted(std::as_const(slots_[at].value))) return &slots_[at].value;
            if (slots_[at].key == 0) return nullptr;
        }
    }

    // Makes room: the next insertions up to this size need no memory, and the map is at most half full then.
    // Throws std::bad_alloc; then nothing has changed.
    void reserve(std::size_t size) {
        const std::size_t wanted = capacity_for(size);
        if (wanted > capacity_) move_to(memory_.take(wanted * sizeof(Slot)), wanted);
    }
    // Returns: false when there is no memory; then nothing has changed.
    bool try_reserve(std::size_t size) noexcept {
        const std::size_t wanted = capacity_for(size);
        if (wanted <= capacity_) return true;
        void* const block = memory_.try_take(wanted * sizeof(Slot));
        if (block == nullptr) return false;
        move_to(block, wanted);
        return true;
    }
    // Whether an insertion is possible at all. The map accepts more than reserve promises, but searches get slower.
    bool has_room() const noexcept { return size_ + 1 < capacity_; }

    // Requires: key != 0, has_room(), and the key is not there or find_if distinguishes its values.
    // Returns: the value in the map. Invalidates addresses only where reserve does.
    Value& insert(Key key, const Value& value) noexcept {
        std::size_t at = home_of(key);
        while (slots_[at].key != 0) at = next(at);
        slots_[at] = {key, value};
        ++size_;
        return slots_[at].value;
    }

    // Returns: whether it was there.
    bool erase(Key key) noexcept {
        return erase_if(key, [](const Value&) { return true; });
    }
    template <class Predicate>
    bool erase_if(Key key, Predicate&& is_wanted) {
        Value* const found = find_if(key, is_wanted);
        if (found == nullptr) return false;
        close_gap(slot_with(*found));
        --size_;
        return true;
    }

    // Keeps the memory. Complexity: linear in the capacity.
    void clear() noexcept {
        for (std::size_t at = 0; at != capacity_; ++at) slots_[at].key = 0;
        size_ = 0;
    }
    // Frees the memory.
    void reset() noexcept {
        free_slots();
        slots_ = nullptr;
        capacity_ = size_ = 0;
    }

    // Calls f(key, value) for each entry, in no particular order. f does not change the map.
    template <class F>
    void for_each(F&& f) const {
        for (std::size_t at = 0; at != capacity_; ++at) {
            if (slots_[at].key != 0) f(Key{slots_[at].key}, slots_[at].value);
        }
    }

    void swap(FlatMap& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(slots_, other.slots_);
        std::swap(capacity_, other.capacity_);
        std::swap(size_, other.size_);
        std::swap(shift_, other.shift_);
    }

  private:
    struct Slot {
        Key key;
        Value value;
    };
    static_assert(alignof(Slot) <= alignof(std::max_align_t));
    static constexpr std::size_t least_capacity = 4;

    static std::size_t capacity_for(std::size_t size) noexcept {
        std::size_t capacity = least_capacity;
        while (capacity < 2 * size) capacity *= 2;
        return capacity;
    }
    // Multiplying spreads keys that differ in a few bits only over the upper bits of the product.
    std::size_t home_of(Key key) const noexcept {
        return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> shift_);
    }
    std::size_t next(std::size_t at) const noexcept { return (at + 1) & (capacity_ - 1); }

    // Safe: a value is only ever the member of a slot of this map.
    std::size_t slot_with(const Value& value) const noexcept {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
        return static_cast<std::size_t>(bytes - reinterpret_cast<const std::byte*>(slots_)) / sizeof(Slot);
    }

    // Fills the slot with a later entry that is still found there, and repeats this for the slot of that entry.
    void close_gap(std::size_t gap) noexcept {
        for (std::size_t at = next(gap); slots_[at].key != 0; at = next(at)) {
            const std::size_t from_home = (at - home_of(slots_[at].key)) & (capacity_ - 1);
            if (from_home < ((at - gap) & (capacity_ - 1))) continue;
            slots_[gap] = slots_[at];
            gap = at;
        }
        slots_[gap].key = 0;
    }

    // Safe: the block is raw memory for this number of slots, which are trivial, and all of them are made here.
    void move_to(void* block, std::size_t capacity) noexcept {
        Slot* const old = std::exchange(slots_, static_cast<Slot*>(block));
        const std::size_t old_capacity = std::exchange(capacity_, capacity);
        shift_ = static_cast<std::uint32_t>(__builtin_clzll(capacity) + 1);
        size_ = 0;
        for (std::size_t at = 0; at != capacity; ++at) ::new (static_cast<void*>(slots_ + at)) Slot{};
        for (std::size_t at = 0; at != old_capacity; ++at) {
            if (old[at].key != 0) insert(old[at].key, old[at].value);
        }
        if (old != nullptr) memory_.give(old, old_capacity * sizeof(Slot));
    }
    void free_slots() noexcept {
        if (slots_ != nullptr) memory_.give(slots_, capacity_ * sizeof(Slot));
    }

    [[no_unique_address]] Memory memory_{};
    Slot* slots_ = nullptr;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
    std::uint32_t shift_ = 0;  // 64 minus the bits of the capacity
};

}  // namespace stoa::detail

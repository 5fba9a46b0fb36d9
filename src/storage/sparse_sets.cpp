// Makes sparse sets and masks, and destroys sparse values.
#include "stoa/detail/storage/sparse_sets.hpp"

#include <algorithm>
#include <new>

#include "storage/removed_values.hpp"

namespace stoa::detail {
namespace {

// A larger copy of an array of pointers, null beyond the old end. Safe: all of them are written here.
template <class T>
void grow_pointers(T**& data, std::uint32_t& count, std::uint32_t wanted) {
    auto** larger = static_cast<T**>(::operator new(sizeof(T*) * wanted));
    std::fill_n(std::copy_n(data, count, larger), wanted - count, nullptr);
    ::operator delete(data);
    data = larger;
    count = wanted;
}

}  // namespace

SparseSets::~SparseSets() {
    for (SparseSet* set : sets_) delete set;
    ::operator delete(by_id_);
    for (std::uint32_t page = 0; page < mask_count_; ++page) ::operator delete(masks_[page]);
    ::operator delete(masks_);
}

SparseSet& SparseSets::create(ComponentId id, const ComponentType& type) {
    const auto number = static_cast<std::uint32_t>(id);
    if (number >= bound_) grow_pointers(by_id_, bound_, std::max(number + 1, 2 * bound_));
    sets_.reserve(sets_.size() + 1);
    auto* set = new SparseSet(id, type, static_cast<std::uint32_t>(sets_.size()));
    sets_.push_back(set);
    by_id_[number] = set;
    return *set;
}

void SparseSets::prepare_slowly(SparseSet& set, std::uint32_t index, std::uint32_t slots) {
    const std::uint32_t page = index >> mask_bits;
    if (page >= mask_count_) grow_pointers(masks_, mask_count_, page + 1);
    if (masks_[page] == nullptr) {
        // Safe: numbers, all written here.
        masks_[page] = static_cast<std::uint64_t*>(::operator new(sizeof(std::uint64_t) * mask_size));
        std::fill_n(masks_[page], mask_size, std::uint64_t{0});
    }
    set.prepare_slots(slots);
    set.prepare_index(index);
}

void SparseSets::prepare_many(SparseSet& set, const Directory& directory, std::uint64_t count) {
    std::uint32_t index = directory.next_index();
    for (std::uint64_t i = 0; i < count; ++i, index = directory.index_after(index)) {
        // The first iteration reserves the slots for all.
        if (!set.ready(index) || i == 0) prepare_slowly(set, index, static_cast<std::uint32_t>(count));
    }
}

void SparseSets::end_unlinked(const SparseSet& set, Entity entity, SparseSlot slot) noexcept {
    const StructureLock::Lock lock(lock_);
    removed_.keep_or_destroy(entity, set, slot);
}

void SparseSets::erase_and_end(SparseSet& set, Entity entity, SparseSlot slot) noexcept {
    if (set.is_logged() && removed_.keep_in_slot(entity, set, slot)) {
        clear_bit(set, entity);
        set.park(entity, slot);
        return;
    }
    unlink(set, entity, slot);
    end_unlinked(set, entity, slot);
}

void SparseSets::clear() noexcept {
    // By position: a destructor may make a query for a sparse component that is new to the world.
    for (std::size_t ordinal = 0; ordinal < sets_.size(); ++ordinal) {
        SparseSet& set = *sets_[ordinal];
        set.each_owner([&](Entity owner, SparseSlot slot) { erase(set, owner, slot); });
    }
    clear_masks();
}

void SparseSets::clear_masks() noexcept {
    for (std::uint32_t page = 0; page < mask_count_; ++page) {
        if (masks_[page] != nullptr) std::fill_n(masks_[page], mask_size, std::uint64_t{0});
    }
}

// Ordinals have changed, and with them the bits.
void SparseSets::number_again() noexcept {
    clear_masks();
    for (std::size_t ordinal = 0; ordinal < sets_.size(); ++ordinal) {
        SparseSet& set = *sets_[ordinal];
        set.mask_bit_ = mask_bit_of(static_cast<std::uint32_t>(ordinal));
        set.each_owner([&](Entity owner, SparseSlot) { mask(owner.index()) |= set.mask_bit(); });
    }
}

bool SparseSets::has_cleanup(Entity entity) const {
    bool any = false;
    each_of(entity, [&](SparseSet& set, SparseSlot) { any |= set.type().traits.cleanup; });
    return any;
}

}  // namespace stoa::detail

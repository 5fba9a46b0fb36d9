// The sparse sets of a store: which component has one, and which entity is in which. A component has at most one set,
// found by its id; sets are numbered in order of creation, and each entity index has a mask with a bit for each of the
// first sets, so that despawn costs only as much as the entity has components.
//
// Invariants: where a set is ready for an index, there is a mask for it. An entity that is in a set has the set's bit;
// no other entity has it, except that the last bit, which represents all further sets, may stay until the entity is
// despawned. Used by Store, by the typed verbs and by row drafts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/base/array_view.hpp"
#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/entity/directory.hpp"
#include "stoa/detail/storage/lock.hpp"
#include "stoa/detail/storage/sparse_set.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class RemovedValues;

class STOA_API SparseSets {
  public:
    // Values are destroyed or logged by `removed`, under `lock`.
    SparseSets(StructureLock& lock, RemovedValues& removed) noexcept : lock_(lock), removed_(removed) {}
    ~SparseSets();
    SparseSets(const SparseSets&) = delete;
    SparseSets& operator=(const SparseSets&) = delete;

    ArrayView<SparseSet* const> all() const { return {sets_.data(), sets_.size()}; }  // by ordinal
    // Ids below this have an entry, which may be null.
    std::uint32_t bound() const { return bound_; }
    SparseSet* operator[](std::uint64_t number) const { return by_id_[number]; }
    SparseSet* find(ComponentId id) const {
        const auto number = static_cast<std::uint32_t>(id);
        return number < bound_ ? by_id_[number] : nullptr;
    }
    // Requires: the component has none. Throws std::bad_alloc.
    SparseSet& create(ComponentId id, const ComponentType& type);
    // Destroys the sets that `which(id)` selects, which are empty. The others keep their order.
    template <class Which>
    void remove_if(Which&& which) noexcept {
        std::size_t kept = 0;
        for (SparseSet* set : sets_) {
            if (!which(set->id())) {
                sets_[kept++] = set;
                continue;
            }
            by_id_[static_cast<std::uint32_t>(set->id())] = nullptr;
            delete set;
        }
        if (kept == sets_.size()) return;
        sets_.resize(kept);
        number_again();
    }

    // Makes insert possible for an entity with this index. Throws std::bad_alloc; changes nothing visible.
    void prepare(SparseSet& set, std::uint32_t index) {
        if (!set.ready(index)) [[unlikely]]
            prepare_slowly(set, index, 1);
    }
    // The same for the next `count` ids of a directory.
    void prepare_many(SparseSet& set, const Directory& directory, std::uint64_t count);

    // Gives the entity the value that was built in the next free slot. Requires: prepared.
    void insert(SparseSet& set, Entity entity, Tick now) noexcept {
        set.insert(entity, now);
        mask(entity.index()) |= set.mask_bit();
    }
    void insert(SparseSet& set, SparseSet::Vacancy at, Entity entity, Tick now) noexcept {
        set.insert(at, entity, now);
        mask(entity.index()) |= set.mask_bit();
    }

    // Removal has two steps, so that the destructor of a value cannot find it any more: unlink it, then destroy the
    // value that is left in the slot.
    void unlink(SparseSet& set, Entity entity, SparseSlot slot) noexcept {
        clear_bit(set, entity);
        set.erase(entity, slot);
    }
    void end_unlinked(const SparseSet& set, Entity entity, SparseSlot slot) noexcept;
    void erase(SparseSet& set, Entity entity, SparseSlot slot) noexcept {
        if (set.ends_values()) [[unlikely]]
            return erase_and_end(set, entity, slot);
        unlink(set, entity, slot);
    }
    // Erases the components of one entity that `which(type)` selects.
    template <class Which>
    void erase_if(Entity entity, Which&& which) noexcept {
        each_of(entity, [&](SparseSet& set, SparseSlot slot) {
            if (which(set.type())) erase(set, entity, slot);
        });
    }
    // Erases all of them. The next entity with this index begins with an empty mask.
    void erase_all(Entity entity) noexcept {
        if (!may_have(entity)) return;
        erase_if(entity, [](const ComponentType&) { return true; });
        mask(entity.index()) = 0;
    }
    // Erases everything. Requires: the structure is locked.
    void clear() noexcept;

    // Calls visit(SparseSet&, slot) for the sets that an entity is in.
    template <class Visit>
    void each_of(Entity entity, Visit&& visit) const {
        if (sets_.empty()) return;
        std::uint64_t bits = mask_of(entity.index());
        while (bits != 0) {
            const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(bits));
            bits &= bits - 1;
            const std::size_t last = bit == 63 ? sets_.size() : bit + 1;
            for (std::size_t ordinal = bit; ordinal < last; ++ordinal) {
                SparseSet& set = *sets_[ordinal];
                if (const SparseSlot slot = set.slot_of(entity); slot != SparseSlot::none) visit(set, slot);
            }
        }
    }
    // False only when the entity is in no sparse set.
    bool may_have(Entity entity) const { return !sets_.empty() && mask_of(entity.index()) != 0; }
    bool has_cleanup(Entity entity) const;
    std::uint64_t mask_of(std::uint32_t index) const {
        const std::uint32_t page = index >> mask_bits;
        return page < mask_count_ && masks_[page] != nullptr ? masks_[page][index & (mask_size - 1)] : 0;
    }

  private:
    static constexpr std::uint32_t mask_bits = 12;
    static constexpr std::uint32_t mask_size = 1u << mask_bits;

    // Requires: a set is ready for this index.
    std::uint64_t& mask(std::uint32_t index) const { return masks_[index >> mask_bits][index & (mask_size - 1)]; }
    void clear_bit(const SparseSet& set, Entity entity) noexcept {
        if (set.mask_bit() != shared_mask_bit) mask(entity.index()) &= ~set.mask_bit();
    }
    void prepare_slowly(SparseSet& set, std::uint32_t index, std::uint32_t slots);
    void number_again() noexcept;
    void clear_masks() noexcept;
    void erase_and_end(SparseSet& set, Entity entity, SparseSlot slot) noexcept;

    SparseSet** by_id_ = nullptr;
    std::uint64_t** masks_ = nullptr;
    std::uint32_t bound_ = 0;
    std::uint32_t mask_count_ = 0;
    std::vector<SparseSet*> sets_;
    StructureLock& lock_;
    RemovedValues& removed_;
};

}  // namespace stoa::detail

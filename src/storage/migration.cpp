// Migrations between tables: their steps, and the cache of those that leave one table.
#include "stoa/detail/storage/migration.hpp"

#include <algorithm>
#include <cstddef>

#include "base/pod_array.hpp"
#include "stoa/detail/storage/table.hpp"

namespace stoa::detail {

void Migration::refresh(const Table& source) noexcept {
    if (source_layout == source.layout_version() && target_layout == target->layout_version()) return;
    const std::span<const Column> to = target->columns();
    // Both sides are sorted by id. Steps whose value is retained come first.
    std::uint32_t keeping = 0;
    std::uint32_t dropping = kept;
    std::uint32_t position = 0;
    std::size_t k = 0;
    for (const Column& column : source.columns()) {
        while (k < to.size() && to[k].id < column.id) ++k;
        const bool stays = k < to.size() && to[k].id == column.id;
        steps()[stays ? keeping++ : dropping++] = {column.offset, stays ? to[k].offset : ColumnAt::absent, column.size,
                                                   position++};
    }
    source_layout = source.layout_version();
    target_layout = target->layout_version();
}

void MigrationCache::enter(Slot* slots, std::uint32_t mask, const Slot& entry) noexcept {
    std::uint64_t at = entry.key & mask;
    while (slots[at].key != 0) at = (at + 1) & mask;
    slots[at] = entry;
}

void MigrationCache::insert(BlockPool& pool, Migration& made) {
    const std::uint32_t old_count = mask_ == 0 ? 0 : mask_ + 1;
    auto* slots = const_cast<Slot*>(slots_);  // Safe: only the shared empty slot is constant
    if ((size_ + 1) * 2 > old_count) {
        const std::uint32_t count = std::max<std::uint32_t>(4, old_count * 2);
        const std::size_t bytes = sizeof(Slot) * count;
        constexpr std::size_t alignment = alignof(std::max_align_t);
        void* block = pool.in_no_fail() ? pool.try_take(bytes, alignment) : pool.take(bytes, alignment);
        if (block == nullptr) return;
        auto* larger = static_cast<Slot*>(block);  // Safe: trivial, and all of them are written below
        std::fill_n(larger, count, none);
        for (std::uint32_t i = 0; i < old_count; ++i) {
            if (slots[i].key != 0) enter(larger, count - 1, slots[i]);
        }
        if (old_count != 0) free_array(pool, slots, old_count);
        slots = larger;
        slots_ = larger;
        mask_ = count - 1;
    }
    enter(slots, mask_, {made.key, &made});
    ++size_;
}

void MigrationCache::clear(BlockPool& pool) noexcept {
    if (mask_ == 0) return;
    each([&](Migration& migration) { pool.give(&migration, migration.bytes, alignof(Migration)); });
    free_array(pool, const_cast<Slot*>(slots_), mask_ + 1);  // Safe: the shared empty slot has mask 0
    *this = {};
}

}  // namespace stoa::detail

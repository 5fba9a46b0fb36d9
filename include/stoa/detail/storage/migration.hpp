// Migrations: how rows move from one table to another, and the cache of those that leave one table. Made by the catalog
// of tables, used by all code that moves rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/storage/column_map.hpp"

namespace stoa::detail {

class BlockPool;
class Table;

// One column of the source of a migration. Offsets are copied here, so that a move reads one small array; they are
// refreshed when the layout of either table has changed.
struct ColumnMove {
    std::uint32_t from;
    std::uint32_t to;  // ColumnAt::absent when the value is dropped
    std::uint32_t size;
    std::uint32_t column;  // its position in the source
};

// Kinds of migrations; with the number of a type list, or the serial of a table, they make the key in a cache.
enum class MigrationKind : std::uint32_t { add = 1, remove, strip, ghost, copy, edit, replace };

inline std::uint64_t migration_key(MigrationKind kind, std::uint32_t number = 0) {
    return (std::uint64_t{number} << 3) | static_cast<std::uint32_t>(kind);
}
inline std::uint64_t migration_key(MigrationKind kind, ListNumber list) { return migration_key(kind, index_of(list)); }

// A migration from one table to another. The steps follow it in memory: first those whose value is retained.
struct Migration {
    Table* target;
    const Column* added;  // the first column of the target that the source does not have, or null
    std::uint64_t key;
    std::uint32_t source_layout;
    std::uint32_t target_layout;
    std::uint32_t kept;
    std::uint32_t steps_count;
    std::uint32_t bytes;
    bool common_sizes;  // of all columns of both tables

    // Safe: the block of a migration has room for its steps.
    ColumnMove* steps() { return reinterpret_cast<ColumnMove*>(this + 1); }
    // Copies the offsets of both tables again if one of them has changed.
    STOA_API void refresh(const Table& source) noexcept;
};

// The migrations that leave one table: open addressing from key to migration. Keys are never zero. The first slot array
// is shared and empty. The cache owns its migrations.
class MigrationCache {
  public:
    // Whether this is the migration that was used last. The number may be invalid: a cached number of another registry
    // gives one above the limit.
    bool is_recent(MigrationKind kind, std::uint64_t number) const {
        return number < CachedNumber::limit && recent_key_ == migration_key(kind, static_cast<std::uint32_t>(number));
    }
    Migration* recent() const { return recent_; }
    Migration* find(std::uint64_t key) {
        if (recent_key_ == key) [[likely]]
            return recent_;
        Migration* found = search(key);
        if (found != nullptr) {
            recent_key_ = key;
            recent_ = found;
        }
        return found;
    }
    Migration* search(std::uint64_t key) const {
        // Keys are numbers in order of first use, so they spread by themselves.
        for (std::uint64_t at = key & mask_;; at = (at + 1) & mask_) {
            if (slots_[at].key == key) [[likely]]
                return slots_[at].migration;
            if (slots_[at].key == 0) return nullptr;
        }
    }
    // Calls visit(migration) for all of them, in no order.
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::uint32_t i = 0; i <= mask_; ++i) {
            if (slots_[i].migration != nullptr) visit(*slots_[i].migration);
        }
    }
    // Takes over a migration. In a NoFail scope without memory it stays uncached. Throws std::bad_alloc.
    void insert(BlockPool& pool, Migration& made);
    // Frees all of them.
    void clear(BlockPool& pool) noexcept;

  private:
    struct Slot {
        std::uint64_t key;
        Migration* migration;
    };
    static constexpr Slot none{0, nullptr};

    static void enter(Slot* slots, std::uint32_t mask, const Slot& entry) noexcept;

    std::uint64_t recent_key_ = 0;  // consecutive moves out of a table mostly have the same target
    Migration* recent_ = nullptr;
    const Slot* slots_ = &none;
    std::uint32_t mask_ = 0;
    std::uint32_t size_ = 0;
};

}  // namespace stoa::detail

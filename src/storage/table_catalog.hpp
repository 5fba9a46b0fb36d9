// The catalog of tables: all tables in order of creation, which of them has a set of components, and the migrations
// between them. It makes tables and migrations on first use.
//
// Invariants: the index finds every table by its set; it is at most half full outside a removal, so that a removal can
// always enter its table.
#pragma once

#include <cstdint>
#include <span>

#include "base/pod_array.hpp"
#include "component/registry.hpp"
#include "stoa/detail/storage/edits.hpp"
#include "stoa/detail/storage/registry_ref.hpp"
#include "stoa/detail/storage/table.hpp"
#include "storage/component_set.hpp"

namespace stoa::detail {

class TableCatalog {
  public:
    // Called for each new table, so that the rest of the store can prepare for it.
    class Hooks {
      public:
        virtual void before_table(const ComponentSet& set) = 0;  // may throw; then the table is not made
        virtual void after_table(Table& table) noexcept = 0;     // it is in the catalog

      protected:
        ~Hooks() = default;
    };

    TableCatalog(BlockPool& pool, RegistryRef registry, LibraryUses& libraries, Hooks& hooks)
        : pool_(pool), registry_(registry), libraries_(libraries), hooks_(hooks) {}
    ~TableCatalog();  // requires: tables without chunks
    TableCatalog(const TableCatalog&) = delete;
    TableCatalog& operator=(const TableCatalog&) = delete;

    std::span<Table* const> tables() const { return {tables_.data, tables_.size}; }
    const std::uint64_t* digests() const { return digests_.data; }  // of those tables, side by side
    // The table of entities without components, which is the first. Requires: it was made.
    Table& empty_table() const { return *tables_[0]; }
    void make_empty_table() { find_or_make(workspace_, false); }

    // The table of the table components of a list. Throws std::bad_alloc.
    Table& table_of(TypeList& list);
    // The same, or null when there is none. Threads: may run concurrently with itself.
    Table* find(TypeList& list) const;
    // The table of all components of `table` but the cleanup components. Throws std::bad_alloc.
    Table& without_cleanup(const Table& table);

    // Migrations from `source`, found or made. Each throws std::bad_alloc; inside a NoFail scope none does, and the
    // caller frees a migration that could not be cached with release().

    // Adds those of the list that are missing. Requires: one is.
    Migration& adding(Table& source, TypeList& list);
    // Removes those of the list that are present; null when none is.
    Migration* removing(Table& source, TypeList& list);
    // Removes the first of the list and adds those of the others that are missing; null when no set changes.
    Migration* replacing(Table& source, TypeList& list);
    // Removes all but the cleanup components. Requires: there are others.
    Migration& stripping(Table& source);
    // To the table of ghosts with the cleanup components of `source`.
    Migration& to_ghost(Table& source);
    // Adds the components of `model` but its cleanup components; null when nothing is missing.
    Migration* copying(Table& source, const Table& model);
    // Applies the effects; null when they change no set.
    Migration* editing(Table& source, std::span<const Effect> effects);
    // Frees a migration that could not be cached.
    void release(Migration& used, Table& source) noexcept;

    // Whether `stripping` would find something to remove, and `copying` something to add.
    static bool has_ordinary(const Table& table);
    static bool lacks_some(const Table& source, const Table& model);
    // Whether remove_unused() destroys `table`.
    bool is_unused(const Table& table) const { return table.chunk_count() == 0 && &table != tables_[0]; }
    // Destroys tables without chunks, except the one without components, and forgets the migrations to them.
    void remove_unused() noexcept {
        remove_if([this](const Table& table) { return is_unused(table); });
    }
    // The same for the tables that `which(table)` selects. Requires: they are unused.
    template <class Which>
    void remove_if(Which&& which) noexcept {
        for (Table* table : tables_) {
            // Open addressing cannot remove a single entry, so the whole cache is cleared; migrations are made again
            // when needed.
            bool stale = false;
            table->migrations().each([&](const Migration& migration) { stale |= which(*migration.target); });
            if (stale) table->migrations().clear(pool_);
        }
        std::uint32_t kept = 1;
        for (std::uint32_t i = 1; i < tables_.size; ++i) {
            Table& table = *tables_[i];
            if (which(table)) {
                table.destroy(pool_);
            } else {
                digests_[kept] = table.digest();
                tables_[kept++] = &table;
            }
        }
        tables_.size = digests_.size = kept;
        rebuild(index_);
    }

    // The first broken invariant, or null.
    const char* check() const;

  private:
    Table* find(const ComponentSet& set, bool ghost, std::uint64_t hash) const;
    Table& find_or_make(const ComponentSet& set, bool ghost);
    Table& make(const ComponentSet& set, bool ghost, std::uint64_t hash);
    void grow_index();
    void enter(PodArray<Table*>& index, Table* table) const noexcept;
    void rebuild(PodArray<Table*>& index) const noexcept;
    Migration& make_migration(Table& source, std::uint64_t key, const ComponentSet& set, bool ghost);

    // Sets of components. Each clears `set` first, and throws std::bad_alloc.
    void unite(ComponentSet& set, const Table& source, TypeList& list);
    void unite(ComponentSet& set, const Table& source, const Table& model);
    void subtract(ComponentSet& set, const Table& source, TypeList& list);
    bool exchange(ComponentSet& set, const Table& source, TypeList& list);  // whether it changed
    void keep(ComponentSet& set, const Table& source, bool cleanup);
    bool apply(ComponentSet& set, const Table& source, std::span<const Effect> effects);  // whether it changed

    BlockPool& pool_;
    const RegistryRef registry_;
    LibraryUses& libraries_;
    Hooks& hooks_;
    PodArray<Table*> tables_;
    PodArray<std::uint64_t> digests_;
    PodArray<Table*> index_;  // open addressing by hash of the set
    ComponentSet workspace_;  // the set that is looked up; reused, so that it is large enough for a removal
    std::uint32_t next_serial_ = 0;
};

}  // namespace stoa::detail

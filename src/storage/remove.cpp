// Removal of components and entities. Nothing here fails for lack of memory: where a row must move to a table that has
// no room, a NoFail scope lets the move fall back to the reserve of the pool.
#include <algorithm>

#include "storage/move_rows.hpp"

namespace stoa::detail {
namespace {

// A migration for one removal, with room in its target. Without memory to cache the migration it is freed after use.
class RemovalMove {
  public:
    // Requires: a NoFail scope of the pool.
    RemovalMove(Store& store, Table& source, Migration* migration) : RemovalMove(migration, store, source) {
        // Before the removal is announced, because this may fail.
        if (migration != nullptr && !migration->target->has_room()) store.state().growth.make_room(*migration->target);
    }
    ~RemovalMove() {
        if (migration_ != nullptr) store_.state().catalog.release(*migration_, source_);
    }
    RemovalMove(const RemovalMove&) = delete;
    RemovalMove& operator=(const RemovalMove&) = delete;

    const Table& target() const { return migration_ != nullptr ? *migration_->target : source_; }
    void move(Entity entity, bool as_ghost = false) noexcept {
        if (migration_ == nullptr) return;
        const Location from = store_.directory().location(entity.index());
        store_.state().mover.move(entity, source_, from, *migration_);
        if (as_ghost) store_.directory().make_ghost(entity.index());
        store_.state().mover.end_departed(entity, source_, from, *migration_);
    }

  private:
    RemovalMove(Migration* migration, Store& store, Table& source)
        : store_(store), source_(source), migration_(migration) {}

    Store& store_;
    Table& source_;
    Migration* migration_;
};

[[gnu::noinline]] void become_ghost(Store& store, Entity entity, Table& table) {
    const BlockPool::NoFail no_fail(store.state().pool);
    RemovalMove removal(store, table, &store.state().catalog.to_ghost(table));
    const bool notifies =
        store.notifier().before_move({entity, &table, &removal.target(), Change::Sparse::keep_cleanup});
    removal.move(entity, true);
    store.sparse_sets().erase_if(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
    if (notifies) store.notifier().after_move();
}

[[gnu::noinline]] bool despawn_any(Store& store, Entity entity, Table& table, Location at) {
    const bool has_sparse = store.sparse_sets().may_have(entity);
    if (table.has_cleanup() || (has_sparse && store.sparse_sets().has_cleanup(entity))) {
        become_ghost(store, entity, table);
        return true;
    }
    const bool notifies = store.notifier().before_move({entity, &table, nullptr});
    store.directory().release(entity.index());
    store.sparse_sets().erase_all(entity);
    store.state().mover.drop(table, at);
    if (notifies) store.notifier().after_move();
    return true;
}

void end_ghost_if_bare(Store& store, Entity entity) noexcept {
    const Location at = store.directory().location(entity.index());
    Table& table = store.chunks()[at.chunk()].table();
    if (table.id_count() != 0 || store.sparse_sets().has_cleanup(entity)) return;
    // Nothing is announced: no query matches a ghost that has nothing.
    store.sparse_sets().erase_all(entity);
    store.state().mover.drop_plain(table, at);
    store.directory().release_ghost(entity.index());
}

void remove_from_sets(Store& store, Entity entity, TypeList& list) noexcept {
    for (std::uint32_t i = 0; i < list.count; ++i) {
        SparseSet* set = store.find_sparse(store.id_of(*list.types[i]));
        const SparseSlot slot = set != nullptr ? set->slot_of(entity) : SparseSlot::none;
        if (slot != SparseSlot::none) store.sparse_sets().erase(*set, entity, slot);
    }
}

[[gnu::noinline]] bool remove_slowly(Store& store, Entity entity, Location at, TypeList& list, bool ghost) {
    Table& table = store.chunks()[at.chunk()].table();
    // Refused before anything is touched; and where nothing is removed, nothing is announced.
    TypeHandle* const* const end = list.types + list.count;
    TypeHandle* const* const present = std::find_if(list.types, end, [&](TypeHandle* slot) {
        const ComponentId id = store.id_of(*slot);
        const SparseSet* set = store.find_sparse(id);
        return table.has(id) || (set != nullptr && set->contains(entity));
    });
    if (present == end) return false;
    store.require_unlocked("remove", (*present)->type->name());

    const BlockPool::NoFail no_fail(store.state().pool);
    RemovalMove removal(store, table, list.has_table ? store.state().catalog.removing(table, list) : nullptr);
    const bool notifies =
        store.notifier().before_move({entity, &table, &removal.target(), Change::Sparse::remove, &list});
    removal.move(entity);
    if (list.has_sparse) remove_from_sets(store, entity, list);
    if (ghost) end_ghost_if_bare(store, entity);
    if (notifies) store.notifier().after_move();
    return true;
}

// Of a living entity.
[[gnu::noinline]] bool remove_column(Store& store, Entity entity, Table& table, Location at, TypeList& list) {
    Migration* migration = table.migrations().find(migration_key(MigrationKind::remove, store.types().number_of(list)));
    if (migration == nullptr || store.locked() || !migration->target->has_room() ||
        (table.reports() | migration->target->reports()) != 0) {
        return remove_slowly(store, entity, at, list, false);
    }
    store.state().mover.move(entity, table, at, *migration);
    store.state().mover.end_departed(entity, table, at, *migration);
    return true;
}

}  // namespace

bool Store::despawn(Entity entity) {
    Location at;
    if (!directory_.find(entity, at)) return false;
    require_unlocked("despawn");
    Table& table = chunks_[at.chunk()].table();
    if (table.extra_work() == 0 && table.has_common_sizes() && table.keeps_tail() && !sparse_sets_.may_have(entity))
        [[likely]] {
        directory_.release(entity.index());
        drop_bytes({directory_, chunks_, tick()}, table, at);
        return true;
    }
    return despawn_any(*this, entity, table, at);
}

bool Store::remove(Entity entity, TypeList& list) {
    Location at;
    const bool alive = directory_.find(entity, at);
    if (alive && !list.has_sparse) [[likely]] {
        Table& table = chunks_[at.chunk()].table();
        Migration* migration = table.migrations().recent();
        if (table.migrations().is_recent(MigrationKind::remove, list.cached_number.in(types_.key())) &&
            moves_bytes(*this, table, *migration)) [[likely]] {
            migrate_bytes({directory_, chunks_, tick()}, entity, table, at, *migration);
            return true;
        }
        return remove_column(*this, entity, table, at, list);
    }
    if (!alive && !locate_ghost(entity)) return false;
    at = {at.bits & ~Location::dead};
    return remove_slowly(*this, entity, at, list, !alive);
}

bool Store::remove_all(Entity entity) {
    const EntityRow place = locate(entity);
    if (!place) return false;
    Table& table = place.chunk->table();
    bool any_sparse = false;
    sparse_sets_.each_of(entity, [&](SparseSet& set, SparseSlot) { any_sparse |= !set.type().traits.cleanup; });

    const BlockPool::NoFail no_fail(state_->pool);
    const bool any_column = TableCatalog::has_ordinary(table);
    if (!any_column && !any_sparse) return false;
    require_unlocked("remove_all");
    RemovalMove removal(*this, table, any_column ? &state_->catalog.stripping(table) : nullptr);
    const bool notifies = notifier_.before_move({entity, &table, &removal.target(), Change::Sparse::keep_cleanup});
    removal.move(entity);
    sparse_sets_.erase_if(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
    if (notifies) notifier_.after_move();
    return true;
}

void drop_everything(Store& store) noexcept {
    const Store::Lock lock(store);
    store.sparse_sets().clear();
    for (Table* table : store.tables()) {
        each_entity(store, *table, [&](Entity entity) {
            if (table->is_ghost()) {
                store.directory().release_ghost(entity.index());
            } else {
                store.directory().release(entity.index());
            }
        });
        store.state().tracking.note_all_depart(*table);
        store.state().mover.drop_all(*table);
    }
}

void Store::clear() {
    require_unlocked("clear");
    const bool notifies = notifier_.before_clear();
    drop_everything(*this);
    if (notifies) notifier_.after_move();
}

}  // namespace stoa::detail

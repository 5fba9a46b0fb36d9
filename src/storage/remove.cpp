// The end of components and entities. Nothing here fails for lack of memory: where a row must move to a table that has
// no room, a NoFail scope lets the move fall back to the reserve of the pool.
#include <algorithm>

#include "storage/move_rows.hpp"

namespace stoa::detail {

// A migration for one removal, with room in its target. Without memory to cache the migration it is freed after use.
class Store::State::Passage {
  public:
    Passage(State& state, Table& source, Migration* along) : Passage(along, state, source) {
        // Before the removal is announced, because this may fail.
        if (along != nullptr && !along->target->has_room()) state.growth.make_room(*along->target);
    }
    ~Passage() {
        if (along_ != nullptr) state_.catalog.release(*along_, source_);
    }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

    const Table& target() const { return along_ != nullptr ? *along_->target : source_; }
    bool take(Entity entity, bool as_ghost = false) noexcept {
        if (along_ == nullptr) return false;
        const Location from = state_.store.directory_.location(entity.index());
        state_.mover.move(entity, source_, from, *along_);
        if (as_ghost) state_.store.directory_.make_ghost(entity.index());
        state_.mover.end_departed(entity, source_, from, *along_);
        return true;
    }

  private:
    Passage(Migration* along, State& state, Table& source) : state_(state), source_(source), along_(along) {}

    State& state_;
    Table& source_;
    Migration* along_;
};

[[gnu::noinline]] void Store::State::become_ghost(Entity entity, Table& table) {
    const BlockPool::NoFail no_fail(pool);
    Passage passage(*this, table, &catalog.to_ghost(table));
    const bool notifies =
        store.notifier_.before_move({entity, &table, &passage.target(), Change::Sparse::keep_cleanup});
    passage.take(entity, true);
    store.sparse_sets_.erase_if(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
    if (notifies) store.notifier_.after_move();
}

bool Store::despawn(Entity entity) {
    Location at;
    if (!directory_.find(entity, at)) return false;
    require_unlocked("despawn");
    Table& table = chunks_[at.chunk()].table();
    State& state = *state_;
    if (table.extra_work() == 0 && table.has_common_sizes() && table.keeps_tail() && !sparse_sets_.may_have(entity))
        [[likely]] {
        directory_.release(entity.index());
        drop_bytes({directory_, chunks_, tick()}, table, at);
        return true;
    }
    return state.despawn_any(entity, table, at);
}

[[gnu::noinline]] bool Store::State::despawn_any(Entity entity, Table& table, Location at) {
    const bool has_sparse = store.sparse_sets_.may_have(entity);
    if (table.has_cleanup() || (has_sparse && store.sparse_sets_.has_cleanup(entity))) {
        become_ghost(entity, table);
        return true;
    }
    const bool notifies = store.notifier_.before_move({entity, &table, nullptr});
    store.directory_.release(entity.index());
    store.sparse_sets_.erase_all(entity);
    mover.drop(table, at);
    if (notifies) store.notifier_.after_move();
    return true;
}

void Store::State::end_ghost_if_bare(Entity entity) noexcept {
    const Location at = store.directory_.location(entity.index());
    Table& table = store.chunks_[at.chunk()].table();
    if (table.id_count() != 0 || store.sparse_sets_.has_cleanup(entity)) return;
    // Nothing is announced: no query matches a ghost that has nothing.
    store.sparse_sets_.erase_all(entity);
    mover.drop_plain(table, at);
    store.directory_.release_ghost(entity.index());
}

void Store::State::remove_from_sets(Entity entity, TypeList& list) noexcept {
    for (std::uint32_t i = 0; i < list.count; ++i) {
        SparseSet* set = store.find_sparse(store.id_of(*list.types[i]));
        const std::uint32_t slot = set != nullptr ? set->slot_of(entity) : SparseSet::none;
        if (slot != SparseSet::none) store.sparse_sets_.erase(*set, entity, slot);
    }
}

bool Store::remove(Entity entity, TypeList& list) {
    State& state = *state_;
    Location at;
    const bool alive = directory_.find(entity, at);
    if (alive && !list.has_sparse) [[likely]] {
        Table& table = chunks_[at.chunk()].table();
        Migration* along = table.migrations().recent();
        if (table.migrations().is_recent(MigrationKind::remove, list.cached_number.in(types_.key())) &&
            moves_bytes(*this, table, *along)) [[likely]] {
            migrate_bytes({directory_, chunks_, tick()}, entity, table, at, *along);
            return true;
        }
        return state.remove_column(entity, table, at, list);
    }
    if (!alive && !locate_ghost(entity)) return false;
    at = {at.bits & ~Location::dead};
    return state.remove_slowly(entity, at, list, !alive);
}

// Of a living entity.
[[gnu::noinline]] bool Store::State::remove_column(Entity entity, Table& table, Location at, TypeList& list) {
    Migration* along = table.migrations().find(migration_key(MigrationKind::remove, store.number_of(list)));
    if (along == nullptr || store.locked() || !along->target->has_room() ||
        (table.watched() | along->target->watched()) != 0) {
        return remove_slowly(entity, at, list, false);
    }
    mover.move(entity, table, at, *along);
    mover.end_departed(entity, table, at, *along);
    return true;
}

[[gnu::noinline]] bool Store::State::remove_slowly(Entity entity, Location at, TypeList& list, bool ghost) {
    Table& table = store.chunks_[at.chunk()].table();
    // Refused before anything is touched; and where nothing is removed, nothing is announced.
    TypeHandle* const* const end = list.types + list.count;
    TypeHandle* const* const present = std::find_if(list.types, end, [&](TypeHandle* slot) {
        const ComponentId id = store.id_of(*slot);
        const SparseSet* set = store.find_sparse(id);
        return table.has(id) || (set != nullptr && set->contains(entity));
    });
    if (present == end) return false;
    store.require_unlocked("remove", (*present)->type->name());

    const BlockPool::NoFail no_fail(pool);
    Passage passage(*this, table, list.has_table ? catalog.removing(table, list) : nullptr);
    const bool notifies =
        store.notifier_.before_move({entity, &table, &passage.target(), Change::Sparse::remove, &list});
    passage.take(entity);
    if (list.has_sparse) remove_from_sets(entity, list);
    if (ghost) end_ghost_if_bare(entity);
    if (notifies) store.notifier_.after_move();
    return true;
}

bool Store::remove_all(Entity entity) {
    const EntityRow place = locate(entity);
    if (!place) return false;
    State& state = *state_;
    Table& table = place.chunk->table();
    bool any_sparse = false;
    sparse_sets_.each_of(entity, [&](SparseSet& set, std::uint32_t) { any_sparse |= !set.type().traits.cleanup; });

    const BlockPool::NoFail no_fail(state.pool);
    const bool any_column = TableCatalog::has_ordinary(table);
    if (!any_column && !any_sparse) return false;
    require_unlocked("remove_all");
    State::Passage passage(state, table, any_column ? &state.catalog.stripping(table) : nullptr);
    const bool notifies = notifier_.before_move({entity, &table, &passage.target(), Change::Sparse::keep_cleanup});
    passage.take(entity);
    sparse_sets_.erase_if(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
    if (notifies) notifier_.after_move();
    return true;
}

void Store::State::drop_everything() noexcept {
    const Lock lock(store);
    store.sparse_sets_.clear();
    for (Table* table : catalog.tables()) {
        each_entity(*table, [&](Entity entity) {
            if (table->is_ghost()) {
                store.directory_.release_ghost(entity.index());
            } else {
                store.directory_.release(entity.index());
            }
        });
        tracking.note_all_depart(*table);
        mover.drop_all(*table);
    }
}

void Store::clear() {
    require_unlocked("clear");
    const bool notifies = notifier_.before_clear();
    state_->drop_everything();
    if (notifies) notifier_.after_move();
}

}  // namespace stoa::detail

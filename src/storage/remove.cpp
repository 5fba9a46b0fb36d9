// The end of components and entities. Nothing here fails for lack of memory: where a row must move to a table that has
// no room, a NoFail scope lets the move fall back to the reserve of the pool.
#include "storage/rows.hpp"

namespace stoa::detail {

// A plan for one removal, with room in its target. Without memory to cache the plan it is freed after use.
class Store::State::Passage {
  public:
    Passage(State& state, Table& source, Plan* along) : Passage(along, state, source) {
        // Before anyone is told of the removal, because this may fail.
        if (along != nullptr && !along->target->has_room()) state.make_room(*along->target);
    }
    ~Passage() {
        if (along_ != nullptr) state_.release_plan(*along_, source_);
    }
    Passage(const Passage&) = delete;
    Passage& operator=(const Passage&) = delete;

    const Table& target() const { return along_ != nullptr ? *along_->target : source_; }
    bool is_watched() const { return (source_.watched | target().watched) != 0; }
    bool take(Entity entity, bool as_ghost = false) noexcept {
        if (along_ == nullptr) return false;
        const Location from = state_.store.directory_.location(entity.index());
        state_.migrate(entity, source_, from, *along_);
        if (as_ghost) state_.store.directory_.make_ghost(entity.index());
        state_.drop_departed(entity, source_, from, *along_);
        return true;
    }

  private:
    Passage(Plan* along, State& state, Table& source) : state_(state), source_(source), along_(along) {}

    State& state_;
    Table& source_;
    Plan* along_;
};

void Store::State::become_ghost(Entity entity, Table& table) {
    const BlockPool::NoFail no_fail(pool);
    const std::uint64_t key = edge_key(EdgeKind::ghost, 0);
    Plan* along = table.edges.find(key);
    if (along == nullptr) {
        scratch_keep(table, true);
        along = &plan(table, key, true);
    }
    Passage passage(*this, table, along);
    const bool watched = passage.is_watched();
    if (watched) store.changing({entity, &table, &passage.target(), Change::Sparse::keep_cleanup});
    passage.take(entity, true);
    drop_sparse(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
    if (watched) store.changed();
}

bool Store::despawn(Entity entity) {
    Location at;
    if (!directory_.find(entity, at)) return false;
    require_unlocked("despawn");
    Table& table = chunks_[at.chunk()].table();
    State& state = *state_;
    if (table.has_cleanup || (state.sparse_sets.size != 0 && state.has_sparse_cleanup(entity))) {
        state.become_ghost(entity, table);
        return true;
    }
    const bool watched = table.watched != 0;
    if (watched) [[unlikely]] changing({entity, &table, nullptr});
    directory_.release(entity.index());
    if (state.sparse_sets.size != 0) state.drop_sparse(entity, [](const ComponentType&) { return true; });
    state.drop_row(table, at);
    if (watched) [[unlikely]] changed();
    return true;
}

void Store::State::end_ghost_if_bare(Entity entity) noexcept {
    const Location at = store.directory_.location(entity.index());
    Table& table = store.chunks_[at.chunk()].table();
    if (table.id_count != 0 || has_sparse_cleanup(entity)) return;
    if (table.watched != 0) store.changing({entity, &table, nullptr});
    remove_plain_row(table, at);
    store.directory_.release_ghost(entity.index());
}

Plan* Store::State::removal_plan(Table& table, TypeList& list) {
    const std::uint64_t key = edge_key(EdgeKind::remove, store.number_of(list));
    if (Plan* along = table.edges.find(key)) return along;
    scratch_remove(table, list);
    if (scratch.ids.size == table.id_count) return nullptr;
    store.require_unlocked("remove", list.types[0]->type->name());
    return &plan(table, key, table.ghost);
}

bool Store::State::remove_from_sets(Entity entity, TypeList& list) {
    bool removed = false;
    for (std::uint32_t i = 0; i < list.count; ++i) {
        SparseSet* set = store.find_sparse(store.id_of(*list.types[i]));
        const std::uint32_t slot = set != nullptr ? set->slot_of(entity) : SparseSet::none;
        if (slot == SparseSet::none) continue;
        store.require_unlocked("remove", set->type().name());
        store.erase_sparse(*set, entity, slot);
        removed = true;
    }
    return removed;
}

bool Store::remove(Entity entity, TypeList& list) {
    State& state = *state_;
    Location at;
    const bool alive = directory_.find(entity, at);
    if (alive && !list.has_sparse) [[likely]] {
        Table& table = chunks_[at.chunk()].table();
        Plan* along = table.edges.find(edge_key(EdgeKind::remove, number_of(list)));
        if (along != nullptr && !locked() && along->target->has_room() && (table.watched | along->target->watched) == 0) [[likely]] {
            state.migrate(entity, table, at, *along);
            state.drop_departed(entity, table, at, *along);
            return true;
        }
    }
    if (!alive && !locate_ghost(entity)) return false;
    at = {at.bits & ~Location::dead};
    return state.remove_slowly(entity, at, list, !alive);
}

bool Store::State::remove_slowly(Entity entity, Location at, TypeList& list, bool ghost) {
    const BlockPool::NoFail no_fail(pool);
    Table& table = store.chunks_[at.chunk()].table();
    // Refused before anything is touched.
    for (std::uint32_t i = 0; i < list.count && store.locked(); ++i) {
        const ComponentId id = store.id_of(*list.types[i]);
        const SparseSet* set = store.find_sparse(id);
        if (table.has(id) || (set != nullptr && set->contains(entity))) store.fail_locked("remove", list.types[i]->type->name());
    }
    Passage passage(*this, table, list.has_table ? removal_plan(table, list) : nullptr);
    const bool watched = passage.is_watched();
    if (watched) store.changing({entity, &table, &passage.target(), Change::Sparse::remove, &list});
    bool removed = passage.take(entity);
    if (list.has_sparse) removed |= remove_from_sets(entity, list);
    if (ghost && removed) end_ghost_if_bare(entity);
    if (watched) store.changed();
    return removed;
}

bool Store::remove_all(Entity entity) {
    const Place place = locate(entity);
    if (!place) return false;
    State& state = *state_;
    Table& table = place.chunk->table();
    bool any_sparse = false;
    state.each_sparse(entity, [&](SparseSet& set, std::uint32_t) { any_sparse |= !set.type().traits.cleanup; });

    const BlockPool::NoFail no_fail(state.pool);
    state.scratch_keep(table, true);
    const bool any_column = state.scratch.ids.size != table.id_count;
    if (!any_column && !any_sparse) return false;
    require_unlocked("remove_all");
    Plan* along = nullptr;
    if (any_column) {
        const std::uint64_t key = edge_key(EdgeKind::strip, 0);
        along = table.edges.find(key);
        if (along == nullptr) along = &state.plan(table, key, false);
    }
    State::Passage passage(state, table, along);
    const bool watched = passage.is_watched();
    if (watched) changing({entity, &table, &passage.target(), Change::Sparse::keep_cleanup});
    passage.take(entity);
    state.drop_sparse(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
    if (watched) changed();
    return true;
}

}  // namespace stoa::detail

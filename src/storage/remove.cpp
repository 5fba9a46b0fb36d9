// The end of components and entities. Nothing here fails for lack of memory: where a row must move to a table that has
// no room, a NoFail scope lets the move fall back to the reserve of the pool.
#include "storage/rows.hpp"

namespace stoa::detail {

void Store::State::move_along(Entity entity, Table& source, Plan& along) {
    Table& target = *along.target;
    if (!target.has_room()) make_room(target);
    migrate(entity, source, store.directory_.location(entity.index()), along);
}

void Store::State::become_ghost(Entity entity, Table& table, Location at) {
    const BlockPool::NoFail no_fail(pool);
    const std::uint64_t key = edge_key(EdgeKind::ghost, 0);
    Plan* along = table.edges.find(key);
    if (along == nullptr) {
        scratch_keep(table, true);
        along = &plan(table, key, true);
    }
    move_along(entity, table, *along);
    store.directory_.make_ghost(entity.index());
    drop_departed(table, at, *along);
    release_plan(*along, table);
    drop_sparse(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
}

bool Store::despawn(Entity entity) {
    Location at;
    if (!directory_.find(entity, at)) return false;
    require_unlocked("despawn");
    Table& table = chunks_[at.chunk()].table();
    State& state = *state_;
    if (table.has_cleanup || (state.sparse_sets.size != 0 && state.has_sparse_cleanup(entity))) {
        state.become_ghost(entity, table, at);
        return true;
    }
    directory_.release(entity.index());
    if (state.sparse_sets.size != 0) state.drop_sparse(entity, [](const ComponentType&) { return true; });
    state.drop_row(table, at);
    return true;
}

void Store::State::end_ghost_if_bare(Entity entity) noexcept {
    const Location at = store.directory_.location(entity.index());
    Table& table = store.chunks_[at.chunk()].table();
    if (table.id_count != 0 || has_sparse_cleanup(entity)) return;
    remove_plain_row(table, at);
    store.directory_.release_ghost(entity.index());
}

bool Store::State::remove_from_table(Entity entity, Table& table, Location at, TypeList& list) {
    const BlockPool::NoFail no_fail(pool);
    const std::uint64_t key = edge_key(EdgeKind::remove, store.number_of(list));
    Plan* along = table.edges.find(key);
    if (along == nullptr) {
        scratch_remove(table, list);
        if (scratch.ids.size == table.id_count) return false;
    }
    store.require_unlocked("remove", list.types[0]->type->name());
    if (along == nullptr) along = &plan(table, key, table.ghost);
    move_along(entity, table, *along);
    drop_departed(table, at, *along);
    release_plan(*along, table);
    return true;
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
        if (along == nullptr || locked() || !along->target->has_room()) {
            return state.remove_from_table(entity, table, at, list);
        }
        state.migrate(entity, table, at, *along);
        state.drop_departed(table, at, *along);
        return true;
    }
    if (!alive && !locate_ghost(entity)) return false;
    at = {at.bits & ~Location::dead};
    bool removed = list.has_table && state.remove_from_table(entity, chunks_[at.chunk()].table(), at, list);
    if (list.has_sparse) removed |= state.remove_from_sets(entity, list);
    if (!alive && removed) state.end_ghost_if_bare(entity);
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
    if (any_column) {
        const std::uint64_t key = edge_key(EdgeKind::strip, 0);
        Plan* along = table.edges.find(key);
        if (along == nullptr) along = &state.plan(table, key, false);
        const Location at = directory_.location(entity.index());
        state.move_along(entity, table, *along);
        state.drop_departed(table, at, *along);
        state.release_plan(*along, table);
    }
    state.drop_sparse(entity, [](const ComponentType& type) { return !type.traits.cleanup; });
    return true;
}

}  // namespace stoa::detail

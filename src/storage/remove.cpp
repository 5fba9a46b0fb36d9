// The end of components and entities. Nothing here fails for lack of memory: where a row must move to a table that has
// no room, a NoFail scope lets the move fall back to the reserve of the pool.
#include "storage/state.hpp"

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
    if (!directory_.alive(entity)) return false;
    require_unlocked("despawn");
    const Location at = directory_.location(entity.index());
    Table& table = *chunks_[at.chunk()].table;
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
    Table& table = *store.chunks_[at.chunk()].table;
    if (table.id_count != 0 || has_sparse_cleanup(entity)) return;
    remove_row(table, at);
    store.directory_.release_ghost(entity.index());
}

bool Store::State::remove_from_table(Entity entity, Table& table, TypeList& list) {
    const BlockPool::NoFail no_fail(pool);
    const std::uint64_t key = edge_key(EdgeKind::remove, number_of(*store.registry_, list));
    Plan* along = table.edges.find(key);
    if (along == nullptr) {
        scratch_remove(table, list);
        if (scratch.ids.size == table.id_count) return false;
        store.require_unlocked("remove", list.types[0]->type->name());
        along = &plan(table, key, table.ghost);
    }
    store.require_unlocked("remove", list.types[0]->type->name());
    const Location at = store.directory_.location(entity.index());
    move_along(entity, table, *along);
    drop_departed(table, at, *along);
    release_plan(*along, table);
    return true;
}

bool Store::remove(Entity entity, TypeList& list) {
    Place place = locate(entity);
    const bool ghost = !place;
    if (ghost) place = locate_ghost(entity);
    if (!place) return false;
    State& state = *state_;
    bool removed = list.has_table && state.remove_from_table(entity, *place.chunk->table, list);
    for (std::uint32_t i = 0; list.has_sparse && i < list.count; ++i) {
        if (!list.types[i]->type->is_sparse()) continue;
        SparseSet* set = find_sparse(resolve(*registry_, *list.types[i]));
        const std::uint32_t slot = set != nullptr ? set->slot_of(entity) : SparseSet::none;
        if (slot == SparseSet::none) continue;
        require_unlocked("remove", set->type().name());
        erase_sparse(*set, entity, slot);
        removed = true;
    }
    if (ghost && removed) state.end_ghost_if_bare(entity);
    return removed;
}

bool Store::remove_all(Entity entity) {
    const Place place = locate(entity);
    if (!place) return false;
    State& state = *state_;
    Table& table = *place.chunk->table;
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

// The end of components and entities. Nothing here fails for lack of memory: where a row must move to a table that has
// no room, a NoFail scope lets the move fall back to the reserve of the pool.
#include <algorithm>

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

[[gnu::noinline]] void Store::State::become_ghost(Entity entity, Table& table) {
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
    if (table.peculiar() == 0 && table.common_sizes && table.keeps_tail() && !state.in_sparse_set(entity)) [[likely]] {
        directory_.release(entity.index());
        State::drop_bytes(*this, table, at);
        return true;
    }
    return state.despawn_any(entity, table, at);
}

[[gnu::noinline]] bool Store::State::despawn_any(Entity entity, Table& table, Location at) {
    const bool loose = in_sparse_set(entity);
    if (table.has_cleanup || (loose && has_sparse_cleanup(entity))) {
        become_ghost(entity, table);
        return true;
    }
    if (table.watched != 0) return despawn_told(entity, table, at);
    store.directory_.release(entity.index());
    if (loose) drop_all_sparse(entity);
    drop_row(table, at);
    return true;
}

[[gnu::noinline]] bool Store::State::despawn_told(Entity entity, Table& table, Location at) {
    store.changing({entity, &table, nullptr});
    store.directory_.release(entity.index());
    drop_all_sparse(entity);
    drop_row(table, at);
    store.changed();
    return true;
}

void Store::State::end_ghost_if_bare(Entity entity) noexcept {
    const Location at = store.directory_.location(entity.index());
    Table& table = store.chunks_[at.chunk()].table();
    if (table.id_count != 0 || has_sparse_cleanup(entity)) return;
    // Nobody is told: no query matches a ghost that has nothing.
    drop_all_sparse(entity);
    remove_plain_row(table, at);
    store.directory_.release_ghost(entity.index());
}

Plan* Store::State::removal_plan(Table& table, TypeList& list) {
    const std::uint64_t key = edge_key(EdgeKind::remove, store.number_of(list));
    if (Plan* along = table.edges.find(key)) return along;
    scratch_remove(table, list);
    return scratch.ids.size == table.id_count ? nullptr : &plan(table, key, table.ghost);
}

void Store::State::remove_from_sets(Entity entity, TypeList& list) noexcept {
    for (std::uint32_t i = 0; i < list.count; ++i) {
        SparseSet* set = store.find_sparse(store.id_of(*list.types[i]));
        const std::uint32_t slot = set != nullptr ? set->slot_of(entity) : SparseSet::none;
        if (slot != SparseSet::none) store.erase_sparse(*set, entity, slot);
    }
}

bool Store::remove(Entity entity, TypeList& list) {
    State& state = *state_;
    Location at;
    const bool alive = directory_.find(entity, at);
    if (alive && !list.has_sparse) [[likely]] {
        Table& table = chunks_[at.chunk()].table();
        Plan* along = table.edges.recent;
        if (table.edges.is_recent(EdgeKind::remove, list.ticket.number(registry_key_)) && State::moves_bytes(*this, table, *along)) [[likely]] {
            State::migrate_bytes(*this, entity, table, at, *along);
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
    Plan* along = table.edges.find(edge_key(EdgeKind::remove, store.number_of(list)));
    if (along == nullptr || store.locked() || !along->target->has_room() || (table.watched | along->target->watched) != 0) {
        return remove_slowly(entity, at, list, false);
    }
    migrate(entity, table, at, *along);
    drop_departed(entity, table, at, *along);
    return true;
}

[[gnu::noinline]] bool Store::State::remove_slowly(Entity entity, Location at, TypeList& list, bool ghost) {
    Table& table = store.chunks_[at.chunk()].table();
    // Refused before anything is touched; and where nothing is removed, nothing is told.
    TypeSlot* const* const end = list.types + list.count;
    TypeSlot* const* const present = std::find_if(list.types, end, [&](TypeSlot* slot) {
        const ComponentId id = store.id_of(*slot);
        const SparseSet* set = store.find_sparse(id);
        return table.has(id) || (set != nullptr && set->contains(entity));
    });
    if (present == end) return false;
    store.require_unlocked("remove", (*present)->type->name());

    const BlockPool::NoFail no_fail(pool);
    Passage passage(*this, table, list.has_table ? removal_plan(table, list) : nullptr);
    const bool watched = passage.is_watched();
    if (watched) store.changing({entity, &table, &passage.target(), Change::Sparse::remove, &list});
    passage.take(entity);
    if (list.has_sparse) remove_from_sets(entity, list);
    if (ghost) end_ghost_if_bare(entity);
    if (watched) store.changed();
    return true;
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

bool Store::State::tell_all_leave() {
    std::uint64_t rows = 0;
    for (const Table* table : tables) rows += table->watched != 0 ? table->rows() : 0;
    if (rows == 0) return false;
    for (const Table* table : tables) {
        if (table->is_watched(Table::observed)) store.listener_->expect(*table, rows);
    }
    for (const Table* table : tables) {
        if (table->watched != 0) each_entity(*table, [&](Entity entity) { store.changing({entity, table, nullptr}); });
    }
    return true;
}

void Store::State::drop_everything() noexcept {
    const Lock lock(store);
    // By position: a destructor may ask a query for a sparse component that is new to the world.
    for (std::uint32_t ordinal = 0; ordinal < sparse_sets.size; ++ordinal) {
        SparseSet& set = *sparse_sets[ordinal];
        for (std::uint32_t slot = 0, bound = set.bound(); slot < bound; ++slot) {
            if (const Entity owner = set.owner(slot)) store.erase_sparse(set, owner, slot);
        }
    }
    for (std::uint32_t page = 0; page < store.mask_count_; ++page) {
        if (store.masks_[page] != nullptr) std::fill_n(store.masks_[page], mask_size, std::uint64_t{0});
    }
    for (Table* table : tables) {
        each_entity(*table, [&](Entity entity) {
            if (table->ghost) {
                store.directory_.release_ghost(entity.index());
            } else {
                store.directory_.release(entity.index());
            }
        });
        note_all_depart(*table);
        drop_all_rows(*table);
    }
}

void Store::clear() {
    require_unlocked("clear");
    const bool told = state_->tell_all_leave();
    state_->drop_everything();
    if (told) changed();
}

}  // namespace stoa::detail

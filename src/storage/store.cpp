// The lifetime of a store, and the part of its verbs that begins a change: spawning, adding, sparse components.
#include "stoa/detail/storage/store.hpp"

#include <algorithm>

#include "stoa/detail/storage/keep_removed.hpp"
#include "stoa/detail/storage/verbs.hpp"
#include "storage/move_rows.hpp"

namespace stoa::detail {

Store::State::State(Store& owner, const WorldOptions& world_options)
    : store(owner), options(world_options), catalog(pool, owner.types_, owner.libraries_, *this) {
    store.clock_.set_sweeper(this);
}

Store::State::~State() {
    for (Table* table : catalog.tables()) growth.release_all_chunks(*table);
    store.chunks_.free(pool);
    store.list_tables_.free(pool);
}

Store::Store(const WorldOptions& options)
    : ClockOfStore(options.first_tick),
      directory_(options),
      types_(Registry::of_process()),
      libraries_(types_.registry()),
      state_(new State(*this, options)),
      sparse_sets_(*this, state_->removed_values),
      notifier_(*this, state_->removed_values),
      link_(nullptr),
      resources_(types_.registry(), libraries_) {
    struct Discard {
        State* state;
        ~Discard() { delete state; }
    } unfinished{state_};
    state_->catalog.make_empty_table();
    link_ = new StoreLink(*this);
    unfinished.state = nullptr;
}

Store::~Store() {
    clear_locks();
    forget_removed(*this);
    state_->removed_values.stop();
    drop_everything(*this);
    // Values that never came into the world may have destructors that look at it, or that record once more; components
    // are gone and may have used resources; messages may refer to resources; resources may still ask the world.
    lock_permanently();
    rooms_.commands.destroy();
    state_->is_ending = true;
    rooms_.messages.destroy();
    resources_.end_all();
    link_->cut();  // handles that end with a callback look after themselves
    rooms_.queries.destroy();
    delete state_;
    link_->release();
}

Store& Store::gone() {
    static Store* const store = [] {
        auto* made = new Store(WorldOptions{});
        made->state_->is_gone = true;
        made->lock_permanently();
        return made;
    }();
    return *store;
}

void Store::State::before_table(const ComponentSet& set) {
    for (std::uint32_t i = 0; i < set.size(); ++i) {
        has_requirers |= set.types[i]->required != nullptr;
        if (set.types[i]->traits.pooled) object_pools.prepare(set.ids[i], *set.types[i]);
        if (options.keep_removed) removed_values.prepare(set.ids[i], *set.types[i]);
    }
}

void Store::State::after_table(Table& table) noexcept {
    for (std::uint32_t i = 0; i < table.id_count(); ++i) {
        const ComponentId id = table.ids()[i];
        if (tracking.is_tracked(id, table.type(i))) table.add_tracked(tick_index_of(i));
        if (!removed_values.any()) continue;
        if (options.keep_removed) removed_values.use(id);
        if (removed_values.is_logged(id)) table.set_logged();
    }
    store.notifier_.table_added(table);
}

void Store::State::sweep_ticks(Tick now) noexcept {
    for (const Table* table : catalog.tables()) tracking.sweep(*table, now);
    for (SparseSet* set : store.sparse_sets_.all()) {
        ChangeTracking::sweep(set->last_change(), now);
        if (set->ticks() != nullptr) ChangeTracking::sweep(*set->ticks(), now);
    }
}

void Store::stamp_last_row(const Table& table) noexcept {
    state_->tracking.stamp_arrivals(table, table.tail_chunk_number(), table.tail_rows() - 1, 1);
}

std::span<Table* const> Store::tables() const { return state_->catalog.tables(); }

EntityRow Store::locate_ghost(Entity entity) const {
    if (!directory_.maybe_ghost(entity)) return {};
    // A free slot keeps a link where a ghost keeps its location, so believe it only if the row names this very entity.
    const Location at = directory_.location(entity.index());
    if (!chunks_.contains(at.chunk())) return {};
    const Chunk& chunk = chunks_[at.chunk()];
    if (chunk.base == nullptr || !chunk.table().is_ghost() || at.row() >= chunk.table().rows_in(at.chunk())) return {};
    if (entities(chunk.base)[at.row()] != entity) return {};
    return {&chunk, at};
}

Table& Store::table_of(TypeList& list) {
    const ListNumber number = types_.number_of(list);
    if (Table* known = list_tables_.find(number)) return *known;
    State& state = *state_;
    if (state.is_gone) fail_locked(*this, "table");
    list_tables_.prepare(state.pool, number);
    Table& table = state.catalog.table_of(list);
    list_tables_.set(number, table);
    return table;
}

Table* Store::find_table(TypeList& list) const {
    const ListNumber number = types_.number_of(list);
    if (Table* known = list_tables_.find(number)) return known;
    // Another order of the same types may have made the table.
    return state_->is_gone ? nullptr : state_->catalog.find(list);
}

Table& Store::prepare_spawn(TypeList& list) {
    require_unlocked("spawn");
    Table& table = table_of(list);
    if (!directory_.ready()) directory_.prepare(1);
    if (!table.has_room()) state_->growth.make_room(table);
    return table;
}

Migration* Store::prepare_add(Table& source, TypeList& list, const char* verb) {
    const bool missing = std::any_of(list.types, list.types + list.count, [&](TypeHandle* slot) {
        return !slot->type->is_sparse() && !source.has(id_of(*slot));
    });
    if (!missing) return nullptr;
    require_unlocked(verb, list.types[0]->type->name());
    Migration& migration = state_->catalog.adding(source, list);
    if (!migration.target->has_room()) state_->growth.make_room(*migration.target);
    return &migration;
}

SparseSet* Store::search_sparse(TypeHandle& slot) const noexcept { return find_sparse(id_of(slot)); }

ColumnAt Store::search_column(const ColumnMap& map, TypeHandle& slot) const noexcept { return map.find(id_of(slot)); }

namespace {

// The part of put_bytes for a component that is present, and for a move that is not the last one of its table.
[[gnu::noinline]] Store::Outcome overwrite_or_move_bytes(Store& store, Entity entity, Location at, TypeList& list,
                                                         const void* value, bool replace, const char* verb) {
    const Chunk& chunk = store.chunks()[at.chunk()];
    Table& source = chunk.table();
    const Edit edit = store.begin_add({&chunk, at}, list, verb);
    Table& target = *edit.target;
    if (&target == &source) {
        if (replace && value != nullptr) {
            const ColumnAt column = source.find(store.id_of(*list.types[0]));
            const std::uint32_t size = list.types[0]->type->size;
            std::memcpy(cell_at(chunk.base, column.offset, at.row(), size), value, size);
            chunk.stamp(column, at.row(), store.tick());
        }
        return Store::Outcome::present;
    }
    if (const Column* column = edit.migration->added) {
        fill_hole(*column, cell_of(target.tail_base(), *column, edit.row), static_cast<const std::byte*>(value));
    }
    const bool notifies = store.notifier().before_move({entity, &source, &target});
    store.state().mover.move(entity, source, at, *edit.migration);
    store.state().mover.end_departed(entity, source, at, *edit.migration);
    if (notifies) store.notifier().after_move();
    return Store::Outcome::added;
}

}  // namespace

Store::Outcome Store::put_bytes(Entity entity, TypeList& list, const void* value, bool replace, const char* verb) {
    Location at;
    if (!directory_.find(entity, at)) return Outcome::dead;
    Table& source = chunks_[at.chunk()].table();
    Migration* migration = source.migrations().recent();
    if (!source.migrations().is_recent(MigrationKind::add, list.cached_number.in(types_.key())) ||
        !moves_bytes(*this, source, *migration)) [[unlikely]] {
        return overwrite_or_move_bytes(*this, entity, at, list, value, replace, verb);
    }
    if (const Column* added = migration->added) {
        with_common_size(added->size, [&](auto size) {
            std::memcpy(cell_at(migration->target->tail_base(), added->offset, migration->target->tail_rows(), size()),
                        value, size());
        });
    }
    migrate_bytes({directory_, chunks_, tick()}, entity, source, at, *migration);
    return Outcome::added;
}

SparseSet& Store::sparse_set(TypeHandle& slot) {
    if (SparseSet* known = find_sparse(id_of(slot))) return *known;
    return sparse_set(resolve(types_.registry(), slot));
}

SparseSet& Store::sparse_set(ComponentId id) {
    if (SparseSet* known = find_sparse(id)) return *known;
    State& state = *state_;
    const ComponentType& type = state.libraries.use(id);
    state.has_requirers |= type.required != nullptr;
    if (type.traits.pooled) state.object_pools.prepare(id, type);
    if (state.options.keep_removed) state.removed_values.prepare(id, type);
    SparseSet& set = sparse_sets_.create(id, type);
    if (state.tracking.is_tracked(id, type)) set.track(tick());  // an empty set needs no memory for it
    if (state.options.keep_removed) state.removed_values.use(id);
    if (state.removed_values.is_logged(id)) set.set_logged();
    return set;
}

}  // namespace stoa::detail

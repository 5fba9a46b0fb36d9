// The life of a store, and the halves of the verbs that begin a change: spawning, adding, sparse components, reserving.
#include "stoa/detail/storage/store.hpp"

#include <algorithm>

#include "stoa/detail/storage/verbs.hpp"
#include "storage/move_rows.hpp"

namespace stoa::detail {

constinit thread_local ThreadClock thread_clock;

Store::State::State(Store& owner, const WorldOptions& world_options)
    : store(owner), options(world_options), catalog(pool, owner.types_, *this) {
    store.clock_.set_sweeper(this);
}

Store::State::~State() {
    for (Table* table : catalog.tables()) growth.release_all_chunks(*table);
    aside.free(pool);
    store.chunks_.free(pool);
    store.list_tables_.free(pool);
}

Store::Store(const WorldOptions& options)
    : ClockOfStore(options.first_tick),
      directory_(options.max_entities, options.first_generation),
      types_(Registry::of_process()),
      state_(new State(*this, options)),
      sparse_sets_(*this, state_->removed_values),
      notifier_(*this, state_->removed_values),
      link_(nullptr),
      resources_(types_.registry()) {
    struct Discard {
        State* state;
        ~Discard() { delete state; }
    } unfinished{state_};
    state_->catalog.make_empty_table();
    link_ = new StoreLink(*this);
    unfinished.state = nullptr;
}

Store::~Store() {
    unlock_wholly();
    forget_removed();
    state_->removed_values.stop();
    state_->drop_everything();
    // Values that never came into the world may have destructors that look at it, or that record once more; components
    // are gone and may have used resources; resources may still ask the world.
    lock_for_ever();
    commands_.destroy();
    resources_.end_all();
    link_->cut();  // handles that end with a callback look after themselves
    queries_.destroy();
    delete state_;
    link_->release();
}

Store& Store::gone() {
    static Store* const store = [] {
        auto* made = new Store(WorldOptions{});
        made->state_->is_gone = true;
        made->lock_for_ever();
        return made;
    }();
    return *store;
}

bool Store::make_dormant(Table& table) noexcept {
    if (table.row_count() != 0 || table.reserved_chunks() != 0 || holds_tables() || &table == &empty_table())
        return false;
    if (table.chunk_count() != 0 && !table.stayed_empty(tick())) return false;
    state_->growth.release_all_chunks(table);
    table.set_dormant(true);
    return true;
}

void Store::State::before_table(const ComponentSet& set) {
    for (std::uint32_t i = 0; i < set.size(); ++i) {
        if (set.types[i]->traits.pooled) object_pools.prepare(set.ids[i], *set.types[i]);
        if (options.keep_removed) removed_values.prepare(set.ids[i], *set.types[i]);
    }
}

void Store::State::after_table(Table& table) noexcept {
    for (std::uint32_t i = 0; i < table.id_count(); ++i) {
        const ComponentId id = table.ids()[i];
        if (tracking.is_tracked(id, table.type(i))) table.add_tracked(i + 1);
        if (!removed_values.any()) continue;
        if (options.keep_removed) removed_values.use(id);
        if (removed_values.is_logged(id)) table.watch(Table::keeps);
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

void Store::track(TypeHandle& slot) {
    const ComponentId id = resolve(types_.registry(), slot);
    State& state = *state_;
    if (state.growth.is_growing()) fail_locked("query", slot.type->name());
    state.tracking.note_tracked(id);
    // A walk that is under way wrote what it wrote without these ticks: as if everything changed right after this
    // moment.
    const Tick now = tick() + (locked() ? 1 : 0);
    if (slot.type->is_sparse()) return sparse_set(slot).track(now);
    for (Table* table : tables()) {
        if (!table->has(id)) continue;
        state.growth.reserve_for_tracking(*table);
        state.tracking.start(*table, id, now);
    }
}

IndexedComponent& Store::index(TypeHandle& slot) {
    track(slot);
    ChangeTracking& tracking = state_->tracking;
    const ComponentId id = resolve(types_.registry(), slot);
    if (IndexedComponent* known = tracking.find_indexed(id)) return *known;
    IndexedComponent& component = tracking.make_indexed(id);
    if (slot.type->is_sparse()) {
        sparse_set(slot).set_indexed(component);
        return component;
    }
    for (const Table* table : tables()) {
        if (table->has(id)) tracking.record_writes(*table, id, component);
    }
    return component;
}

void Store::stamp_last_row(const Table& table) noexcept {
    state_->tracking.stamp_arrivals(table, table.tail_chunk_number(), table.tail_rows() - 1, 1);
}

std::span<Table* const> Store::tables() const { return state_->catalog.tables(); }
const std::uint64_t* Store::digests() const { return state_->catalog.digests(); }

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
    const std::uint32_t number = number_of(list);
    if (Table* known = list_tables_.find(number)) return *known;
    State& state = *state_;
    if (state.is_gone) fail_locked("table", {});
    list_tables_.prepare(state.pool, number);
    Table& table = state.catalog.table_of(list);
    list_tables_.set(number, table);
    return table;
}

Table* Store::find_table(TypeList& list) const {
    const std::uint32_t number = number_of(list);
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

void Store::finish(Entity entity, Table& source, Migration& along) noexcept {
    const Location from = directory_.location(entity.index());
    state_->mover.move(entity, source, from, along);
    state_->mover.end_departed(entity, source, from, along);
}

SparseSet* Store::search_sparse(TypeHandle& slot) const noexcept { return find_sparse(id_of(slot)); }

ColumnAt Store::search_column(const ColumnMap& map, TypeHandle& slot) const noexcept { return map.find(id_of(slot)); }

Store::Outcome Store::put_bytes(Entity entity, TypeList& list, const void* value, bool replace, const char* verb) {
    Location at;
    if (!directory_.find(entity, at)) return Outcome::dead;
    Table& source = chunks_[at.chunk()].table();
    Migration* along = source.migrations().recent();
    if (!source.migrations().is_recent(MigrationKind::add, list.cached_number.in(types_.key())) ||
        !moves_bytes(*this, source, *along)) [[unlikely]] {
        return state_->overwrite_or_move_bytes(entity, at, list, value, replace, verb);
    }
    if (const Column* added = along->added) {
        with_common_size(added->size, [&](auto size) {
            std::memcpy(cell_at(along->target->tail_base(), added->offset, along->target->tail_rows(), size()), value,
                        size());
        });
    }
    migrate_bytes({directory_, chunks_, tick()}, entity, source, at, *along);
    return Outcome::added;
}

[[gnu::noinline]] Store::Outcome Store::State::overwrite_or_move_bytes(Entity entity, Location at, TypeList& list,
                                                                       const void* value, bool replace,
                                                                       const char* verb) {
    const Chunk& chunk = store.chunks_[at.chunk()];
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
        return Outcome::present;
    }
    if (const Column* column = edit.plan->added) {
        fill_hole(*column, cell_of(target.tail_base(), *column, edit.row), static_cast<const std::byte*>(value));
    }
    const bool notifies = store.notifier_.before_move({entity, &source, &target});
    mover.move(entity, source, at, *edit.plan);
    mover.end_departed(entity, source, at, *edit.plan);
    if (notifies) store.notifier_.after_move();
    return Outcome::added;
}

void Store::State::reserve_aside(const ComponentType& type) {
    if (type.relocate != nullptr) aside.reserve(pool, type.size + type.alignment);
}

void Store::State::exchange(const ComponentType& type, void* a, void* b) noexcept {
    if (type.relocate == nullptr) {
        auto* bytes = static_cast<std::byte*>(a);
        std::swap_ranges(bytes, bytes + type.size, static_cast<std::byte*>(b));
        return;
    }
    const std::size_t beyond = reinterpret_cast<std::uintptr_t>(aside.data) % type.alignment;
    void* between = aside.data + (beyond == 0 ? 0 : type.alignment - beyond);
    type.relocate(between, a, 1);
    type.relocate(a, b, 1);
    type.relocate(b, between, 1);
}

SparseSet& Store::sparse_set(TypeHandle& slot) {
    if (SparseSet* known = find_sparse(id_of(slot))) return *known;
    return sparse_set(resolve(types_.registry(), slot));
}

SparseSet& Store::sparse_set(ComponentId id) {
    if (SparseSet* known = find_sparse(id)) return *known;
    State& state = *state_;
    const ComponentType& type = types_.registry().type(id);
    if (type.traits.pooled) state.object_pools.prepare(id, type);
    if (state.options.keep_removed) state.removed_values.prepare(id, type);
    SparseSet& set = sparse_sets_.create(id, type);
    if (state.tracking.is_tracked(id, type)) set.track(tick());  // an empty set needs no memory for it
    if (state.options.keep_removed) use_removed(id);
    if (state.removed_values.is_logged(id)) set.watch(SparseSet::keeps);
    return set;
}

bool Store::take_pooled(ComponentId id, void* to) noexcept { return state_->object_pools.take(id, to); }

void Store::keep_removed(ComponentId id) {
    state_->removed_values.prepare(id, types_.registry().type(id));
    use_removed(id);
}

void Store::keep_removed(TypeList& list) {
    require_world("keep_removed");
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const ComponentId id = resolve(types_.registry(), *list.types[i]);
        state_->removed_values.prepare(id, types_.registry().type(id));
    }
    for (std::uint32_t i = 0; i < list.count; ++i) use_removed(id_of(*list.types[i]));
}

void Store::use_removed(ComponentId id) noexcept {
    state_->removed_values.use(id);
    for (Table* table : state_->catalog.tables()) {
        if (table->has(id)) table->watch(Table::keeps);
    }
    if (SparseSet* set = find_sparse(id)) set->watch(SparseSet::keeps);
}

const void* Store::find_removed(ComponentId id, Entity entity) const noexcept {
    return state_->removed_values.find(id, entity);
}

void Store::forget_removed() noexcept {
    const Lock lock(*this);
    state_->removed_values.forget();
}

void Store::reserve(std::uint64_t count) {
    require_unlocked("reserve");
    const std::uint64_t living = directory_.living();
    if (count > living) directory_.prepare(count - living, "reserve");
}

void Store::reserve_rows(TypeList& list, std::uint64_t rows) {
    require_unlocked("reserve");
    Table& table = table_of(list);
    if (rows <= table.row_count()) return;
    directory_.prepare(rows - table.row_count(), "reserve");
    state_->growth.reserve_rows(table, rows);
    table.set_reserved_chunks(std::max(table.reserved_chunks(), table.chunk_count()));
}

void Store::shrink_to_fit() {
    require_unlocked("shrink_to_fit");
    if (holds_tables()) fail_locked("shrink_to_fit", {});
    State& state = *state_;
    state.object_pools.clear();
    state.removed_values.shrink();
    for (Table* table : state.catalog.tables()) {
        table->set_reserved_chunks(0);
        if (table->row_count() == 0) {
            state.growth.release_all_chunks(*table);
        } else {
            state.growth.release_spare_chunks(*table, table->tail_position() + 1);
        }
    }
    list_tables_.forget([&](const Table& table) { return state.catalog.is_unused(table); });
    state.catalog.remove_unused();
    notifier_.tables_removed();
    state.pool.trim();
}

}  // namespace stoa::detail

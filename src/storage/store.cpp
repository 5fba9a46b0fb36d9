// The life of a store, and the halves of the verbs that begin a change: spawning, adding, sparse components, reserving.
#include "stoa/detail/store.hpp"

#include <algorithm>

#include "stoa/detail/verbs.hpp"
#include "storage/rows.hpp"

namespace stoa::detail {

constinit thread_local Writing writing;

Store::State::State(Store& owner, const WorldOptions& world_options) : store(owner), options(world_options) {}

Store::State::~State() {
    for (Table* table : tables) destroy_table(*table);
    for (SparseSet* set : sparse_sets) delete set;
    for (Followed* component : followed) delete component;
    followed.free(pool);
    for (ObjectPool* objects : object_pools) delete objects;
    tables.free(pool);
    digests.free(pool);
    index.free(pool);
    free_chunks.free(pool);
    sparse_sets.free(pool);
    object_pools.free(pool);
    free_removed_logs();
    tracked.free(pool);
    aside.free(pool);
    scratch.ids.free(pool);
    scratch.types.free(pool);
    free_array(pool, store.chunks_, chunk_capacity);
    free_array(pool, store.list_tables_, list_capacity);
    free_array(pool, store.sparse_, sparse_capacity);
    for (std::uint32_t page = 0; page < store.mask_count_; ++page) ::operator delete(store.masks_[page]);
    ::operator delete(store.masks_);
}

Store::Store(const WorldOptions& options)
    : directory_(options.max_entities, options.first_generation),
      registry_(&Registry::of_process()),
      registry_key_(Ticket::key(registry_)),
      tick_(options.first_tick),
      state_(new State(*this, options)),
      link_(nullptr),
      resources_(*registry_) {
    struct Discard {
        State* state;
        ~Discard() { delete state; }
    } unfinished{state_};
    state_->find_table(state_->scratch, false);  // tables[0]: entities without components
    link_ = new StoreLink(*this);
    unfinished.state = nullptr;
}

Store::~Store() {
    unlock_wholly();
    forget_removed();
    state_->is_ending = true;
    state_->drop_everything();
    // Values that never came into the world may have destructors that look at it, or that record once more; components are
    // gone and may have used resources; resources may still ask the world.
    lock_for_ever();
    delete attachment_;
    resources_.end_all();
    link_->cut();  // handles that end with a callback look after themselves
    delete listener_;
    delete state_;
    link_->drop();
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

bool Store::put_to_sleep(Table& table) noexcept {
    if (table.rows() != 0 || table.kept_chunks != 0 || holds_tables() || &table == state_->tables[0]) return false;
    // The tick of arrivals is free while there are no rows, and tells whether some came and went.
    if (table.chunk_count != 0 && !(table.drowsy && table.tail_ticks[0] == table.drowsy_since)) {
        table.drowsy = true;
        table.tail_ticks[0] = table.drowsy_since = tick() - static_cast<Tick>(oldest_age);
        return false;
    }
    state_->release_all_chunks(table);
    return table.asleep = true;
}

std::span<Table* const> Store::tables() const { return {state_->tables.data, state_->tables.size}; }
const std::uint64_t* Store::digests() const { return state_->digests.data; }

Place Store::locate_ghost(Entity entity) const {
    if (!directory_.maybe_ghost(entity)) return {};
    // A free slot keeps a link where a ghost keeps its location, so believe it only if the row names this very entity.
    const Location at = directory_.location(entity.index());
    if (at.chunk() >= state_->chunk_count) return {};
    const Chunk& chunk = chunks_[at.chunk()];
    if (chunk.base == nullptr || !chunk.table().ghost || at.row() >= chunk.table().rows_in(at.chunk())) return {};
    if (entities(chunk.base)[at.row()] != entity) return {};
    return {&chunk, at};
}

Table& Store::table_of(TypeList& list) {
    const std::uint32_t number = number_of(list);
    if (number < list_count_ && list_tables_[number] != nullptr) return *list_tables_[number];
    State& state = *state_;
    if (state.is_gone) fail_locked("table", {});
    if (number >= list_count_) {
        grow_array(state.pool, list_tables_, list_count_, state.list_capacity, number + 1);
        std::fill(list_tables_ + list_count_, list_tables_ + state.list_capacity, nullptr);
        list_count_ = state.list_capacity;
    }
    state.scratch_add(*state.tables[0], list);
    Table& table = state.find_table(state.scratch, false);
    list_tables_[number] = &table;
    return table;
}

Table* Store::find_table(TypeList& list) const {
    const std::uint32_t number = number_of(list);
    if (number < list_count_ && list_tables_[number] != nullptr) return list_tables_[number];
    // Another order of the same types may have made the table.
    return state_->is_gone ? nullptr : state_->known_table(list);
}

Table& Store::prepare_spawn(TypeList& list) {
    require_unlocked("spawn");
    Table& table = table_of(list);
    if (!directory_.ready()) directory_.prepare(1);
    if (!table.has_room()) state_->make_room(table);
    return table;
}

Plan* Store::prepare_add(Table& source, TypeList& list, const char* verb) {
    const bool missing = std::any_of(list.types, list.types + list.count, [&](TypeSlot* slot) {
        return !slot->type->is_sparse() && !source.has(id_of(*slot));
    });
    if (!missing) return nullptr;
    require_unlocked(verb, list.types[0]->type->name());
    const std::uint64_t key = edge_key(EdgeKind::add, number_of(list));
    Plan* plan = source.edges.find(key);
    if (plan == nullptr) {
        state_->scratch_add(source, list);
        plan = &state_->plan(source, key, false);
    }
    if (!plan->target->has_room()) state_->make_room(*plan->target);
    return plan;
}

void Store::finish(Entity entity, const Edit& edit) noexcept {
    state_->migrate(entity, *edit.source, edit.from, *edit.plan);
    state_->drop_departed(entity, *edit.source, edit.from, *edit.plan);
}

SparseSet* Store::search_sparse(TypeSlot& slot) const noexcept { return find_sparse(id_of(slot)); }

ColumnAt Store::search_column(const ColumnMap& map, TypeSlot& slot) const noexcept { return map.find(id_of(slot)); }

Store::Outcome Store::put_bytes(Entity entity, TypeList& list, const void* value, bool replace, const char* verb) {
    Location at;
    if (!directory_.find(entity, at)) return Outcome::dead;
    Table& source = chunks_[at.chunk()].table();
    Plan* along = source.edges.recent;
    if (!source.edges.is_recent(EdgeKind::add, list.ticket.number(registry_key_)) || !State::moves_bytes(*this, source, *along)) [[unlikely]] {
        return state_->put_bytes_slowly(entity, at, list, value, replace, verb);
    }
    if (const Column* added = along->added) {
        with_common_size(added->size, [&](auto size) {
            std::memcpy(cell_at<size()>(along->target->tail_base, added->offset, along->target->tail_rows), value, size());
        });
    }
    State::migrate_bytes(*this, entity, source, at, *along);
    return Outcome::added;
}

[[gnu::noinline]] Store::Outcome Store::State::put_bytes_slowly(Entity entity, Location at, TypeList& list, const void* value, bool replace,
                                                                const char* verb) {
    const Chunk& chunk = store.chunks_[at.chunk()];
    Table& source = chunk.table();
    const Edit edit = store.begin_add({&chunk, at}, list, verb);
    Table& target = *edit.target;
    if (&target == &source) {
        if (replace && value != nullptr) {
            const ColumnAt column = source.find(store.id_of(*list.types[0]));
            const std::uint32_t size = list.types[0]->type->size;
            std::memcpy(chunk.base + column.offset + std::size_t{at.row()} * size, value, size);
            chunk.stamp(column, at.row(), store.tick());
        }
        return Outcome::present;
    }
    if (const Column* column = edit.plan->added) {
        fill_hole(*column, cell_of(target.tail_base, *column, edit.row), static_cast<const std::byte*>(value));
    }
    if ((source.watched | target.watched) != 0) [[unlikely]] return finish_told(entity, edit);
    migrate(entity, source, at, *edit.plan);
    drop_departed(entity, source, at, *edit.plan);
    return Outcome::added;
}

[[gnu::noinline]] Store::Outcome Store::State::finish_told(Entity entity, const Edit& edit) {
    store.changing({entity, edit.source, edit.target});
    store.finish(entity, edit);
    store.changed();
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

bool announce_put(Store& store, Entity entity, const Edit& edit, const Part* parts, std::size_t count, TypeList& list) noexcept {
    const auto is_new = [](const Part& part) { return part.set != nullptr && part.old_slot == SparseSet::none; };
    if (edit.target == edit.source && std::none_of(parts, parts + count, is_new)) return false;
    store.changing({entity, edit.source, edit.target, Change::Sparse::add, &list});
    return true;
}

SparseSet& Store::sparse_set(TypeSlot& slot) { return sparse_set(resolve(*registry_, slot)); }

SparseSet& Store::sparse_set(ComponentId id) {
    if (SparseSet* known = find_sparse(id)) return *known;
    State& state = *state_;
    const auto number = static_cast<std::uint32_t>(id);
    const ComponentType& type = registry_->type(id);
    grow_array(state.pool, sparse_, sparse_count_, state.sparse_capacity, number + 1);
    std::fill(sparse_ + sparse_count_, sparse_ + state.sparse_capacity, nullptr);
    sparse_count_ = state.sparse_capacity;
    state.sparse_sets.reserve(state.pool, state.sparse_sets.size + 1);
    if (type.traits.pooled) state.make_object_pool(id, type);
    if (state.options.keep_removed) state.make_removed_log(id, type);
    auto* set = new SparseSet(id, type, state.sparse_sets.size);
    if (state.is_tracked(id, type)) set->track(tick());  // an empty set needs no memory for it
    state.sparse_sets.push(set);
    sparse_[number] = set;
    if (state.options.keep_removed) state.use_removed_log(id);
    if (state.removed_log(id) != nullptr) set->watch(SparseSet::keeps);
    return *set;
}

void Store::prepare_sparse_slowly(SparseSet& set, std::uint32_t index, std::uint32_t slots) {
    const std::uint32_t page = index >> mask_bits;
    if (page >= mask_count_) {
        auto** larger = static_cast<std::uint64_t**>(::operator new(sizeof(std::uint64_t*) * (page + 1)));
        std::fill_n(std::copy_n(masks_, mask_count_, larger), page + 1 - mask_count_, nullptr);
        ::operator delete(masks_);
        masks_ = larger;
        mask_count_ = page + 1;
    }
    if (masks_[page] == nullptr) {
        masks_[page] = static_cast<std::uint64_t*>(::operator new(sizeof(std::uint64_t) * mask_size));
        std::fill_n(masks_[page], mask_size, std::uint64_t{0});
    }
    set.prepare_slots(slots);
    set.prepare_index(index);
}

void Store::prepare_sparse_many(SparseSet& set, std::uint64_t count) {
    std::uint32_t index = directory_.next_index();
    for (std::uint64_t i = 0; i < count; ++i, index = directory_.index_after(index)) {
        if (!set.ready(index) || i == 0) prepare_sparse_slowly(set, index, static_cast<std::uint32_t>(count));
    }
}

void Store::erase_and_end(SparseSet& set, Entity entity, std::uint32_t slot) noexcept {
    if (set.kept()) return state_->erase_kept(set, entity, slot);
    unlink_sparse(set, entity, slot);
    end_unlinked(set, slot);
}

void Store::end_unlinked(SparseSet& set, std::uint32_t slot) noexcept {
    const Lock lock(*this);
    state_->drop_value(set.type(), set.id(), set.value(slot));
}

bool Store::State::has_sparse_cleanup(Entity entity) const {
    bool any = false;
    each_sparse(entity, [&](SparseSet& set, std::uint32_t) { any |= set.type().traits.cleanup; });
    return any;
}

void Store::State::make_object_pool(ComponentId id, const ComponentType& type) {
    if (object_pool(id) != nullptr) return;
    const auto number = static_cast<std::uint32_t>(id);
    object_pools.reserve(pool, number + 1);
    while (object_pools.size <= number) object_pools.push(nullptr);
    object_pools[number] = new ObjectPool(type);
}

void Store::State::drop_value(const ComponentType& type, ComponentId id, void* value) noexcept {
    if (type.traits.pooled) {
        object_pool(id)->stash(value);
    } else if (type.destroy != nullptr) {
        type.destroy(value, 1);
    }
}

bool Store::take_pooled(ComponentId id, void* to) noexcept {
    ObjectPool* objects = state_->object_pool(id);
    return objects != nullptr && objects->take(to);
}

void Store::reserve(std::uint64_t count) {
    require_unlocked("reserve");
    const std::uint64_t living = directory_.living();
    if (count > living) directory_.prepare(count - living, "reserve");
}

void Store::reserve_rows(TypeList& list, std::uint64_t rows) {
    require_unlocked("reserve");
    Table& table = table_of(list);
    if (rows <= table.rows()) return;
    directory_.prepare(rows - table.rows(), "reserve");
    state_->reserve_rows(table, rows);
    table.kept_chunks = std::max(table.kept_chunks, table.chunk_count);
}

void Store::shrink_to_fit() {
    require_unlocked("shrink_to_fit");
    if (holds_tables()) fail_locked("shrink_to_fit", {});
    State& state = *state_;
    for (ObjectPool* objects : state.object_pools) {
        if (objects != nullptr) objects->clear();
    }
    for (RemovedLog* log : state.removed_logs) {
        if (log != nullptr) log->shrink();
    }
    for (Table* table : state.tables) {
        table->kept_chunks = 0;
        if (table->rows() == 0) {
            state.release_all_chunks(*table);
        } else {
            state.release_spare_chunks(*table, table->tail_index + 1);
        }
    }
    const auto is_doomed = [&](const Table* table) { return table->chunk_count == 0 && table != state.tables[0]; };
    for (Table* table : state.tables) {
        // Open addressing does not forget one entry, so the whole map goes; edges are made again when they are used.
        const EdgeMap& edges = table->edges;
        bool stale = false;
        for (std::uint32_t i = 0; i <= edges.mask; ++i) stale |= edges.slots[i].key != 0 && is_doomed(edges.slots[i].plan->target);
        if (stale) state.free_edges(*table);
    }
    for (std::uint32_t list = 0; list < list_count_; ++list) {
        if (list_tables_[list] != nullptr && is_doomed(list_tables_[list])) list_tables_[list] = nullptr;
    }
    std::uint32_t kept = 1;
    for (std::uint32_t i = 1; i < state.tables.size; ++i) {
        Table& table = *state.tables[i];
        if (is_doomed(&table)) {
            state.destroy_table(table);
        } else {
            state.digests[kept] = table.digest;
            state.tables[kept++] = &table;
        }
    }
    state.tables.size = state.digests.size = kept;
    state.reindex();
    if (listener_ != nullptr) listener_->tables_removed();
    state.pool.trim();
}

}  // namespace stoa::detail

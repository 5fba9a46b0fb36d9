// The store: the verbs of a world without types, over the owners of its data. It works on ids and bytes; the typed
// verbs in spawn.hpp and verbs.hpp build values through a RowDraft, so a call that throws leaves the world as it was.
//
// Invariant: while `locked()`, tables and rows stay as they are. Every structural change checks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/component.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/entity/directory.hpp"
#include "stoa/detail/storage/change_clock.hpp"
#include "stoa/detail/storage/chunk_directory.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/edits.hpp"
#include "stoa/detail/storage/indexed_component.hpp"
#include "stoa/detail/storage/listener.hpp"
#include "stoa/detail/storage/lock.hpp"
#include "stoa/detail/storage/notifier.hpp"
#include "stoa/detail/storage/registry_ref.hpp"
#include "stoa/detail/storage/resources.hpp"
#include "stoa/detail/storage/sparse_sets.hpp"
#include "stoa/detail/storage/table.hpp"
#include "stoa/detail/storage/type_list_tables.hpp"
#include "stoa/error.hpp"
#include "stoa/options.hpp"

namespace stoa {
class World;
}

namespace stoa::detail {

class QueryIndex;
struct WorldCommands;

// The clock has the address of its store, which saves an instruction for each row of a range-for.
class ClockOfStore {
  protected:
    explicit ClockOfStore(std::uint64_t first) : clock_(first) {}

    ChangeClock clock_;
};

class STOA_API Store : ClockOfStore, public StructureLock {
  public:
    explicit Store(const WorldOptions& options);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // What a moved-from world refers to: always empty; every structural verb throws Errc::world_gone.
    static Store& gone();

    // The id of T, or one that no table has: see RegistryRef.
    template <class T>
    ComponentId id_of() const {
        static_assert(is_component<T>());
        return id_of(type_handle<T>);
    }
    ComponentId id_of(TypeHandle& slot) const { return types_.id_of(slot); }
    // Where T is in the chunks of a table; of a const T the offset alone, since nobody stamps what is only read. The
    // number that another registry has cached is beyond all numbers, so one compare tests both.
    template <class T>
    ColumnAt column_of(const ColumnMap& map) const {
        TypeHandle& slot = type_handle<std::remove_const_t<T>>;
        const std::uint64_t at = slot.cached_number.in(types_.key());
        if (at >= map.direct) [[unlikely]]
            return search_column(map, slot);
        if constexpr (std::is_const_v<T>) return {map.entries()[at].offset, 0};
        return map.entries()[at];
    }
    std::uint32_t number_of(TypeList& list) const { return types_.number_of(list); }
    std::uint32_t number_of(CachedNumber& cached_number) const { return types_.number_of(cached_number); }
    const Directory& directory() const { return directory_; }
    Tick tick() const { return clock_.tick(); }
    const ChunkDirectory& chunks() const { return chunks_; }
    const Chunk& chunk(std::uint32_t number) const { return chunks_[number]; }

    // Change tracking.
    ChangeClock& clock() { return clock_; }
    const ChangeClock& clock() const { return clock_; }
    // Keeps ticks of single rows of this component from now on; rows that exist count as changed now. Allowed while
    // locked. Throws std::bad_alloc: then some tables may keep ticks already, and the call may be repeated.
    void track(TypeHandle& slot);
    // The same, and records when the component was last written and who loses it. The result lives as long as the
    // store; whoever reads it counts as one of its readers. Throws std::bad_alloc.
    IndexedComponent& index(TypeHandle& slot);

    // Later rooms.
    Notifier& notifier() { return notifier_; }
    StoreListener* listener() const { return notifier_.listener(); }
    RoomSlot<QueryIndex>& queries() { return queries_; }
    const RoomSlot<QueryIndex>& queries() const { return queries_; }
    RoomSlot<WorldCommands>& commands() { return commands_; }
    StoreLink& link() const { return *link_; }
    std::span<Table* const> tables() const;  // in order of creation
    const std::uint64_t* digests() const;    // of those tables, side by side
    // Frees the chunks of an empty table, if it had no row since the last call; the listener hears of it when it gets
    // rows again. Returns: whether it is dormant now.
    bool make_dormant(Table& table) noexcept;
    World* world() const { return world_; }  // where it is now
    void set_world(World* world) { world_ = world; }
    Registry& registry() const { return types_.registry(); }
    Resources& resources() { return resources_; }
    const Resources& resources() const { return resources_; }

    // Lookup.
    bool alive(Entity entity) const { return directory_.alive(entity); }
    EntityRow locate(Entity entity) const {
        Location at;
        if (!directory_.find(entity, at)) return {};
        const Chunk* chunk = &chunks_[at.chunk()];
        if (chunk == nullptr) __builtin_unreachable();  // so that callers test once
        return {chunk, at};
    }
    EntityRow locate_ghost(Entity entity) const;

    template <class T>
    EntityRow locate_for(Entity entity) const {
        EntityRow place = locate(entity);
        if constexpr (traits<T>.cleanup) {
            if (!place) place = locate_ghost(entity);
        }
        return place;
    }
    template <class T>
    SparseSet* find_sparse() const {
        const std::uint64_t number = type_handle<T>.cached_number.in(types_.key());
        if (number < sparse_sets_.bound()) [[likely]]
            return sparse_sets_[number];
        return search_sparse(type_handle<T>);
    }
    SparseSet* find_sparse(ComponentId id) const { return sparse_sets_.find(id); }

    // Spawning: the table of a list of types, when it is known, has room, and an id is ready; else null.
    [[gnu::always_inline]] Table* ready_table(TypeList& list) {
        Table* table = list_tables_.find(list.cached_number.in(types_.key()));
        if (table == nullptr || locked() || !table->has_room() || !directory_.ready()) [[unlikely]]
            return nullptr;
        return table;
    }
    // The same by force. Throws Errc::locked, Errc::capacity, std::bad_alloc.
    Table& prepare_spawn(TypeList& list);
    Table& table_of(TypeList& list);
    Table* find_table(TypeList& list) const;  // null when there is none yet

    // Gives the row that was built at the tail of `table` to a new entity.
    Entity commit_spawn(Table& table) noexcept {
        const Entity entity = directory_.take(table.next_location());
        enter_row(table, entity);
        return entity;
    }
    Entity next_entity() const { return directory_.next_entity(); }
    // Makes sure that `count` ids can be taken, after user code may have reserved some. Throws as prepare_spawn.
    void ready_ids(std::uint64_t count) {
        if (count != 1 || !directory_.ready()) directory_.prepare(count);
    }
    // Gives the row that was built at the tail of `table` to an id that was reserved. Requires: settled ids.
    void commit_reserved(Table& table, Entity entity) noexcept {
        directory_.use_reserved(entity, table.next_location());
        enter_row(table, entity);
    }

    Directory& ids() { return directory_; }  // to reserve some, and give them back

    BulkPiece piece_of(const Bulk& bulk, std::uint64_t done) const;
    // True when the bytes lie in the one chunk of `table` that growing may replace.
    bool may_move(const Table& table, const void* bytes) const;

    // Migration. Requires: the entity is alive at `place`. Throws Errc::locked, std::bad_alloc, Errc::capacity.
    Edit begin_add(EntityRow place, TypeList& list, const char* verb) {
        Table& source = place.chunk->table();
        Migration* plan = source.migrations().find(migration_key(MigrationKind::add, number_of(list)));
        if (plan == nullptr || locked() || !plan->target->has_room()) [[unlikely]] {
            plan = prepare_add(source, list, verb);
            if (plan == nullptr) return {&source, &source, nullptr, place.at, 0};
        }
        return {&source, plan->target, plan, place.at, plan->target->tail_rows()};
    }
    void finish(Entity entity, Table& source, Migration& along) noexcept;
    // The whole of it for one component in a table whose value is just bytes: adds it if it is missing, else replaces
    // it when told to. A tag has no value.
    enum class Outcome : std::uint8_t { dead, present, added };
    Outcome put_bytes(Entity entity, TypeList& list, const void* value, bool replace, const char* verb);

    // A new entity with the components of `list` and of `more`, each built by one of the parts. Throws as
    // prepare_spawn, and what building throws: then nothing has changed.
    Entity spawn_parts(TypeList& list, TypeList& more, std::span<RowPart> parts);
    // Makes room for `count` more entities with these components, and that many objects for the pools of pooled ones;
    // `parts` are the components of `list`.
    void prewarm(TypeList& list, std::span<const RowPart> parts, std::uint64_t count);

    // Edits without types, for commands. Values leave their places when an edit succeeds; when it throws, they are
    // untouched and the world is as it was. The caller passes what an edit returns to Notifier::notify. Requires: the
    // structure is unlocked, and a component is named once.

    // Gives a reserved id its entity, with these components; `initialize`, if any, runs when they are built.
    PendingNotification spawn_reserved(Entity entity, Table& table, std::span<RowPart> parts,
                                       Initializer* initialize = nullptr);
    // Adds or replaces the components of `list`. Requires: the entity is alive.
    PendingNotification put(Entity entity, TypeList& list, std::span<RowPart> parts);
    // Moves the entity along `plan`, unless that is null, and adds or replaces `parts`. Requires: it is alive.
    PendingNotification edit(Entity entity, Migration* plan, std::span<RowPart> parts);
    // The migration for these effects on entities of `source`; null when they change no set of components.
    Migration* migration_for(Table& source, std::span<const Effect> effects);
    Table& empty_table() const;
    // The verbs of the same name for the first entities of a run, as many as go the same way. Returns: how many; 0 when
    // the first one must go alone.
    std::uint32_t remove_batch(const EntityBatch& run, TypeList& list);
    std::uint32_t despawn_batch(const EntityBatch& run);
    // The same for spawns. Throws as prepare_spawn, and has done nothing then.
    std::uint32_t spawn_batch(const SpawnBatch& run, TypeList& list);

    // Sparse components. A component gets its set when it is first asked for; throws std::bad_alloc.
    SparseSets& sparse_sets() { return sparse_sets_; }
    const SparseSets& sparse_sets() const { return sparse_sets_; }
    SparseSet& sparse_set(TypeHandle& slot);
    SparseSet& sparse_set(ComponentId id);
    // Where the component of a living entity goes that does not have it, when all there is to do is insert_sparse.
    SparseSet::Vacancy vacancy(const SparseSet& set, Entity entity) const {
        if (locked() || !directory_.alive(entity)) [[unlikely]]
            return {};
        return set.vacancy(entity.index());
    }
    void insert_sparse(SparseSet& set, Entity entity) noexcept { sparse_sets_.insert(set, entity, tick()); }
    void insert_sparse(SparseSet& set, SparseSet::Vacancy at, Entity entity) noexcept {
        sparse_sets_.insert(set, at, entity, tick());
    }

    // Puts a recycled object at `to`; false when the pool of the component is empty.
    bool take_pooled(ComponentId id, void* to) noexcept;

    // Whole verbs, the same for all types.
    bool despawn(Entity entity);
    bool remove(Entity entity, TypeList& list);
    bool remove_all(Entity entity);
    Entity clone(Entity entity);
    void copy(Entity from, Entity to);
    void clear();
    void reserve(std::uint64_t entities);
    void reserve_rows(TypeList& list, std::uint64_t rows);
    void shrink_to_fit();

    // The same for all rows of tables; each returns how many entities it changed. Each table is changed wholly or, when
    // memory runs out, not at all. `values` are trivial, one for each type of the list; present ones are kept or
    // replaced.
    std::uint64_t put_rows(std::span<Table* const> tables, TypeList& list, const void* const* values, bool replace,
                           const char* verb);
    std::uint64_t remove_rows(std::span<Table* const> tables, TypeList& list);
    std::uint64_t despawn_rows(std::span<Table* const> tables);

    // Removed values. From keep_removed on, a value that is removed can be read until forget_removed, whatever becomes
    // of its entity; without memory to keep it, it ends at once. Both may be called while locked. keep_removed throws
    // std::bad_alloc.
    void keep_removed(ComponentId id);
    void keep_removed(TypeList& list);  // all or none of them; throws Errc::world_gone
    const void* find_removed(ComponentId id,
                             Entity entity) const noexcept;  // the newest, or null; of a tag, any address
    void forget_removed() noexcept;

    // Introspection.
    ComponentInfo info(TypeHandle& slot) const;
    static ComponentInfo info(ComponentId id, const ComponentType& type);
    std::vector<ComponentInfo> components_of(Entity entity) const;
    void check() const;

    // Sentences. Each says world_gone instead when this is the store of a moved-from world.
    [[noreturn]] void fail_lookup(const char* verb, Entity entity, TypeHandle& slot) const;
    [[noreturn]] void fail_dead(const char* verb, Entity entity, std::string_view component = {}) const;
    [[noreturn]] void fail_locked(const char* verb, std::string_view component) const;
    [[noreturn]] void fail_lengths() const;
    void require_world(const char* verb) const;
    void require_unlocked(const char* verb, std::string_view component = {}) const {
        if (locked()) [[unlikely]]
            fail_locked(verb, component);
    }

    struct State;  // what no inline path needs; src/storage/store_state.hpp
    const State& state() const { return *state_; }

  private:
    friend class RowDraft;
    friend class BulkDraft;

    void enter_row(Table& table, Entity entity) noexcept {
        table.append(entity, tick());
        if (table.is_tracked()) [[unlikely]]
            stamp_last_row(table);
    }
    void use_removed(ComponentId id) noexcept;
    [[gnu::pure]] SparseSet* search_sparse(TypeHandle& slot) const noexcept;
    [[gnu::pure]] ColumnAt search_column(const ColumnMap& map, TypeHandle& slot) const noexcept;
    Migration* prepare_add(Table& source, TypeList& list, const char* verb);  // null when nothing is missing
    void stamp_last_row(const Table& table) noexcept;

    ChunkDirectory chunks_;
    Directory directory_;
    RegistryRef types_;
    TypeListTables list_tables_;
    State* state_;
    SparseSets sparse_sets_;
    Notifier notifier_;
    RoomSlot<QueryIndex> queries_;
    RoomSlot<WorldCommands> commands_;
    World* world_ = nullptr;
    StoreLink* link_;
    Resources resources_;
};

}  // namespace stoa::detail

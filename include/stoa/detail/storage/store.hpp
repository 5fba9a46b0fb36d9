// The store: the owners of the data of one world, and the verbs that need several of them. It works on ids and bytes.
// The typed verbs in spawn.hpp and verbs.hpp construct values through a RowDraft, so a call that throws leaves the
// world as it was. What is built from these verbs takes a Store: capacity.hpp, copy_entity.hpp, introspection.hpp,
// keep_removed.hpp, spawn_parts.hpp, track.hpp, whole_tables.hpp, and for commands batches.hpp and command_edits.hpp in
// src/storage.
//
// Invariant: while `locked()`, tables and rows stay as they are. Every structural change checks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stoa/component.hpp"
#include "stoa/detail/component/library_uses.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/entity/directory.hpp"
#include "stoa/detail/storage/change_clock.hpp"
#include "stoa/detail/storage/chunk_directory.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/edits.hpp"
#include "stoa/detail/storage/listener.hpp"
#include "stoa/detail/storage/lock.hpp"
#include "stoa/detail/storage/notifier.hpp"
#include "stoa/detail/storage/registry_ref.hpp"
#include "stoa/detail/storage/resources.hpp"
#include "stoa/detail/storage/sparse_sets.hpp"
#include "stoa/detail/storage/store_errors.hpp"
#include "stoa/detail/storage/table.hpp"
#include "stoa/detail/storage/type_list_tables.hpp"
#include "stoa/options.hpp"

namespace stoa {
class World;
}

namespace stoa::detail {

class QueryIndex;
class MessageQueue;
class MessageQueues;
struct WorldCommands;

// The message queues of a world, by resource id, so that sending finds them inline.
struct MessageTable {
    MessageQueue** queues = nullptr;
    std::uint64_t count = 0;
};

// What later rooms attach to a store. Each is null until its room needs it.
struct RoomSlots {
    RoomSlot<QueryIndex> queries;
    RoomSlot<WorldCommands> commands;
    RoomSlot<MessageQueues> messages;
    MessageTable message_table;
};

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
        if constexpr (std::is_const_v<T>) return {map.entries()[at].offset, TickIndex::arrivals};
        return map.entries()[at];
    }

    // Owners.
    const RegistryRef& types() const { return types_; }
    Directory& directory() { return directory_; }
    const Directory& directory() const { return directory_; }
    ChunkDirectory& chunks() { return chunks_; }
    const ChunkDirectory& chunks() const { return chunks_; }
    std::span<Table* const> tables() const;  // in order of creation
    SparseSets& sparse_sets() { return sparse_sets_; }
    const SparseSets& sparse_sets() const { return sparse_sets_; }
    ChangeClock& clock() { return clock_; }
    const ChangeClock& clock() const { return clock_; }
    Tick tick() const { return clock_.tick(); }
    Notifier& notifier() { return notifier_; }
    const Notifier& notifier() const { return notifier_; }
    Resources& resources() { return resources_; }
    const Resources& resources() const { return resources_; }
    struct State;  // the owners that no inline path needs; src/storage/store_state.hpp
    State& state() { return *state_; }
    const State& state() const { return *state_; }

    // Later rooms.
    RoomSlots& rooms() { return rooms_; }
    const RoomSlots& rooms() const { return rooms_; }
    StoreLink& link() const { return *link_; }
    World* world() const { return world_; }  // where it is now
    void set_world(World* world) { world_ = world; }

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
    // Migration. Requires: the entity is alive at `place`. Throws Errc::locked, std::bad_alloc, Errc::capacity.
    Edit begin_add(EntityRow place, TypeList& list, const char* verb) {
        Table& source = place.chunk->table();
        Migration* migration = source.migrations().find(migration_key(MigrationKind::add, types_.number_of(list)));
        if (migration == nullptr || locked() || !migration->target->has_room()) [[unlikely]] {
            migration = prepare_add(source, list, verb);
            if (migration == nullptr) return {&source, &source, nullptr, place.at, 0};
        }
        return {&source, migration->target, migration, place.at, migration->target->tail_rows()};
    }
    // The whole of it for one component in a table whose value is just bytes: adds it if it is missing, else replaces
    // it when told to. A tag has no value.
    enum class Outcome : std::uint8_t { dead, present, added };
    Outcome put_bytes(Entity entity, TypeList& list, const void* value, bool replace, const char* verb);

    // Sparse components. A component gets its set when it is first asked for; throws std::bad_alloc.
    SparseSet& sparse_set(TypeHandle& slot);
    SparseSet& sparse_set(ComponentId id);

    // Whole verbs, the same for all types.
    bool despawn(Entity entity);
    bool remove(Entity entity, TypeList& list);
    bool remove_all(Entity entity);
    void clear();

    // Throws Errc::locked; Errc::world_gone for a world that was moved from.
    void require_unlocked(const char* verb, std::string_view component = {}) const {
        if (locked()) [[unlikely]]
            fail_locked(*this, verb, component);
    }

  private:
    friend class RowDraft;

    void enter_row(Table& table, Entity entity) noexcept {
        table.append(entity, tick());
        if (table.is_tracked()) [[unlikely]]
            stamp_last_row(table);
    }
    [[gnu::pure]] SparseSet* search_sparse(TypeHandle& slot) const noexcept;
    [[gnu::pure]] ColumnAt search_column(const ColumnMap& map, TypeHandle& slot) const noexcept;
    Migration* prepare_add(Table& source, TypeList& list, const char* verb);  // null when nothing is missing
    void stamp_last_row(const Table& table) noexcept;

    ChunkDirectory chunks_;
    Directory directory_;
    RegistryRef types_;
    LibraryUses libraries_;  // before all that has descriptions, so that they are loaded until the end
    TypeListTables list_tables_;
    State* state_;
    SparseSets sparse_sets_;
    Notifier notifier_;
    RoomSlots rooms_;
    World* world_ = nullptr;
    StoreLink* link_;
    Resources resources_;
};

}  // namespace stoa::detail

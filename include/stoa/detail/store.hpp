// The store: structure changes through it. It works on ids and bytes; the typed verbs in verbs.hpp build values in the
// places that it hands out in tables and sparse sets. A change has two halves: begin_… checks, allocates and may
// throw; then the caller builds values, which may throw too; then a noexcept half makes it all visible. So a call that
// throws leaves the world as it was.
//
// Invariant: while `locked()`, tables and rows stay as they are. Every structural change checks it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/component.hpp"
#include "stoa/detail/column.hpp"
#include "stoa/detail/component_ops.hpp"
#include "stoa/detail/directory.hpp"
#include "stoa/detail/edits.hpp"
#include "stoa/detail/followed.hpp"
#include "stoa/detail/listener.hpp"
#include "stoa/detail/lock.hpp"
#include "stoa/detail/resources.hpp"
#include "stoa/detail/sparse_set.hpp"
#include "stoa/detail/table.hpp"
#include "stoa/detail/writing.hpp"
#include "stoa/error.hpp"
#include "stoa/options.hpp"

namespace stoa {
class World;
}

namespace stoa::detail {

class STOA_API Store : public StructureLock {
  public:
    explicit Store(const WorldOptions& options);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // What a moved-from world refers to: empty for ever, every structural verb throws Errc::world_gone.
    static Store& gone();

    // The id of T, or one that no table has when T was never used and there is no memory to note it: questions never
    // fail. An ordinary call costs a load, a subtraction and a compare.
    template <class T>
    ComponentId id_of() const {
        static_assert(is_component<T>());
        return id_of(type_slot<T>);
    }
    ComponentId id_of(TypeSlot& slot) const {
        const std::uint64_t number = slot.ticket.number(registry_key_);
        if (number < Ticket::limit) [[likely]] return ComponentId{static_cast<std::uint32_t>(number)};
        return resolve_or_none(*registry_, slot);
    }
    // Where T is in the chunks of a table; of a const T the offset alone, since nobody stamps what is only read. The ticket of another
    // registry is beyond all numbers, so one compare tests both.
    template <class T>
    ColumnAt column_of(const ColumnMap& map) const {
        TypeSlot& slot = type_slot<std::remove_const_t<T>>;
        const std::uint64_t at = slot.ticket.number(registry_key_);
        if (at >= map.direct) [[unlikely]] return search_column(map, slot);
        if constexpr (std::is_const_v<T>) return {map.entries()[at].offset, 0};
        return map.entries()[at];
    }
    std::uint32_t number_of(TypeList& list) const { return number_of(list.ticket); }
    std::uint32_t number_of(Ticket& ticket) const {
        const std::uint64_t number = ticket.number(registry_key_);
        if (number < Ticket::limit) [[likely]] return static_cast<std::uint32_t>(number);
        return resolve(*registry_, ticket);
    }
    const Directory& directory() const { return directory_; }
    Tick tick() const { return static_cast<Tick>(tick_); }
    const Chunk& chunk(std::uint32_t number) const { return chunks_[number]; }

    // Change tracking. A moment is the full counter that ticks are the lower half of.
    [[gnu::always_inline]] std::uint64_t moment() const { return writing.store == this ? writing.moment : tick_; }
    // The tick that a walk on this thread writes and reads with.
    [[gnu::always_inline]] Tick walking_tick() const { return static_cast<Tick>(moment()); }
    Since since(std::uint64_t past) const {
        const std::uint64_t now = moment();
        return {static_cast<Tick>(now), now - past < Since::everything ? static_cast<Age>(now - past) : Since::everything};
    }
    // What is written from now on is told from what was written before; in a system, as long as it has moments left. Cost: O(1);
    // every 2^29th time O(rows tracked).
    void advance_tick() {
        if (writing.store == this) {
            ++writing.looks;
            if (writing.moment != writing.last) ++writing.moment;
            return;
        }
        advance_ticks(1);
    }
    // Returns: the last moment at which nobody writes any more on this thread. A system that has no moments left goes on in its last
    // one, so who asks what changed since then is told some of it again.
    std::uint64_t pass_moment() {
        const std::uint64_t now = moment();
        advance_tick();
        return moment() != now ? now : now - 1;
    }
    void advance_ticks(std::uint64_t by) {
        const std::uint64_t before = tick_;
        tick_ += by;
        if ((before ^ tick_) >= sweep_interval) [[unlikely]] sweep_ticks();
    }
    // Keeps ticks of single rows of this component from now on; rows that exist count as changed now. Allowed while locked.
    // Throws std::bad_alloc: then some tables may keep ticks already, and the call may be repeated.
    void track(TypeSlot& slot);
    // The same, and notes when the component was last written and who loses it. The result lives as long as the store; whoever
    // reads it counts as one of its readers. Throws std::bad_alloc.
    Followed& follow(TypeSlot& slot);
    // The longest time between two walks of one reader, in ticks: bits of rows that changed longer ago are dropped.
    Age reader_window() const { return __atomic_load_n(&reader_window_, __ATOMIC_RELAXED); }
    // The oldest stamp whose bit must stay, after a walk.
    Tick oldest_asked_for(Since since) const { return since.now - static_cast<Tick>(reader_window()) + 1; }
    void note_reader(Since since) {
        if (since.age != Since::everything && since.age > reader_window()) __atomic_store_n(&reader_window_, since.age, __ATOMIC_RELAXED);
    }

    // Later rooms.
    StoreListener* listener() const { return listener_; }
    void set_listener(StoreListener* listener) { listener_ = listener; }  // owned from now on
    StoreLink& link() const { return *link_; }
    std::span<Table* const> tables() const;  // in order of creation
    const std::uint64_t* digests() const;    // of those tables, side by side
    // Frees the chunks of an empty table, if it had no row since the last time it was asked; the listener hears of it when it
    // gets rows again. Returns: whether it sleeps now.
    bool put_to_sleep(Table& table) noexcept;
    Attachment* attachment() const { return attachment_; }
    void set_attachment(Attachment* attachment) { attachment_ = attachment; }  // owned from now on
    World* world() const { return world_; }  // where it is now
    void set_world(World* world) { world_ = world; }
    Registry& registry() const { return *registry_; }
    Resources& resources() { return resources_; }
    const Resources& resources() const { return resources_; }

    // Lookup.
    bool alive(Entity entity) const { return directory_.alive(entity); }
    Place locate(Entity entity) const {
        Location at;
        if (!directory_.find(entity, at)) return {};
        const Chunk* chunk = &chunks_[at.chunk()];
        if (chunk == nullptr) __builtin_unreachable();  // so that callers test once
        return {chunk, at};
    }
    Place locate_ghost(Entity entity) const;

    template <class T>
    Place locate_for(Entity entity) const {
        Place place = locate(entity);
        if constexpr (traits<T>.cleanup) {
            if (!place) place = locate_ghost(entity);
        }
        return place;
    }
    template <class T>
    SparseSet* find_sparse() const {
        const std::uint64_t number = type_slot<T>.ticket.number(registry_key_);
        if (number < sparse_count_) [[likely]] return sparse_[number];
        return search_sparse(type_slot<T>);
    }
    SparseSet* find_sparse(ComponentId id) const {
        const auto number = static_cast<std::uint32_t>(id);
        return number < sparse_count_ ? sparse_[number] : nullptr;
    }

    // Spawning: the table of a list of types, when it is known, has room, and an id is ready; else null.
    [[gnu::always_inline]] Table* ready_table(TypeList& list) {
        const std::uint64_t number = list.ticket.number(registry_key_);
        if (number >= list_count_ || locked()) [[unlikely]] return nullptr;
        Table* table = list_tables_[number];
        if (table == nullptr || !table->has_room() || !directory_.ready()) [[unlikely]] return nullptr;
        return table;
    }
    // The same by force. Throws Errc::locked, Errc::capacity, std::bad_alloc.
    Table& prepare_spawn(TypeList& list);
    Table& table_of(TypeList& list);
    Table* find_table(TypeList& list) const;  // null when there is none yet

    // Gives the row that was built at the tail of `table` to a new entity.
    Entity commit_spawn(Table& table) noexcept {
        const Entity entity = directory_.take(Location::of(table.tail_number, table.tail_rows));
        enter_row(table, entity);
        return entity;
    }
    Entity next_entity() const { return directory_.next_entity(); }
    // Makes sure that `count` ids can be taken, after code of the user may have reserved some. Throws as prepare_spawn.
    void ready_ids(std::uint64_t count) {
        if (count != 1 || !directory_.ready()) directory_.prepare(count);
    }
    // Gives the row that was built at the tail of `table` to an id that was reserved. Requires: settled ids.
    void commit_reserved(Table& table, Entity entity) noexcept {
        directory_.use_reserved(entity, Location::of(table.tail_number, table.tail_rows));
        enter_row(table, entity);
    }

    Directory& ids() { return directory_; }  // to reserve some, and give them back

    Bulk begin_bulk(TypeList& list, std::uint64_t count);
    Run run_of(const Bulk& bulk, std::uint64_t done) const;
    void commit_bulk(const Bulk& bulk, Entity* out) noexcept;
    // True when the bytes lie in the one chunk of `table` that growing may replace.
    bool may_move(const Table& table, const void* bytes) const;

    // Migration. Requires: the entity is alive at `place`. Throws Errc::locked, std::bad_alloc, Errc::capacity.
    Edit begin_add(Place place, TypeList& list, const char* verb) {
        Table& source = place.chunk->table();
        Plan* plan = source.edges.find(edge_key(EdgeKind::add, number_of(list)));
        if (plan == nullptr || locked() || !plan->target->has_room()) [[unlikely]] {
            plan = prepare_add(source, list, verb);
            if (plan == nullptr) return {&source, &source, nullptr, place.at, 0};
        }
        return {&source, plan->target, plan, place.at, plan->target->tail_rows};
    }
    void finish(Entity entity, const Edit& edit) noexcept;
    // The whole of it for one component in a table whose value is just bytes: adds it if it is missing, else replaces it
    // when told to. A tag has no value.
    enum class Outcome : std::uint8_t { dead, present, added };
    Outcome put_bytes(Entity entity, TypeList& list, const void* value, bool replace, const char* verb);

    // A new entity with the components of `list` and of `more`, each built by one of the parts. Throws as prepare_spawn, and what
    // building throws: then nothing has changed.
    Entity spawn_parts(TypeList& list, TypeList& more, std::span<SpawnPart> parts);
    // Makes room for `count` more entities with these components, and that many objects for the pools of pooled ones; `parts`
    // are the components of `list`.
    void prewarm(TypeList& list, std::span<const SpawnPart> parts, std::uint64_t count);

    // Edits without types, for commands. Values leave their places when an edit succeeds; when it throws, they are
    // untouched and the world is as it was. The caller passes what an edit returns to `notify`. Requires: the structure
    // is unlocked, and a component is named once.

    // Gives a reserved id its entity, with these components; `initialize`, if any, runs when they are built.
    PendingNotification spawn_reserved(Entity entity, Table& table, std::span<Incoming> parts,
                                       Initializer* initialize = nullptr);
    // Adds or replaces the components of `list`. Requires: the entity is alive.
    PendingNotification put(Entity entity, TypeList& list, std::span<Incoming> parts);
    // Moves the entity along `plan`, unless that is null, and adds or replaces `parts`. Requires: it is alive.
    PendingNotification edit(Entity entity, Plan* plan, std::span<Incoming> parts);
    // Calls the observers of a change that was made. Throws what a callback throws; the change stands.
    void notify(const PendingNotification& change);
    // The plan for these effects on entities of `source`; null when they change no set of components.
    Plan* plan_for(Table& source, std::span<const Effect> effects);
    Table& empty_table() const;
    // The verbs of the same name for the first entities of a run, as many as go the same way. Returns: how many; 0 when the
    // first one must go alone.
    std::uint32_t remove_run(const RunOfEntities& run, TypeList& list);
    std::uint32_t despawn_run(const RunOfEntities& run);
    // The same for spawns. Throws as prepare_spawn, and has done nothing then.
    std::uint32_t spawn_run(const RunOfSpawns& run, TypeList& list);

    // Sparse components. prepare_sparse makes insert_sparse possible for an entity with this index.
    SparseSet& sparse_set(TypeSlot& slot);
    SparseSet& sparse_set(ComponentId id);
    void prepare_sparse(SparseSet& set, std::uint32_t index) {
        if (!set.ready(index)) [[unlikely]] prepare_sparse_slowly(set, index, 1);
    }
    // Where the component of a living entity goes that does not have it, when all there is to do is insert_sparse.
    SparseSet::Vacancy vacancy(const SparseSet& set, Entity entity) const {
        if (locked() || !directory_.alive(entity)) [[unlikely]] return {};
        return set.vacancy(entity.index());
    }
    void prepare_sparse_many(SparseSet& set, std::uint64_t count);  // for the next `count` ids of the directory
    void insert_sparse(SparseSet& set, Entity entity) noexcept {
        set.insert(entity, tick());
        mask(entity.index()) |= set.mask_bit();
    }
    void insert_sparse(SparseSet& set, SparseSet::Vacancy at, Entity entity) noexcept {
        set.insert(at, entity, tick());
        mask(entity.index()) |= set.mask_bit();
    }
    // Removal has two halves, so that the destructor of a value does not find it any more.
    void unlink_sparse(SparseSet& set, Entity entity, std::uint32_t slot) noexcept {
        clear_mask(set, entity);
        set.erase(entity, slot);
    }
    void end_unlinked(SparseSet& set, std::uint32_t slot) noexcept;
    void erase_sparse(SparseSet& set, Entity entity, std::uint32_t slot) noexcept {
        if (set.ends_values()) [[unlikely]] return erase_and_end(set, entity, slot);
        unlink_sparse(set, entity, slot);
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
    // memory runs out, not at all. `values` are trivial, one for each type of the list; present ones are kept or replaced.
    std::uint64_t put_rows(std::span<Table* const> tables, TypeList& list, const void* const* values, bool replace, const char* verb);
    std::uint64_t remove_rows(std::span<Table* const> tables, TypeList& list);
    std::uint64_t despawn_rows(std::span<Table* const> tables);

    // True when there may be watched tables.
    bool is_watched() const { return is_observed_ || keeps_removed_; }
    void set_observed(bool observed) { is_observed_ = observed; }
    // Tells of changes in watched tables: the first call before the change, the second one after it. Only what does change
    // is told, so that nobody is told of a change inside another one: the structure is locked there.
    void changing(const Change& change) noexcept;
    void changed();
    Entity tell_spawn(Entity entity, const Table& table);  // returns the entity, so that callers end with this call
    void tell_spawns(const Bulk& bulk);

    // Removed values. From keep_removed on, a value that is removed can be read until forget_removed, whatever becomes of its
    // entity; without memory to keep it, it ends at once. Both may be called while locked. keep_removed throws std::bad_alloc.
    void keep_removed(ComponentId id);
    void keep_removed(TypeList& list);  // all or none of them; throws Errc::world_gone
    const void* find_removed(ComponentId id, Entity entity) const noexcept;  // the newest, or null; of a tag, any address
    void forget_removed() noexcept;

    // Introspection.
    ComponentInfo info(TypeSlot& slot) const;
    static ComponentInfo info(ComponentId id, const ComponentType& type);
    std::vector<ComponentInfo> components_of(Entity entity) const;
    void check() const;

    // Sentences. Each says world_gone instead when this is the store of a moved-from world.
    [[noreturn]] void fail_lookup(const char* verb, Entity entity, TypeSlot& slot) const;
    [[noreturn]] void fail_dead(const char* verb, Entity entity, std::string_view component = {}) const;
    [[noreturn]] void fail_locked(const char* verb, std::string_view component) const;
    [[noreturn]] void fail_lengths() const;
    void require_world(const char* verb) const;
    void require_unlocked(const char* verb, std::string_view component = {}) const {
        if (locked()) [[unlikely]] fail_locked(verb, component);
    }

    struct State;  // what no inline path needs; src/storage/state.hpp
    const State& state() const { return *state_; }

  private:
    static constexpr std::uint64_t sweep_interval = oldest_age / 2;
    static constexpr std::uint32_t mask_bits = 12;
    static constexpr std::uint32_t mask_size = 1u << mask_bits;

    // Which sparse sets an entity is in, so that despawn costs what the entity has. Where a set is ready for an index, its mask is.
    std::uint64_t& mask(std::uint32_t index) const { return masks_[index >> mask_bits][index & (mask_size - 1)]; }
    bool mask_ready(std::uint32_t index) const {
        return (index >> mask_bits) < mask_count_ && masks_[index >> mask_bits] != nullptr;
    }
    void enter_row(Table& table, Entity entity) noexcept {
        entities(table.tail_base)[table.tail_rows] = entity;
        table.tail_ticks[0] = tick();
        if (table.tracked_count != 0) [[unlikely]] stamp_arrivals(table, table.tail_number, table.tail_rows, 1);
        ++table.tail_rows;
    }
    void clear_mask(const SparseSet& set, Entity entity) noexcept {
        if (set.mask_bit() != SparseSet::shared_bit) mask(entity.index()) &= ~set.mask_bit();
    }
    void erase_and_end(SparseSet& set, Entity entity, std::uint32_t slot) noexcept;
    [[gnu::pure]] SparseSet* search_sparse(TypeSlot& slot) const noexcept;
    [[gnu::pure]] ColumnAt search_column(const ColumnMap& map, TypeSlot& slot) const noexcept;
    Plan* prepare_add(Table& source, TypeList& list, const char* verb);  // null when nothing is missing
    void stamp_arrivals(const Table& table, std::uint32_t chunk, std::uint32_t row, std::uint32_t count) noexcept;
    void sweep_ticks() noexcept;
    void prepare_sparse_slowly(SparseSet& set, std::uint32_t index, std::uint32_t slots);

    Chunk* chunks_ = nullptr;
    Directory directory_;
    Registry* registry_;
    std::uint64_t registry_key_;
    Table** list_tables_ = nullptr;
    std::uint32_t list_count_ = 0;
    Age reader_window_ = 0;
    bool is_observed_ = false;
    bool keeps_removed_ = false;
    std::uint64_t tick_;
    std::uint32_t sparse_count_ = 0;
    SparseSet** sparse_ = nullptr;
    std::uint64_t** masks_ = nullptr;
    std::uint32_t mask_count_ = 0;
    State* state_;
    StoreListener* listener_ = nullptr;
    Attachment* attachment_ = nullptr;
    World* world_ = nullptr;
    StoreLink* link_;
    Resources resources_;
};

}  // namespace stoa::detail

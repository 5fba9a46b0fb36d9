// A World holds entities with their components, and resources. Entities are rows, components are columns.
//
// Two rules run through the interface. `const T` reads, `T` writes. And there are two kinds of calls: questions (alive,
// has, find, and verbs that return whether something happened) never throw for a dead entity or an absent component,
// they return false or null; demands throw stoa::Error, and then the world is as it was.
//
// Unless a contract says otherwise:
//   Throws: a structural change also throws what a callback throws, see subscription.hpp; then the change stays.
//   Invalidates: a structural change (a spawn, a despawn, a component added or removed) invalidates references to
//   components in tables, and iterators of queries. While a query is walked the structure is locked, and a structural
//   change throws Errc::locked.
//   Complexity: O(components named).
//   Threads: const calls may run concurrently while no thread writes. All other calls need exclusive access to the
//   world.
//
// What is inherited: the components of one entity (add, set, get, find, ...) in world_components.hpp, resources in
// world_resources.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>  // for std::string; <string> costs users more
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/commands.hpp"
#include "stoa/component.hpp"
#include "stoa/detail/base/config.hpp"
#include "stoa/detail/message/message_queues.hpp"
#include "stoa/detail/storage/bulk.hpp"
#include "stoa/detail/storage/capacity.hpp"
#include "stoa/detail/storage/copy_entity.hpp"
#include "stoa/detail/storage/despawn_many.hpp"
#include "stoa/detail/storage/introspection.hpp"
#include "stoa/detail/storage/store_of.hpp"
#include "stoa/entity.hpp"
#include "stoa/entity_ref.hpp"
#include "stoa/error.hpp"
#include "stoa/family.hpp"
#include "stoa/options.hpp"
#include "stoa/query.hpp"
#include "stoa/read_query.hpp"
#include "stoa/stats.hpp"
#include "stoa/table_ref.hpp"
#include "stoa/world_components.hpp"
#include "stoa/world_resources.hpp"

namespace stoa {

class STOA_API World : public WorldComponents<World>, public WorldResources<World> {
  public:
    /// Throws: std::bad_alloc.
    explicit World(const WorldOptions& options = {});
    /// Effects: destroys components, then commands that were not flushed, then messages, then resources in reverse
    /// order of insertion. Calls no callbacks. Handles that may outlive a world say so in their headers.
    ~World();

    /// Effects: queries, buffers and other handles follow the content to the new object. The moved-from world stays
    /// empty: questions answer accordingly, and every call that would change it throws Errc::world_gone.
    World(World&& other) noexcept;
    /// Effects: destroys the content of this world as the destructor does, then as move construction.
    World& operator=(World&& other) noexcept;

    // Entities.

    /// Effects: makes an entity with these components.
    /// Returns: its handle.
    /// Throws: Errc::capacity, Errc::locked, std::bad_alloc, or what a constructor throws; then nothing has changed.
    template <class... Ts>
    Entity spawn(Ts&&... values)
        requires(sizeof...(Ts) > 0)
    {
        return detail::spawn<std::decay_t<Ts>...>(*store_, std::forward<Ts>(values)...);
    }
    /// The same with default-constructed components; spawn() makes an entity without components.
    template <class... Ts>
    Entity spawn() {
        static_assert(detail::are_components<Ts...>());
        static_assert((detail::is_default_built<Ts>() && ... && true));
        return detail::spawn<Ts...>(*store_, detail::default_for<Ts>()...);
    }

    /// Effects: makes `count` entities with copies of the values; all of them or none.
    /// Throws: as spawn.
    /// Complexity: O(count * components).
    template <class... Ts>
    void spawn_many(std::size_t count, const Ts&... values) {
        detail::spawn_bulk<Ts...>(*store_, count, nullptr,
                                  detail::Repeated<Ts>{detail::taken<const Ts&>(*store_, values)}...);
    }
    /// The same for ids.size() entities; `ids` receives the handles in row order.
    template <class... Ts>
    void spawn_many(std::span<Entity> ids, const Ts&... values) {
        detail::spawn_bulk<Ts...>(*store_, ids.size(), ids.data(),
                                  detail::Repeated<Ts>{detail::taken<const Ts&>(*store_, values)}...);
    }
    /// The same from columns: a std::span has element i for entity i; any other value, also a tag, is for all of them.
    /// A std::vector does not compile, because it could be meant either way.
    /// Throws: also Errc::conflict when the lengths differ.
    template <class... Columns>
    void spawn_columns(std::span<Entity> ids, Columns&&... columns) {
        if (((detail::length_of(columns, ids.size()) != ids.size()) || ...)) fail_lengths(*store_);
        detail::spawn_columns(*store_, ids, detail::column_from(*store_, std::forward<Columns>(columns))...);
    }

    /// Effects: removes the entity and its components. Cleanup components stay behind, on a ghost.
    /// Returns: whether it was alive.
    /// Throws: Errc::locked. Never for lack of memory.
    /// Complexity: O(components of the entity).
    bool despawn(Entity entity) { return store_->despawn(entity); }

    /// Effects: despawns these entities, in an order that depends on their tables. Dead ones and repetitions are left
    /// out.
    /// Returns: how many were alive.
    /// Throws: Errc::locked. Never for lack of memory.
    std::size_t despawn_many(std::span<const Entity> entities) { return detail::despawn_many(*store_, entities); }

    /// Returns: whether the handle names an entity that has not been despawned; false for a ghost.
    bool alive(Entity entity) const noexcept { return store_->alive(entity); }

    /// Returns: the number of living entities, without ghosts.
    std::size_t size() const noexcept { return static_cast<std::size_t>(store_->directory().living()); }

    /// Effects: despawns everything, ghosts too. Keeps resources, messages, and the memory for reuse.
    /// Throws: Errc::locked.
    void clear() { store_->clear(); }

    /// Effects: makes room for `count` entities in all; with types, also for `count` rows of their table.
    /// Throws: Errc::capacity, Errc::locked, std::bad_alloc.
    /// Invalidates: as a structural change.
    template <class... Ts>
    void reserve(std::size_t count) {
        if constexpr (sizeof...(Ts) == 0) {
            detail::reserve(*store_, count);
        } else {
            static_assert(detail::are_components<Ts...>());
            reserve_rows(*store_, detail::FullListOf<Ts...>::list, count);
        }
    }

    /// Effects: frees empty tables, spare chunks, pooled objects and memory without messages.
    /// Throws: Errc::locked.
    /// Complexity: O(tables).
    void shrink_to_fit() {
        detail::shrink_to_fit(*store_);
        shrink_messages(*store_);
    }

    /// Effects: makes an entity with copies of all components of `entity` except cleanup components.
    /// Returns: its handle.
    /// Throws: Errc::dead_entity, Errc::not_copyable, and as spawn.
    /// Complexity: O(components of the entity).
    Entity clone(Entity entity) { return clone_entity(*store_, entity); }

    /// Effects: gives `to` copies of those components, added or overwritten. Other components of `to` stay. Nothing if
    /// `from` and `to` are the same.
    /// Throws: as clone, Errc::dead_entity for either; Errc::locked only when a component is missing.
    /// Complexity: O(components of both).
    void copy(Entity from, Entity to) { copy_components(*store_, from, to); }

    /// Returns: a view of one entity for chained calls. It must not outlive the world.
    EntityRef entity(Entity entity) noexcept { return detail::EntityRefAccess::make(*store_, entity); }

    /// Effects: creates the table with exactly these components, unless it exists or the structure is locked. Walks
    /// visit tables in order of creation.
    /// Returns: a view of it. It must not outlive the world.
    /// Throws: std::bad_alloc.
    template <class... Ts>
    TableRef<Ts...> table() {
        return TableRef<Ts...>(*store_);
    }

    /// Returns: a query of these terms, see query.hpp. Equal queries share what they match.
    /// Throws: std::bad_alloc, Errc::world_gone; with Changed or Added, also Errc::locked inside a constructor that
    /// runs because a table grows.
    /// Complexity: O(tables) for the first query of its kind, O(terms) after that.
    template <class... Terms>
    Query<Terms...> query() {
        return detail::QueryAccess::make<Query<Terms...>>(*store_);
    }
    /// Returns: a query that only reads, see read_query.hpp. Its terms are `const T`, `Maybe<const T>`, tags and
    /// filters.
    /// Throws: std::bad_alloc, Errc::world_gone.
    /// Complexity: as query().
    /// Threads: safe beside other readers of the world.
    template <class... Terms>
    ReadQuery<Terms...> query() const {
        return detail::QueryAccess::make<ReadQuery<Terms...>>(*store_);
    }

    // Frames.

    /// Effects: sends a message to all readers of its type, see messages.hpp. It is no structural change, and allowed
    /// while the structure is locked.
    /// Throws: Errc::world_gone; Errc::conflict inside par_each; Errc::locked inside the construction of a message of
    /// this type; std::bad_alloc, and what the constructor of the message throws. Then nothing was sent.
    /// Invalidates: nothing.
    /// Complexity: O(1).
    template <class T>
    void send(T&& message) {
        detail::send(*store_, std::forward<T>(message));
    }

    /// Returns: the world's own buffer of recorded edits, see commands.hpp. Its address stays the same while the world
    /// lives, also when the world moves.
    Commands& commands();

    /// Effects: applies the commands in that buffer.
    /// Throws: as Commands::flush.
    FlushReport flush() { return commands().flush(); }

    /// Effects: ends a frame: flushes, destroys kept removed values, drops messages as messages.hpp says, and begins
    /// the next tick.
    /// Throws: as flush.
    /// Invalidates: results of find_removed, and references to messages.
    void end_frame();

    // Plug-ins.

    /// Effects: forgets the component, resource and message types that the shared library with this address was the
    /// first to use: their empty tables, queries and recycled objects. When all worlds that have used them have
    /// forgotten them or ended, Stoa no longer keeps the library loaded. The library can go on; its types are then as
    /// if they were new.
    /// Throws: Errc::conflict, which names what is left: values, removed values, resources, messages and their readers,
    /// queries, subscriptions, watches, caches, indexes, prefabs, commands in commands(), systems and conditions of
    /// these types, or with code of the library. Errc::unknown_name when no library contains the address; Errc::locked,
    /// Errc::world_gone, std::bad_alloc. Then nothing was forgotten.
    /// Invalidates: as shrink_to_fit, and names and descriptions of these types.
    /// Complexity: O(components in the program * tables).
    /// Threads: also, no other thread may run code of the library or use its types in any world.
    void forget_types(const void* address);

    // Introspection.

    /// Returns: the description of T.
    template <class T>
    ComponentInfo component() const {
        static_assert(detail::is_component<T>());
        return component_info(*store_, detail::type_handle<T>);
    }
    /// Returns: the descriptions of what the entity has; empty for a dead one.
    std::vector<ComponentInfo> components(Entity entity) const { return components_of(*store_, entity); }
    /// Returns: one description for each table, in order of creation.
    std::vector<TableInfo> tables() const;
    /// Returns: the entity in one line, `12v3: Position{…}, Frozen`, in the order of components(); `12v3: dead`,
    /// `null`.
    std::string describe(Entity entity) const;
    /// Returns: the world on a page: entities, tables with components, rows and bytes, queries and resources.
    /// Complexity: O(tables).
    std::string describe() const;
    /// Returns: the sizes of the world, as of now.
    /// Complexity: O(tables + sparse sets).
    Stats stats() const;

    /// Effects: verifies every invariant.
    /// Throws: Errc::corrupt with the broken invariant. This is never expected.
    /// Complexity: O(everything in the world).
    void check() const {
        detail::check(*store_);
        check_messages(*store_);
    }

  private:
    friend WorldComponents<World>;
    friend WorldResources<World>;
    friend detail::Store& detail::store_of(World& world, const char* verb);

    detail::Store* store_;
};

}  // namespace stoa

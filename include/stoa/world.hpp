// The roof: a World holds entities and their components, and resources. Entities are rows, components are columns.
//
// One rule runs through the interface: `const T` reads, `T` writes. Questions (alive, has, find, and the verbs that answer
// whether something happened) never fail: false or null for a dead entity or an absent component. Demands throw
// stoa::Error and leave the world as it was. References to components are valid until the next structural change.
//
// Cost: unless a comment says otherwise, a verb costs O(components named) plus, where an entity changes its set of
// components, O(components it has). Threads: const calls may run at the same time when nobody writes.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/commands.hpp"
#include "stoa/component.hpp"
#include "stoa/detail/bulk.hpp"
#include "stoa/detail/config.hpp"
#include "stoa/detail/resource_verbs.hpp"
#include "stoa/detail/verbs.hpp"
#include "stoa/entity.hpp"
#include "stoa/entity_ref.hpp"
#include "stoa/error.hpp"
#include "stoa/options.hpp"
#include "stoa/query.hpp"
#include "stoa/stats.hpp"
#include "stoa/table_ref.hpp"

namespace stoa {

class STOA_API World {
  public:
    explicit World(const WorldOptions& options = {});
    ~World();

    // Handles follow the world to its new place. The moved-from world is empty for ever: questions answer so, and what
    // would change it throws Errc::world_gone.
    World(World&& other) noexcept;
    World& operator=(World&& other) noexcept;

    // Entities.

    // A new entity with these components. Throws Errc::capacity, Errc::locked, or what a constructor throws.
    template <class... Ts>
    Entity spawn(Ts&&... values)
        requires(sizeof...(Ts) > 0)
    {
        return detail::spawn<std::decay_t<Ts>...>(*store_, std::forward<Ts>(values)...);
    }

    // A new entity with default-constructed components; spawn() has none.
    template <class... Ts>
    Entity spawn() {
        static_assert(detail::are_components<Ts...>());
        static_assert((detail::is_default_built<Ts>() && ... && true));
        return detail::spawn<Ts...>(*store_, default_for<Ts>()...);
    }

    // `count` new entities with copies of the values. All or none.
    template <class... Ts>
    void spawn_many(std::size_t count, const Ts&... values) {
        detail::spawn_bulk<Ts...>(*store_, count, nullptr, detail::Repeated<Ts>{detail::taken<const Ts&>(*store_, values)}...);
    }

    // One new entity for each place of `ids`, which receives the handles in row order.
    template <class... Ts>
    void spawn_many(std::span<Entity> ids, const Ts&... values) {
        detail::spawn_bulk<Ts...>(*store_, ids.size(), ids.data(), detail::Repeated<Ts>{detail::taken<const Ts&>(*store_, values)}...);
    }

    // Entity i gets columns[i] of each span. Throws Errc::conflict when lengths disagree.
    template <class... Ts, std::size_t... Extents>
    void spawn_columns(std::span<Entity> ids, std::span<Ts, Extents>... columns) {
        if (((columns.size() != ids.size()) || ...)) store_->fail_lengths();
        spawn_listed(ids, detail::Listed<std::remove_const_t<Ts>>(columns)...);
    }

    // False when it was not alive. Cleanup components stay behind, on a ghost.
    bool despawn(Entity entity) { return store_->despawn(entity); }

    bool alive(Entity entity) const noexcept { return store_->alive(entity); }

    // Living entities; ghosts do not count.
    std::size_t size() const noexcept { return static_cast<std::size_t>(store_->directory().living()); }

    // Despawns everything, ghosts too. Memory is kept for reuse.
    void clear() { store_->clear(); }

    // Makes room for `count` entities in all; with types, also for `count` rows of that table.
    template <class... Ts>
    void reserve(std::size_t count) {
        if constexpr (sizeof...(Ts) == 0) {
            store_->reserve(count);
        } else {
            static_assert(detail::are_components<Ts...>());
            store_->reserve_rows(detail::TypeListOf<Ts...>::list, count);
        }
    }

    // Frees empty tables, spare chunks and pooled objects. Cost: O(tables).
    void shrink_to_fit() { store_->shrink_to_fit(); }

    // A new entity with copies of every component but cleanup ones. Throws Errc::dead_entity, Errc::not_copyable.
    Entity clone(Entity entity) { return store_->clone(entity); }

    // Gives `to` copies of those components, added or replaced; what else it has stays. Throws as clone does.
    void copy(Entity from, Entity to) { store_->copy(from, to); }

    EntityRef entity(Entity entity) noexcept { return {*store_, entity}; }

    template <class... Ts>
    TableRef<Ts...> table() {
        return TableRef<Ts...>(*store_);
    }

    // Components of an entity.

    // Default-constructs the missing ones, in one move; present values stay. Returns: whether one was missing.
    template <class... Ts>
    bool add(Entity entity) {
        return detail::add<Ts...>(*store_, entity);
    }

    // Adds or replaces, in one move. Throws Errc::dead_entity.
    template <class... Ts>
    void set(Entity entity, Ts&&... values) {
        detail::set<std::decay_t<Ts>...>(*store_, entity, detail::taken<Ts>(*store_, std::forward<Ts>(values))...);
    }

    // Adds or replaces a T built from args, in parentheses or, for aggregates, in braces. Throws Errc::dead_entity.
    template <class T, class... Args>
    T& emplace(Entity entity, Args&&... args) {
        return detail::emplace<T>(*store_, entity, std::forward<Args>(args)...);
    }

    // Returns: whether one was there. An entity without components lives on.
    template <class... Ts>
    bool remove(Entity entity) {
        return detail::remove<Ts...>(*store_, entity);
    }

    // All but cleanup components.
    bool remove_all(Entity entity) { return store_->remove_all(entity); }

    template <class... Ts>
    bool has(Entity entity) const {
        static_assert(detail::are_components<Ts...>());
        return (detail::has<Ts>(*store_, entity) && ...);
    }
    template <class... Ts>
    bool has_any(Entity entity) const {
        static_assert(detail::are_components<Ts...>());
        return (detail::has<Ts>(*store_, entity) || ...);
    }

    // Throws Errc::dead_entity, Errc::missing_component. get<T> counts as a change, get<const T> does not.
    template <class T>
    T& get(Entity entity) {
        static_assert(detail::is_component<std::remove_const_t<T>>());
        return detail::get<T>(*store_, entity);
    }
    template <class T>
        requires std::is_const_v<T>
    T& get(Entity entity) const {
        return detail::get<T>(*store_, entity);
    }

    // Null instead of a throw.
    template <class T>
    T* find(Entity entity) {
        return detail::find<T>(*store_, entity);
    }
    template <class T>
        requires std::is_const_v<T>
    T* find(Entity entity) const {
        return detail::find<T>(*store_, entity);
    }

    // Requires: the entity is alive and has a T. Nothing is checked.
    template <class T>
    T& get_unchecked(Entity entity) {
        return detail::get_unchecked<T>(*store_, entity);
    }
    template <class T>
        requires std::is_const_v<T>
    T& get_unchecked(Entity entity) const {
        return detail::get_unchecked<T>(*store_, entity);
    }

    // The `value` member of a component that has one.
    template <class T>
    auto& get_value(Entity entity) {
        static_assert(requires(T& component) { component.value; }, "get_value needs a component with a member `value`");
        return detail::get<T>(*store_, entity, "get_value").value;
    }
    template <class T>
        requires std::is_const_v<T>
    auto& get_value(Entity entity) const {
        static_assert(requires(T& component) { component.value; }, "get_value needs a component with a member `value`");
        return detail::get<T>(*store_, entity, "get_value").value;
    }

    // From now on removed values of these components are kept until end_frame(). Replacing is not removing.
    template <class... Ts>
    void keep_removed() {
        detail::keep_removed<Ts...>(*store_);
    }
    // The last removed value of this very handle, also when the entity is gone; null when none is kept, which can also be for
    // lack of memory. Valid until end_frame().
    template <class T>
    const T* find_removed(Entity entity) const {
        return detail::find_removed<T>(*store_, entity);
    }

    // Queries.

    // Cheap; equal queries share what they match. See query.hpp for the terms.
    template <class... Terms>
    Query<Terms...> query() {
        return Query<Terms...>(*store_);
    }

    // Resources: at most one value of each type in a world, of any object type. They stay when the world is cleared, and end
    // with it, the last that came first. They may be set, replaced and removed while the structure is locked.

    // Adds or replaces. When it throws, the old value stays. A type that is move-assigned without a throw is replaced where it
    // stands, any other at a new address; either way it keeps its place in the order.
    template <class R>
    void set_resource(R&& value) {
        detail::set_resource(*store_, std::forward<R>(value));
    }

    // The same, built from args, in parentheses or, for aggregates, in braces.
    template <class R, class... Args>
    R& emplace_resource(Args&&... args) {
        return detail::emplace_resource<R>(*store_, std::forward<Args>(args)...);
    }

    // Throws Errc::missing_resource. The reference is valid until the resource is removed, or replaced at a new address.
    template <class R>
    R& resource() {
        return detail::resource<R>(*store_);
    }
    template <class R>
        requires std::is_const_v<R>
    R& resource() const {
        return detail::resource<R>(*store_);
    }

    // Null instead of a throw.
    template <class R>
    R* find_resource() {
        return detail::find_resource<R>(*store_);
    }
    template <class R>
        requires std::is_const_v<R>
    R* find_resource() const {
        return detail::find_resource<R>(*store_);
    }

    template <class... Rs>
    bool has_resource() const {
        static_assert(detail::are_resources<Rs...>());
        return ((detail::find_resource<Rs>(*store_) != nullptr) && ...);
    }

    // Returns: whether there was one. While its destructor runs it is gone already.
    template <class R>
    bool remove_resource() {
        return detail::remove_resource<R>(*store_);
    }

    // Commands.

    // The world's own buffer of recorded edits; it stays at its place as long as the world lives. See commands.hpp.
    Commands& commands();

    // Applies what was recorded there. Throws as Commands::flush does.
    FlushReport flush() { return commands().flush(); }

    // The end of a frame: flush, then removed values are forgotten and the next tick begins.
    void end_frame();

    // Introspection.

    template <class T>
    ComponentInfo component() const {
        static_assert(detail::is_component<T>());
        return store_->info(detail::type_slot<T>);
    }
    std::vector<ComponentInfo> components(Entity entity) const { return store_->components_of(entity); }
    std::vector<TableInfo> tables() const;
    Stats stats() const;

    // Verifies every invariant. Throws Errc::corrupt with the broken one: never expected. Cost: O(everything).
    void check() const { store_->check(); }

  private:
    template <class T>
    static constexpr detail::Default default_for() {
        return {};
    }

    template <class... Ts>
    void spawn_listed(std::span<Entity> ids, detail::Listed<Ts>... columns) {
        store_->require_unlocked("spawn_columns");
        const detail::Table& table = store_->table_of(detail::TypeListOf<Ts...>::list);
        ((store_->may_move(table, columns.data()) ? columns.keep(ids.size()) : void()), ...);
        detail::spawn_bulk<Ts...>(*store_, ids.size(), ids.data(), columns...);
    }

    detail::Store* store_;
};

}  // namespace stoa

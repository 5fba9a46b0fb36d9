// The object style: an entity together with its world.
//
// A ref to a dead entity is valid: alive, has, has_any, find and despawn answer false or null, add, remove and
// replace do nothing, and set, emplace and get throw Errc::dead_entity. A ref is a short-lived view: it must not
// outlive its world. Each call does what the call of the same name on World does, with the same costs.
#pragma once

#include <type_traits>
#include <utility>

#include "stoa/detail/storage/emplace.hpp"
#include "stoa/detail/storage/replace.hpp"

namespace stoa {

namespace detail {

struct EntityRefAccess;

}  // namespace detail

/// Made by World::entity, and passed to callbacks of walks that ask for one. Refs are equal when world and entity are.
/// A copy refers to the same entity. A ref is no component: store the Entity of id() instead.
/// Threads: as World.
class EntityRef {
  public:
    /// Returns: the handle.
    Entity id() const noexcept { return entity_; }
    /// Returns: whether the entity is alive.
    bool alive() const noexcept { return store_->alive(entity_); }

    /// Effects: default-constructs those of Ts that are missing, in one move; present values stay. Nothing for a dead
    /// entity.
    /// Returns: this ref, for chaining.
    /// Throws: Errc::locked, Errc::capacity, std::bad_alloc, and what a constructor throws.
    /// Invalidates: references to components of entities in the tables involved.
    template <class... Ts>
    EntityRef& add() {
        detail::add<Ts...>(*store_, entity_);
        return *this;
    }
    /// The same with values: adds those that are missing; present ones stay as they are.
    template <class... Ts>
    EntityRef& add(Ts&&... values)
        requires(sizeof...(Ts) > 0)
    {
        detail::add_values<std::decay_t<Ts>...>(*store_, entity_,
                                                detail::taken<Ts>(*store_, std::forward<Ts>(values))...);
        return *this;
    }
    /// Effects: adds or overwrites, in one move.
    /// Returns, Invalidates: as add.
    /// Throws: as add; Errc::dead_entity; and what an assignment throws.
    template <class... Ts>
    EntityRef& set(Ts&&... values) {
        detail::set<std::decay_t<Ts>...>(*store_, entity_, detail::taken<Ts>(*store_, std::forward<Ts>(values))...);
        return *this;
    }
    /// Effects: removes those of Ts that are there. An entity without components stays alive. Nothing for a dead
    /// entity.
    /// Returns: this ref, for chaining.
    /// Throws: Errc::locked.
    /// Invalidates: as add.
    template <class... Ts>
    EntityRef& remove() {
        detail::remove<Ts...>(*store_, entity_);
        return *this;
    }
    /// Effects: removes the A and adds the value, or overwrites a present one, in one move. Nothing for an entity that
    /// is dead or has no A.
    /// Returns, Throws, Invalidates: as add.
    template <class A, class B>
    EntityRef& replace(B&& value) {
        auto held = detail::taken<B>(*store_, std::forward<B>(value));
        detail::replace<A>(*store_, entity_, held);
        return *this;
    }
    /// Effects: adds or overwrites a T built from args, in parentheses or, for aggregates, in braces.
    /// Returns: the new value.
    /// Throws, Invalidates: as set.
    template <class T, class... Args>
    T& emplace(Args&&... args) {
        return detail::emplace<T>(*store_, entity_, std::forward<Args>(args)...);
    }

    /// Effects: makes a T from args as emplace does, if there is none.
    /// Returns: the component, which counts as changed.
    /// Throws, Invalidates: as emplace.
    template <class T, class... Args>
    T& get_or_emplace(Args&&... args) {
        return detail::get_or_emplace<T>(*store_, entity_, std::forward<Args>(args)...);
    }

    /// Returns: whether it has all of Ts; false for a dead entity. A ghost has its cleanup components.
    template <class... Ts>
    bool has() const {
        static_assert(detail::are_components<Ts...>());
        return (detail::has<Ts>(*store_, entity_) && ... && true);
    }
    /// Returns: whether it has at least one of Ts.
    template <class... Ts>
    bool has_any() const {
        static_assert(detail::are_components<Ts...>());
        return (detail::has<Ts>(*store_, entity_) || ...);
    }
    /// Returns: its T, valid until the next structural change. get<T> counts as a change, get<const T> does not.
    /// Throws: Errc::dead_entity, Errc::missing_component.
    /// Complexity: O(1).
    template <class T>
    T& get() const {
        return detail::get<T>(*store_, entity_);
    }
    /// Returns: as get, but null where get throws.
    template <class T>
    T* find() const {
        return detail::find<T>(*store_, entity_);
    }

    /// Effects: removes the entity and its components. Cleanup components stay behind, on a ghost.
    /// Returns: whether it was alive.
    /// Throws: Errc::locked.
    bool despawn() { return store_->despawn(entity_); }

    friend bool operator==(const EntityRef&, const EntityRef&) = default;

  private:
    friend struct detail::EntityRefAccess;
    EntityRef(detail::Store& store, Entity entity) noexcept : store_(&store), entity_(entity) {}

    detail::Store* store_;
    Entity entity_;
};

template <>
inline constexpr bool detail::is_handle<EntityRef> = true;

// The door for World, walks and signals, which make refs.
struct detail::EntityRefAccess {
    [[gnu::always_inline]] static EntityRef make(Store& store, Entity entity) noexcept { return {store, entity}; }
};

}  // namespace stoa

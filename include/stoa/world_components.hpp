// The calls of a World on the components of one entity. World inherits them; include <stoa/world.hpp>.
//
//     world.set(entity, Health{100}, Position{});
//     world.get<Position>(entity).x += 1;                                          // counts as a change
//     if (const Health* health = world.find<const Health>(entity)) show(*health);  // does not
//
// `const T` reads, `T` writes: whatever is handed out without const counts as changed.
// Unless a contract says otherwise:
//   Requires: nothing. A dead entity, or a handle that never existed, is an ordinary argument.
//   Invalidates: a call that adds or removes a component is a structural change. It invalidates references to
//   components in tables, and iterators of queries. Overwriting a value invalidates references to it only if
//   the component is sparse and its move constructor may throw or does not exist; the value then gets a new address.
//   Complexity: O(components named), plus O(components of the entity) where its set of components changes.
#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/emplace.hpp"
#include "stoa/detail/storage/replace.hpp"
#include "stoa/detail/storage/take.hpp"
#include "stoa/detail/storage/verbs.hpp"
#include "stoa/entity.hpp"

namespace stoa {

/// The calls that World inherits; `Self` is World.
template <class Self>
class WorldComponents {
  public:
    /// Effects: default-constructs those of Ts that the entity lacks, in one move. Present values stay.
    /// Returns: whether one was missing; false for a dead entity.
    /// Throws: Errc::locked, Errc::capacity, std::bad_alloc, or what a constructor throws; then nothing has changed.
    template <class... Ts>
    bool add(Entity entity) {
        return detail::add<Ts...>(store(), entity);
    }
    /// The same with values: adds those that the entity lacks; present ones stay as they are.
    template <class... Ts>
    bool add(Entity entity, Ts&&... values)
        requires(sizeof...(Ts) > 0)
    {
        return detail::add_values<std::decay_t<Ts>...>(store(), entity,
                                                       detail::taken<Ts>(store(), std::forward<Ts>(values))...);
    }

    /// Effects: adds the values, or overwrites present ones, in one move. It counts as a change.
    /// Throws: Errc::dead_entity; Errc::locked and Errc::capacity when a component is missing; std::bad_alloc; or what
    /// a constructor or an assignment throws.
    template <class... Ts>
    void set(Entity entity, Ts&&... values) {
        detail::set<std::decay_t<Ts>...>(store(), entity, detail::taken<Ts>(store(), std::forward<Ts>(values))...);
    }

    /// Effects: adds or overwrites a T made from args, in parentheses or, for an aggregate, in braces.
    /// Returns: the component. The reference is valid until the next structural change.
    /// Throws: as set.
    template <class T, class... Args>
    T& emplace(Entity entity, Args&&... args) {
        return detail::emplace<T>(store(), entity, std::forward<Args>(args)...);
    }

    /// Effects: makes a T from args as emplace does, if the entity has none.
    /// Returns: the component, which counts as changed.
    /// Throws: as emplace.
    template <class T, class... Args>
    T& get_or_emplace(Entity entity, Args&&... args) {
        return detail::get_or_emplace<T>(store(), entity, std::forward<Args>(args)...);
    }

    /// Effects: removes the component and moves its value out. Observers and logs of removed values read a value that
    /// can be copied before it is removed, one that cannot in its moved-from state.
    /// Returns: the value; nothing when the entity has no T. A ghost has its cleanup components.
    /// Throws: Errc::locked, and what the move or copy constructor throws; then nothing has changed.
    template <class T>
    std::optional<T> take(Entity entity) {
        return detail::take<T>(store(), entity);
    }

    /// Effects: removes those of Ts that the entity has, in one move. An entity without components stays alive; a ghost
    /// without components is gone.
    /// Returns: whether there was one; false for a dead entity.
    /// Throws: Errc::locked. Never for lack of memory.
    template <class... Ts>
    bool remove(Entity entity) {
        return detail::remove<Ts...>(store(), entity);
    }

    /// Effects: removes the A and adds the value, or overwrites a present one, in one move; observers hear of one
    /// change. The value may be a component of this world.
    /// Returns: whether there was an A; otherwise, and for a dead entity, nothing has changed.
    /// Throws: Errc::locked, Errc::capacity, std::bad_alloc, or what a constructor throws; then nothing has changed.
    template <class A, class B>
    bool replace(Entity entity, B&& value) {
        auto held = detail::taken<B>(store(), std::forward<B>(value));
        return detail::replace<A>(store(), entity, held);
    }

    /// Effects: removes every component except cleanup components. The entity stays alive.
    /// Returns, Throws: as remove.
    /// Complexity: O(components of the entity).
    bool remove_all(Entity entity) { return store().remove_all(entity); }

    /// Returns: whether the entity has all of Ts; false for a dead entity. A ghost has its cleanup components.
    /// Threads: may run on several threads while no thread changes the structure.
    template <class... Ts>
    bool has(Entity entity) const {
        static_assert(detail::are_components<Ts...>());
        return (detail::has<Ts>(store(), entity) && ...);
    }
    /// Returns: whether the entity has at least one of Ts; false for a dead entity.
    template <class... Ts>
    bool has_any(Entity entity) const {
        static_assert(detail::are_components<Ts...>());
        return (detail::has<Ts>(store(), entity) || ...);
    }

    /// Returns: the component. get<T> counts as a change, get<const T> does not.
    /// Throws: Errc::dead_entity, Errc::missing_component.
    /// Complexity: O(1).
    /// Threads: get<const T> may run on several threads while no thread writes.
    template <class T>
    T& get(Entity entity) {
        static_assert(detail::is_component<std::remove_const_t<T>>());
        return detail::get<T>(store(), entity);
    }
    template <class T>
        requires std::is_const_v<T>
    T& get(Entity entity) const {
        return detail::get<T>(store(), entity);
    }

    /// Returns: the component, or null where get would throw.
    /// Complexity, Threads: as get.
    template <class T>
    T* find(Entity entity) {
        return detail::find<T>(store(), entity);
    }
    template <class T>
        requires std::is_const_v<T>
    T* find(Entity entity) const {
        return detail::find<T>(store(), entity);
    }

    /// Requires: the entity is alive and has a T. This is not checked; otherwise the behaviour is undefined.
    /// Returns: as get.
    /// Complexity: O(1), without the tests of get.
    template <class T>
    T& get_unchecked(Entity entity) {
        return detail::get_unchecked<T>(store(), entity);
    }
    template <class T>
        requires std::is_const_v<T>
    T& get_unchecked(Entity entity) const {
        return detail::get_unchecked<T>(store(), entity);
    }

    /// Requires: T has a member `value`; checked when the call is compiled.
    /// Returns: that member of the component. Otherwise as get.
    template <class T>
    auto& get_value(Entity entity) {
        static_assert(
            requires(T& component) { component.value; }, "get_value needs a component with a member `value`");
        return detail::get<T>(store(), entity, "get_value").value;
    }
    template <class T>
        requires std::is_const_v<T>
    auto& get_value(Entity entity) const {
        static_assert(
            requires(T& component) { component.value; }, "get_value needs a component with a member `value`");
        return detail::get<T>(store(), entity, "get_value").value;
    }

    /// Effects: from now on, removed values of these components are kept until end_frame(). Overwriting a value does
    /// not remove it. May be called while the structure is locked.
    /// Throws: std::bad_alloc, Errc::world_gone.
    template <class... Ts>
    void keep_removed() {
        detail::keep_removed<Ts...>(store());
    }
    /// Returns: the value that was last removed from exactly this handle, even if the entity is dead; null when none is
    /// kept, which may also be for lack of memory.
    /// Invalidates: end_frame() destroys the value.
    template <class T>
    const T* find_removed(Entity entity) const {
        return detail::find_removed<T>(store(), entity);
    }

  private:
    detail::Store& store() const { return *static_cast<const Self&>(*this).store_; }  // Safe: World derives from this
};

}  // namespace stoa

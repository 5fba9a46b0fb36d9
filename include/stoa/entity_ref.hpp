// The object style: a handle with its world. A ref to a dead entity is fine: questions answer false or null, demands throw
// Errc::dead_entity. A short-lived view: it must not outlive its world.
#pragma once

#include <utility>

#include "stoa/detail/verbs.hpp"

namespace stoa {

class EntityRef {
  public:
    Entity id() const noexcept { return entity_; }
    bool alive() const noexcept { return store_->alive(entity_); }

    // Chaining verbs; each acts at once, as the verb of the same name on World does.
    template <class... Ts>
    EntityRef& add() {
        detail::add<Ts...>(*store_, entity_);
        return *this;
    }
    template <class... Ts>
    EntityRef& set(Ts&&... values) {
        detail::set<std::decay_t<Ts>...>(*store_, entity_, detail::taken<Ts>(*store_, std::forward<Ts>(values))...);
        return *this;
    }
    template <class... Ts>
    EntityRef& remove() {
        detail::remove<Ts...>(*store_, entity_);
        return *this;
    }

    template <class T, class... Args>
    T& emplace(Args&&... args) {
        return detail::emplace<T>(*store_, entity_, std::forward<Args>(args)...);
    }
    template <class... Ts>
    bool has() const {
        return (detail::has<Ts>(*store_, entity_) && ... && true);
    }
    template <class... Ts>
    bool has_any() const {
        return (detail::has<Ts>(*store_, entity_) || ...);
    }
    template <class T>
    T& get() const {
        return detail::get<T>(*store_, entity_);
    }
    template <class T>
    T* find() const {
        return detail::find<T>(*store_, entity_);
    }
    bool despawn() { return store_->despawn(entity_); }

    friend bool operator==(const EntityRef&, const EntityRef&) = default;

    // For the library: users get refs from World::entity and from walks.
    EntityRef(detail::Store& store, Entity entity) noexcept : store_(&store), entity_(entity) {}

  private:
    detail::Store* store_;
    Entity entity_;
};

template <>
inline constexpr bool detail::is_handle<EntityRef> = true;

}  // namespace stoa

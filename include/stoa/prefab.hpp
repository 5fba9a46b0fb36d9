// Prefabs: stored sets of values from which entities are made. A prefab is no entity: no query sees it, and no component of it is
// in the world. Copies of a handle share the values, which do not change.
//
//     Prefab orc{world, Health{100}, Position{}};
//     Entity e = orc.spawn();
//     Entity f = orc.spawn(Position{4, 2}, Burning{});     // another value, and a further component
//
// Coming and going in a steady state allocates nothing, and after prewarm(n) not even the first n do, as long as copying a value
// does not; a pooled component is copied into a recycled object, which keeps its capacity.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/prefab_values.hpp"
#include "stoa/world.hpp"

namespace stoa {

// A prefab that is used after the end of its world throws Errc::world_gone.
class Prefab {
  public:
    template <class... Vs>
    explicit Prefab(World& world, Vs&&... values) {
        static_assert(detail::are_components<std::decay_t<Vs>...>());
        static_assert((detail::is_value<Vs>() && ... && true));
        static_assert((std::is_copy_constructible_v<std::decay_t<Vs>> && ...), "a prefab copies its values, so they must be copyable");
        detail::Store& store = world.query<>().store();
        values_ = new detail::PrefabValues<std::decay_t<Vs>...>(store, std::forward<Vs>(values)...);
    }
    Prefab(const Prefab& other) noexcept : values_(other.values_) {
        if (values_ != nullptr) values_->hold();
    }
    Prefab(Prefab&& other) noexcept : values_(std::exchange(other.values_, nullptr)) {}
    Prefab& operator=(Prefab other) noexcept {
        std::swap(values_, other.values_);
        return *this;
    }
    ~Prefab() {
        if (values_ != nullptr) values_->drop();
    }

    // A new entity with copies of the values. Throws as World::spawn, and Errc::world_gone.
    Entity spawn() const { return known().spawn(known().store()); }

    // The same with these values instead of those of the same type, and beside the others. One step: nobody sees it without them.
    template <class... Vs>
    Entity spawn(Vs&&... values) const
        requires(sizeof...(Vs) > 0)
    {
        static_assert(detail::are_components<std::decay_t<Vs>...>());
        static_assert((detail::is_value<Vs>() && ... && true));
        return spawn_given<std::decay_t<Vs>...>(detail::taken<Vs>(known().store(), std::forward<Vs>(values))...);
    }

    // `count` of them; or one for each place of `ids`, which receives the handles in row order. All or none.
    void spawn_many(std::size_t count) const { known().spawn_many(known().store(), count, nullptr); }
    void spawn_many(std::span<Entity> ids) const { known().spawn_many(known().store(), ids.size(), ids.data()); }

    // Takes the memory for `count` more entities now. World::shrink_to_fit gives it back.
    void prewarm(std::size_t count) const { known().prewarm(count); }

  private:
    const detail::PrefabBase& known() const {
        if (values_ == nullptr) [[unlikely]] detail::fail_prefab_moved();
        return *values_;
    }
    template <class... Ts>
    Entity spawn_given(Ts&&... held) const {
        const detail::SpawnPart parts[] = {
            {&detail::type_slot<Ts>, detail::address_of(held), &detail::build_given<Ts>}...};
        return known().spawn_given(detail::TypeListOf<Ts...>::list, parts);
    }

    detail::PrefabBase* values_ = nullptr;
};

}  // namespace stoa

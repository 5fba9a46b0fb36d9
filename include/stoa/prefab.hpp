// Prefabs: stored sets of values from which entities are made. A prefab is not an entity: no query sees it, and its
// components are in no table of the world.
//
//     Prefab orc{world, Health{100}, Position{}};
//     Entity e = orc.spawn();
//     Entity f = orc.spawn(Position{4, 2}, Burning{});     // another value, and a further component
//
// In a steady state spawning and despawning allocates nothing, and after prewarm(n) the first n spawns do not either,
// provided that copying a value does not. A pooled component is copied into a recycled object, which keeps its
// capacity.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/prefab/prefab_values.hpp"
#include "stoa/detail/storage/store_of.hpp"
#include "stoa/world.hpp"

namespace stoa {

/// A handle. Copies share the values, which never change. It may outlive its world; spawning then throws
/// Errc::world_gone, and so does a handle that was moved from.
/// Threads: handles may be copied and dropped on any thread; spawning needs exclusive access to the world.
class Prefab {
  public:
    /// Requires: copyable components, each type once; checked when the call is compiled.
    /// Throws: Errc::world_gone, std::bad_alloc, or what a constructor throws.
    template <class... Vs>
    explicit Prefab(World& world, Vs&&... values) {
        static_assert(detail::are_components<std::decay_t<Vs>...>());
        static_assert((detail::is_value<Vs>() && ... && true));
        static_assert((std::is_copy_constructible_v<std::decay_t<Vs>> && ...),
                      "a prefab copies its values, so they must be copyable");
        using Values = detail::PrefabValues<std::decay_t<Vs>...>;
        values_ = detail::Ref<detail::PrefabBase>::adopt(
            new Values(detail::store_of(world, "prefab"), std::forward<Vs>(values)...));
    }

    /// Effects: makes an entity with copies of the values.
    /// Returns: its handle.
    /// Throws: as World::spawn, and Errc::world_gone.
    /// Invalidates: as World::spawn; it is a structural change.
    Entity spawn() const { return stored().spawn(stored().store()); }

    /// The same with the given values, which replace stored values of the same type or are added. It is one step:
    /// callbacks and queries never see the entity without them.
    template <class... Vs>
    Entity spawn(Vs&&... values) const
        requires(sizeof...(Vs) > 0)
    {
        static_assert(detail::are_components<std::decay_t<Vs>...>());
        static_assert((detail::is_value<Vs>() && ... && true));
        return spawn_given<std::decay_t<Vs>...>(detail::taken<Vs>(stored().store(), std::forward<Vs>(values))...);
    }

    /// Effects: makes `count` entities; all of them or none.
    /// Throws: as spawn.
    /// Complexity: O(count * components).
    void spawn_many(std::size_t count) const { stored().spawn_many(stored().store(), count, nullptr); }
    /// The same for ids.size() entities; `ids` receives the handles in row order.
    void spawn_many(std::span<Entity> ids) const { stored().spawn_many(stored().store(), ids.size(), ids.data()); }

    /// Effects: allocates the memory for `count` more entities now. World::shrink_to_fit frees what is unused.
    /// Throws: Errc::capacity, Errc::locked, Errc::world_gone, std::bad_alloc, or what a default constructor of a
    /// pooled component throws; memory that was allocated until then is kept.
    void prewarm(std::size_t count) const { stored().prewarm(count); }

  private:
    const detail::PrefabBase& stored() const {
        if (!values_) [[unlikely]]
            detail::fail_prefab_moved();
        return *values_;
    }
    template <class... Ts>
    Entity spawn_given(Ts&&... held) const {
        return spawn_given_with(detail::RequiredBy<Ts...>{}, held...);
    }
    // More: the components that Ts require.
    template <class... More, class... Ts>
    Entity spawn_given_with(detail::Types<More...>, Ts&... held) const {
        const detail::RowPart parts[] = {
            detail::RowPart::built_by(&detail::move_value<Ts>, detail::type_handle<Ts>, detail::address_of(held))...,
            detail::RowPart::constructed(detail::type_handle<More>)...};
        return stored().spawn_given(detail::TypeListOf<Ts..., More...>::list, parts);
    }

    detail::Ref<detail::PrefabBase> values_;
};

}  // namespace stoa

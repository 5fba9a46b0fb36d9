// The calls of a World on its resources. World inherits them; include <stoa/world.hpp>.
//
// A resource is a value of any object type that a world has at most once. World::clear keeps resources; destroying the
// world destroys them in reverse order of insertion, after all components. They are not part of the structure: they may
// be set, replaced and removed while it is locked.
//
// Unless a contract says otherwise:
//   Throws: calls that would change a world that was moved from throw Errc::world_gone.
//   Complexity: O(1).
#pragma once

#include <type_traits>
#include <utility>

#include "stoa/detail/storage/resource_verbs.hpp"

namespace stoa {

/// The calls that World inherits; `Self` is World.
template <class Self>
class WorldResources {
  public:
    /// Effects: adds or replaces the resource; a replaced one keeps its place in the order of insertion.
    /// Throws: std::bad_alloc, or what a constructor or an assignment throws; then the old value stays.
    /// Invalidates: a type whose move assignment does not throw is assigned in place, and references stay valid. Any
    /// other type moves to a new address.
    template <class R>
    void set_resource(R&& value) {
        detail::set_resource(store(), std::forward<R>(value));
    }

    /// Effects: as set_resource, with an R made from args, in parentheses or, for an aggregate, in braces.
    /// Returns: the resource.
    /// Throws: std::bad_alloc, or what the constructor throws; then the old value stays.
    template <class R, class... Args>
    R& emplace_resource(Args&&... args) {
        return detail::emplace_resource<R>(store(), std::forward<Args>(args)...);
    }

    /// Returns: the resource. The reference is valid until the resource is removed or moves to a new address.
    /// Throws: Errc::missing_resource.
    /// Threads: resource<const R> may run on several threads while no thread writes the resource.
    template <class R>
    R& resource() {
        return detail::resource<R>(store());
    }
    template <class R>
        requires std::is_const_v<R>
    R& resource() const {
        return detail::resource<R>(store());
    }

    /// Returns: the resource, or null where resource() would throw. `const R` says that the caller only reads.
    /// Threads: find_resource<const R> may run on several threads while no thread writes the resource.
    template <class R>
    R* find_resource() {
        return detail::hand_out_resource<R>(store());
    }
    template <class R>
        requires std::is_const_v<R>
    R* find_resource() const {
        return detail::hand_out_resource<R>(store());
    }

    /// Returns: whether the world has all of Rs.
    template <class... Rs>
    bool has_resource() const {
        static_assert(detail::are_resources<Rs...>());
        return ((detail::find_resource<Rs>(store()) != nullptr) && ...);
    }

    /// Effects: destroys the resource. While its destructor runs, the world no longer has it.
    /// Returns: whether there was one.
    /// Invalidates: references to it.
    template <class R>
    bool remove_resource() {
        return detail::remove_resource<R>(store());
    }

  private:
    detail::Store& store() const { return *static_cast<const Self&>(*this).store_; }  // Safe: World derives from this
};

}  // namespace stoa

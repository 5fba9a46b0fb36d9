// Errors as one type. A call that cannot do what it promises throws `stoa::Error`, in debug and in release builds
// alike.
#pragma once

#include <stdexcept>

#include "stoa/detail/base/config.hpp"

namespace stoa {

/// What went wrong. Handle errors by this code; the text of an error is for people and may change.
enum class Errc {
    dead_entity,        ///< the entity is null, despawned or unknown to this world
    missing_component,  ///< the entity does not have the component
    missing_resource,   ///< the world does not have the resource
    locked,             ///< a structural change inside a walk or in user code of a component; record a command instead
    capacity,           ///< `WorldOptions::max_entities` or a limit of the library is reached
    not_copyable,       ///< an entity to be cloned has a component that cannot be copied
    not_single,         ///< `Query::single` matches no entity, or several
    unknown_name,       ///< the schedule has no system or phase of this name; no library has this address
    duplicate_name,     ///< the schedule has a system or phase of this name already
    cycle,              ///< the order that a schedule asks for is impossible
    conflict,           ///< arguments contradict each other, belong to another world, or are in use
    runaway,            ///< commands keep recording commands, so that a flush would never end
    signals_off,        ///< a subscription in a world without signals; see `WorldOptions::signals`
    world_gone,         ///< the handle has outlived its world, or was moved from
    corrupt             ///< `World::check` found a broken invariant: a bug, or overwritten memory
};

/// An error of the library. A call that throws it leaves the world as it was before the call, unless its contract says
/// otherwise, as those of Commands::flush and Schedule::update do.
///
/// For a dead entity or an absent component, questions do not throw it: `alive`, `has`, `find`, `despawn`, `add` and
/// `remove` return false or null instead.
/// Lack of memory is no Error: it is std::bad_alloc, as everywhere in C++.
class STOA_API Error : public std::logic_error {
  public:
    /// For the library. `message` becomes what().
    Error(Errc code, const char* message) : std::logic_error(message), code_(code) {}

    /// Returns: what went wrong, for programs. what() says the same for people: one sentence that names the operation,
    /// the entity, the component, and what to do instead.
    Errc code() const noexcept { return code_; }

  private:
    Errc code_;
};

/// A function that is called with every error before it is thrown.
///
/// In a build without exceptions nothing can be thrown: there the handler must not return (it may end the process or
/// jump away), and the program aborts if it does.
using ErrorHandler = void (*)(const Error&);

/// Effects: installs `handler` for the whole process. Null restores the default, which does nothing.
/// Returns: the handler that was installed before.
/// Threads: safe at any time.
STOA_API ErrorHandler set_error_handler(ErrorHandler handler) noexcept;

}  // namespace stoa

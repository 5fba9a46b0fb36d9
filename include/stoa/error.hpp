// What can go wrong, as one type. Every demand that cannot be met throws `stoa::Error`, in debug and in release builds
// alike, and leaves the world as it was. Questions (`alive`, `has`, `find`, `despawn`, `add`, `remove`) answer false or
// null instead. Included by every room.
#pragma once

#include <stdexcept>

#include "stoa/detail/config.hpp"

namespace stoa {

enum class Errc {
    dead_entity,
    missing_component,
    missing_resource,
    locked,
    capacity,
    not_copyable,
    not_single,
    unknown_name,
    duplicate_name,
    cycle,
    conflict,
    runaway,
    signals_off,
    world_gone,
    corrupt
};

// `what()` is one sentence that names the operation, the entity, the component and what to do instead.
class STOA_API Error : public std::logic_error {
  public:
    Error(Errc code, const char* sentence) : std::logic_error(sentence), code_(code) {}

    Errc code() const noexcept { return code_; }

  private:
    Errc code_;
};

// Called with every error before it is thrown. In a build without exceptions nothing can be thrown: there the handler
// must not return (it may end the process or jump away), and the program aborts if it does.
using ErrorHandler = void (*)(const Error&);

// Effect: installs `handler` for the whole process; null restores the default, which does nothing.
// Returns: the handler before it.   Threads: safe at any time.
STOA_API ErrorHandler set_error_handler(ErrorHandler handler) noexcept;

}  // namespace stoa

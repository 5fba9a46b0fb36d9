// The shared libraries that one world needs, because it has tables, sets, resources, message queues or queries of types
// that a library has described, or calls code of it. While a world needs a library, the registry keeps it loaded. Owned
// by Store.
//
// Invariant: a bit is set exactly if this world counts as a user of the library with that number.
#pragma once

#include <cstdint>

#include "stoa/component.hpp"
#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

struct ComponentType;
class Registry;
struct TypeIdentity;

class STOA_API LibraryUses {
  public:
    explicit LibraryUses(Registry& registry) noexcept : registry_(registry) {}
    ~LibraryUses();
    LibraryUses(const LibraryUses&) = delete;
    LibraryUses& operator=(const LibraryUses&) = delete;

    // The description of a component, or of a resource or message type by its number. The world needs its library.
    const ComponentType& use(ComponentId id);
    const TypeIdentity& use_resource(std::uint32_t number);
    // The world needs the library of this address.
    void use_code(const void* address) noexcept;

  private:
    friend class Registry;

    Registry& registry_;
    std::uint64_t libraries_ = 0;    // a bit for each, by its number
    std::uintptr_t last_begin_ = 0;  // the addresses of the one that was noted last: mostly that of the next type too
    std::uintptr_t last_size_ = 0;
};

}  // namespace stoa::detail

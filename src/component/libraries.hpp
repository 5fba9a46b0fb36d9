// Keeps shared libraries in memory that a world may still need: descriptions of types, their functions and their names
// lie in the library that used the type first. Owned by the registry, which says what must stay.
//
// Invariant: a library that was asked for stays loaded, whatever its user closes, except the one that holds the
// registry itself. Threads: all calls are safe. No call needs memory.
#pragma once

#include <cstdint>
#include <mutex>

namespace stoa::detail {

class Libraries {
  public:
    Libraries() noexcept;

    // The program or library that `address` lies in stays in memory from now on.
    void keep(const void* address) noexcept;

  private:
    // What was kept is known by its range of addresses. `handle` is what a later dlclose would give back.
    struct Kept {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        void* handle = nullptr;
    };
    static constexpr int limit = 64;

    bool knows(std::uintptr_t address);

    std::mutex mutex_;
    Kept kept_[limit];  // libraries beyond the last are found anew each time
    int count_ = 0;
};

}  // namespace stoa::detail

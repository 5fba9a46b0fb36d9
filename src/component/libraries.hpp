// Keeps those shared libraries loaded that a world may still need: the descriptions of types, their functions and their
// names are in the library that used the type first.
//
// Invariant: a library that keep() was called for stays loaded, even when the program closes it, except the one that
// holds the registry itself. Threads: all calls are safe. No call needs memory.
#pragma once

#include <cstdint>
#include <mutex>

namespace stoa::detail {

class Libraries {
  public:
    Libraries() noexcept;

    // Effects: the program or library that contains `address` stays loaded.
    void keep(const void* address) noexcept;

  private:
    // A library that stays loaded, by its range of addresses. `handle` is what a dlclose would take.
    struct Kept {
        std::uintptr_t begin = 0;
        std::uintptr_t end = 0;
        void* handle = nullptr;
    };
    static constexpr int limit = 64;

    bool knows(std::uintptr_t address);

    std::mutex mutex_;
    Kept kept_[limit];  // further libraries stay loaded too, but are searched for in every call
    int count_ = 0;
};

}  // namespace stoa::detail

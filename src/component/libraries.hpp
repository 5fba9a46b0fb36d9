// Keeps those shared libraries loaded that a world may still need: the descriptions of types, their functions and their
// names are in the library that used the type first. A world that needs a library counts as its user; a library without
// users can be released, and is unloaded then unless the program has it open.
//
// Invariant: a library that keep() was called for stays loaded until release(), even when the program closes it. The
// program itself, the library that holds the registry, and pinned ones are never released. Threads: all calls are safe.
// No call needs memory.
#pragma once

#include <cstdint>
#include <mutex>

namespace stoa::detail {

// The addresses of a library.
struct AddressRange {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    bool contains(const void* address) const noexcept {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        return at >= begin && at < end;
    }
    explicit operator bool() const noexcept { return begin != end; }
};

// A library that is kept. A number is used again after its library is released.
enum class LibraryNumber : std::uint8_t { none = 0xff };

class Libraries {
  public:
    static constexpr int limit = 64;

    Libraries() noexcept;

    // Effects: the program or library that contains `address` stays loaded.
    // Returns: its number; none where the system cannot tell, or when there are too many.
    LibraryNumber keep(const void* address) noexcept;
    // The same without keeping it: none unless it is kept.
    LibraryNumber find(const void* address, AddressRange* range = nullptr) noexcept;
    // Effects: the library that contains `address` is never released.
    void pin(const void* address) noexcept;

    // A world begins or ceases to need the library.
    void add_user(LibraryNumber number) noexcept;
    void drop_user(LibraryNumber number) noexcept;
    // Effects: the library is no longer kept, if it has no users and can be unloaded.
    // Returns: what close() takes then, else null.
    void* release(LibraryNumber number) noexcept;
    // Effects: unloads the library, unless the program has it open.
    static void close(void* handle) noexcept;

    // The addresses of the library that contains `address`, and its file; empty when there is none. The name is valid
    // while the library is loaded.
    static AddressRange range_of(const void* address, const char** name = nullptr) noexcept;

  private:
    struct Kept {
        AddressRange range;
        void* handle = nullptr;  // null: it stays loaded without one
        std::uint32_t users = 0;
        bool is_pinned = false;
    };

    LibraryNumber search(const void* address) const noexcept;
    LibraryNumber add(const AddressRange& range, void* handle) noexcept;

    std::mutex mutex_;
    Kept kept_[limit];  // further libraries stay loaded too, but are searched for in every call
    int count_ = 0;     // entries that were ever used; a released one has an empty range
};

}  // namespace stoa::detail

// Work that may find no memory, done where nothing may be thrown.
#pragma once

#include <cstdlib>
#include <new>

namespace stoa::detail {

// Runs what may throw std::bad_alloc; false when it did.
template <class Work>
bool attempt(Work&& work) noexcept {
#if defined(__cpp_exceptions)
    try {
        work();
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
#else
    work();
    return true;
#endif
}

// For what cannot go on without the memory that an attempt did not find.
[[noreturn]] inline void throw_no_memory() {
#if defined(__cpp_exceptions)
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

}  // namespace stoa::detail

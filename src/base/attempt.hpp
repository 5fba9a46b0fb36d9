// Runs work that may run out of memory in functions that must not throw.
#pragma once

#include <cstdlib>
#include <new>

namespace stoa::detail {

// Effects: calls work(). Returns: false when it threw std::bad_alloc. Requires: it throws nothing else.
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

// For a caller that cannot continue after a failed attempt.
[[noreturn]] inline void throw_no_memory() {
#if defined(__cpp_exceptions)
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

}  // namespace stoa::detail

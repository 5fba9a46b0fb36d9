// Work that may find no memory, done where nothing may be thrown.
#pragma once

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

}  // namespace stoa::detail

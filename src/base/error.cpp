// Raising errors, with and without exceptions.
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "base/raise.hpp"

namespace stoa {
namespace {

std::atomic<ErrorHandler> installed_handler{nullptr};

}  // namespace

ErrorHandler set_error_handler(ErrorHandler handler) noexcept { return installed_handler.exchange(handler); }

namespace detail {

void raise(Errc code, const std::string& message) {
    const Error error(code, message.c_str());
    if (const ErrorHandler handler = installed_handler.load()) handler(error);
#if defined(__cpp_exceptions)
    throw error;
#else
    std::fprintf(stderr, "stoa: %s\n", error.what());
    std::abort();
#endif
}

}  // namespace detail
}  // namespace stoa

// The only function that throws errors of the library.
#pragma once

#include <string>

#include "stoa/error.hpp"

namespace stoa::detail {

// Calls the installed handler, then throws stoa::Error; without exceptions, aborts when the handler returns.
[[noreturn]] void raise(Errc code, const std::string& message);

}  // namespace stoa::detail

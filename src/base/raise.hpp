// The one place where errors leave the library. Called by every room that finds a demand it cannot meet.
#pragma once

#include <string>

#include "stoa/error.hpp"

namespace stoa::detail {

// Calls the installed handler, then throws stoa::Error; without exceptions, aborts when the handler returns.
[[noreturn]] void raise(Errc code, const std::string& sentence);

}  // namespace stoa::detail

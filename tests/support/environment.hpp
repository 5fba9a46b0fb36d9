// Numbers from the environment, for tests whose size or seed a person may want to choose. A variable that is not set or
// not a number counts as absent. Called by the model tests.
#pragma once

#include <cstdint>
#include <optional>

namespace stoa_test {

/// Returns the variable as a number; "3e5" and "300000" are the same, "0x1F" is hexadecimal.
std::optional<std::uint64_t> number_from_environment(const char* variable);

}  // namespace stoa_test

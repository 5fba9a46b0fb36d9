// Reads numbers from the environment. Invariant: a value that does not parse to its end is treated as absent, so a typo
// never silently becomes zero operations. Called by the model tests.
#include "environment.hpp"

#include <cstdlib>
#include <cstring>

namespace stoa_test {

std::optional<std::uint64_t> number_from_environment(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr || *text == '\0') {
        return std::nullopt;
    }
    char* end = nullptr;
    const std::uint64_t whole = std::strtoull(text, &end, 0);
    if (*end == '\0') {
        return whole;
    }
    const double scientific = std::strtod(text, &end);
    if (*end == '\0' && scientific >= 0 && scientific < 1e18) {
        return static_cast<std::uint64_t>(scientific);
    }
    return std::nullopt;
}

}  // namespace stoa_test

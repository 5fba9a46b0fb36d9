// Which kind of build a test runs in, so that the heavy ones can choose a size that fits it. Sanitizers win over debug,
// debug wins over release. Called by the model and the limits.
#pragma once

#include <cstdint>

namespace stoa_test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized_build = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool sanitized_build = true;
#else
inline constexpr bool sanitized_build = false;
#endif
#else
inline constexpr bool sanitized_build = false;
#endif

#if defined(NDEBUG)
inline constexpr bool release_build = !sanitized_build;
#else
inline constexpr bool release_build = false;
#endif

/// Returns the amount of work that fits this build.
constexpr std::uint64_t by_build(std::uint64_t release, std::uint64_t debug, std::uint64_t sanitized) {
    return sanitized_build ? sanitized : release_build ? release : debug;
}

}  // namespace stoa_test

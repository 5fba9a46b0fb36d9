// Error messages of schedules.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stoa {

struct PhaseOptions;

namespace detail {

std::string in_quotes(std::string_view name);
// The most similar of the known names, as the end of a message; empty if none is similar.
std::string hint(std::string_view name, std::span<const std::string_view> known);
// Throws Errc::unknown_name.
[[noreturn]] void fail_unknown(const char* verb, const char* kind, std::string_view name,
                               std::span<const std::string_view> known = {});
// A second state of a type, and a type without a state.
[[noreturn]] void fail_second_state(std::string_view type);
[[noreturn]] void fail_no_state(const char* verb, std::string_view type);
// Throws Errc::conflict when it is negative or not finite.
void require_time(double delta);
// Throws Errc::conflict when a step is negative or not finite, or most is below 1.
void require_phase_options(std::string_view name, const PhaseOptions& options);

}  // namespace detail
}  // namespace stoa

// Error messages of schedules: names in quotes, and for an unknown name the most similar one.
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/raise.hpp"
#include "schedule/schedule_errors.hpp"
#include "stoa/schedule.hpp"
#include "stoa/timer.hpp"

namespace stoa::detail {
namespace {

// The edit distance of two names: how many letters must be replaced, removed or inserted.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);  // of the letters of `a` so far, to each beginning of `b`
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string in_quotes(std::string_view name) {
    std::string quoted(1, '\'');  // joined step by step: g++ 12 warns of the sum of a literal and a temporary
    quoted += name;
    return quoted += '\'';
}

std::string hint(std::string_view name, std::span<const std::string_view> known) {
    std::string_view nearest;
    std::size_t least = name.size();
    for (const std::string_view other : known) {
        const std::size_t apart = distance(name, other);
        // Names that have too little in common are no misspelling of each other.
        if (apart >= least || apart > std::max(name.size(), other.size()) / 3 + 1) continue;
        least = apart;
        nearest = other;
    }
    return nearest.empty() ? std::string() : "; did you mean " + in_quotes(nearest) + "?";
}

void fail_unknown(const char* verb, const char* kind, std::string_view name, std::span<const std::string_view> known) {
    const std::string nearest = hint(name, known);
    raise(Errc::unknown_name, std::string(verb) + ": there is no " + kind + " " + in_quotes(name) +
                                  (nearest.empty() ? "; add it first or check the name" : nearest));
}

void fail_second_state(std::string_view type) {
    raise(Errc::duplicate_name, "add_state: the world has a " + std::string(type) +
                                    " already; use that, or give this state a type of its own");
}

void fail_no_state(const char* verb, std::string_view type) {
    raise(Errc::missing_resource,
          std::string(verb) + ": this schedule has no " + std::string(type) + "; add it first, with add_state()");
}

void require_time(double delta) {
    if (is_time(delta)) return;
    raise(Errc::conflict,
          "update: the elapsed time in seconds must be finite and not negative, and it is " + std::to_string(delta));
}

void require_phase_options(std::string_view name, const PhaseOptions& options) {
    if (!is_time(options.step)) {
        raise(Errc::conflict, "add_phase: the step of phase " + in_quotes(name) +
                                  " in seconds must be finite and not negative, and it is " +
                                  std::to_string(options.step) + "; 0 is a phase without steps");
    }
    if (options.most < 1) {
        raise(Errc::conflict, "add_phase: phase " + in_quotes(name) + " may make at most " +
                                  std::to_string(options.most) + " steps in an update; allow at least one");
    }
}

}  // namespace stoa::detail

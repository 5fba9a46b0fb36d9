// How systems and phases are added to a schedule. Used by schedule.hpp.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "stoa/condition.hpp"

namespace stoa {

/// One name, or several in braces. It refers to the strings of the caller.
class Names {
  public:
    Names() = default;
    template <class Name>
        requires std::convertible_to<const Name&, std::string_view>
    Names(const Name& name) : all_{std::string_view(name)} {}
    Names(std::initializer_list<std::string_view> names) : all_(names) {}

    const std::vector<std::string_view>& all() const { return all_; }

  private:
    std::vector<std::string_view> all_;
};

/// How a system is added.
struct SystemOptions {
    /// Lower ones run first.
    int priority = 0;
    /// Systems that this one precedes, and systems that precede it. They may be added later, and be in other phases.
    Names before = {};
    Names after = {};
    /// The flag of Phase::enable.
    bool enabled = true;
    /// Asked when the turn of the system comes; if it is false, the system is skipped.
    Condition when = {};
};

/// How a phase is added.
struct PhaseOptions {
    /// Seconds from one run to the next: the phase makes a step when less than a millionth of it is missing, and what
    /// remains is carried over. 0: it runs once in each update.
    double step = 0;
    /// How many steps it makes in one update. Whole steps beyond that are dropped; see Phase::dropped.
    int most = 8;
    /// The flag of Phase::enable.
    bool enabled = true;
    /// Asked once in each update of the phase; if it is false, the phase does not run, and no time passes for it.
    Condition when = {};
};

}  // namespace stoa

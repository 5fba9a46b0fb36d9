// The last operations of a run, kept as plain numbers so that logging costs nothing until a run diverges; then they are
// printed as text. Invariant: holds the newest `kept` operations. Called by the driver.
#pragma once

#include "combos.hpp"

#include <stoa/stoa.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace stoa_test {

struct LoggedOperation {
    std::uint64_t step = 0;
    const char* verb = "";
    const Combo* combo = nullptr;  // null when the verb names no components
    stoa::Entity entity;
    stoa::Entity other;
    std::size_t count = 0;
    Numbers numbers{};
};

class OperationLog {
  public:
    /// Begins the entry of the next operation; the driver fills it in while it chooses.
    LoggedOperation& next() {
        LoggedOperation& entry = entries_[total_++ % kept];
        entry = LoggedOperation{};
        entry.step = total_ - 1;
        return entry;
    }
    std::uint64_t total() const { return total_; }

    /// Returns the kept operations as lines, oldest first.
    std::string tail() const;

  private:
    static constexpr std::size_t kept = 40;
    std::array<LoggedOperation, kept> entries_{};
    std::uint64_t total_ = 0;
};

std::string describe(stoa::Entity entity);

}  // namespace stoa_test

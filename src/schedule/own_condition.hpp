// The condition of one system or one phase: what is asked, with the states of its parameters. Owned by SystemEntry and
// PhaseState.
#pragma once

#include <memory>
#include <string_view>

#include "stoa/condition.hpp"

namespace stoa::detail {

class OwnCondition {
  public:
    // Always true.
    OwnCondition() = default;
    // `owner`: whose it is, for messages. Throws Errc::conflict when a parameter writes, std::bad_alloc, and what the
    // states of parameters throw.
    OwnCondition(const Condition& condition, World& world, std::string_view verb, std::string_view owner);

    bool is_set() const noexcept { return state_ != nullptr; }
    std::string_view name() const noexcept { return node_->name(); }
    const ConditionState& state() const noexcept { return *state_; }  // requires: is_set()
    // Adds what it reads.
    void add_access(AccessSet& set, Store& store) const;

    bool holds(const SystemContext& at) { return state_ == nullptr || state_->holds(at); }
    // The system has run.
    void after() {
        if (state_ != nullptr) state_->after();
    }

  private:
    Ref<ConditionNode> node_;
    std::unique_ptr<ConditionState> state_;
};

}  // namespace stoa::detail

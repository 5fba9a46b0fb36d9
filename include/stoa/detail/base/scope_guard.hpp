// ScopeGuard runs a callable at the end of a scope, for what a step that fails must undo. It is the one guard of the
// library; a class of its own is needed only where the undoing has a state that others look at.
#pragma once

#include <utility>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

//     ScopeGuard undo([&]() noexcept { pool.give(block, bytes, alignment); });
//     fill(block);      // may throw
//     undo.dismiss();   // the block has an owner now
template <class Action>
class [[nodiscard]] ScopeGuard {
    static_assert(noexcept(std::declval<Action&>()()), "the action of a guard is noexcept: it may run while unwinding");

  public:
    explicit ScopeGuard(Action action) noexcept : action_(std::move(action)) {}
    ~ScopeGuard() {
        if (active_) action_();
    }
    ScopeGuard(const ScopeGuard&) = delete;
    ScopeGuard& operator=(const ScopeGuard&) = delete;

    // Effects: the action does not run.
    void dismiss() noexcept { active_ = false; }

  private:
    Action action_;
    bool active_ = true;
};

}  // namespace stoa::detail

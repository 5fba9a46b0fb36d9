// ScopeGuard runs a callable when a scope ends, to undo a step that failed. It is the only guard of the library; a
// separate class is needed only where other code reads the state of the undoing.
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

// Run conditions: whether a system, or a whole phase, runs now.
//
//     phase.add("rain", rain, {.when = [](Res<const Weather> weather) { return weather->wet; }});
//     const Condition busy{"busy", [](Res<const Load> load) { return load->jobs > 9; }};
//     phase.add("hud", hud, {.when = in_state(Mode::play) && !busy});
//
// A condition is asked when the turn of its system comes, before the parameters of the system are. It sees what the
// systems before it in order have done, on any number of threads: what it reads counts as read by the system. It never
// conflicts with the parameters of its own system. A system whose condition is false is skipped. The condition of a
// phase is asked once in each update of the phase, before its time is counted.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stoa/detail/schedule/condition_node.hpp"
#include "stoa/detail/schedule/condition_params.hpp"
#include "stoa/timer.hpp"  // first: clang warns of an enumerator that has the name of an earlier function, once()

namespace stoa {

/// Made of any callable to bool whose parameters, those of a system, only read. One whose parameters are not ready,
/// such as a missing resource, is false.
///
/// Several systems may have the same condition. Each has a copy of the callable with a Local and queries of its own;
/// `Changed` and `Added` mean: since that system last ran.
/// Threads: a Condition is copied as a pointer, on any thread; the callable runs on the thread of the system.
class STOA_API Condition {
  public:
    /// Always true.
    Condition() noexcept = default;

    /// A condition without a name.
    /// Requires: the callable is copyable.
    template <class F>
        requires(!std::same_as<std::decay_t<F>, Condition> && detail::may_be_condition<std::decay_t<F>>)
    // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): conditions themselves are excluded above.
    Condition(F&& callable) : Condition("unnamed", std::forward<F>(callable)) {}

    /// The same with a name, which SystemReport::why_not gives.
    template <class F>
    Condition(std::string_view name, F&& callable)
        : node_(detail::Ref<detail::ConditionNode>::adopt(made<std::decay_t<F>>(name, std::forward<F>(callable)))) {}

    /// Returns: the name; of a combination, those of its parts; empty if it is always true.
    std::string_view name() const noexcept { return node_ ? node_->name() : std::string_view(); }

    /// Returns: a condition that asks its parts from left to right, and only as many as are needed.
    friend Condition operator&&(const Condition& a, const Condition& b) { return both(a, b); }
    friend Condition operator||(const Condition& a, const Condition& b) { return either(a, b); }
    friend Condition operator!(const Condition& a) { return opposite(a); }

  private:
    friend struct detail::ConditionAccess;
    explicit Condition(detail::ConditionNode* node) noexcept : node_(detail::Ref<detail::ConditionNode>::adopt(node)) {}

    template <class F, class From>
    static detail::ConditionNode* made(std::string_view name, From&& callable) {
        static_assert(detail::is_condition<F>());
        return new detail::CallableNode<F>(name, std::forward<From>(callable));
    }
    static Condition both(const Condition& a, const Condition& b);
    static Condition either(const Condition& a, const Condition& b);
    static Condition opposite(const Condition& a);

    detail::Ref<detail::ConditionNode> node_;
};

/// Returns: a condition that is true until its system, or its phase, has run. A run that throws does not count.
STOA_API Condition once();

/// Returns: a condition that is true in runs in which the elapsed time of its phase reaches or passes a multiple of
/// `seconds`; a millionth of that may be missing. As the condition of a phase it is false: no time passes for a phase
/// whose condition is false.
/// Throws: Errc::conflict when `seconds` is negative, infinite, NaN or 0.
STOA_API Condition every(double seconds);

/// Returns: a condition that is true when the resource R is there, and was set, or handed out for writing, by another
/// since its system, or its phase, last ran; or ever, if that has not run.
template <class R>
Condition changed() {
    static_assert(detail::is_resource<R>());
    return {detail::called("changed", detail::resource_type<R>.name),
            [](detail::ResourceChange<R> change) { return change.happened; }};
}

/// Returns: a condition that is true while a query of these terms has a match. Nothing is handed out: a term `T` counts
/// as reading the structure only, and conflicts with nothing.
template <class... Terms>
Condition exists() {
    static_assert(detail::are_terms<Terms...>());
    return {detail::called("exists", detail::type_name<detail::Types<Terms...>>()),
            [](detail::AnyMatch<Terms...> match) { return match.found; }};
}

}  // namespace stoa

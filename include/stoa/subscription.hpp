// Signals: code that is called at once when an entity begins or ceases to match a query, or a family becomes active or ceases to
// be. Query::on_enter, on_leave, on_activate and on_deactivate make them; a Subscription is the handle.
//
// During on_enter and on_leave the entity matches and its components are readable. The structure of the world is locked: a verb
// that would change it throws Errc::locked. Everything else is allowed: writing values, subscribing, unsubscribing, also oneself,
// making queries. Who subscribes during a change is told of the next one. When a callback throws, the change stands, callbacks
// after it are not told of it, and the exception reaches the caller of the verb.
#pragma once

#include <type_traits>
#include <utility>

#include "stoa/detail/observer.hpp"
#include "stoa/detail/signal_call.hpp"
#include "stoa/query.hpp"

namespace stoa {

// Ends the subscription when it is dropped. May be dropped inside its own callback, and may outlive its world.
class [[nodiscard("the subscription ends when it is dropped: keep it, or call release()")]] Subscription {
  public:
    Subscription() noexcept = default;  // of nothing

    // The callback stays as long as the world; this handle is empty from now on.
    void release() noexcept { hold_.release(); }

    // Whether it may still be called.
    explicit operator bool() const noexcept { return hold_.store() != nullptr; }

  private:
    template <class... Terms>
    friend class Query;
    explicit Subscription(detail::ObserverHold hold) noexcept : hold_(std::move(hold)) {}

    detail::ObserverHold hold_;
};

template <class... Terms>
template <class F>
Subscription Query<Terms...>::on_enter(F&& f) const {
    static_assert(!tracks, "Changed and Added choose what a walk visits; a signal is about having components");
    detail::Store& store = living();
    detail::require_signals(store, "on_enter");
    using Callback = detail::EntityCallback<std::decay_t<F>, Given, detail::Observer::enters>;
    return Subscription({store, *state_, new Callback(store, std::forward<F>(f))});
}

template <class... Terms>
template <class F>
Subscription Query<Terms...>::on_leave(F&& f) const {
    static_assert(!tracks, "Changed and Added choose what a walk visits; a signal is about having components");
    detail::Store& store = living();
    detail::require_signals(store, "on_leave");
    using Callback = detail::EntityCallback<std::decay_t<F>, Given, detail::Observer::leaves>;
    return Subscription({store, *state_, new Callback(store, std::forward<F>(f))});
}

template <class... Terms>
template <class F>
Subscription Query<Terms...>::on_activate(F&& f) const {
    static_assert(needs, "only a family becomes active: name the resources with Needs");
    detail::Store& store = living();
    detail::require_signals(store, "on_activate");
    return Subscription({store, *state_, new detail::FamilyCallback<std::decay_t<F>, true>(std::forward<F>(f))});
}

template <class... Terms>
template <class F>
Subscription Query<Terms...>::on_deactivate(F&& f) const {
    static_assert(needs, "only a family ceases to be active: name the resources with Needs");
    detail::Store& store = living();
    detail::require_signals(store, "on_deactivate");
    return Subscription({store, *state_, new detail::FamilyCallback<std::decay_t<F>, false>(std::forward<F>(f))});
}

}  // namespace stoa

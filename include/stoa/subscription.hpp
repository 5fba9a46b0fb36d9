/// Signals: callbacks that run at once when an entity begins or ceases to match a query, or when a family becomes
/// active or inactive. Query::on_enter, on_leave, on_activate and on_deactivate subscribe one; a Subscription is its
/// handle.
///
/// A callback takes what the terms of its query give, optionally preceded by an Entity or an EntityRef; or only the
/// Entity or EntityRef; or nothing. What it takes as const does not count as written.
///
/// Order: callbacks run in order of subscription. on_enter runs after the change, on_leave before it: in both, the
/// entity matches and its components are readable. Subscribing does not replay existing matches, unless on_enter is
/// asked to by Existing::told. A callback that is subscribed during a change first runs for the next one. Destroying
/// the world runs no callbacks; clear() runs on_leave for every match.
///
/// Locks: the structure of the world is locked during a callback; a verb that would change it throws Errc::locked.
/// Everything else is allowed: writing values, recording commands, making queries, subscribing, and ending
/// subscriptions, including that of the callback itself.
///
/// Exceptions: if a callback throws, the change stays, later callbacks do not run for it, and the exception reaches the
/// caller of the verb.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/query/observer.hpp"
#include "stoa/detail/watch/signal_call.hpp"
#include "stoa/query.hpp"

namespace stoa {

/// What on_enter does about entities that match when it is called.
enum class Existing : std::uint8_t {
    untold,  ///< nothing; this is the default
    told     ///< calls the callback for each of them, in the order of the walk
};

/// The owner of one callback. Its destructor ends the subscription; that may happen inside the callback itself. It may
/// outlive its world.
class [[nodiscard("the subscription ends when it is dropped: keep it, or call release()")]] Subscription {
  public:
    /// Owns no callback.
    Subscription() noexcept = default;

    /// Effects: the callback stays subscribed as long as the world exists, and this handle is empty.
    void release() noexcept { hold_.release(); }

    /// Returns: whether the callback may still run. False for an empty handle, and when the world is gone.
    explicit operator bool() const noexcept { return hold_.store() != nullptr; }

  private:
    template <class Query>
    friend struct detail::SignalCalls;
    explicit Subscription(detail::ObserverHold hold) noexcept : hold_(std::move(hold)) {}

    detail::ObserverHold hold_;
};

/// The calls of a query or of a filtered query, `From`, that subscribe a callback.
/// Throws: Errc::world_gone, Errc::signals_off (WorldOptions::signals), std::bad_alloc; what copying f throws.
template <class... Terms>
struct detail::SignalCalls<Query<Terms...>> {
    /// Effects: calls f when an entity begins to match, whatever the cause. For a family, also for all matches when it
    /// becomes active, and not while it is inactive. With Existing::told, f is first called for each match, in the
    /// order of the walk, once; the structure is locked meanwhile. If f throws, it is not subscribed.
    /// Throws: also what f throws.
    /// Complexity: with Existing::told, that of a walk.
    template <class From, class F>
    static Subscription on_enter(const From& query, F&& f, Existing existing = Existing::untold) {
        static_assert(is_about_having());
        Subscription made = subscribe_entities<Observer::enters>(query, "on_enter", std::forward<F>(f));
        if (existing == Existing::told) tell_matches(QueryAccess::source(query), made.hold_);
        return made;
    }
    /// Effects: calls f when an entity is about to cease to match, whatever the cause. For a family, also for all
    /// matches when it is about to become inactive, and not while it is inactive.
    template <class From, class F>
    static Subscription on_leave(const From& query, F&& f) {
        static_assert(is_about_having());
        return subscribe_entities<Observer::leaves>(query, "on_leave", std::forward<F>(f));
    }
    /// Effects: calls f() when the family becomes active, before on_enter of its matches.
    template <class From, class F>
    static Subscription on_activate(const From& query, F&& f) {
        static_assert(needs, "only a family becomes active: name the resources with Needs");
        return subscribe<FamilyCallback<std::decay_t<F>, true>>(query, "on_activate", std::forward<F>(f));
    }
    /// Effects: calls f() when the family is about to become inactive, after on_leave of its matches.
    template <class From, class F>
    static Subscription on_deactivate(const From& query, F&& f) {
        static_assert(needs, "only a family ceases to be active: name the resources with Needs");
        return subscribe<FamilyCallback<std::decay_t<F>, false>>(query, "on_deactivate", std::forward<F>(f));
    }

  private:
    using Given = GivenBy<Terms...>;
    static constexpr bool tracks = (Term<Terms>::tracks || ...);
    static constexpr bool needs = type_count<NeededBy<Terms...>> != 0;

    static consteval bool is_about_having() {
        static_assert(!tracks, "Changed and Added choose what a walk visits; a signal is about having components");
        return true;
    }
    template <Observer::Wants When, class From, class F>
    static Subscription subscribe_entities(const From& query, const char* verb, F&& f) {
        if constexpr (QueryAccess::has_filter<From>) {
            Store& store = QueryAccess::store(query);
            require_signals(store, verb);
            using Callback = FilteredEntityCallback<std::decay_t<F>, Given, When>;
            QueryState& state = QueryAccess::state(query);
            if (Ref<ValueFilter> filter = QueryAccess::value_filter(query))
                return Subscription({store, state, new Callback(store, state, std::move(filter), std::forward<F>(f))});
        }
        return subscribe<EntityCallback<std::decay_t<F>, Given, When>>(query, verb, std::forward<F>(f));
    }
    template <class Callback, class From, class F>
    static Subscription subscribe(const From& query, const char* verb, F&& f) {
        Store& store = QueryAccess::store(query);
        require_signals(store, verb);
        return Subscription({store, QueryAccess::state(query), new Callback(store, std::forward<F>(f))});
    }
};

}  // namespace stoa

// The forms of signal callbacks, and the observers that call them. A callback takes what the terms give, optionally
// preceded by an Entity or an EntityRef; or only the Entity or EntityRef; or nothing. What it takes as const is handed
// out as const and does not count as changed, whatever the term says.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/query/calls.hpp"
#include "stoa/detail/query/filtered_callback.hpp"

namespace stoa::detail {

template <class T>
using ArgumentOf = typename Term<T>::Argument;

template <class... Ts>
struct Front {};  // the parameters before the components

template <class F, class Given, class Shape>
inline constexpr bool fits = false;
template <class F, class... Terms, class... Fs>
inline constexpr bool fits<F, TermTypes<Terms...>, Front<Fs...>> = std::is_invocable_v<F&, Fs..., ArgumentOf<Terms>...>;

// The terms, where those that F takes as const become reading ones: all of them if possible, else one by one.
template <class F, class Shape, class Before, class... After>
struct ReadWhereItCan {
    using type = Before;
};
template <class F, class Shape, class... Before, class T, class... After>
struct ReadWhereItCan<F, Shape, TermTypes<Before...>, T, After...> {
    using Reading = typename Term<T>::Reading;
    using Chosen = std::conditional_t<fits<F, TermTypes<Before..., Reading, After...>, Shape>, Reading, T>;
    using type = typename ReadWhereItCan<F, Shape, TermTypes<Before..., Chosen>, After...>::type;
};

template <class F, class Shape, class... Terms>
consteval auto terms_for(TermTypes<Terms...>) {
    using Reading = TermTypes<typename Term<Terms>::Reading...>;
    if constexpr (fits<F, Reading, Shape>) {
        return Reading{};
    } else {
        return typename ReadWhereItCan<F, Shape, TermTypes<>, Terms...>::type{};
    }
}
template <class F, class Shape, class Given>
inline constexpr bool fits_somehow = fits<F, decltype(terms_for<F, Shape>(Given{})), Shape>;

enum class SignalShape { entity_and_terms, ref_and_terms, entity, terms, ref, nothing, none };

// In this order, and no test without need: testing whether a generic callable takes something compiles its body.
template <class F, class Given>
consteval SignalShape signal_shape() {
    if constexpr (fits_somehow<F, Front<Entity>, Given>) {
        return SignalShape::entity_and_terms;
    } else if constexpr (fits_somehow<F, Front<EntityRef>, Given>) {
        return SignalShape::ref_and_terms;
    } else if constexpr (starts_with_id<F>()) {
        // A leading Entity by value is always the id; by reference it may be a component.
        return std::is_invocable_v<F&, Entity> ? SignalShape::entity : SignalShape::none;
    } else if constexpr (fits_somehow<F, Front<>, Given>) {
        return SignalShape::terms;
    } else if constexpr (std::is_invocable_v<F&, Entity>) {
        return SignalShape::entity;
    } else if constexpr (std::is_invocable_v<F&, EntityRef>) {
        return SignalShape::ref;
    } else if constexpr (std::is_invocable_v<F&>) {
        return SignalShape::nothing;
    } else {
        return SignalShape::none;
    }
}

template <class F, class Given>
consteval bool is_signal_callback() {
    static_assert(
        signal_shape<F, Given>() != SignalShape::none,
        "the callable of a signal takes what the terms give, optionally preceded by an Entity or EntityRef; or "
        "only the Entity or EntityRef; or nothing");
    return true;
}

template <class F, class... Terms>
void call_signal(F& f, Store& store, Entity entity, TermTypes<Terms...> given) {
    constexpr SignalShape shape = signal_shape<F, TermTypes<Terms...>>();
    const auto with_terms = [&]<class Shape, class... Chosen>(Shape, TermTypes<Chosen...>) {
        EntityRow place = store.locate(entity);
        if (!place) place = store.locate_ghost(entity);
        [[maybe_unused]] const LocatedRow<Chosen...> found(store, place);
        if constexpr (std::is_same_v<Shape, Front<Entity>>) {
            f(entity, found.template value<Chosen>(store, entity)...);
        } else if constexpr (std::is_same_v<Shape, Front<EntityRef>>) {
            f(EntityRefAccess::make(store, entity), found.template value<Chosen>(store, entity)...);
        } else {
            f(found.template value<Chosen>(store, entity)...);
        }
    };
    if constexpr (shape == SignalShape::entity_and_terms) {
        with_terms(Front<Entity>{}, terms_for<F, Front<Entity>>(given));
    } else if constexpr (shape == SignalShape::ref_and_terms) {
        with_terms(Front<EntityRef>{}, terms_for<F, Front<EntityRef>>(given));
    } else if constexpr (shape == SignalShape::terms) {
        with_terms(Front<>{}, terms_for<F, Front<>>(given));
    } else if constexpr (shape == SignalShape::entity) {
        f(entity);
    } else if constexpr (shape == SignalShape::ref) {
        f(EntityRefAccess::make(store, entity));
    } else {
        f();
    }
}

// Calls f when an entity enters or leaves the query.
template <class F, class Given, Observer::Wants When>
class EntityCallback final : public Observer {
    static_assert(is_signal_callback<F, Given>());

  public:
    template <class From>
    EntityCallback(Store& store, From&& f) : Observer(When), store_(store), f_(std::forward<From>(f)) {}

    void entered(Entity entity) override {
        if constexpr (When == enters) call_signal(f_, store_, entity, Given{});
    }
    void left(Entity entity) override {
        if constexpr (When == leaves) call_signal(f_, store_, entity, Given{});
    }

  private:
    Store& store_;
    F f_;
};

// The same for a filtered query.
template <class F, class Given, Observer::Wants When>
class FilteredEntityCallback final : public FilteredCallback {
    static_assert(is_signal_callback<F, Given>());

  public:
    template <class From>
    FilteredEntityCallback(Store& store, QueryState& state, Ref<ValueFilter> filter, From&& f)
        : FilteredCallback(When, store, state, std::move(filter)), store_(store), f_(std::forward<From>(f)) {}

    void call(Entity entity) override { call_signal(f_, store_, entity, Given{}); }

  private:
    Store& store_;
    F f_;
};

// Calls f when a family becomes active or inactive.
template <class F, bool Active>
class FamilyCallback final : public Observer {
    static_assert(std::is_invocable_v<F&>, "the callable of on_activate and on_deactivate takes nothing");

  public:
    template <class From>
    FamilyCallback(Store&, From&& f) : Observer(activity), f_(std::forward<From>(f)) {}

    void activated() override {
        if constexpr (Active) f_();
    }
    void deactivated() override {
        if constexpr (!Active) f_();
    }

  private:
    F f_;
};

// Tells an observer of each entity that matches already, in the order of the source, and of nothing else meanwhile: a
// callback may make a family inactive and active again, and no entity enters twice. It ends where a callback leaves the
// family inactive. Throws what the callback throws.
template <class Source>
void tell_matches(const Source& source, ObserverHold& hold) {
    hold.set_silent(true);
    const ScopeGuard end_silence([&hold]() noexcept { hold.set_silent(false); });
    typename Source::Selector selector;
    for (auto walk = source.look(source.require_store(), source.order(), selector); walk.next();) {
        for (const Entity entity : walk.ids()) {
            if (!source.is_active()) return;
            hold.get()->existing(entity);
        }
    }
}

// Throws Errc::signals_off in a world without signals.
STOA_API void require_signals(const Store& store, const char* verb);

}  // namespace stoa::detail

// Systems: a callable, or a class with update(), together with the states of its parameters. `System` is what the schedule sees;
// `SystemOf` fills it in for a type. Made by Phase::add.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/params.hpp"

namespace stoa::detail {

// Why a system was skipped; both empty when it was not.
struct NotReady {
    std::string_view what;
    std::string_view name;
};

class STOA_API System {
  public:
    System() = default;
    System(const System&) = delete;
    System& operator=(const System&) = delete;
    virtual ~System();

    // What each parameter touches; `aliases` marks those that may refer to the same data as another one.
    struct ParamAccess {
        Access access;
        bool aliases;
    };
    virtual std::vector<ParamAccess> accesses(Store& store) const = 0;
    virtual bool takes_commands() const = 0;

    // Runs it, unless a parameter is not ready.
    virtual NotReady run(const SystemContext& at) = 0;

    // Null when it is of another type.
    virtual void* object(const TypeIdentity& type) = 0;

    virtual void on_added(World&) {}
    virtual void on_enabled(World&) {}
    virtual void on_disabled(World&) {}
    virtual void on_removed(World&) {}
};

// The parameters of a callable.
template <class... Ps>
struct ParamTypes {};

template <class F>
struct ParamsOf {
    using type = void;  // overloaded, or a template
};
template <class R, class... Ps>
struct ParamsOf<R (*)(Ps...)> {
    using type = ParamTypes<Ps...>;
};
template <class R, class... Ps>
struct ParamsOf<R (*)(Ps...) noexcept> : ParamsOf<R (*)(Ps...)> {};
template <class R, class C, class... Ps>
struct ParamsOf<R (C::*)(Ps...)> : ParamsOf<R (*)(Ps...)> {};
template <class R, class C, class... Ps>
struct ParamsOf<R (C::*)(Ps...) const> : ParamsOf<R (*)(Ps...)> {};
template <class R, class C, class... Ps>
struct ParamsOf<R (C::*)(Ps...) noexcept> : ParamsOf<R (*)(Ps...)> {};
template <class R, class C, class... Ps>
struct ParamsOf<R (C::*)(Ps...) const noexcept> : ParamsOf<R (*)(Ps...)> {};

template <class S>
concept HasUpdate = requires { &S::update; };
template <class S>
concept HasCall = requires { &S::operator(); };

template <class S>
consteval auto system_params() {
    if constexpr (HasUpdate<S>) {
        return typename ParamsOf<decltype(&S::update)>::type();
    } else if constexpr (HasCall<S>) {
        return typename ParamsOf<decltype(&S::operator())>::type();
    } else {
        return typename ParamsOf<S>::type();
    }
}

template <class... Ps>
consteval bool are_system_params(ParamTypes<Ps...>) {
    static_assert(((!std::is_same_v<Ps, World> && !std::is_same_v<Ps, Commands>) && ...),
                  "a system takes World& or const World&, and Commands&, never the whole by value: add the &");
    return true;
}

template <class S>
consteval bool is_system() {
    static_assert(!std::is_void_v<decltype(system_params<S>())>,
                  "a system is a function, a callable object or a class with one update(); its parameters have types of their own, so it "
                  "is neither overloaded nor a template");
    if constexpr (!std::is_void_v<decltype(system_params<S>())>)
        static_assert(are_system_params(decltype(system_params<S>()){}));
    return true;
}

// References are a matter of passing, not of what is passed; but a const World is not a World.
template <class P>
using ParamKey = std::conditional_t<std::is_same_v<std::remove_cvref_t<P>, World>, std::remove_reference_t<P>, std::remove_cvref_t<P>>;

template <class P>
concept HasState = requires { typename Param<P>::State; };

struct NoState {
    NoState() = default;
};

template <class P>
struct StateOf {
    using type = NoState;
};
template <HasState P>
struct StateOf<P> {
    using type = typename Param<P>::State;
};

// One parameter: its state and the calls that may be left out.
template <std::size_t I, class P>
struct ParamCell {
    using State = typename StateOf<P>::type;
    [[no_unique_address]] State state;

    explicit ParamCell(World& world) : state(make(world)) {}
    static State make([[maybe_unused]] World& world) {
        if constexpr (std::is_constructible_v<State, World&>) {
            return State(world);
        } else {
            return State();
        }
    }

    bool ready([[maybe_unused]] const SystemContext& at) {
        if constexpr (requires { Param<P>::ready(state, at); }) {
            return Param<P>::ready(state, at);
        } else if constexpr (requires { Param<P>::ready(at); }) {
            return Param<P>::ready(at);
        } else {
            return true;
        }
    }
    static constexpr NotReady lacking() {
        NotReady why{"a parameter is not ready: ", type_name<P>()};
        if constexpr (requires { Param<P>::lacking; }) why = {Param<P>::lacking, {}};
        if constexpr (requires { Param<P>::lacking_name; }) why.name = Param<P>::lacking_name;
        return why;
    }
    decltype(auto) fetch(const SystemContext& at) {
        if constexpr (HasState<P>) {
            return Param<P>::fetch(state, at);
        } else {
            return Param<P>::fetch(at);
        }
    }
    void after() {
        if constexpr (requires { Param<P>::after(state); }) Param<P>::after(state);
    }
    static constexpr bool aliases = !requires { Param<P>::aliases; };
};

// What was fetched, as an argument: a value moves in, a reference is passed on.
template <class P, class Held>
P as_argument(std::remove_reference_t<Held>& held) {
    if constexpr (std::is_reference_v<P> || std::is_reference_v<Held>) {
        return static_cast<P>(held);
    } else {
        return static_cast<Held&&>(held);
    }
}

template <class S, class Types, class Indices>
class SystemOf;

template <class S, class... Ps, std::size_t... Is>
class SystemOf<S, ParamTypes<Ps...>, std::index_sequence<Is...>> final : public System, private ParamCell<Is, ParamKey<Ps>>... {
  public:
    template <class... Args>
    explicit SystemOf(World& world, Args&&... args) : ParamCell<Is, ParamKey<Ps>>(world)..., system_(std::forward<Args>(args)...) {}

    std::vector<ParamAccess> accesses(Store& store) const override {
        std::vector<ParamAccess> all;
        all.reserve(sizeof...(Ps));
        (all.push_back({access_of<ParamKey<Ps>>(store), Cell<Is, Ps>::aliases}), ...);
        return all;
    }
    bool takes_commands() const override { return (std::is_same_v<std::remove_cvref_t<Ps>, Commands> || ...); }

    NotReady run(const SystemContext& at) override {
        NotReady why;
        if (!((cell<Is, Ps>().ready(at) || (why = Cell<Is, Ps>::lacking(), false)) && ...)) return why;
        call<decltype(cell<Is, Ps>().fetch(at))...>(cell<Is, Ps>().fetch(at)...);
        (cell<Is, Ps>().after(), ...);
        return {};
    }

    void* object(const TypeIdentity& type) override {
        return is_same_type(type, identity) ? static_cast<void*>(detail::address_of(system_)) : nullptr;
    }

    void on_added([[maybe_unused]] World& world) override {
        if constexpr (requires { system_.on_added(world); }) system_.on_added(world);
    }
    void on_enabled([[maybe_unused]] World& world) override {
        if constexpr (requires { system_.on_enabled(world); }) system_.on_enabled(world);
    }
    void on_disabled([[maybe_unused]] World& world) override {
        if constexpr (requires { system_.on_disabled(world); }) system_.on_disabled(world);
    }
    void on_removed([[maybe_unused]] World& world) override {
        if constexpr (requires { system_.on_removed(world); }) system_.on_removed(world);
    }

  private:
    template <std::size_t I, class P>
    using Cell = ParamCell<I, ParamKey<P>>;
    template <std::size_t I, class P>
    Cell<I, P>& cell() {
        return *this;
    }
    template <class P>
    static Access access_of(Store& store) {
        Access access(store);
        Param<P>::access(access);
        return access;
    }
    // The parameters hold what was fetched during the call.
    template <class... Held>
    void call(Held... held) {
        if constexpr (HasUpdate<S>) {
            system_.update(as_argument<Ps, Held>(held)...);
        } else {
            system_(as_argument<Ps, Held>(held)...);
        }
    }

    static constexpr TypeIdentity identity = identify<S>(sizeof(S));

    S system_;
};

template <class S, class Types>
struct IndexedSystem;
template <class S, class... Ps>
struct IndexedSystem<S, ParamTypes<Ps...>> {
    using type = SystemOf<S, ParamTypes<Ps...>, std::index_sequence_for<Ps...>>;
};

template <class S>
using MadeSystem = typename IndexedSystem<S, decltype(system_params<S>())>::type;

}  // namespace stoa::detail

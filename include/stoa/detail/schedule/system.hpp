// Systems: a callable, or a class with update(), together with the states of its parameters. `System` is what the
// schedule sees; `SystemOf` implements it for a type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/base/signature.hpp"
#include "stoa/detail/schedule/builtin_params.hpp"
#include "stoa/params.hpp"

namespace stoa::detail {

// Why a system was skipped: a text and a name that follows it. Both are empty when it ran.
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
        AccessSet access;
        bool aliases;
    };
    virtual std::vector<ParamAccess> accesses(Store& store) const = 0;
    virtual bool takes_commands() const = 0;

    // Runs it, unless a parameter is not ready.
    virtual NotReady run(const SystemContext& at) = 0;

    // Null when it is of another type.
    virtual void* object(const TypeIdentity& type) = 0;
    // The next end of a frame does not count for the messages that it reads.
    virtual void exempt_messages() noexcept {}

    virtual void on_added(World&) {}
    virtual void on_enabled(World&) {}
    virtual void on_disabled(World&) {}
    virtual void on_removed(World&) {}
};

template <class S>
concept HasUpdate = requires { &S::update; };
template <class S>
concept HasCall = requires { &S::operator(); };

// The parameters of a system; void when it is overloaded or a template.
template <class S>
consteval auto system_params() {
    if constexpr (HasUpdate<S>) {
        if constexpr (requires { parameters_of(&S::update); }) return decltype(parameters_of(&S::update))();
    } else {
        return call_parameters<S>();
    }
}

template <class... Ps>
consteval bool are_system_params(Parameters<Ps...>) {
    static_assert(((!std::is_same_v<Ps, World> && !std::is_same_v<Ps, Commands>)&&...),
                  "a system takes World& or const World&, and Commands&, never the whole by value: add the &");
    return true;
}

template <class S>
consteval bool is_system() {
    static_assert(!std::is_void_v<decltype(system_params<S>())>,
                  "a system is a function, a callable object or a class with one update(); its parameters have types "
                  "of their own, so it "
                  "is neither overloaded nor a template");
    if constexpr (!std::is_void_v<decltype(system_params<S>())>)
        static_assert(are_system_params(decltype(system_params<S>()){}));
    return true;
}

// The name of a class without its namespace.
template <class S>
consteval std::string_view system_name() {
    static_assert(HasUpdate<S> || HasCall<S> || !std::is_class_v<S>,
                  "a class that is added as a system has one public update(), neither overloaded nor a template");
    static_assert(HasUpdate<S> || !(HasCall<S> || !std::is_class_v<S>),
                  "a callable needs a name: add(\"name\", callable)");
    std::string_view name = type_name<S>();
    int depth = 0;
    for (std::size_t i = name.size(); i-- > 0;) {
        if (name[i] == '>') ++depth;
        if (name[i] == '<') --depth;
        if (depth == 0 && name[i] == ':') return name.substr(i + 1);
    }
    return name;
}

// What Param is specialised for: a parameter type without reference and const. But a const World is not a World.
template <class P>
using ParamKey = std::conditional_t<std::is_same_v<std::remove_cvref_t<P>, World>, std::remove_reference_t<P>,
                                    std::remove_cvref_t<P>>;

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

// One parameter: its state, and defaults for the optional members of Param.
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
    void exempt() noexcept {
        if constexpr (requires { Param<P>::exempt(state); }) Param<P>::exempt(state);
    }
    static constexpr bool aliases = !requires { Param<P>::aliases; };
};

template <class P>
AccessSet access_of(Store& store) {
    AccessSet set(store);
    Access access = set.recorder();
    Param<P>::access(access);
    return set;
}

// What was fetched, as an argument: a value is moved, a reference is passed on.
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
class SystemOf<S, Parameters<Ps...>, std::index_sequence<Is...>> final : public System,
                                                                         private ParamCell<Is, ParamKey<Ps>>... {
  public:
    template <class... Args>
    explicit SystemOf(World& world, Args&&... args)
        : ParamCell<Is, ParamKey<Ps>>(world)..., system_(std::forward<Args>(args)...) {}

    std::vector<ParamAccess> accesses(Store& store) const override {
        std::vector<ParamAccess> all;
        all.reserve(sizeof...(Ps));
        (all.push_back({access_of<ParamKey<Ps>>(store), Cell<Is, Ps>::aliases}), ...);
        return all;
    }
    bool takes_commands() const override { return (std::is_same_v<std::remove_cvref_t<Ps>, Commands> || ...); }

    NotReady run(const SystemContext& at) override {
        NotReady why;
        if (!(is_ready<Is, Ps>(at, why) && ...)) return why;
        call<decltype(cell<Is, Ps>().fetch(at))...>(cell<Is, Ps>().fetch(at)...);
        (cell<Is, Ps>().after(), ...);
        return {};
    }

    void exempt_messages() noexcept override { (cell<Is, Ps>().exempt(), ...); }

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
    template <std::size_t I, class P>
    bool is_ready(const SystemContext& at, NotReady& why) {
        if (cell<I, P>().ready(at)) return true;
        why = Cell<I, P>::lacking();
        return false;
    }
    // `held` keeps the fetched values alive during the call.
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
struct IndexedSystem<S, Parameters<Ps...>> {
    using type = SystemOf<S, Parameters<Ps...>, std::index_sequence_for<Ps...>>;
};

template <class S>
using MadeSystem = typename IndexedSystem<S, decltype(system_params<S>())>::type;

}  // namespace stoa::detail

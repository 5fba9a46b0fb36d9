// Parameters of the conditions that the library provides, and whether a parameter may stand in a condition. Used by
// condition.hpp.
#pragma once

#include <cstdint>
#include <stdexcept>  // for std::string; <string> costs users more
#include <string_view>

#include "stoa/detail/schedule/builtin_params.hpp"
#include "stoa/detail/storage/store_of.hpp"
#include "stoa/params.hpp"

namespace stoa {

namespace detail {

// A name as `verb<types>()`.
STOA_API std::string called(std::string_view verb, std::string_view types);

// Whether its system, or its phase, has run.
struct HasRun {
    bool value;
};

// Whether the resource was written since its system last ran.
template <class R>
struct ResourceChange {
    bool happened;
};

// Whether a query has a match.
template <class... Terms>
struct AnyMatch {
    bool found;
};

}  // namespace detail

template <>
struct Param<detail::HasRun> {
    struct State {
        bool ran = false;
    };
    static void access(Access&) {}
    static detail::HasRun fetch(const State& state, const SystemContext&) { return {state.ran}; }
    static void after(State& state) { state.ran = true; }
};

template <class R>
struct Param<detail::ResourceChange<R>> {
    struct State {
        explicit State(World& world) : store(&detail::store_of(world, "changed")) {}
        detail::Store* store;
        std::uint64_t mark = 0;  // moments begin later
        bool ran = false;
    };
    static void access(Access& access) { access.reads_resource<R>(); }
    static bool ready(const SystemContext& at) { return at.world.has_resource<R>(); }
    static detail::ResourceChange<R> fetch(const State& state, const SystemContext&) {
        const std::uint64_t written = state.store->resources().last_write(detail::resource_handle<R>);
        return {!state.ran || written > state.mark};
    }
    // What the system wrote itself is not later than this moment.
    static void after(State& state) {
        state.mark = state.store->clock().moment();
        state.ran = true;
    }
};

template <class... Terms>
struct Param<detail::AnyMatch<Terms...>> {
    using State = typename detail::QueryParam<Terms...>::State;
    static void access(Access& access) { access.asks<Terms...>(); }
    static detail::AnyMatch<Terms...> fetch(State& state, const SystemContext&) {
        return {state.query.active() && !state.query.empty()};
    }
    static void after(State& state) { detail::QueryParam<Terms...>::after(state); }
};

}  // namespace stoa

// The parameters that the library provides: what each of them accesses, when the system is skipped, and what the system
// gets. params.hpp says what a specialisation of Param has. Used by SystemOf.
#pragma once

#include <string_view>
#include <type_traits>

#include "stoa/messages.hpp"
#include "stoa/params.hpp"
#include "stoa/watch.hpp"

namespace stoa {

namespace detail {

template <class... Rs>
constexpr bool needs_writing(Types<Rs...>) {
    return (!std::is_const_v<Rs> || ...);
}

// What Query and Populated have in common.
template <class... Terms>
struct QueryParam {
    struct State {
        explicit State(World& world) : query(world.query<Terms...>()) {}
        Query<Terms...> query;
    };
    static constexpr bool writes = (Term<Terms>::may_write || ...) || needs_writing(NeededBy<Terms...>{});
    static void access(Access& access) { access.walks<Terms...>(); }
    // All writes before this run count as seen by it, even if the system did not walk the query.
    static void after(State& state) { QueryAccess::source(state.query).mark_seen(); }
};

}  // namespace detail

template <class... Terms>
struct Param<Query<Terms...>> : detail::QueryParam<Terms...> {
    using typename detail::QueryParam<Terms...>::State;
    static Query<Terms...> fetch(State& state, const SystemContext&) { return state.query; }
};

template <class... Terms>
struct Param<Populated<Terms...>> : detail::QueryParam<Terms...> {
    using typename detail::QueryParam<Terms...>::State;
    static constexpr std::string_view lacking = "nothing matches its query";
    static bool ready(State& state, const SystemContext&) { return state.query.active() && !state.query.empty(); }
    static Populated<Terms...> fetch(State& state, const SystemContext&) { return Populated<Terms...>(state.query); }
};

template <class R>
struct Param<Res<R>> {
    using Resource = std::remove_const_t<R>;
    static constexpr bool writes = !std::is_const_v<R>;
    static constexpr std::string_view lacking = "a resource is missing: ";
    static constexpr std::string_view lacking_name = detail::resource_type<Resource>.name;
    static void access(Access& access) {
        std::is_const_v<R> ? access.reads_resource<Resource>() : access.writes_resource<Resource>();
    }
    static bool ready(const SystemContext& at) { return at.world.has_resource<Resource>(); }
    static Res<R> fetch(const SystemContext& at) { return Res<R>(at.world.resource<R>()); }
};

template <class R>
struct Param<Maybe<Res<R>>> {
    static constexpr bool writes = !std::is_const_v<R>;
    static void access(Access& access) { Param<Res<R>>::access(access); }
    static Maybe<Res<R>> fetch(const SystemContext& at) { return Maybe<Res<R>>(at.world.find_resource<R>()); }
};

// The queue is made when the system is added, since several systems may fetch at the same time.
template <class T>
struct Param<Messages<T>> {
    struct State {
        explicit State(World& world) : queue(detail::message_queue<T>(detail::store_of(world, "add"), "add")) {}
        detail::MessageQueue& queue;
    };
    static constexpr bool writes = true;
    static void access(Access& access) { access.sends_messages<T>(); }
    static Messages<T> fetch(State& state, const SystemContext&) {
        return detail::MessagesAccess::sender<T>(state.queue);
    }
};

// The reader belongs to the system, and so keeps its place while the system is disabled or skipped.
template <class T>
struct Param<Messages<const T>> {
    struct State {
        explicit State(World& world) : reader(world) {}
        MessageReader<T> reader;
    };
    static void access(Access& access) { access.reads_messages<T>(); }
    static Messages<const T> fetch(State& state, const SystemContext&) {
        return detail::MessagesAccess::reader(state.reader);
    }
    // For a phase whose time has not come: the end_frame of this update does not count for the reader.
    static void exempt(State& state) noexcept { detail::MessagesAccess::exempt(state.reader); }
};

// The lists are cleared after a run, and kept while the system is disabled or skipped.
template <class... Terms>
struct Param<Watch<Terms...>> {
    struct State {
        explicit State(World& world) : watch(world.query<Terms...>().watch()) {}
        Watch<Terms...> watch;
    };
    // It reads ticks and lists, which no other parameter refers to.
    static constexpr bool aliases = false;
    static void access(Access& access) { (reads<Terms>(access), ...); }
    static Watch<Terms...> fetch(State& state, const SystemContext&) { return detail::WatchAccess::share(state.watch); }
    static void after(State& state) { state.watch.clear(); }

  private:
    template <class T>
    static void reads(Access& access) {
        if constexpr (detail::Term<T>::names_data) access.reads<typename detail::Term<T>::Component>();
    }
};

template <class T>
struct Param<Local<T>> {
    struct State {
        T value{};
    };
    static void access(Access&) {}
    static Local<T> fetch(State& state, const SystemContext&) { return Local<T>(state.value); }
};

// Buffers belong to one system each, so they clash with nothing.
template <>
struct Param<Commands> {
    static constexpr bool writes = true;
    static void access(Access&) {}
    static Commands& fetch(const SystemContext& at) { return at.commands; }
};

template <>
struct Param<Time> {
    static void access(Access&) {}
    static const Time& fetch(const SystemContext& at) { return at.time; }
};

template <>
struct Param<World> {
    static constexpr bool writes = true;
    // The user is responsible for references taken from the world; the structure is locked during walks.
    static constexpr bool aliases = false;
    static void access(Access& access) { access.exclusive(); }
    static World& fetch(const SystemContext& at) { return at.world; }
};

template <>
struct Param<const World> {
    static constexpr bool aliases = false;
    static void access(Access& access) { access.reads_everything(); }
    static const World& fetch(const SystemContext& at) { return at.world; }
};

}  // namespace stoa

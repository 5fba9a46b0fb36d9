// What a system may take as parameters. A parameter says what the system touches, so that the schedule knows which systems may
// run side by side, and it says when there is nothing to do:
//
//     Query<...>            what it reads and writes; Changed and Added: since the system last ran
//     Populated<...>        a query; the system is skipped while nothing matches
//     Res<R>, Res<const R>  a resource; skipped while it is missing
//     Maybe<Res<R>>         the same, but not skipped
//     Watch<...>            lists since the system was added; cleared after each run
//     Local<T>              a value of the system's own
//     Commands&             a buffer of its own; applied at the next flush point, in the order of the systems
//     const Time&           the time of the schedule
//     const World&          reads anything
//     World&                runs alone, and may change structure
//
// A type of one's own becomes a parameter by specialising `stoa::Param`:
//
//     template <> struct stoa::Param<Mouse> {
//         static void access(Access& access) { access.reads_resource<Input>(); }
//         static bool ready(const SystemContext& at) { return at.world.has_resource<Input>(); }   // may be left out
//         static Mouse fetch(const SystemContext& at) { return {at.world.resource<const Input>()}; }
//     };
//
// With a member type `State`, which is made from a World& or from nothing when the system is added, all three get a State& in
// front (access does not). What fetch() hands out must be within what access() says.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stoa/detail/access.hpp"
#include "stoa/query.hpp"
#include "stoa/watch.hpp"
#include "stoa/world.hpp"

namespace stoa {

struct Time {
    double delta = 0;         // seconds since the last update
    double elapsed = 0;       // seconds since the first one
    std::uint64_t frame = 0;  // updates of the whole schedule, this one included
};

// Where a system runs.
struct SystemContext {
    World& world;
    const Time& time;
    Commands& commands;
};

template <class P>
struct Param {
    static_assert(!std::is_same_v<P, P>,
                  "a system takes Query, Populated, Res, Maybe<Res>, Watch, Local, Commands&, const Time&, World&, or a type for which "
                  "stoa::Param is specialised");
};

template <class... Terms>
class Populated : public Query<Terms...> {
  public:
    explicit Populated(const Query<Terms...>& query) : Query<Terms...>(query) {}
};

template <class R>
class Res {
  public:
    explicit Res(R& resource) : resource_(detail::address_of(resource)) {}

    R& operator*() const { return *resource_; }
    R* operator->() const { return resource_; }

  private:
    R* resource_;
};

template <class R>
struct Maybe<Res<R>> {
  public:
    explicit Maybe(R* resource) : resource_(resource) {}

    explicit operator bool() const { return resource_ != nullptr; }
    R& operator*() const { return *resource_; }
    R* operator->() const { return resource_; }

  private:
    R* resource_;
};

template <class T>
class Local {
  public:
    explicit Local(T& value) : value_(detail::address_of(value)) {}

    T& operator*() const { return *value_; }
    T* operator->() const { return value_; }

  private:
    T* value_;
};

namespace detail {

template <class... Terms>
struct QueryParam {
    struct State {
        explicit State(World& world) : query(world.query<Terms...>()) {}
        Query<Terms...> query;
    };
    static void access(Access& access) { access.walks<Terms...>(); }
    // What was written before this run has been seen by it.
    static void after(State& state) { state.query.mark_seen(); }
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
    static constexpr std::string_view lacking = "a resource is missing: ";
    static constexpr std::string_view lacking_name = detail::resource_type<Resource>.name;
    static void access(Access& access) { std::is_const_v<R> ? access.reads_resource<Resource>() : access.writes_resource<Resource>(); }
    static bool ready(const SystemContext& at) { return at.world.has_resource<Resource>(); }
    static Res<R> fetch(const SystemContext& at) { return Res<R>(at.world.resource<R>()); }
};

template <class R>
struct Param<Maybe<Res<R>>> {
    static void access(Access& access) { Param<Res<R>>::access(access); }
    static Maybe<Res<R>> fetch(const SystemContext& at) { return Maybe<Res<R>>(at.world.find_resource<R>()); }
};

template <class... Terms>
struct Param<Watch<Terms...>> {
    struct State {
        explicit State(World& world) : watch(world.query<Terms...>().watch()) {}
        Watch<Terms...> watch;
    };
    static constexpr bool aliases = false;  // at ticks and lists, so no reference of another parameter is touched
    static void access(Access& access) { (reads<Terms>(access), ...); }
    static Watch<Terms...> fetch(State& state, const SystemContext&) { return state.watch.shared(); }
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

template <>
struct Param<Commands> {
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
    static constexpr bool aliases = false;  // its references are the user's own matter: structure is locked during walks
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

// What a system may take as parameters. A parameter says what the system touches, so that the schedule knows which
// systems may run at the same time, and whether the system is skipped:
//
//     Query<...>            what it reads and writes; Changed and Added: since the system last ran
//     Populated<...>        a query; the system is skipped while nothing matches
//     Res<R>, Res<const R>  a resource; skipped while it is missing
//     Maybe<Res<R>>         the same, but not skipped
//     Messages<T>           sends messages; Messages<const T> reads what was sent since the system was added
//     Watch<...>            lists since the system was added; cleared after each run
//     Local<T>              a value of the system's own
//     Commands&             a buffer of its own; applied at the next flush point, in the order of the systems
//     const Time&           the time of its phase
//     const World&          reads anything
//     World&                runs alone, and may change structure
//
// A specialisation of `stoa::Param` makes any other type a parameter:
//
//     template <> struct stoa::Param<Mouse> {
//         static void access(Access& access) { access.reads_resource<Input>(); }
//         static bool ready(const SystemContext& at) { return at.world.has_resource<Input>(); }   // optional
//         static Mouse fetch(const SystemContext& at) { return {at.world.resource<const Input>()}; }
//     };
//
// With a member type `State`, ready and fetch take a State& first. The State is made when the system is added, from a
// World& or by default. What fetch hands out must be within what access says. How the parameters of this list do it is
// in detail/schedule/builtin_params.hpp.
#pragma once

#include <cstdint>
#include <type_traits>

#include "stoa/access.hpp"
#include "stoa/query.hpp"
#include "stoa/world.hpp"

namespace stoa {

/// The time of a phase, as its systems see it, or that of whole updates: Schedule::time.
struct Time {
    /// Seconds that this run was given; in a stepped phase its step.
    double delta = 0;
    /// Seconds that the phase was given so far; in a stepped phase step * delta. A compensated sum: within 2 units in
    /// the last place of the exact one.
    double elapsed = 0;
    /// Updates of the whole schedule, this one included. Phase::update does not count.
    std::uint64_t frame = 0;
    /// What the stepped phase nearest before this one was given and has not done yet, as a share of its step, in
    /// [0, 1): how far to interpolate. 0 without one, and in a stepped phase.
    double alpha = 0;
    /// Runs of the phase, this one included, also those that threw; for Schedule::time its updates.
    std::uint64_t step = 0;
};

/// What a parameter is fetched from: where, when, and with which buffer the system runs.
struct SystemContext {
    World& world;
    const Time& time;
    Commands& commands;  ///< the system's own buffer
};

/// How a parameter of type P is made. A specialisation has these static members:
///   access(Access&)            Effects: says what a system with this parameter touches. Called when it is added.
///   fetch([State&,] context)   Returns: the argument. It lives as long as the call of the system.
/// and may have
///   State                      a type whose object lives as long as the system
///   ready([State&,] context)   Returns: whether the system is to run. Otherwise it is skipped.
///   after(State&)              Effects: called when the system has run.
///   lacking, lacking_name      texts for SystemReport::why_not
///   writes = true              it may write, so it does not compile in a Condition. Without it, a parameter whose
///                              access writes is Errc::conflict there.
///   aliases = false            it refers to no data that another parameter of the same system may refer to
/// Threads: fetch, ready and after run on the thread of the system, concurrently with other systems.
template <class P>
struct Param {
    static_assert(!std::is_same_v<P, P>,
                  "a system takes Query, Populated, Res, Maybe<Res>, Messages, Watch, Local, Commands&, const Time&, "
                  "World&, or "
                  "a type for which "
                  "stoa::Param is specialised");
};

/// A query. The system is skipped while nothing matches, or while a resource that the query needs is missing.
template <class... Terms>
class Populated : public Query<Terms...> {
  public:
    explicit Populated(const Query<Terms...>& query) : Query<Terms...>(query) {}
};

/// A resource; `Res<const R>` only reads it. The system is skipped while the resource is missing.
/// Invalidates: valid during the call of the system, unless that replaces or removes the resource.
template <class R>
class Res {
  public:
    explicit Res(R& resource) : resource_(detail::address_of(resource)) {}

    R& operator*() const { return *resource_; }
    R* operator->() const { return resource_; }

  private:
    R* resource_;
};

/// A resource that may be missing; the system runs also without it.
/// Requires: for `*` and `->`, that it converts to true.
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

/// A value of the system's own, value-initialised when the system is added, and kept between its runs.
template <class T>
class Local {
  public:
    explicit Local(T& value) : value_(detail::address_of(value)) {}

    T& operator*() const { return *value_; }
    T* operator->() const { return value_; }

  private:
    T* value_;
};

}  // namespace stoa

// Commands: edits that are recorded now and applied at the next flush.
//
// A flush applies commands in recorded order, with the same result as applying them one by one; many edits of one
// entity cost one move. The entity of a command is looked up at the flush: a command whose entity is dead by then is
// skipped.
//
//     Commands& later = world.commands();
//     world.query<const Health>().each([&](Entity entity, const Health& health) {
//         if (health.value <= 0) later.despawn(entity);      // structure is locked here, recording is not
//     });
//     world.flush();
//
// Unless a contract says otherwise, for every call that records:
//   Throws: std::bad_alloc, Errc::world_gone when the world is gone, and what a constructor of a value or a callable
//   throws; Errc::conflict inside par_each and par_reduce, unless the walk has handed out the buffer or it was made
//   there. Then nothing was recorded.
//   Invalidates: nothing. Recording is allowed while the structure is locked.
//   Complexity: O(size of the values), amortised. A program that records about the same in each frame allocates
//   nothing.
//   Threads: a buffer is used by one thread at a time. Several threads may record into buffers of their own while no
//   thread changes the world. The threads of a walk record with Query::par_each(executor, later, f).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/command/command_buffer.hpp"
#include "stoa/detail/command/command_recorder.hpp"
#include "stoa/detail/storage/replace.hpp"
#include "stoa/detail/storage/resource_verbs.hpp"
#include "stoa/detail/storage/store_of.hpp"
#include "stoa/entity.hpp"

namespace stoa {

namespace detail {

struct CommandsAccess;

}  // namespace detail

/// What a flush did.
struct FlushReport {
    std::size_t applied = 0;  ///< commands
    std::size_t skipped = 0;  ///< commands whose entity was dead by then

    friend bool operator==(const FlushReport&, const FlushReport&) = default;
};

class STOA_API Commands {
  public:
    /// Commands that are recorded during a flush of their buffer run in that flush, as a further round. After the first
    /// round there are at most max_rounds rounds. From the third round on there are at most max_follow_ups commands in
    /// all, and max_follow_ups_each more for each command of the first two rounds. A flush that exceeds this throws
    /// Errc::runaway.
    static constexpr std::uint32_t max_rounds = 1024;
    static constexpr std::uint32_t max_follow_ups = 16384;
    static constexpr std::uint32_t max_follow_ups_each = 16;

    /// Effects: makes an empty buffer, beside the one of World::commands. World::flush does not apply it.
    /// Throws: Errc::world_gone.
    explicit Commands(World& world);
    /// Effects: as clear. A buffer may outlive its world.
    ~Commands() = default;

    /// Effects: the source stays a buffer of its world, and is empty.
    Commands(Commands&& other) noexcept = default;
    Commands& operator=(Commands&& other) noexcept = default;

    /// Effects: records a spawn with these components.
    /// Returns: the id, which is reserved now and alive after the flush. Until then every call treats it as dead.
    /// Throws: also Errc::capacity.
    template <class... Ts>
    Entity spawn(Ts&&... values)
        requires(sizeof...(Ts) > 0)
    {
        static_assert(detail::are_components<std::decay_t<Ts>...>());
        using Values = detail::RecordedValues<std::decay_t<Ts>...>;
        return buffer_.record_values<Values::template operation<detail::Verb::spawn>, std::decay_t<Ts>...>(
            Entity{}, std::forward<Ts>(values)...);
    }
    /// The same with components that the flush default-constructs.
    template <class... Ts>
    Entity spawn() {
        static_assert(detail::are_components<Ts...>());
        static_assert((detail::is_default_built<Ts>() && ... && true));
        return buffer_.record(detail::list_operation<detail::Verb::spawn, Ts...>, Entity{});
    }
    /// The same; the flush then calls f with a reference to each component that is not a tag, optionally preceded by an
    /// Entity. Structure is locked inside f; recording is allowed. If f throws, nothing was spawned.
    template <class T, class... Ts, class F>
    Entity spawn(F&& f)
        requires(detail::accepts<std::decay_t<F>>(typename detail::DataTypes<detail::Types<>, T, Ts...>::type{}))
    {
        static_assert(detail::are_components<T, Ts...>());
        static_assert((detail::is_default_built<T>() && ... && detail::is_default_built<Ts>()));
        using Callable = detail::RecordedCallable<std::decay_t<F>, T, Ts...>;
        return buffer_.record_callable<Callable::spawn_operation, std::decay_t<F>>(std::forward<F>(f));
    }

    /// Effects: records World::clone of `entity`.
    /// Returns: the id of the copy, as spawn does. If `entity` is dead at the flush, the command is skipped, and the id
    /// never comes alive.
    /// Throws: also Errc::capacity. The flush: also Errc::not_copyable.
    Entity clone(Entity entity) {
        return buffer_.record_other(detail::other_operation<detail::Verb::clone>, Entity{}, entity);
    }

    /// Effects: records World::copy; skipped if one of the two is dead. The flush: also Errc::not_copyable.
    void copy(Entity from, Entity to) { buffer_.record_other(detail::other_operation<detail::Verb::copy>, to, from); }

    /// Effects: records World::despawn.
    void despawn(Entity entity) { buffer_.record(detail::despawn_operation, entity); }

    /// Effects: records World::add: the flush default-constructs missing components, present values stay.
    template <class... Ts>
    void add(Entity entity) {
        static_assert(detail::are_components<Ts...>());
        static_assert((detail::is_default_built<Ts>() && ... && true));
        buffer_.record(detail::list_operation<detail::Verb::add, Ts...>, entity);
    }
    /// Effects: records World::set: the flush adds the values or overwrites present ones.
    template <class T, class... Ts>
    void set(Entity entity, T&& first, Ts&&... rest) {
        static_assert(detail::are_components<std::decay_t<T>, std::decay_t<Ts>...>());
        using Values = detail::RecordedValues<std::decay_t<T>, std::decay_t<Ts>...>;
        buffer_.record_values<Values::template operation<detail::Verb::set>, std::decay_t<T>, std::decay_t<Ts>...>(
            entity, std::forward<T>(first), std::forward<Ts>(rest)...);
    }
    /// Effects: records World::remove.
    template <class... Ts>
    void remove(Entity entity) {
        static_assert(detail::are_components<Ts...>());
        buffer_.record(detail::list_operation<detail::Verb::remove, Ts...>, entity);
    }

    /// Effects: records World::remove_all.
    void remove_all(Entity entity) { buffer_.record(detail::remove_all_operation, entity); }

    /// Effects: records World::replace: the flush removes the A and adds the value or overwrites a present one. If the
    /// entity has no A by then, nothing changes, and the command counts as applied.
    template <class A, class B>
    void replace(Entity entity, B&& value) {
        static_assert(detail::is_replacement<A, std::decay_t<B>>());
        using Value = detail::RecordedValues<std::decay_t<B>>;
        buffer_.record_values<Value::template operation<detail::Verb::replace, A>, std::decay_t<B>>(
            entity, std::forward<B>(value));
    }

    /// Effects: the flush calls f(World&). Structure is not locked inside f.
    template <class F>
    void run(F&& f) {
        static_assert(std::is_invocable_v<std::decay_t<F>&, World&>, "a recorded callable takes a World&");
        using Callable = detail::RecordedCallable<std::decay_t<F>>;
        buffer_.record_callable<Callable::run_operation, std::decay_t<F>>(std::forward<F>(f));
    }

    /// Effects: records World::set_resource and World::remove_resource. Both count as applied.
    template <class R>
    void set_resource(R&& value) {
        static_assert(detail::is_resource_value<R>());
        static_assert(detail::is_recordable<std::decay_t<R>>());
        run([held = std::decay_t<R>(std::forward<R>(value))](World& world) mutable {
            detail::set_resource(detail::store_of(world, "set_resource"), std::move(held));
        });
    }
    template <class R>
    void remove_resource() {
        static_assert(detail::is_resource<R>());
        run([](World& world) { detail::remove_resource<R>(detail::store_of(world, "remove_resource")); });
    }

    /// Effects: the commands of `other` follow those of this buffer. `other` is empty then. Nothing happens to a buffer
    /// that is appended to itself.
    /// Throws: Errc::conflict when the buffers belong to different worlds, and as recording; Errc::locked inside a
    /// value that is being recorded into `other`. Then nothing has changed.
    /// Complexity: O(1).
    void append(Commands&& other);

    /// Effects: applies what was recorded, in order. Before that, calls the signals of filtered queries for what writes
    /// did; see where.hpp.
    /// Returns: how many commands were applied and skipped.
    /// Throws: Errc::locked while the structure is locked, or while this buffer is flushed or recorded into; then the
    /// commands stay recorded. Errc::runaway when commands record commands without end. And what a command throws: the
    /// commands before it stay applied, it has not happened, and the rest is discarded. What a signal or the filter of
    /// a query throws discards all of them.
    /// Invalidates: as the calls it applies.
    FlushReport flush();

    /// Returns: the number of recorded commands that wait for a flush.
    std::size_t size() const noexcept { return buffer_.size(); }
    bool empty() const noexcept { return buffer_.size() == 0; }
    /// Effects: destroys what was not flushed, without applying it, and gives the reserved ids back.
    /// Throws: Errc::locked inside a value that is being recorded; Errc::conflict as recording.
    void clear();

  private:
    friend struct detail::CommandsAccess;
    explicit Commands(detail::Store& store) : buffer_(store) {}

    detail::CommandBuffer buffer_;
};

// The door for the world and the schedule, which own buffers.
struct detail::CommandsAccess {
    static Commands make(Store& store) { return Commands(store); }
    static CommandBuffer& buffer(Commands& commands) noexcept { return commands.buffer_; }
    static const CommandBuffer& buffer(const Commands& commands) noexcept { return commands.buffer_; }
    // Reserves ids from a lease; null: from the directory.
    static void set_lease(Commands& commands, IdLease* lease) noexcept { commands.buffer_.set_lease(lease); }
};

}  // namespace stoa

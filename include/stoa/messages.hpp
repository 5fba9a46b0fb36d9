// Messages: values that systems send to other systems. World::send sends one, and so does a system that takes a
// `Messages<T>`; each reader of the type sees it once, in the order of sending.
//
//     struct Hit { Entity target; int damage; };
//     void fight(Query<const Attack> attacks, Messages<Hit> hits) {
//         attacks.each([&](const Attack& attack) { hits.send(Hit{attack.target, 5}); });
//     }
//     void bleed(Messages<const Hit> hits, Query<Health> health) {
//         for (const Hit& hit : hits) health.fetch(hit.target, [&](Health& h) { h.points -= hit.damage; });
//     }
//
// `Messages<T>` sends, `Messages<const T>` reads; the schedule orders systems by it as by a resource. A system that
// reads begins with what is sent after it was added, and keeps its place while it is disabled or skipped. Outside of
// systems there are World::send and MessageReader.
//
// A message is any movable object type. It is visible at once to whoever reads after it in order. What is sent inside a
// loop over messages of its type is not part of that loop, and moves nothing.
//
// Only World::end_frame drops messages: those that no reader has left to read, and, for each reader, what is unread at
// the second end_frame after it was sent; such messages are counted as lost. Without a reader, everything is dropped.
// Destructors of dropped messages run under the structure lock and may send; that belongs to the next frame.
//
// Messages live in the world: they move with it and survive World::clear. When the world ends they are destroyed after
// components and commands, and before resources. From then on `send` throws Errc::world_gone.
//
// Unless a contract says otherwise:
//   Invalidates: references to messages hold until the next end_frame, or the end of the world.
//   Complexity: O(1). A program that sends about the same in each frame allocates nothing.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/detail/message/message_queues.hpp"
#include "stoa/detail/message/message_range.hpp"
#include "stoa/detail/message/message_recorder.hpp"
#include "stoa/detail/storage/store_of.hpp"

namespace stoa {

namespace detail {

struct MessagesAccess;

}  // namespace detail

/// A reader of the messages of type T. It reads what is sent after it was made, can be moved, not copied, and may
/// outlive its world: then it has nothing to read.
///
/// Threads: making, moving and destroying one needs exclusive access to the world. Several threads may use readers of
/// their own while no thread sends messages of this type.
template <class T>
class MessageReader {
  public:
    /// Reads nothing. So does a reader that was moved from.
    MessageReader() noexcept = default;
    /// Effects: reads what is sent from now on.
    /// Throws: Errc::world_gone, std::bad_alloc; Errc::conflict inside par_each.
    explicit MessageReader(World& world)
        : position_(detail::message_queue<T>(detail::store_of(world, "MessageReader"), "MessageReader")) {}

    /// Effects: takes all that is unread; it counts as read, even if the caller does not look at it.
    /// Returns: a range of these messages, in the order of sending.
    /// Complexity: O(1), and one step for each block of messages that other readers have not read.
    MessageRange<T> read() noexcept { return MessageRange<T>(position_.read()); }
    /// Effects: skips what is unread. It does not count as lost.
    void clear() noexcept { position_.clear(); }
    /// Returns: how many messages are unread.
    std::size_t size() const noexcept { return position_.size(); }
    bool empty() const noexcept { return position_.size() == 0; }
    /// Returns: how many messages end_frame has dropped before this reader read them.
    std::size_t lost() const noexcept { return position_.lost(); }

    /// Effects: the position goes to this reader. The source reads nothing.
    MessageReader(MessageReader&&) noexcept = default;
    MessageReader& operator=(MessageReader&&) noexcept = default;

  private:
    friend struct detail::MessagesAccess;

    detail::ReaderPosition position_;
};

/// The parameter of a system that sends messages of type T; and what Query::par_each(executor, messages, f) hands to f,
/// so that the threads of a walk can send.
/// Invalidates: valid during the call of the system; in a walk, during the call of f.
/// Threads: used by the thread of the system.
template <class T>
class Messages {
    static_assert(detail::is_message<T>());

  public:
    /// Effects: sends a T made from `value`.
    /// Throws: Errc::conflict inside par_each and par_reduce, unless the walk has handed it out; Errc::locked inside
    /// the construction of another T; std::bad_alloc, and what the constructor of T throws. Then nothing was sent.
    /// Invalidates: nothing.
    template <class V = T>
    void send(V&& value) const {
        static_assert(
            std::is_constructible_v<T, V> || requires { T{std::forward<V>(value)}; },
            "the message cannot be built from this value");
        queue_->require_ready();
        if (!queue_->has_room()) [[unlikely]]
            queue_->make_room();
        queue_->template push<T>(std::forward<V>(value));
    }

  private:
    friend struct detail::MessagesAccess;
    friend class detail::PieceRecorder<Messages>;
    explicit Messages(detail::MessageQueue& queue) noexcept : queue_(&queue) {}

    detail::MessageQueue* queue_;
};

/// The parameter of a system that reads messages of type T: the reader of that system. A loop over it is one over its
/// read().
/// Invalidates: valid during the call of the system.
/// Threads: used by the thread of the system.
template <class T>
class Messages<const T> {
    static_assert(detail::is_message<T>());

  public:
    /// As the calls of MessageReader.
    MessageRange<T> read() const noexcept { return reader_->read(); }
    void clear() const noexcept { reader_->clear(); }
    std::size_t size() const noexcept { return reader_->size(); }
    bool empty() const noexcept { return reader_->empty(); }
    std::size_t lost() const noexcept { return reader_->lost(); }

    /// Effects: as read().
    /// Returns: an iterator to the first message that was unread.
    auto begin() const noexcept { return read().begin(); }
    auto end() const noexcept { return detail::MessageEnd{}; }

  private:
    friend struct detail::MessagesAccess;
    explicit Messages(MessageReader<T>& reader) noexcept : reader_(&reader) {}

    MessageReader<T>* reader_;
};

template <class T>
inline constexpr bool detail::is_handle<Messages<T>> = true;

namespace detail {

// What the schedule makes and tells.
struct MessagesAccess {
    template <class T>
    static Messages<T> sender(MessageQueue& queue) noexcept {
        return Messages<T>(queue);
    }
    template <class T>
    static Messages<const T> reader(MessageReader<T>& reader) noexcept {
        return Messages<const T>(reader);
    }
    // The next end_frame does not count for this reader.
    template <class T>
    static void exempt(MessageReader<T>& reader) noexcept {
        reader.position_.exempt();
    }
};

}  // namespace detail
}  // namespace stoa

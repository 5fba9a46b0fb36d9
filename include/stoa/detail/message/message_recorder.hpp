// Messages that the pieces of a parallel walk send: each piece has a queue of its own, and they are joined in the order
// of the walk. Used by par_each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/message/message_queue.hpp"
#include "stoa/detail/query/piece_recorder.hpp"

namespace stoa {
template <class T>
class Messages;
}

namespace stoa::detail {

// The part that knows no types.
class STOA_API MessageRecorder {
  public:
    // Throws Errc::conflict inside a parallel walk, as sending; Errc::locked, Errc::world_gone, std::bad_alloc.
    MessageRecorder(MessageQueue& into, std::size_t count, std::uint32_t first_number);
    // Drops what was not joined.
    ~MessageRecorder() { end(0); }
    MessageRecorder(const MessageRecorder&) = delete;
    MessageRecorder& operator=(const MessageRecorder&) = delete;

    static bool needs_one_thread() noexcept { return false; }
    MessageQueue& queue(std::size_t piece) const noexcept;
    // Effects: appends the messages of the first `reached` pieces to the queue, and destroys those of the others.
    void end(std::size_t reached) noexcept;

  private:
    MessageQueue& into_;
    MessagePieces* pieces_ = nullptr;  // null: it has ended
};

template <class T>
    requires(!std::is_const_v<T>)
class PieceRecorder<Messages<T>> : public MessageRecorder {
  public:
    PieceRecorder(const Messages<T>& into, std::size_t count, std::uint32_t first_number)
        : MessageRecorder(*into.queue_, count, first_number) {}

    Messages<T> operator[](std::size_t piece) const noexcept { return Messages<T>(queue(piece)); }
};

}  // namespace stoa::detail

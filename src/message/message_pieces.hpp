// The queues of the pieces of a parallel walk, one set for each message queue that such a walk has sent to. What the
// pieces send goes to the queue of the walk together with its blocks, and the next walk takes blocks from there.
//
// Invariant: between two walks the queues are empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "stoa/detail/message/message_queue.hpp"

namespace stoa::detail {

class MessagePieces {
  public:
    // Effects: `count` pieces can send, and have the numbers from `first_number` on. Throws std::bad_alloc.
    void begin(MessageQueue& into, std::size_t count, std::uint32_t first_number);
    MessageQueue& operator[](std::size_t piece) noexcept { return *pieces_[piece]; }
    // Effects: appends the first `reached` pieces to `into`, and drops the others.
    void end(MessageQueue& into, std::size_t reached) noexcept;

    // For a piece: an empty block of the walk's queue, or null. Threads: any.
    MessageBlock* take_spare() noexcept;

  private:
    MessageQueue* into_ = nullptr;
    std::vector<std::unique_ptr<MessageQueue>> pieces_;
    std::size_t count_ = 0;  // of this walk
    std::mutex mutex_;
};

}  // namespace stoa::detail

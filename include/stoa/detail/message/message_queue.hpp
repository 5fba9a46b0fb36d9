// The messages of one type in one world, and the positions of their readers. This half knows no types, except for
// `push`, which builds a message in its place.
//
// Messages lie in blocks and never move. They are numbered in the order of sending: message n is the n-th that was ever
// sent. A reader is the number of the first message that it has not read.
//
// Invariants: the messages from front_ to sent() are alive, and so are those that are dropped and not destroyed yet, in
// the midst of an end_frame. All blocks but the last are full. No reader is before front_. A position that names a
// block names one of this queue, which is not behind its message. Threads: one thread sends, or several read, each with
// a position of its own. Everything else needs exclusive access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/message/message_type.hpp"
#include "stoa/detail/storage/change_clock.hpp"

namespace stoa::detail {

class MessagePieces;
class MessageQueue;

// The head of a block; the messages follow.
struct MessageBlock {
    MessageBlock* next;
    std::byte* begin;     // of the messages
    std::byte* end;       // of the room for them; where messages of another queue follow, of the messages
    std::uint64_t first;  // the number of its first message
    std::size_t bytes;    // with this head
};

// Consecutive messages: the first ones in [at, stop) of `block`, then whole blocks, then those of `last` up to
// `last_end`.
struct MessageSpan {
    const std::byte* at = nullptr;
    const std::byte* stop = nullptr;
    const MessageBlock* block = nullptr;
    const MessageBlock* last = nullptr;
    const std::byte* last_end = nullptr;
    std::size_t count = 0;
};

// How far one reader has read. The queue lists its readers, and cuts them off when the world ends: then there is
// nothing to read.
class STOA_API ReaderPosition {
  public:
    // Reads nothing.
    ReaderPosition() noexcept = default;
    // Begins behind what was sent so far. Throws Errc::conflict inside par_each, Errc::world_gone once the queue is
    // closed.
    explicit ReaderPosition(MessageQueue& queue);
    ~ReaderPosition() { unlink(); }
    ReaderPosition(ReaderPosition&& other) noexcept { take_over(other); }
    ReaderPosition& operator=(ReaderPosition&& other) noexcept {
        if (this == &other) return *this;
        unlink();
        take_over(other);
        return *this;
    }

    // All that is unread; it counts as read then.
    MessageSpan read() noexcept;
    void clear() noexcept;
    std::size_t size() const noexcept;
    std::size_t lost() const noexcept { return static_cast<std::size_t>(lost_); }
    // The next end_frame does not count for this reader: nothing grows older for it. For phases whose time has not
    // come.
    void exempt() noexcept { exempt_ = true; }

  private:
    friend class MessageQueue;

    void unlink() noexcept;
    void take_over(ReaderPosition& other) noexcept;
    // Drops what is too old. Returns: the first message that is unread then.
    std::uint64_t end_frame(std::uint64_t sent) noexcept;

    MessageQueue* queue_ = nullptr;
    ReaderPosition* next_ = nullptr;
    ReaderPosition* previous_ = nullptr;
    MessageBlock* block_ = nullptr;  // where to look for message seen_; null: in the first block of the queue
    std::uint64_t seen_ = 0;         // messages before this one are read or lost
    std::uint64_t old_ = 0;          // messages before this one were sent before the last end_frame that counted
    std::uint64_t lost_ = 0;
    bool exempt_ = false;
};

class STOA_API MessageQueue {
  public:
    explicit MessageQueue(const ResourceType& type) noexcept : type_(type) {}
    // Requires: close() was called.
    ~MessageQueue();
    MessageQueue(const MessageQueue&) = delete;
    MessageQueue& operator=(const MessageQueue&) = delete;

    // Throws Errc::conflict in a piece of a parallel walk, unless the queue is that of the piece.
    void require_ready() const {
        if (thread_clock.piece != piece_) [[unlikely]]
            fail_in_other_piece();
    }
    bool has_room() const noexcept { return cursor_ != limit_; }
    // Throws Errc::locked inside the construction of a message, Errc::world_gone once it is closed, std::bad_alloc.
    void make_room();
    // Sends a T made from `value`. Requires: this is the queue of T, and has room. Throws what the constructor throws;
    // then nothing was sent.
    template <class T, class V>
    [[gnu::always_inline]] void push(V&& value) {
        std::byte* const place = cursor_;
        if constexpr (builds_trivially<T, V>) {
            build<T>(place, std::forward<V>(value));
        } else {
            const Building building(*this);
            build<T>(place, std::forward<V>(value));
        }
        cursor_ = place + sizeof(T);
    }

    // Whether it only stands for a queue that does not exist: no type has a size of 0.
    bool is_absent() const noexcept { return type_.bytes == 0; }
    // How many messages were ever sent.
    std::uint64_t sent() const noexcept;
    // How many of them are not dropped; and how many readers there are.
    std::uint64_t size() const noexcept { return sent() - front_; }
    std::uint32_t reader_count() const noexcept;
    std::string_view name() const noexcept { return type_.name; }

    // Parallel walks. The queues of its pieces belong to the queue that the walk sends to, except while it runs.

    // Throws Errc::locked inside the construction of a message, Errc::world_gone once it is closed.
    void require_open() const;
    const ResourceType& type() const noexcept { return type_; }
    MessagePieces* take_pieces() noexcept { return std::exchange(pieces_, nullptr); }
    void return_pieces(MessagePieces* pieces) noexcept;
    // Effects: it is the queue of the piece with this number, and shares blocks with the others.
    void join_walk(MessagePieces& pieces, std::uint32_t number) noexcept {
        shared_ = &pieces;
        piece_ = number;
    }
    // An empty block, out of the list of spare ones; or null.
    MessageBlock* take_spare() noexcept;
    // Appends all messages of a queue of the same type without readers, which is empty then.
    void take_over(MessageQueue& other) noexcept;
    // Destroys all messages of a queue without readers. Requires: the structure is locked.
    void drop_all() noexcept;

    // Ends a frame for all readers, and drops what none of them will read. No user code runs.
    void end_frame() noexcept;
    // Destroys what was dropped. Destructors of messages may send and read. Requires: the structure is locked.
    void destroy_dropped() noexcept;
    // Cuts all readers off and drops everything; from now on nothing can be sent.
    void close() noexcept;
    // Frees blocks without messages.
    void shrink() noexcept;

    std::size_t bytes() const noexcept { return bytes_; }  // all memory held here
    const char* check() const noexcept;                    // the broken invariant, or null

    // The next one in order of creation; for MessageQueues.
    MessageQueue* next() const noexcept { return next_; }
    void set_next(MessageQueue* next) noexcept { next_ = next; }

  private:
    friend class ReaderPosition;

    // While one exists, a message is being built at cursor_, and nothing else can be sent.
    class Building {
      public:
        explicit Building(MessageQueue& queue) noexcept : queue_(queue), limit_(queue.limit_) {
            queue_.limit_ = queue_.cursor_;
            queue_.is_building_ = true;
        }
        ~Building() {
            queue_.is_building_ = false;
            queue_.limit_ = limit_;
        }
        Building(const Building&) = delete;
        Building& operator=(const Building&) = delete;

      private:
        MessageQueue& queue_;
        std::byte* const limit_;
    };

    MessageBlock* new_message_block();
    [[noreturn]] void fail_in_other_piece() const;
    bool has_empty_tail() const noexcept { return tail_ != nullptr && cursor_ == tail_->begin; }
    MessageBlock* before_tail() const noexcept;
    void close_tail() noexcept;
    void forget_blocks() noexcept;

    std::uint64_t end_of(const MessageBlock& block) const noexcept;  // the number behind its last message
    std::byte* address_of_message(const MessageBlock& block, std::uint64_t number) const noexcept;
    void destroy(const MessageBlock& block, std::uint64_t from, std::uint64_t to) const noexcept;
    void drop_before(std::uint64_t number) noexcept;
    const char* check_blocks() const noexcept;
    const char* check_readers() const noexcept;

    std::byte* cursor_ = nullptr;  // where the next message goes
    std::byte* limit_ = nullptr;   // the end of the last block; cursor_ while nothing can be sent
    const ResourceType& type_;
    MessageBlock* head_ = nullptr;
    MessageBlock* tail_ = nullptr;
    MessageBlock* dropped_ = nullptr;  // blocks whose messages are dropped, and not destroyed yet
    MessageBlock* spare_ = nullptr;    // blocks for reuse
    ReaderPosition* readers_ = nullptr;
    MessageQueue* next_ = nullptr;
    std::uint64_t front_ = 0;      // the first message that is not dropped
    std::uint64_t destroyed_ = 0;  // the first message that is not destroyed
    std::size_t bytes_ = 0;
    std::size_t room_ = 512;           // bytes for messages in the next block
    MessagePieces* pieces_ = nullptr;  // owned
    MessagePieces* shared_ = nullptr;  // of a piece: with whom it shares blocks
    std::uint32_t piece_ = 0;          // 0: it belongs to no piece
    bool is_building_ = false;
    bool is_closed_ = false;
};

}  // namespace stoa::detail

// Blocks, and what happens to messages at the end of a frame. Blocks are reused, so that a program that sends about the
// same in each frame allocates nothing.
#include "stoa/detail/message/message_queue.hpp"

#include <algorithm>
#include <new>
#include <string>

#include "base/block_pool.hpp"
#include "message/message_errors.hpp"
#include "message/message_pieces.hpp"
#include "stoa/detail/base/round_up.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t most_room = std::size_t{1} << 16;  // of a block, except for a message that needs more

std::size_t block_alignment(const ResourceType& type) {
    return std::max<std::size_t>(alignof(MessageBlock), type.alignment);
}

}  // namespace

MessageQueue::~MessageQueue() { shrink(); }

std::uint64_t MessageQueue::sent() const noexcept {
    if (tail_ == nullptr) return front_;
    return tail_->first + static_cast<std::uint64_t>(cursor_ - tail_->begin) / type_.bytes;
}

std::uint32_t MessageQueue::reader_count() const noexcept {
    std::uint32_t count = 0;
    for (const ReaderPosition* reader = readers_; reader != nullptr; reader = reader->next_) ++count;
    return count;
}

std::uint64_t MessageQueue::end_of(const MessageBlock& block) const noexcept {
    if (&block == tail_) return sent();
    return block.first + static_cast<std::uint64_t>(block.end - block.begin) / type_.bytes;
}

std::byte* MessageQueue::address_of_message(const MessageBlock& block, std::uint64_t number) const noexcept {
    return block.begin + (number - block.first) * type_.bytes;
}

MessageBlock* MessageQueue::new_message_block() {
    const std::size_t alignment = block_alignment(type_);
    const std::size_t head = round_up(sizeof(MessageBlock), alignment);
    const std::size_t room = std::max<std::size_t>(room_ / type_.bytes, 1) * type_.bytes;
    auto* const memory = static_cast<std::byte*>(new_block(head + room, alignment));
    room_ = std::min(room_ * 2, most_room);
    // Safe: the block begins with room for its head, and is aligned for it.
    return ::new (memory) MessageBlock{nullptr, memory + head, memory + head + room, 0, head + room};
}

void MessageQueue::require_open() const {
    if (is_building_) {
        raise(Errc::locked, "send: a message for " + std::string(type_.name) +
                                " is under construction; its constructor cannot send one of the same type");
    }
    if (is_closed_) fail_ending("send", type_);
}

MessageBlock* MessageQueue::take_spare() noexcept {
    MessageBlock* const block = spare_;
    if (block == nullptr) return nullptr;
    spare_ = block->next;
    bytes_ -= block->bytes;
    block->end = reinterpret_cast<std::byte*>(block) + block->bytes;
    return block;
}

void MessageQueue::make_room() {
    require_open();
    MessageBlock* block = take_spare();
    if (block == nullptr && shared_ != nullptr) block = shared_->take_spare();
    if (block == nullptr) block = new_message_block();
    bytes_ += block->bytes;
    block->next = nullptr;
    block->first = sent();
    (tail_ != nullptr ? tail_->next : head_) = block;
    tail_ = block;
    limit_ = block->end;
    cursor_ = block->begin;
}

void MessageQueue::fail_in_other_piece() const { fail_in_par_each("send", type_); }

MessageBlock* MessageQueue::before_tail() const noexcept {
    MessageBlock* before = nullptr;
    for (MessageBlock* block = head_; block != tail_; block = block->next) before = block;
    return before;
}

// Makes the tail a full block. An empty one, in which the construction of a message failed, becomes a spare one.
void MessageQueue::close_tail() noexcept {
    if (!has_empty_tail()) {
        if (tail_ != nullptr) tail_->end = cursor_;
        return;
    }
    for (ReaderPosition* reader = readers_; reader != nullptr; reader = reader->next_) {
        if (reader->block_ == tail_) reader->block_ = nullptr;
    }
    MessageBlock* const before = before_tail();
    tail_->next = std::exchange(spare_, tail_);
    tail_ = before;
    (before != nullptr ? before->next : head_) = nullptr;
    cursor_ = limit_ = before != nullptr ? before->end : nullptr;
}

void MessageQueue::take_over(MessageQueue& other) noexcept {
    if (other.head_ == nullptr) return;
    close_tail();
    const std::uint64_t before = sent();
    for (MessageBlock* block = other.head_; block != nullptr; block = block->next) {
        block->first += before;
        bytes_ += block->bytes;
        other.bytes_ -= block->bytes;
    }
    (tail_ != nullptr ? tail_->next : head_) = other.head_;
    tail_ = other.tail_;
    cursor_ = other.cursor_;
    limit_ = other.limit_;
    other.forget_blocks();
}

void MessageQueue::drop_all() noexcept {
    drop_before(sent());
    destroy_dropped();
    forget_blocks();
}

// Without messages, it begins to count again.
void MessageQueue::forget_blocks() noexcept {
    head_ = tail_ = nullptr;
    cursor_ = limit_ = nullptr;
    front_ = destroyed_ = 0;
}

void MessageQueue::return_pieces(MessagePieces* pieces) noexcept { delete std::exchange(pieces_, pieces); }

void MessageQueue::end_frame() noexcept {
    const std::uint64_t end = sent();
    std::uint64_t first_unread = end;
    for (ReaderPosition* reader = readers_; reader != nullptr; reader = reader->next_)
        first_unread = std::min(first_unread, reader->end_frame(end));
    drop_before(first_unread);
}

// Takes out the blocks without messages that are left. A block stays while a message is built in it.
void MessageQueue::drop_before(std::uint64_t number) noexcept {
    front_ = number;
    MessageBlock* const dropped = head_;
    MessageBlock* last = nullptr;
    while (head_ != nullptr && end_of(*head_) <= number && !(head_ == tail_ && is_building_)) {
        last = head_;
        if (head_ == tail_) {
            tail_ = nullptr;
            cursor_ = limit_ = nullptr;
        }
        head_ = last->next;
    }
    if (last == nullptr) return;
    for (ReaderPosition* reader = readers_; reader != nullptr; reader = reader->next_) {
        const bool is_kept = head_ != nullptr && reader->block_ != nullptr && reader->block_->first >= head_->first;
        if (!is_kept) reader->block_ = nullptr;
    }
    last->next = nullptr;
    dropped_ = dropped;
}

void MessageQueue::destroy(const MessageBlock& block, std::uint64_t from, std::uint64_t to) const noexcept {
    const std::uint64_t room = static_cast<std::uint64_t>(block.end - block.begin) / type_.bytes;
    from = std::max(from, block.first);
    to = std::min(to, block.first + room);
    for (std::uint64_t number = from; number < to; ++number) type_.destroy(address_of_message(block, number));
}

void MessageQueue::destroy_dropped() noexcept {
    const std::uint64_t from = std::exchange(destroyed_, front_);
    if (type_.destroy != nullptr && from != front_) {
        const std::uint64_t to = front_;
        const MessageBlock* const partly = head_;
        for (const MessageBlock* block = dropped_; block != nullptr; block = block->next) destroy(*block, from, to);
        if (partly != nullptr) destroy(*partly, from, to);
    }
    if (dropped_ == nullptr) return;
    MessageBlock* last = dropped_;
    while (last->next != nullptr) last = last->next;
    last->next = std::exchange(spare_, std::exchange(dropped_, nullptr));
}

void MessageQueue::close() noexcept {
    is_closed_ = true;
    while (readers_ != nullptr) readers_->unlink();
    drop_before(sent());
}

void MessageQueue::shrink() noexcept {
    delete std::exchange(pieces_, nullptr);
    while (MessageBlock* const block = spare_) {
        spare_ = block->next;
        bytes_ -= block->bytes;
        delete_block(block, block_alignment(type_));
    }
}

const char* MessageQueue::check() const noexcept {
    if (const char* fault = check_blocks()) return fault;
    return check_readers();
}

const char* MessageQueue::check_blocks() const noexcept {
    std::size_t bytes = 0;
    const MessageBlock* last = nullptr;
    for (const MessageBlock* block = head_; block != nullptr; last = block, block = block->next) {
        bytes += block->bytes;
        if (last != nullptr && end_of(*last) != block->first) return "a block of messages begins with a wrong number";
        if (block->begin >= block->end) return "a block has no room for messages";
    }
    for (const MessageBlock* block = spare_; block != nullptr; block = block->next) bytes += block->bytes;
    for (const MessageBlock* block = dropped_; block != nullptr; block = block->next) bytes += block->bytes;
    if (bytes != bytes_) return "a block of messages is lost";
    if (last != tail_) return "the last block of messages is not the last one of its queue";
    if (front_ > sent() || destroyed_ > front_) return "a queue has dropped messages that were never sent";
    if (tail_ == nullptr) return cursor_ == nullptr ? nullptr : "a queue without blocks has room for messages";
    if (head_->first > front_ || (head_ != tail_ && end_of(*head_) <= front_))
        return "a block has only dropped messages";
    const bool is_in_tail = cursor_ >= tail_->begin && cursor_ <= tail_->end;
    return is_in_tail && limit_ == (is_building_ ? cursor_ : tail_->end) ? nullptr : "a queue is not in its last block";
}

const char* MessageQueue::check_readers() const noexcept {
    const ReaderPosition* before = nullptr;
    for (const ReaderPosition* reader = readers_; reader != nullptr; before = reader, reader = reader->next_) {
        if (reader->queue_ != this || reader->previous_ != before) return "the list of readers leads astray";
        if (reader->seen_ < front_ || reader->seen_ > sent()) return "a reader is at a message that is not there";
        if (reader->old_ > sent()) return "a reader waits for messages that were never sent";
        if (reader->block_ == nullptr) continue;
        const MessageBlock* block = head_;
        while (block != nullptr && block != reader->block_) block = block->next;
        if (block == nullptr || block->first > reader->seen_) return "a reader is in a block that has not its message";
    }
    return nullptr;
}

ReaderPosition::ReaderPosition(MessageQueue& queue) {
    if (thread_clock.piece != 0) fail_in_par_each("MessageReader", queue.type_);
    if (queue.is_closed_) fail_ending("MessageReader", queue.type_);
    queue_ = &queue;
    block_ = queue.tail_;
    seen_ = old_ = queue.sent();
    next_ = std::exchange(queue.readers_, this);
    if (next_ != nullptr) next_->previous_ = this;
}

void ReaderPosition::unlink() noexcept {
    if (queue_ == nullptr) return;
    (previous_ != nullptr ? previous_->next_ : queue_->readers_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
    queue_ = nullptr;
    next_ = previous_ = nullptr;
    block_ = nullptr;
}

void ReaderPosition::take_over(ReaderPosition& other) noexcept {
    queue_ = std::exchange(other.queue_, nullptr);
    next_ = std::exchange(other.next_, nullptr);
    previous_ = std::exchange(other.previous_, nullptr);
    block_ = std::exchange(other.block_, nullptr);
    seen_ = other.seen_;
    old_ = other.old_;
    lost_ = std::exchange(other.lost_, 0);
    exempt_ = std::exchange(other.exempt_, false);
    if (queue_ == nullptr) return;
    (previous_ != nullptr ? previous_->next_ : queue_->readers_) = this;
    if (next_ != nullptr) next_->previous_ = this;
}

MessageSpan ReaderPosition::read() noexcept {
    if (size() == 0) return {};
    const MessageBlock* block = block_ != nullptr ? block_ : queue_->head_;
    while (queue_->end_of(*block) <= seen_) block = block->next;
    MessageSpan span;
    span.at = queue_->address_of_message(*block, seen_);
    span.stop = block == queue_->tail_ ? queue_->cursor_ : block->end;
    span.block = block;
    const bool skips_tail = queue_->has_empty_tail();
    span.last = skips_tail ? queue_->before_tail() : queue_->tail_;
    span.last_end = skips_tail ? span.last->end : queue_->cursor_;
    span.count = size();
    clear();
    return span;
}

void ReaderPosition::clear() noexcept {
    if (queue_ == nullptr) return;
    seen_ = queue_->sent();
    block_ = queue_->tail_;
}

std::size_t ReaderPosition::size() const noexcept {
    return queue_ != nullptr ? static_cast<std::size_t>(queue_->sent() - seen_) : 0;
}

std::uint64_t ReaderPosition::end_frame(std::uint64_t sent) noexcept {
    if (std::exchange(exempt_, false)) return seen_;
    if (seen_ < old_) lost_ += old_ - std::exchange(seen_, old_);
    old_ = sent;
    return seen_;
}

}  // namespace stoa::detail

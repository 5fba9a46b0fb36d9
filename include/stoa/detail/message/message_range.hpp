// Consecutive messages as a range, for `for (const T& message : reader.read())`.
#pragma once

#include <cstddef>

#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/message/message_queue.hpp"

namespace stoa {

namespace detail {

struct MessageEnd {};

// Whether there is more is a variable of its own: g++ then sees that a step inside a block does not end the loop, which
// compares once for each message, as one over a vector does.
// Safe: the blocks of the queue of T hold living messages of type T between the addresses that a span names.
template <class T>
class MessageIterator {
  public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;

    MessageIterator() noexcept = default;
    explicit MessageIterator(const MessageSpan& span) noexcept
        : at_(object_at<T>(span.at)),
          stop_(object_at<T>(span.stop)),
          block_(span.block),
          last_(span.last),
          last_end_(span.last_end),
          has_more_(span.count != 0) {}

    [[gnu::always_inline]] const T& operator*() const noexcept { return *at_; }
    [[gnu::always_inline]] const T* operator->() const noexcept { return at_; }
    [[gnu::always_inline]] MessageIterator& operator++() noexcept {
        has_more_ = true;
        if (++at_ == stop_) [[unlikely]]
            next_block();
        return *this;
    }
    MessageIterator operator++(int) noexcept {
        const MessageIterator before(*this);
        ++*this;
        return before;
    }
    [[gnu::always_inline]] friend bool operator==(const MessageIterator& a, MessageEnd) noexcept {
        return !a.has_more_;
    }
    friend bool operator==(const MessageIterator& a, const MessageIterator& b) noexcept { return a.at_ == b.at_; }

  private:
    [[gnu::always_inline]] void next_block() noexcept {
        has_more_ = false;
        if (block_ == last_) return;
        block_ = block_->next;
        at_ = object_at<T>(static_cast<const std::byte*>(block_->begin));
        stop_ = object_at<T>(block_ == last_ ? last_end_ : block_->end);
        has_more_ = at_ != stop_;
    }

    const T* at_ = nullptr;
    const T* stop_ = nullptr;  // in the same block
    const MessageBlock* block_ = nullptr;
    const MessageBlock* last_ = nullptr;
    const std::byte* last_end_ = nullptr;
    bool has_more_ = false;
};

}  // namespace detail

/// Messages that a reader has taken, in the order of sending. It can be walked several times.
/// Invalidates: valid until the next end_frame, or the end of the world.
template <class T>
class MessageRange {
  public:
    /// No messages.
    MessageRange() noexcept = default;
    explicit MessageRange(const detail::MessageSpan& span) noexcept : span_(span) {}

    detail::MessageIterator<T> begin() const noexcept { return detail::MessageIterator<T>(span_); }
    detail::MessageEnd end() const noexcept { return {}; }
    /// Returns: the number of messages.
    std::size_t size() const noexcept { return span_.count; }
    bool empty() const noexcept { return span_.count == 0; }

  private:
    detail::MessageSpan span_;
};

}  // namespace stoa

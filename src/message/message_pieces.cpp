// Parallel sending: what a walk needs before it begins, and how its pieces are joined.
#include "message/message_pieces.hpp"

#include <utility>

#include "stoa/detail/message/message_recorder.hpp"

namespace stoa::detail {

void MessagePieces::begin(MessageQueue& into, std::size_t count, std::uint32_t first_number) {
    while (pieces_.size() < count) pieces_.push_back(std::make_unique<MessageQueue>(into.type()));
    for (std::size_t i = 0; i < count; ++i) pieces_[i]->join_walk(*this, first_number + static_cast<std::uint32_t>(i));
    into_ = &into;
    count_ = count;
}

void MessagePieces::end(MessageQueue& into, std::size_t reached) noexcept {
    for (std::size_t i = 0; i < reached; ++i) into.take_over(*pieces_[i]);
    for (std::size_t i = reached; i < count_; ++i) pieces_[i]->drop_all();
}

MessageBlock* MessagePieces::take_spare() noexcept {
    const std::lock_guard lock(mutex_);
    return into_->take_spare();
}

MessageRecorder::MessageRecorder(MessageQueue& into, std::size_t count, std::uint32_t first_number) : into_(into) {
    into.require_ready();
    into.require_open();
    // The queue has no pieces while they are in use: destructors of what is dropped may walk again.
    std::unique_ptr<MessagePieces> pieces(into.take_pieces());
    if (pieces == nullptr) pieces = std::make_unique<MessagePieces>();
    pieces->begin(into, count, first_number);
    pieces_ = pieces.release();
}

MessageQueue& MessageRecorder::queue(std::size_t piece) const noexcept { return (*pieces_)[piece]; }

void MessageRecorder::end(std::size_t reached) noexcept {
    if (pieces_ == nullptr) return;
    MessagePieces* const pieces = std::exchange(pieces_, nullptr);
    pieces->end(into_, reached);
    into_.return_pieces(pieces);
}

}  // namespace stoa::detail

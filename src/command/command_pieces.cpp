// Parallel recording: what a walk needs before it begins, and how its pieces are joined.
#include "command/command_pieces.hpp"

#include <memory>
#include <utility>

#include "command/records.hpp"
#include "stoa/detail/command/command_recorder.hpp"

namespace stoa::detail {

CommandPieces::~CommandPieces() {
    Store* const store = link_->store();
    ids_.give_back(store != nullptr ? &store->directory() : nullptr);
}

void CommandPieces::begin(CommandBuffer& into, std::size_t count, std::uint32_t first_number, bool is_limited) {
    Store& store = *link_->store();
    while (pieces_.size() < count) pieces_.push_back(CommandsAccess::make(store));
    if (!is_limited) ids_.begin(store.directory(), into.lease(), count);
    for (std::size_t i = 0; i < count; ++i) {
        CommandBuffer& piece = CommandsAccess::buffer(pieces_[i]);
        piece.join_walk(*this, first_number + static_cast<std::uint32_t>(i));
        piece.set_lease(is_limited ? into.lease() : &ids_.lease(i));
    }
    into_ = &into;
    count_ = count;
}

void CommandPieces::end(CommandBuffer& into, std::size_t reached) noexcept {
    for (std::size_t i = 0; i < reached; ++i) into.take_over(CommandsAccess::buffer(pieces_[i]));
    ids_.end();
    for (std::size_t i = reached; i < count_; ++i) CommandsAccess::buffer(pieces_[i]).discard_all();
}

CommandBlock* CommandPieces::take_spare(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    return into_->take_spare(bytes);
}

PieceRecorder<Commands>::PieceRecorder(Commands& into, std::size_t count, std::uint32_t first_number)
    : into_(CommandsAccess::buffer(into)) {
    into_.require_ready();
    Store& store = into_.require_store();
    is_limited_ = store.directory().is_limited();
    // The buffer has no pieces while they are in use: destructors of what is dropped may walk again.
    std::unique_ptr<CommandPieces> pieces(into_.take_pieces());
    if (pieces == nullptr) pieces = std::make_unique<CommandPieces>(store);
    pieces->begin(into_, count, first_number, is_limited_);
    pieces_ = pieces.release();
}

Commands& PieceRecorder<Commands>::operator[](std::size_t piece) const noexcept { return (*pieces_)[piece]; }

void PieceRecorder<Commands>::end(std::size_t reached) noexcept {
    if (pieces_ == nullptr) return;
    CommandPieces* const pieces = std::exchange(pieces_, nullptr);
    pieces->end(into_, reached);
    into_.return_pieces(pieces);
}

}  // namespace stoa::detail

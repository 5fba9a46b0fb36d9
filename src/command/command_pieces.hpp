// The buffers of the pieces of a parallel walk: one set for each command buffer that such a walk has recorded into.
// Their memory is reused: what the pieces record goes to the buffer of the walk together with its blocks, and the next
// walk takes blocks from there.
//
// Invariant: between two walks the buffers are empty.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "entity/id_dealer.hpp"
#include "stoa/commands.hpp"

namespace stoa::detail {

class CommandPieces {
  public:
    explicit CommandPieces(Store& store) noexcept : link_(store.link()) {}
    ~CommandPieces();
    CommandPieces(const CommandPieces&) = delete;
    CommandPieces& operator=(const CommandPieces&) = delete;

    // Effects: `count` pieces can record, and have the numbers from `first_number` on. They reserve ids as `into` does,
    // one after the other if ids are limited. Throws std::bad_alloc.
    void begin(CommandBuffer& into, std::size_t count, std::uint32_t first_number, bool is_limited);
    Commands& operator[](std::size_t piece) noexcept { return pieces_[piece]; }
    // Effects: appends the first `reached` pieces to `into`, and drops the others.
    void end(CommandBuffer& into, std::size_t reached) noexcept;

    // For a piece: a block of the walk's buffer with at least so many bytes, or null. Threads: any.
    CommandBlock* take_spare(std::size_t bytes) noexcept;

  private:
    Ref<StoreLink> link_;
    CommandBuffer* into_ = nullptr;
    std::vector<Commands> pieces_;
    std::size_t count_ = 0;  // of this walk
    IdDealer ids_;
    std::mutex mutex_;
};

}  // namespace stoa::detail

// Commands that the pieces of a parallel walk record: each piece has a buffer of its own, and they are joined in the
// order of the walk. Used by par_each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/query/piece_recorder.hpp"

namespace stoa {
class Commands;
}

namespace stoa::detail {

class CommandBuffer;
class CommandPieces;

template <>
class STOA_API PieceRecorder<Commands> {
  public:
    // Throws Errc::world_gone; Errc::conflict inside a parallel walk, as recording; std::bad_alloc.
    PieceRecorder(Commands& into, std::size_t count, std::uint32_t first_number);
    // Drops what was not joined.
    ~PieceRecorder() { end(0); }
    PieceRecorder(const PieceRecorder&) = delete;
    PieceRecorder& operator=(const PieceRecorder&) = delete;

    // Ids are limited: which piece gets the last ones must not depend on threads.
    bool needs_one_thread() const noexcept { return is_limited_; }
    Commands& operator[](std::size_t piece) const noexcept;
    // Effects: appends the first `reached` pieces to the buffer. The commands of the others are destroyed, and their
    // ids given back.
    void end(std::size_t reached) noexcept;

  private:
    CommandBuffer& into_;
    CommandPieces* pieces_ = nullptr;  // null: it has ended
    bool is_limited_ = false;
};

}  // namespace stoa::detail

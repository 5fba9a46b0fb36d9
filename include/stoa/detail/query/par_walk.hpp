// A walk that is cut into pieces, which the threads of an executor share. Pieces are cut at multiples of 64 rows, so
// that two threads never write the same word of change bits. How many there are depends on the rows and on what the
// caller asks for, never on threads. Used by ParWalkable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <vector>

#include "stoa/detail/query/query_state.hpp"
#include "stoa/detail/query/row_span.hpp"
#include "stoa/executor.hpp"

namespace stoa::detail {

class STOA_API ParWalk {
  public:
    // Called for each row span of a piece, in order, by one thread.
    using Call = void (*)(const void* callable, std::size_t piece, const RowSpan& rows);

    // For results that depend on how a walk is cut.
    static constexpr std::size_t most_pieces = 64;

    // Cuts all rows of the matching tables into at most about `most` pieces. Locks the structure while it lives.
    ParWalk(Store& store, const QueryState& state, std::size_t most);
    // The same for these rows. Throws std::bad_alloc.
    ParWalk(Store& store, const std::vector<RowSpan>& rows, std::size_t most);
    ParWalk(const ParWalk&) = delete;
    ParWalk& operator=(const ParWalk&) = delete;

    std::size_t count() const { return count_; }
    // Threads that run piece i have the number first_number() + i in their clock.
    std::uint32_t first_number() const { return first_number_; }

    // Makes all calls. What a call throws is kept for rethrow(); the pieces after it may be left out. Throws what the
    // executor throws.
    void run(Executor& executor, Call call, const void* callable);
    // How many pieces came before a throw in the order of the walk, with the one that threw; all of them if none did.
    std::size_t reached() const { return reached_; }
    // Throws what was thrown first in the order of the walk.
    void rethrow() const {
        if (thrown_) std::rethrow_exception(thrown_);
    }

  private:
    class Pieces;

    void add(const RowSpan& run);
    bool continues_word(const RowSpan& run) const;

    Store& store_;
    Store::SharedLock lock_;
    const QueryState* state_ = nullptr;  // null: the rows are listed
    std::uint64_t size_ = 0;             // rows of a piece
    std::size_t count_ = 0;
    std::size_t reached_ = 0;
    std::uint32_t first_number_ = 0;
    std::exception_ptr thrown_;
    std::vector<RowSpan> parts_;       // of listed rows
    std::vector<std::size_t> begins_;  // of each piece: its first part; and the end
    std::uint64_t room_ = 0;           // left in the last piece
};

}  // namespace stoa::detail

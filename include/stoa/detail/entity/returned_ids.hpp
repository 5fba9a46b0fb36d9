// Reserved ids that were given back while other threads may reserve: dropped command buffers return the ids of their
// spawns here. The next reservation takes one, or the directory takes all of them when it settles.
//
// Invariant: an id is in at most one block, and only with a generation that has been handed out.
// Threads: give() and take() may run concurrently; all other calls need exclusive access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "stoa/detail/base/config.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// A block of ids, passed on together with its memory: the ids follow the header. Blocks are made by new_block with this
// alignment.
struct IdBlock {
    static constexpr std::size_t alignment = 64;

    IdBlock* next = nullptr;
    std::uint32_t first = 0;  // the ids before this one have been handed out again
    std::uint32_t count = 0;

    // Safe: the code that returns a block has written `count` ids after `header` bytes.
    static constexpr std::size_t header = 64;
    Entity* ids() { return reinterpret_cast<Entity*>(reinterpret_cast<std::byte*>(this) + header); }
};

class ReturnedIds {
  public:
    explicit ReturnedIds(std::uint32_t last_generation) noexcept : last_generation_(last_generation) {}
    ~ReturnedIds();
    ReturnedIds(const ReturnedIds&) = delete;
    ReturnedIds& operator=(const ReturnedIds&) = delete;

    bool empty() const noexcept { return returned_ == nullptr && claimed_ == nullptr && exhausted_ == nullptr; }
    std::uint64_t count() const noexcept;

    // Effects: takes ownership of the linked blocks from `first` to `last`.
    void give(IdBlock* first, IdBlock* last) noexcept;

    // Returns: a returned id with its next generation, or null when there is none. Ids without a next generation stay
    // for take_all(). If another thread is taking, `unless_busy` returns null and `wait` waits.
    enum class When : bool { unless_busy, wait };
    Entity take(When when) noexcept;

    // Calls f(id) for each id as it was returned, in FIFO order; ids without a next generation come last.
    template <class F>
    void take_all(F&& f) noexcept {
        while (find_next()) take_block(std::exchange(claimed_, claimed_->next), f);
        while (exhausted_ != nullptr) take_block(std::exchange(exhausted_, exhausted_->next), f);
    }

  private:
    template <class F>
    static void take_block(IdBlock* block, F& f) noexcept {
        for (; block->first != block->count; ++block->first) f(block->ids()[block->first]);
        free_block(block);
    }
    static void free_block(IdBlock* block) noexcept;
    bool find_next() noexcept;

    IdBlock* returned_ = nullptr;   // last returned first
    IdBlock* claimed_ = nullptr;    // first returned first; guarded by claiming_
    IdBlock* exhausted_ = nullptr;  // whose next id has no further generation; guarded by claiming_
    std::uint32_t last_generation_;
    bool claiming_ = false;
};

}  // namespace stoa::detail

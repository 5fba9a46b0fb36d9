// What belongs to a thread, whatever world it works for: its clock, and the numbers of pieces of parallel walks.
#include "stoa/detail/storage/change_clock.hpp"

#include <algorithm>
#include <atomic>

namespace stoa::detail {

constinit thread_local ThreadClock thread_clock;

std::uint32_t new_piece_numbers(std::uint32_t count) noexcept {
    static constinit std::atomic<std::uint32_t> used = 0;
    count = std::max(count, 1U);
    std::uint32_t first = 0;
    do {
        first = used.fetch_add(count, std::memory_order_relaxed) + 1;
    } while (first == 0 || first + count < first);  // after 2^32 numbers they begin again
    return first;
}

}  // namespace stoa::detail

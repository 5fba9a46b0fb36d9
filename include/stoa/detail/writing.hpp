// At which moment this thread writes. While a system runs beside others, what it writes through queries is written at moments of
// its own: which ones depends on its place in the order, not on threads. Set by the schedule and by parallel walks, read by Store.
#pragma once

#include <cstdint>

#include "stoa/detail/config.hpp"

namespace stoa::detail {

class Store;

struct Writing {
    const Store* store = nullptr;
    std::uint64_t moment = 0;
    std::uint64_t last = 0;   // of its own
    std::uint32_t looks = 0;  // for changes, so far
};
STOA_API extern constinit thread_local Writing writing;

// Writes at another moment, as long as it lives.
class WritingAs {
  public:
    explicit WritingAs(const Writing& other) : before_(writing) { writing = other; }
    ~WritingAs() { writing = before_; }
    WritingAs(const WritingAs&) = delete;
    WritingAs& operator=(const WritingAs&) = delete;

  private:
    const Writing before_;
};

}  // namespace stoa::detail

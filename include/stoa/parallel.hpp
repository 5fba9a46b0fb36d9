// Threads: Workers, the executor on oneTBB. Needs the library stoa::parallel. Schedules and Query::par_each take any
// executor.
#pragma once

#include <cstddef>

#include "stoa/executor.hpp"

namespace stoa {

namespace detail {
struct WorkersState;
}

class STOA_API Workers final : public Executor {
  public:
    // So many threads, that of the caller included; 0: as many as the machine has. One is serial. Throws std::bad_alloc.
    explicit Workers(std::size_t threads = 0);
    ~Workers() override;

    std::size_t threads() const noexcept override { return threads_; }
    void run(Jobs& jobs) override;

  private:
    detail::WorkersState* state_;
    std::size_t threads_;
};

}  // namespace stoa

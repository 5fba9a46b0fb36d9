// Who runs jobs: the seam between threads and whoever has work for them, a schedule or Query::par_each. Stoa has two
// executors: SerialExecutor, and Workers in parallel.hpp. Any other pool of threads can be one.
#pragma once

#include <cstddef>

#include "stoa/detail/config.hpp"

namespace stoa {

class STOA_API Executor {
  public:
    // Where jobs are handed in. Threads: any, at any time during run().
    class Starter {
      public:
        // jobs.run(job) will be called once, on any thread. An executor that cannot do so elsewhere calls it at once.
        virtual void start(std::size_t job) noexcept = 0;

      protected:
        ~Starter() = default;
    };

    // Jobs by number, which may start others.
    class Jobs {
      public:
        virtual void begin(Starter& starter) noexcept = 0;  // starts those that wait for no one
        virtual void run(std::size_t job, Starter& starter) noexcept = 0;

      protected:
        ~Jobs() = default;
    };

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor();

    // How many jobs can run at the same time, the thread of the caller included.
    virtual std::size_t threads() const noexcept = 0;

    // Calls jobs.begin(), and returns when all jobs that were started are done; what they did is visible then. May be called
    // inside a job.
    virtual void run(Jobs& jobs) = 0;
};

// One job after the other, on the thread of the caller.
class STOA_API SerialExecutor final : public Executor {
  public:
    std::size_t threads() const noexcept override { return 1; }
    void run(Jobs& jobs) override;
};

}  // namespace stoa

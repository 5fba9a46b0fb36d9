// Executors run jobs: the interface between threads and what has work for them, a schedule or Query::par_each. Stoa has
// two: SerialExecutor here, and Workers in parallel.hpp. Any other pool of threads can implement Executor.
#pragma once

#include <cstddef>

#include "stoa/detail/base/config.hpp"

namespace stoa {

/// The interface that a pool of threads implements.
class STOA_API Executor {
  public:
    /// Where jobs are handed in. Implemented by the executor.
    class Starter {
      public:
        /// Effects: jobs.run(job) will be called once, on any thread. An executor that has no free thread may call it
        /// at once.
        /// Threads: any, at any time during Executor::run.
        virtual void start(std::size_t job) noexcept = 0;

      protected:
        ~Starter() = default;
    };

    /// Jobs by number, which may start others. Implemented by the library.
    class Jobs {
      public:
        /// Effects: starts the jobs that depend on no other.
        virtual void begin(Starter& starter) noexcept = 0;
        /// Effects: does one job, and starts those that waited for it.
        /// Threads: any; different jobs may run at the same time.
        virtual void run(std::size_t job, Starter& starter) noexcept = 0;

      protected:
        ~Jobs() = default;
    };

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor();

    /// Returns: how many jobs can run at the same time, the thread of the caller included.
    virtual std::size_t threads() const noexcept = 0;

    /// Effects: calls jobs.begin(), and returns when all started jobs are done. What they wrote is visible then.
    /// Threads: may be called inside a job.
    virtual void run(Jobs& jobs) = 0;
};

/// Runs one job after the other, on the thread of the caller.
class STOA_API SerialExecutor final : public Executor {
  public:
    std::size_t threads() const noexcept override { return 1; }
    void run(Jobs& jobs) override;
};

}  // namespace stoa

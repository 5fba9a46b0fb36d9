// An executor on one thread that runs jobs in an order of the test's choice, as far as the jobs allow: what depends on
// that order shows in each run, and not by luck. It pretends to have several threads.
#pragma once

#include <stoa/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/random.hpp"

namespace support {

class OrderExecutor final : public stoa::Executor {
  public:
    enum class Order { first, last, random };  // which of those that were started comes next

    explicit OrderExecutor(Order order, std::uint64_t seed = 1, std::size_t threads = 4)
        : order_(order), random_(seed), threads_(threads) {}

    std::size_t threads() const noexcept override { return threads_; }

    void run(Jobs& jobs) override {
        ++runs;
        Started started;
        jobs.begin(started);
        while (!started.jobs.empty()) {
            const std::size_t at = next(started.jobs.size());
            running = started.jobs[at];
            started.jobs.erase(started.jobs.begin() + static_cast<std::ptrdiff_t>(at));
            ++jobs_run;
            jobs.run(running, started);
        }
    }

    std::size_t runs = 0;
    std::size_t jobs_run = 0;
    std::size_t running = 0;  // the job that was started last

  private:
    struct Started final : Starter {
        void start(std::size_t job) noexcept override { jobs.push_back(job); }
        std::vector<std::size_t> jobs;
    };

    std::size_t next(std::size_t count) {
        if (order_ == Order::random) return random_.below(static_cast<std::uint32_t>(count));
        return order_ == Order::first ? 0 : count - 1;
    }

    Order order_;
    stoa_test::Random random_;
    std::size_t threads_;
};

}  // namespace support

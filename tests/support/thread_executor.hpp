// An executor on plain threads. Its synchronisation is visible to ThreadSanitizer, which sees nothing inside oneTBB;
// and it shows that any pool can be an executor.
#pragma once

#include <stoa/executor.hpp>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace support {

class ThreadExecutor final : public stoa::Executor {
  public:
    explicit ThreadExecutor(std::size_t threads) : threads_(threads) {
        for (std::size_t i = 1; i < threads; ++i) pool_.emplace_back([this] { work(); });
    }
    ~ThreadExecutor() override {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : pool_) thread.join();
    }

    std::size_t threads() const noexcept override { return threads_; }

    void run(Jobs& jobs) override {
        Batch batch(*this, jobs);
        jobs.begin(batch);
        std::unique_lock lock(mutex_);
        while (batch.unfinished != 0) {
            if (!run_one(lock, &batch)) wake_.wait(lock);
        }
    }

  private:
    struct Batch final : Starter {
        Batch(ThreadExecutor& on, Jobs& all) : executor(on), jobs(all) {}
        void start(std::size_t job) noexcept override {
            {
                const std::lock_guard lock(executor.mutex_);
                ++unfinished;
                executor.queue_.push_back({this, job});
            }
            executor.wake_.notify_all();
        }
        ThreadExecutor& executor;
        Jobs& jobs;
        std::size_t unfinished = 0;
    };
    struct Task {
        Batch* batch;
        std::size_t job;
    };

    // A waiting thread runs jobs of its own batch only, as it might be waited for.
    bool run_one(std::unique_lock<std::mutex>& lock, Batch* only) {
        for (auto at = queue_.begin(); at != queue_.end(); ++at) {
            if (only != nullptr && at->batch != only) continue;
            const Task task = *at;
            queue_.erase(at);
            lock.unlock();
            task.batch->jobs.run(task.job, *task.batch);
            lock.lock();
            if (--task.batch->unfinished == 0) wake_.notify_all();
            return true;
        }
        return false;
    }
    void work() {
        std::unique_lock lock(mutex_);
        while (!ending_) {
            if (!run_one(lock, nullptr)) wake_.wait(lock);
        }
    }

    std::size_t threads_;
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Task> queue_;
    bool ending_ = false;
    std::vector<std::thread> pool_;
};

}  // namespace support

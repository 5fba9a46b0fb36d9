// Runs the same work on several threads that begin together. Used by the tests of what threads may do at the same time.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace stoa_test {

inline constexpr int thread_count = 4;

/// Calls work(0) to work(thread_count - 1), each on a thread of its own, and waits for all of them.
template <class Work>
void in_threads(Work work) {
    std::atomic<int> waiting{thread_count};
    std::vector<std::thread> threads;
    for (int i = 0; i < thread_count; ++i) {
        threads.emplace_back([&, i] {
            --waiting;
            while (waiting > 0) std::this_thread::yield();
            work(i);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

}  // namespace stoa_test

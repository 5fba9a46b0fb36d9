// How the benchmark measures: a contender takes one timed sample at a time, a workload names two contenders, and
// compare() lets them take turns until the medians stand. Called by main.cpp and by every file of workloads.
// Invariant: where both have run, their checksums are compared, so that a figure never stands for less work.
//
// Google Benchmark runs one benchmark to its end before it starts the next. On a shared machine the clock and the
// neighbours change meanwhile, and a ratio of two such runs drifts by tens of percent. Here the two sides alternate
// within milliseconds, so that both see the same machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace bench {

/// Keeps the optimiser from dropping the computation of `value`.
template <class T>
inline void keep(const T& value) {
    asm volatile("" : : "r,m"(value) : "memory");
}

/// Keeps memory accesses from moving across this point.
inline void fence() { asm volatile("" : : : "memory"); }

/// Hides where an integer comes from; costs no instruction, and stops a loop from being vectorised.
inline void hide(std::uint32_t& value) { asm volatile("" : "+r"(value)); }

std::uint64_t fold(std::uint64_t hash, std::uint64_t value);
std::uint64_t fold(std::uint64_t hash, float a, float b);

/// One measurement. A sample is clean when the thread kept its core all the time.
struct Sample {
    double value = 0;
    bool clean = true;
};

/// Measures wall time against the CPU time of this thread. Where they differ the thread was descheduled; the sample
/// then counts by CPU time and is marked.
class Stopwatch {
  public:
    void start();
    Sample stop();

  private:
    double cpu_start_ = 0;
    double wall_start_ = 0;
};

/// One side of a comparison.
class Contender {
  public:
    Contender() = default;
    Contender(const Contender&) = delete;
    Contender& operator=(const Contender&) = delete;
    virtual ~Contender() = default;

    /// Runs the work untimed until caches and heap are warm. Returns the checksum of the state that it left.
    virtual std::uint64_t warm_up() = 0;

    /// One sample, per operation.
    virtual Sample sample() = 0;
};

/// A named comparison at several sizes. `exact` ones (bytes) need one sample only. Where nothing written by hand does
/// the same work, `raw` is null and Stoa runs alone.
struct Workload {
    using Make = std::unique_ptr<Contender> (*)(std::size_t n);

    std::string name;
    std::vector<std::size_t> sizes;
    Make raw = nullptr;
    Make stoa = nullptr;
    const char* unit = "ns";
    bool exact = false;
    const char* group = "";  // set by all_workloads()
};

/// How long a comparison may take. It ends when both sides have `wanted` clean samples, or `minimum` of them after
/// `seconds`, or after twice that time `minimum` of any kind.
struct Effort {
    std::size_t minimum = 15;
    std::size_t wanted = 51;
    double seconds = 4.0;
};

struct Statistics {
    double median = 0;
    double spread = 0;  // interquartile range over the median
    std::size_t samples = 0;
};

struct Comparison {
    Statistics raw;  // without samples where Stoa ran alone
    Statistics stoa;
    bool same_work = true;  // the checksums agree

    bool alone() const { return raw.samples == 0; }
    double ratio() const { return raw.median > 0 ? stoa.median / raw.median : 0; }
};

Comparison compare(const Workload& workload, std::size_t n, const Effort& effort);

/// Keeps freed memory in the heap, so that after the warm-up no page fault is part of a sample.
void retain_freed_memory();

/// Makes the allocator sort what was freed. Else one side's timed allocation would pay for the other side's frees.
void settle_heap();

/// The same permutation in every run.
template <class T>
void shuffle(std::vector<T>& values) {
    std::uint64_t state = 88172645463325252ULL;
    for (std::size_t i = values.size(); i > 1; --i) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        const T moved = values[i - 1];
        values[i - 1] = values[state % i];
        values[state % i] = moved;
    }
}

}  // namespace bench

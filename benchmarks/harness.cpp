// Clocks, statistics and the turn-taking of a comparison; see harness.hpp. Called by main.cpp and the trials.
#include "harness.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include <malloc.h>
#include <time.h>

namespace bench {
namespace {

double clock_ns(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double wall_ns() { return clock_ns(CLOCK_MONOTONIC); }

/// The samples of one side.
class Record {
  public:
    void take(Contender& contender) {
        const Sample sample = contender.sample();
        all_.push_back(sample.value);
        if (sample.clean) {
            clean_.push_back(sample.value);
        }
    }

    std::size_t clean() const { return clean_.size(); }
    std::size_t all() const { return all_.size(); }

    /// Samples that were disturbed count only where fewer than seven clean ones could be taken.
    Statistics statistics() const {
        std::vector<double> values = clean_.size() >= 7 ? clean_ : all_;
        std::sort(values.begin(), values.end());
        const auto quantile = [&](double q) {
            const double at = q * static_cast<double>(values.size() - 1);
            const auto below = static_cast<std::size_t>(at);
            const std::size_t above = std::min(below + 1, values.size() - 1);
            return values[below] + (values[above] - values[below]) * (at - static_cast<double>(below));
        };
        const double median = quantile(0.5);
        const double range = quantile(0.75) - quantile(0.25);
        return {median, median > 0 ? range / median : 0, values.size()};
    }

  private:
    std::vector<double> clean_;
    std::vector<double> all_;
};

/// Small workloads take several samples in a row, so that the other side's code and data have left the caches only
/// for the first of them.
void take_turn(Record& record, Contender& contender) {
    constexpr double turn_ns = 1e6;
    constexpr int most = 16;
    const double start = wall_ns();
    for (int i = 0; i < most && (i == 0 || wall_ns() - start < turn_ns); ++i) {
        record.take(contender);
    }
}

}  // namespace

std::uint64_t fold(std::uint64_t hash, std::uint64_t value) {
    hash = hash * 31 + value + 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 33;
    hash *= 0xff51afd7ed558ccdULL;
    hash ^= hash >> 33;
    hash *= 0xc4ceb9fe1a85ec53ULL;
    return hash ^ (hash >> 33);
}

std::uint64_t fold(std::uint64_t hash, float a, float b) {
    const std::uint64_t high = std::bit_cast<std::uint32_t>(a);
    return fold(hash, (high << 32) | std::bit_cast<std::uint32_t>(b));
}

void Stopwatch::start() {
    cpu_start_ = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    fence();
    wall_start_ = wall_ns();
    fence();
}

Sample Stopwatch::stop() {
    fence();
    const double wall = wall_ns() - wall_start_;
    fence();
    const double cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_start_;
    const bool clean = wall <= cpu * 1.01 + 500.0;
    return {clean ? wall : std::min(wall, cpu), clean};
}

Comparison compare(const Workload& workload, std::size_t n, const Effort& effort) {
    const std::unique_ptr<Contender> raw = workload.raw != nullptr ? workload.raw(n) : nullptr;
    const std::unique_ptr<Contender> stoa = workload.stoa(n);
    Comparison result;
    const std::uint64_t wanted = raw != nullptr ? raw->warm_up() : 0;
    const std::uint64_t done = stoa->warm_up();
    result.same_work = raw == nullptr || done == wanted;

    Record raw_record;
    Record stoa_record;
    const Record& fewer = raw != nullptr ? raw_record : stoa_record;
    const double start = wall_ns();
    for (bool more = true; more;) {
        if (raw != nullptr) {
            take_turn(raw_record, *raw);
        }
        take_turn(stoa_record, *stoa);
        const double seconds = (wall_ns() - start) * 1e-9;
        const std::size_t clean = std::min(fewer.clean(), stoa_record.clean());
        const std::size_t all = std::min(fewer.all(), stoa_record.all());
        const bool enough = clean >= effort.wanted || (clean >= effort.minimum && seconds > effort.seconds) ||
                            (all >= effort.minimum && seconds > 2 * effort.seconds);
        more = !enough && !workload.exact;
    }
    if (raw != nullptr) {
        result.raw = raw_record.statistics();
    }
    result.stoa = stoa_record.statistics();
    return result;
}

void retain_freed_memory() {
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 0x7fffffff);
    mallopt(M_TOP_PAD, 64 << 20);
}

void settle_heap() {
    void* block = std::malloc(1 << 20);
    keep(block);
    std::free(block);
}

}  // namespace bench

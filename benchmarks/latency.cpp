// Single operations, timed one by one; see latency.hpp.
//
// Each round grows a world in a process of its own, so that all memory is new to it, as in a program that has just
// started. A round that is interrupted by another process shows it in some operation; but the operations of all rounds
// are the same, so of each the shortest time counts: what an operation costs by itself is there in every round, an
// interruption is not. Invariant: the arrays of times are in memory before the clock starts.
#include "latency.hpp"

#include "components.hpp"
#include "harness.hpp"
#include "report.hpp"

#include <stoa/stoa.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <span>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

constexpr std::size_t flush_every = 1000;  // entities
constexpr std::size_t flushed = 100;       // commands: as many spawns as additions
constexpr Acceleration gained{acceleration_x, acceleration_y};

/// A world that grows by these operations. `back` counts from the entity that was spawned last; commands find every
/// second one back from there without the further component.
class StoaGrower {
  public:
    void spawn(std::size_t i) { came(world_.spawn(position_at(i), velocity_at(i))); }
    void add(std::size_t back) { world_.set(recent(back), gained); }
    void record(std::size_t i) {
        stoa::Commands& later = world_.commands();
        for (std::size_t k = 0; k < flushed / 2; ++k) {
            later.set(recent(2 * k), gained);
        }
        for (std::size_t k = 0; k < flushed / 2; ++k) {
            later.spawn(position_at(i + k), velocity_at(i + k));
        }
    }
    void flush() { world_.flush(); }

  private:
    static constexpr std::size_t kept = 256;

    void came(stoa::Entity id) { ring_[count_++ % kept] = id; }
    stoa::Entity recent(std::size_t back) const { return ring_[(count_ - 1 - back) % kept]; }

    stoa::World world_;
    stoa::Entity ring_[kept];
    std::size_t count_ = 0;
};

/// The same rows in growing vectors: without handles, an entity is told by its distance from the end.
class VectorGrower {
  public:
    void spawn(std::size_t i) { rows_.push_back({i, position_at(i), velocity_at(i)}); }
    void add(std::size_t back) {
        Row& row = rows_[rows_.size() - 1 - back];
        wide_.push_back({row, gained});
        row = rows_.back();
        rows_.pop_back();
    }
    void record(std::size_t i) { next_ = i; }
    void flush() {
        for (std::size_t k = 0; k < flushed / 2; ++k) {
            add(0);
        }
        for (std::size_t k = 0; k < flushed / 2; ++k) {
            spawn(next_ + k);
        }
    }

  private:
    struct Row {
        std::uint64_t id;
        Position position;
        Velocity velocity;
    };
    struct WideRow {
        Row row;
        Acceleration acceleration;
    };

    std::vector<Row> rows_;
    std::vector<WideRow> wide_;
    std::size_t next_ = 0;
};

/// Does nothing: what is left is the clock.
class NoGrower {
  public:
    void spawn(std::size_t) {}
    void add(std::size_t) {}
    void record(std::size_t) {}
    void flush() {}
};

/// The shortest time of each operation in nanoseconds, in memory that this process and its children share.
class Times {
  public:
    explicit Times(std::size_t entities) : entities_(entities) {
        void* shared = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (shared != MAP_FAILED) {
            all_ = static_cast<float*>(shared);
            std::fill_n(all_, count(), std::numeric_limits<float>::max());
        }
    }
    ~Times() {
        if (all_ != nullptr) {
            munmap(all_, bytes());
        }
    }
    Times(const Times&) = delete;
    Times& operator=(const Times&) = delete;

    bool there() const { return all_ != nullptr; }
    std::span<float> spawns() const { return {all_, entities_}; }
    std::span<float> adds() const { return {all_ + entities_, entities_ / 2}; }
    std::span<float> flushes() const { return {all_ + entities_ + entities_ / 2, entities_ / flush_every}; }

    /// A page comes to a process when that first writes to it.
    void touch() const {
        for (std::size_t i = 0; i < count(); i += 256) {
            volatile float& value = all_[i];
            value = value;
        }
    }

  private:
    std::size_t count() const { return entities_ + entities_ / 2 + entities_ / flush_every; }
    std::size_t bytes() const { return count() * sizeof(float); }

    std::size_t entities_;
    float* all_ = nullptr;
};

template <class Operation>
void time_one(float& shortest, Operation operation) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    fence();
    operation();
    fence();
    const std::chrono::duration<float, std::nano> took = Clock::now() - start;
    shortest = std::min(shortest, took.count());
}

/// Lets the system bring more memory in than a round will need, and gives it back. Some virtual machines fetch memory
/// from their host at the first touch, which takes longer than all that is measured here.
void bring_in_memory(std::size_t bytes) {
    constexpr std::size_t page = 4096;
    void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block != MAP_FAILED) {
        static_cast<void>(madvise(block, bytes, MADV_HUGEPAGE));  // the kind that Stoa asks for
        for (std::size_t at = 0; at < bytes; at += page) {
            static_cast<volatile char*>(block)[at] = 1;
        }
        munmap(block, bytes);
    }
}

/// Every second entity gets a further component when the next one is there; after each thousand, commands are flushed.
template <class Grower>
void grow(const Times& times) {
    times.touch();
    bring_in_memory(times.spawns().size() * 128);
    Grower grower;
    for (std::size_t i = 0; i < times.spawns().size(); ++i) {
        time_one(times.spawns()[i], [&] { grower.spawn(i); });
        if (i % 2 == 1) {
            time_one(times.adds()[i / 2], [&] { grower.add(1); });
        }
        if (i % flush_every == flush_every - 1) {
            grower.record(i);
            time_one(times.flushes()[i / flush_every], [&] { grower.flush(); });
        }
    }
    _exit(0);  // without taking the world down
}

/// One round, in a process of its own. Returns whether it ran to its end.
template <class Grower>
bool grow_apart(const Times& times) {
    const pid_t child = fork();
    if (child == 0) {
        grow<Grower>(times);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

void print_series(const char* operation, const char* implementation, std::span<const float> times) {
    const auto longest = std::max_element(times.begin(), times.end());
    std::vector<float> sorted(times.begin(), times.end());
    std::sort(sorted.begin(), sorted.end());
    const auto quantile = [&](double q) {
        return static_cast<double>(sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1))]);
    };
    std::printf("%-8s %-8s %10zu %10.0f %10.0f %10.0f %10.0f %12zu\n", operation, implementation, times.size(),
                quantile(0.5), quantile(0.99), quantile(0.999), quantile(1),
                static_cast<std::size_t>(longest - times.begin()));
}

}  // namespace

bool print_latency(bool quick) {
    const std::size_t entities = quick ? 1000000 : 10000000;
    const int rounds = quick ? 3 : 7;
    const Times stoa(entities);
    const Times vector(entities);
    const Times clock(entities);
    bool good = stoa.there() && vector.there() && clock.there();
    for (int round = 0; round < rounds && good; ++round) {
        good = grow_apart<StoaGrower>(stoa) && grow_apart<VectorGrower>(vector) && grow_apart<NoGrower>(clock);
    }
    if (!good) {
        std::fprintf(stderr, "stoa_bench: a process that measures latency could not be run\n");
        return false;
    }
    std::printf("%s\n\nnanoseconds of single operations while a world grows by %zu entities; %d rounds\n\n",
                circumstances().c_str(), entities, rounds);
    std::printf("%-8s %-8s %10s %10s %10s %10s %10s %12s\n", "", "", "times", "median", "99 %", "99.9 %", "longest",
                "which");
    const struct {
        const char* name;
        std::span<float> (Times::*series)() const;
    } operations[] = {{"spawn", &Times::spawns}, {"add", &Times::adds}, {"flush", &Times::flushes}};
    for (const auto& operation : operations) {
        print_series(operation.name, "stoa", (stoa.*operation.series)());
        print_series(operation.name, "vector", (vector.*operation.series)());
        print_series(operation.name, "clock", (clock.*operation.series)());
    }
    return true;
}

}  // namespace bench

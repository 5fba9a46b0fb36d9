// The clock of a world: the moment at which a value is written. Three words describe time: a moment is the 64-bit
// counter of a world, a tick its lower half, a mark the moment up to which a reader has seen all changes.
//
// While systems run concurrently, the thread of each system has a clock of its own: writes through queries get moments
// that depend on the position of the system in the order, not on the timing of threads. The schedule and parallel walks
// set it.
//
// Invariant: no stored tick is older than `oldest_age` by much. Whenever the counter has advanced by half of that, the
// clock calls the TickSweeper for all ticks.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/storage/ticks.hpp"

namespace stoa::detail {

class ChangeClock;

// The moments of a system, on the thread that runs it.
struct ThreadClock {
    const ChangeClock* world = nullptr;  // the clock that it replaces
    std::uint64_t moment = 0;
    std::uint64_t last = 0;   // of its own
    std::uint32_t looks = 0;  // how often the system has looked for changes
    std::uint32_t piece = 0;  // not 0: the number of the piece of a parallel walk, of any world, that this thread runs
};
STOA_API extern constinit thread_local ThreadClock thread_clock;

// Replaces the thread clock as long as it lives.
class ThreadClockScope {
  public:
    explicit ThreadClockScope(const ThreadClock& other) : before_(thread_clock) { thread_clock = other; }
    ~ThreadClockScope() { thread_clock = before_; }
    ThreadClockScope(const ThreadClockScope&) = delete;
    ThreadClockScope& operator=(const ThreadClockScope&) = delete;

  private:
    const ThreadClock before_;
};

// Numbers for the pieces of a parallel walk, which no other piece has had for a long time. Returns: the first one,
// which is not 0. Threads: any.
STOA_API std::uint32_t new_piece_numbers(std::uint32_t count) noexcept;

// What this thread does counts as done inside a piece of a parallel walk as long as it lives.
class ParEachScope {
  public:
    ParEachScope() : before_(thread_clock.piece) { thread_clock.piece = new_piece_numbers(1); }
    ~ParEachScope() { thread_clock.piece = before_; }
    ParEachScope(const ParEachScope&) = delete;
    ParEachScope& operator=(const ParEachScope&) = delete;

  private:
    const std::uint32_t before_;
};

// Sets ticks that would soon look new to the oldest possible tick.
class TickSweeper {
  public:
    virtual void sweep_ticks(Tick now) noexcept = 0;

  protected:
    ~TickSweeper() = default;
};

class ChangeClock {
  public:
    explicit ChangeClock(std::uint64_t first) : moment_(first) {}
    ChangeClock(const ChangeClock&) = delete;
    ChangeClock& operator=(const ChangeClock&) = delete;

    // The tick of structural changes and of writes by handle.
    Tick tick() const { return static_cast<Tick>(moment_); }

    // The moment at which this thread writes through queries, and its tick.
    [[gnu::always_inline]] std::uint64_t moment() const {
        return thread_clock.world == this ? thread_clock.moment : moment_;
    }
    [[gnu::always_inline]] Tick thread_tick() const { return static_cast<Tick>(moment()); }
    // Whether this thread runs a system concurrently with others.
    bool is_on_thread_clock() const { return thread_clock.world == this; }

    Since since(std::uint64_t mark) const {
        const std::uint64_t now = moment();
        return {static_cast<Tick>(now),
                now - mark < Since::everything ? static_cast<Age>(now - mark) : Since::everything};
    }

    // Makes later writes distinguishable from earlier ones; in a system, as long as it has moments left. Complexity:
    // O(1); every 2^29th time O(rows tracked).
    void advance() {
        if (thread_clock.world == this) {
            ++thread_clock.looks;
            if (thread_clock.moment != thread_clock.last) ++thread_clock.moment;
            return;
        }
        advance_by(1);
    }
    void advance_by(std::uint64_t moments) {
        const std::uint64_t before = moment_;
        moment_ += moments;
        if ((before ^ moment_) >= sweep_interval && sweeper_ != nullptr) [[unlikely]]
            sweeper_->sweep_ticks(tick());
    }
    // Returns: the last moment at which this thread no longer writes, as a mark for the caller. A system without
    // moments left continues in its last one, so a later reader sees some changes again.
    std::uint64_t pass_moment() {
        const std::uint64_t now = moment();
        advance();
        return moment() != now ? now : now - 1;
    }
    void set_sweeper(TickSweeper* sweeper) { sweeper_ = sweeper; }

    // Readers of row ticks. Bits of rows that changed longer ago than the longest time between two walks of one reader
    // are dropped. Threads: walks may call these concurrently.

    // Records that a reader asks for changes since then.
    void note_reader(Since since) {
        if (since.age != Since::everything && since.age > reader_window())
            __atomic_store_n(&reader_window_, since.age, __ATOMIC_RELAXED);
    }
    // The oldest tick whose bit must stay, after a walk.
    Tick oldest_asked_for(Since since) const { return since.now - static_cast<Tick>(reader_window()) + 1; }

  private:
    static constexpr std::uint64_t sweep_interval = oldest_age / 2;

    Age reader_window() const { return __atomic_load_n(&reader_window_, __ATOMIC_RELAXED); }

    std::uint64_t moment_;
    TickSweeper* sweeper_ = nullptr;
    Age reader_window_ = 0;  // in ticks
};

}  // namespace stoa::detail

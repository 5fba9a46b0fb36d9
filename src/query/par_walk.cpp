// Divides a walk into pieces, and runs them on an executor. A walk over whole tables is divided by arithmetic and needs
// no memory, so that a steady state does not allocate; a walk that tests rows lists its row spans first.
#include "stoa/detail/query/par_walk.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t grain = 64;         // rows that stay together
constexpr std::size_t pieces_a_thread = 8;  // so that other threads can help a slow one

std::uint64_t rows_a_piece(std::uint64_t rows, std::size_t threads) {
    return (rows / (threads * pieces_a_thread) / grain + 1) * grain;
}

}  // namespace

ParWalk::ParWalk(Store& store, const QueryState& state, Call call, const void* callable)
    : store_(store), state_(state), lock_(store), call_(call), callable_(callable) {}

// What pieces of both kinds have in common: each is called once, and the exception of the first one that threw is
// stored.
class ParWalk::Pieces : public Executor::Jobs {
  public:
    explicit Pieces(ParWalk& walk)
        : walk_(walk), moment_{thread_clock.world, thread_clock.moment, thread_clock.moment, 0, true} {}

    void run_all(Executor& executor) {
        unfinished_.store(count_, std::memory_order_relaxed);
        begun_.store(true, std::memory_order_release);
        if (count_ > 1) {
            executor.run(*this);
        } else {
            SerialExecutor().run(*this);
        }
        while (unfinished_.load(std::memory_order_acquire) != 0) {
        }
#if defined(__cpp_exceptions)
        if (thrown_) std::rethrow_exception(thrown_);
#endif
    }

    void begin(Executor::Starter& starter) noexcept override {
        for (std::size_t job = 0; job < count_; ++job) starter.start(job);
    }
    void run(std::size_t job, Executor::Starter&) noexcept override {
        (void)begun_.load(std::memory_order_acquire);
        {
            const ThreadClockScope at(moment_);
#if defined(__cpp_exceptions)
            try {
                call(job);
            } catch (...) {
                note(job);
            }
#else
            call(job);
#endif
        }
        unfinished_.fetch_sub(1, std::memory_order_release);
    }

  protected:
    ~Pieces() = default;

    virtual void call(std::size_t job) = 0;
    // False when an earlier job has failed: then the result of the others does not matter.
    bool call(std::size_t job, const RowSpan& rows) {
        if (job > first_failed_.load(std::memory_order_relaxed)) return false;
        walk_.call_(walk_.callable_, walk_.store_, rows);
        return true;
    }

    ParWalk& walk_;
    std::size_t count_ = 0;

  private:
#if defined(__cpp_exceptions)
    void note(std::size_t job) noexcept {
        while (busy_.exchange(true, std::memory_order_acquire)) {
        }
        if (job < first_failed_.load(std::memory_order_relaxed)) {
            first_failed_.store(job, std::memory_order_relaxed);
            thrown_ = std::current_exception();
        }
        busy_.store(false, std::memory_order_release);
    }
    std::exception_ptr thrown_;
    std::atomic<bool> busy_ = false;
#endif

    const ThreadClock moment_;
    std::atomic<bool> begun_ = false;
    std::atomic<std::size_t> unfinished_ = 0;
    std::atomic<std::size_t> first_failed_ = static_cast<std::size_t>(-1);
};

// Pieces of a walk over whole tables: ranges of row numbers. Each piece finds its rows when it runs.
class ParWalk::Stretches final : public Pieces {
  public:
    Stretches(ParWalk& walk, std::size_t threads) : Pieces(walk) {
        std::uint64_t rows = 0;
        for (const Table* table : walk.state_.tables()) {
            rows += table->row_count();
            if (table->row_count() == 0) walk.state_.note_empty(walk.store_);
        }
        size_ = rows_a_piece(rows, threads);
        count_ = static_cast<std::size_t>((rows + size_ - 1) / size_);
    }

  private:
    void call(std::size_t job) override {
        std::uint64_t from = job * size_;
        std::uint64_t to = from + size_;
        for (const Table* table : walk_.state_.tables()) {
            const std::uint64_t rows = table->row_count();
            if (from < rows && !call(job, *table, cut(*table, from), cut(*table, to))) return;
            from -= std::min(from, rows);
            to -= std::min(to, rows);
            if (to == 0) return;
        }
    }
    using Pieces::call;
    bool call(std::size_t job, const Table& table, std::uint64_t from, std::uint64_t to) {
        while (from < to) {
            const ChunkNumber number = table.chunks()[from / table.chunk_rows()];
            const Chunk& chunk = walk_.store_.chunks()[number];
            const auto first = static_cast<std::uint32_t>(from % table.chunk_rows());
            const auto count =
                static_cast<std::uint32_t>(std::min<std::uint64_t>(table.chunk_rows() - first, to - from));
            if (!call(job, {&table, chunk.base, chunk.ticks, number, first, count})) return false;
            from += count;
        }
        return true;
    }
    // Moves the border between two pieces to the border of a word of 64 rows in its chunk.
    static std::uint64_t cut(const Table& table, std::uint64_t row) {
        return row < table.row_count() ? row - row % table.chunk_rows() % grain : table.row_count();
    }

    std::uint64_t size_;
};

// Pieces of a walk that tests rows: its row spans, long ones divided. Spans may start anywhere in a word of 64 rows;
// those of one word stay together.
class ParWalk::Runs final : public Pieces {
  public:
    Runs(ParWalk& walk, std::size_t threads) : Pieces(walk) {
        std::vector<RowSpan> runs;
        std::uint64_t rows = 0;
        RowSelector selector;
        for (Walk found(walk.store_, walk.state_, Order::tables, Since{}, selector); found.next();) {
            runs.push_back(found.rows());
            rows += found.rows().count;
        }
        const std::uint64_t size = rows_a_piece(rows, threads);
        for (const RowSpan& run : runs) add(run, size);
        count_ = begins_.size();
        begins_.push_back(parts_.size());
    }

  private:
    void add(const RowSpan& run, std::uint64_t size) {
        for (std::uint32_t done = 0; done < run.count;) {
            RowSpan part = run;
            part.first += done;
            if (room_ == 0 && !(done == 0 && continues_word(run))) {
                begins_.push_back(parts_.size());
                room_ = size;
            }
            // As many rows as the job has room for, rounded up to a whole word.
            const std::uint64_t end = (part.first + std::max<std::uint64_t>(room_, 1) + grain - 1) / grain * grain;
            part.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(end - part.first, run.count - done));
            parts_.push_back(part);
            room_ -= std::min<std::uint64_t>(room_, part.count);
            done += part.count;
        }
    }
    bool continues_word(const RowSpan& run) const {
        if (parts_.empty()) return false;
        const RowSpan& last = parts_.back();
        return last.chunk == run.chunk && (last.first + last.count - 1) / grain == run.first / grain;
    }
    using Pieces::call;
    void call(std::size_t job) override {
        for (std::size_t i = begins_[job]; i < begins_[job + 1] && call(job, parts_[i]); ++i) {
        }
    }

    std::vector<RowSpan> parts_;
    std::vector<std::size_t> begins_;  // of each job: its first part; and the end
    std::uint64_t room_ = 0;           // left in the last job
};

void ParWalk::run(Executor& executor) {
    if (!state_.active(store_)) return;
    if (state_.is_plain()) {
        Stretches(*this, executor.threads()).run_all(executor);
    } else {
        Runs(*this, executor.threads()).run_all(executor);
    }
}

}  // namespace stoa::detail

// Cuts a walk into pieces, and runs them on an executor. A walk over whole tables is cut by arithmetic and needs no
// memory, so that a steady state does not allocate; other walks list their row spans first.
#include "stoa/detail/query/par_walk.hpp"

#include <algorithm>
#include <atomic>

namespace stoa::detail {
namespace {

constexpr std::uint32_t grain = 64;  // rows that stay together

std::uint64_t rows_a_piece(std::uint64_t rows, std::size_t most) { return (rows / most / grain + 1) * grain; }

}  // namespace

ParWalk::ParWalk(Store& store, const QueryState& state, std::size_t most)
    : store_(store), lock_(store), state_(&state) {
    std::uint64_t rows = 0;
    for (const Table* table : state.tables()) {
        rows += table->row_count();
        if (table->row_count() == 0) state.note_empty(store);
    }
    size_ = rows_a_piece(rows, most);
    count_ = static_cast<std::size_t>((rows + size_ - 1) / size_);
    first_number_ = new_piece_numbers(static_cast<std::uint32_t>(count_));
}

ParWalk::ParWalk(Store& store, const std::vector<RowSpan>& rows, std::size_t most) : store_(store), lock_(store) {
    std::uint64_t sum = 0;
    for (const RowSpan& run : rows) sum += run.count;
    size_ = rows_a_piece(sum, most);
    for (const RowSpan& run : rows) add(run);
    count_ = begins_.size();
    begins_.push_back(parts_.size());
    first_number_ = new_piece_numbers(static_cast<std::uint32_t>(count_));
}

// Row spans may start anywhere in a word of 64 rows; those of one word stay together. Long ones are divided.
void ParWalk::add(const RowSpan& run) {
    for (std::uint32_t done = 0; done < run.count;) {
        RowSpan part = run;
        part.first += done;
        if (room_ == 0 && !(done == 0 && continues_word(run))) {
            begins_.push_back(parts_.size());
            room_ = size_;
        }
        // As many rows as the piece has room for, rounded up to a whole word.
        const std::uint64_t end = (part.first + std::max<std::uint64_t>(room_, 1) + grain - 1) / grain * grain;
        part.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(end - part.first, run.count - done));
        parts_.push_back(part);
        room_ -= std::min<std::uint64_t>(room_, part.count);
        done += part.count;
    }
}

bool ParWalk::continues_word(const RowSpan& run) const {
    if (parts_.empty()) return false;
    const RowSpan& last = parts_.back();
    return last.chunk == run.chunk && (last.first + last.count - 1) / grain == run.first / grain;
}

// One run: each piece is called once, and the exception of the first one that threw is stored.
class ParWalk::Pieces final : public Executor::Jobs {
  public:
    Pieces(ParWalk& walk, Call to_call, const void* callable) : walk_(walk), call_(to_call), callable_(callable) {}

    void run_all(Executor& executor) {
        unfinished_.store(walk_.count_, std::memory_order_relaxed);
        begun_.store(true, std::memory_order_release);
        if (walk_.count_ > 1 && executor.threads() > 1) {
            executor.run(*this);
        } else {
            SerialExecutor().run(*this);
        }
        while (unfinished_.load(std::memory_order_acquire) != 0) {
        }
        walk_.reached_ = std::min(first_failed_.load(std::memory_order_relaxed), walk_.count_ - 1) + 1;
    }

    void begin(Executor::Starter& starter) noexcept override {
        for (std::size_t job = 0; job < walk_.count_; ++job) starter.start(job);
    }
    void run(std::size_t job, Executor::Starter&) noexcept override {
        (void)begun_.load(std::memory_order_acquire);
        {
            const ThreadClockScope at(clock_of(job));
#if defined(__cpp_exceptions)
            try {
                walk_.state_ != nullptr ? call_stretch(job) : call_parts(job);
            } catch (...) {
                note(job);
            }
#else
            walk_.state_ != nullptr ? call_stretch(job) : call_parts(job);
#endif
        }
        unfinished_.fetch_sub(1, std::memory_order_release);
    }

  private:
    ThreadClock clock_of(std::size_t job) const {
        ThreadClock clock = moment_;
        clock.piece = walk_.first_number_ + static_cast<std::uint32_t>(job);
        return clock;
    }
    // False when an earlier job has failed: then the result of the others does not matter.
    bool call(std::size_t job, const RowSpan& rows) {
        if (job > first_failed_.load(std::memory_order_relaxed)) return false;
        call_(callable_, job, rows);
        return true;
    }

    // The rows of a piece of whole tables: a range of row numbers.
    void call_stretch(std::size_t job) {
        std::uint64_t from = job * walk_.size_;
        std::uint64_t to = from + walk_.size_;
        for (const Table* table : walk_.state_->tables()) {
            const std::uint64_t rows = table->row_count();
            if (from < rows && !call_rows_of(job, *table, cut(*table, from), cut(*table, to))) return;
            from -= std::min(from, rows);
            to -= std::min(to, rows);
            if (to == 0) return;
        }
    }
    bool call_rows_of(std::size_t job, const Table& table, std::uint64_t from, std::uint64_t to) {
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

    void call_parts(std::size_t job) {
        for (std::size_t i = walk_.begins_[job]; i < walk_.begins_[job + 1] && call(job, walk_.parts_[i]); ++i) {
        }
    }

#if defined(__cpp_exceptions)
    void note(std::size_t job) noexcept {
        while (busy_.exchange(true, std::memory_order_acquire)) {
        }
        if (job < first_failed_.load(std::memory_order_relaxed)) {
            first_failed_.store(job, std::memory_order_relaxed);
            walk_.thrown_ = std::current_exception();
        }
        busy_.store(false, std::memory_order_release);
    }
    std::atomic<bool> busy_ = false;
#endif

    ParWalk& walk_;
    const Call call_;
    const void* const callable_;
    const ThreadClock moment_{thread_clock.world, thread_clock.moment, thread_clock.moment};
    std::atomic<bool> begun_ = false;
    std::atomic<std::size_t> unfinished_ = 0;
    std::atomic<std::size_t> first_failed_ = static_cast<std::size_t>(-1);
};

void ParWalk::run(Executor& executor, Call call, const void* callable) {
    if (count_ != 0) Pieces(*this, call, callable).run_all(executor);
}

}  // namespace stoa::detail

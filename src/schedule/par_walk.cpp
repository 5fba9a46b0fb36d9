// Cutting a walk into pieces, and running them on an executor.
#include "stoa/detail/par_walk.hpp"

#include <algorithm>
#include <atomic>
#include <exception>

#include "stoa/detail/walk.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t grain = 64;          // rows that stay together
constexpr std::size_t pieces_a_thread = 8;   // so that a slow thread is helped

}  // namespace

ParWalk::ParWalk(Store& store, const QueryState& state, Call call, const void* callable)
    : store_(store), lock_(store), call_(call), callable_(callable) {
    if (!state.active(store)) return;
    Sieve sieve;
    for (Walk walk(store, state, Order::tables, Since{}, sieve); walk.next();) {
        runs_.push_back(walk.rows());
        rows_ += walk.rows().count;
    }
}

// A piece is a stretch of the rows of all runs, counted through. Runs of filtered walks are short and may lie anywhere in a word of
// 64 rows, so they are not cut, and those of one word stay together.
class ParWalk::Pieces final : public Executor::Jobs {
  public:
    Pieces(ParWalk& walk, std::size_t threads) : walk_(walk), moment_{writing.store, writing.moment, writing.moment} {
        const std::uint64_t most = threads * pieces_a_thread;
        const std::uint64_t size = (walk.rows_ / most / grain + 1) * grain;
        std::uint64_t room = 0;
        for (const Rows& run : walk.runs_) {
            for (std::uint32_t done = 0; done < run.count;) {
                Rows piece = run;
                piece.first += done;
                const std::uint32_t row = piece.first;
                const bool same_word = !pieces_.empty() && done == 0 && continues_word(run);
                if (room == 0 && !same_word) {
                    begins_.push_back(pieces_.size());
                    room = size;
                }
                // Up to the end of the room, and there to the end of the word.
                const std::uint64_t wanted = std::max<std::uint64_t>(room, 1);
                std::uint64_t end = (row + wanted + grain - 1) / grain * grain;
                piece.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(end - row, run.count - done));
                pieces_.push_back(piece);
                room -= std::min<std::uint64_t>(room, piece.count);
                done += piece.count;
            }
        }
        begins_.push_back(pieces_.size());
        unfinished_.store(begins_.size() - 1, std::memory_order_release);
    }

    std::size_t count() const { return begins_.size() - 1; }

    void begin(Executor::Starter& starter) noexcept override {
        for (std::size_t job = 0; job < count(); ++job) starter.start(job);
    }
    void run(std::size_t job, Executor::Starter&) noexcept override {
        (void)unfinished_.load(std::memory_order_acquire);
        {
            const WritingAs at(moment_);
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
        unfinished_.fetch_sub(1, std::memory_order_acq_rel);
    }

    void finish() {
        while (unfinished_.load(std::memory_order_acquire) != 0) {
        }
#if defined(__cpp_exceptions)
        if (thrown_) std::rethrow_exception(thrown_);
#endif
    }

  private:
    bool continues_word(const Rows& run) const {
        const Rows& last = pieces_.back();
        return last.chunk == run.chunk && (last.first + last.count - 1) / grain == run.first / grain;
    }
    void call(std::size_t job) {
        for (std::size_t i = begins_[job]; i < begins_[job + 1]; ++i) {
            if (job > first_failed_.load(std::memory_order_relaxed)) return;
            walk_.call_(walk_.callable_, walk_.store_, pieces_[i]);
        }
    }
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

    ParWalk& walk_;
    const Writing moment_;
    std::vector<Rows> pieces_;
    std::vector<std::size_t> begins_;  // of each job: its first piece; and the end
    std::atomic<std::size_t> unfinished_ = 0;
    std::atomic<std::size_t> first_failed_ = static_cast<std::size_t>(-1);
};

void ParWalk::run(Executor& executor) {
    Pieces pieces(*this, executor.threads());
    if (pieces.count() > 1) {
        executor.run(pieces);
    } else {
        SerialExecutor().run(pieces);
    }
    pieces.finish();
}

}  // namespace stoa::detail

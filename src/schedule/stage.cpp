// Stages: which systems wait for which, and how the order is divided into jobs.
#include "schedule/stage.hpp"

#include <algorithm>

#include "schedule/run_clock.hpp"

namespace stoa::detail {
namespace {

constexpr double worth_a_job = 10e-6;  // seconds of work
constexpr double worth_more_threads = 40e-6;
constexpr double tolerance = 2;  // a division is valid until its jobs take this many times the expected time
constexpr std::uint32_t runs_between_cuts = 256;
constexpr std::uint32_t runs_after_a_guess = 4;

}  // namespace

// Looks from the nearest system back to the first, so that an ancestor of an ancestor needs no edge.
void Stage::connect(const std::vector<OrderEdge>& edges, bool limited_ids) {
    const std::size_t count = systems_.size();
    followers_.resize(count);
    ancestors_.assign(count, std::vector<bool>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const SystemEntry& later = *systems_[i];
        std::vector<bool>& mine = ancestors_[i];
        for (std::size_t j = i; j-- > 0;) {
            const SystemEntry& sooner = *systems_[j];
            if (mine[j]) continue;
            // Ids are limited: which system gets the last ones must not depend on threads.
            const bool share_ids = limited_ids && sooner.takes_commands() && later.takes_commands();
            const bool ordered = std::binary_search(edges.begin(), edges.end(), OrderEdge{&sooner, &later});
            if (!share_ids && !ordered && !sooner.access().clashes(later.access())) continue;
            followers_[j].push_back(static_cast<std::uint32_t>(i));
            mine[j] = true;
            for (std::size_t k = 0; k < j; ++k) mine[k] = mine[k] || ancestors_[j][k];
        }
        if (later.takes_commands() && !limited_ids) leases_.push_back(&later.lease());
    }
    if (leases_.size() < 2) leases_.clear();
}

void StageJobs::prepare(const Stage& stage) {
    if (runs_left_ != 0) {
        --runs_left_;
        return;
    }
    clear(stage);
    cut(stage);
    connect(stage);
}

// Empties the lists, with capacity for any division. Only the first call allocates.
void StageJobs::clear(const Stage& stage) {
    const std::size_t count = stage.systems().size();
    std::size_t edges = 0;
    for (std::size_t i = 0; i < count; ++i) edges += stage.followers(i).size();
    for (std::vector<std::uint32_t>* list : {&begins_, &job_of_, &followers_, &waits_}) list->clear();
    follower_begins_.clear();
    limits_.clear();
    limits_.reserve(count);
    begins_.reserve(count + 1);
    job_of_.reserve(count);
    followers_.reserve(edges);
    follower_begins_.reserve(count + 1);
    waits_.reserve(count);
    if (!left_) left_ = std::make_unique<std::atomic<std::uint32_t>[]>(count);
}

void StageJobs::cut(const Stage& stage) {
    const double tick = seconds_per_tick();
    const auto limit_of = [&](double took) {
        return static_cast<std::uint64_t>(std::max(worth_more_threads, tolerance * took) / tick);
    };
    double sum = worth_a_job;
    double all = 0;
    bool guessed = false;
    for (const SystemEntry* entry : stage.systems()) {
        if (sum >= worth_a_job) {
            begins_.push_back(static_cast<std::uint32_t>(job_of_.size()));
            limits_.push_back(0);
            sum = 0;
        }
        // A system that never ran may be a long one.
        const bool unknown = entry->enabled() && !entry->was_tried();
        const double known = entry->enabled() ? static_cast<double>(entry->times().recent()) * tick : 0;
        const double took = unknown ? worth_a_job : known;
        guessed |= unknown;
        sum += took;
        all += took;
        job_of_.push_back(static_cast<std::uint32_t>(begins_.size() - 1));
        limits_.back() = limit_of(sum);
    }
    serial_limit_ = limit_of(all);
    worth_threads_ = begins_.size() > 1 && (guessed || all >= worth_more_threads);
    begins_.push_back(static_cast<std::uint32_t>(job_of_.size()));
    runs_left_ = guessed ? runs_after_a_guess : runs_between_cuts;
}

// Determines which jobs wait for which.
void StageJobs::connect(const Stage& stage) {
    const std::size_t count = begins_.size() - 1;
    waits_.assign(count, 0);
    for (std::uint32_t job = 0; job < count; ++job) {
        follower_begins_.push_back(followers_.size());
        for (std::uint32_t i = begins_[job]; i < begins_[job + 1]; ++i) {
            for (const std::uint32_t system : stage.followers(i)) {
                const std::uint32_t follower = job_of_[system];
                const auto own = followers_.begin() + static_cast<std::ptrdiff_t>(follower_begins_[job]);
                if (follower == job || std::find(own, followers_.end(), follower) != followers_.end()) continue;
                followers_.push_back(follower);
                ++waits_[follower];
            }
        }
    }
    follower_begins_.push_back(followers_.size());
}

void StageJobs::begin_run() noexcept {
    for (std::size_t job = 0; job < count(); ++job) left_[job].store(waits_[job], std::memory_order_release);
}

}  // namespace stoa::detail

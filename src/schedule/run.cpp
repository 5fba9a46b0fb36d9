// Running a phase: group after group, each in order on the thread of the caller, or cut into jobs for an executor. Both give the
// same world: systems write at moments that follow their order, and the ids of what they spawn come from leases.
#include <algorithm>
#include <chrono>
#include <utility>

#include "schedule/state.hpp"
#include "stoa/detail/walk.hpp"

namespace stoa::detail {
namespace {

using Clock = std::chrono::steady_clock;

struct Calibration {
    std::uint64_t ticks = read_clock();
    Clock::time_point time = Clock::now();
};

const Calibration& calibration() {
    static const Calibration began;
    return began;
}

constexpr double worth_a_job = 10e-6;        // seconds of work
constexpr double worth_more_threads = 40e-6;
constexpr double outgrown = 2;              // so many times what was expected: the cut is no longer right
constexpr std::uint64_t most_moments = 64;  // a system that looks more often sees some rows again
constexpr std::uint64_t runs_to_know = 1024;
constexpr std::uint32_t runs_between_cuts = 256;
constexpr std::uint32_t runs_after_a_guess = 4;

// How many moments a system needs in a run: one to write at, and one more for each look. It has plenty until it is
// known, and then as many as it ever used: ticks have 32 bits, and a reader that has not looked for 2^30 of them sees
// everything as changed. What it used does not depend on threads.
std::uint64_t moments_of(const SystemEntry& entry) {
    if (!entry.enabled) return 0;
    return entry.tries < runs_to_know ? most_moments : std::min<std::uint64_t>(most_moments, entry.most_looks + 1u);
}

// One group, while it runs.
class GroupRun final : public Executor::Jobs {
  public:
    GroupRun(ScheduleState& schedule, Store& store, Group& group)
        : schedule_(schedule), group_(group), world_(*store.world()) {
        // Each system has moments of its own; what is written by other ways than a query counts as written after them all.
        const std::uint64_t before = store.moment();
        std::uint64_t last = before;
        for (SystemEntry* entry : group.systems) {
            if (group.exclusive) break;  // it writes at the moments of the world
            entry->moments = {&store, last + 1, last + moments_of(*entry)};
            last = entry->moments.last;
        }
        store.advance_ticks(last - before + 1);
    }

    void run_serially() {
        const std::uint64_t began = read_clock();
        std::uint64_t now = began;
        for (std::uint32_t i = 0; i < group_.systems.size() && !stopped_; ++i) now = run_system(i, now);
        outgrown_ = now - began > group_.jobs.limit;
    }
    void run_on(Executor& executor) {
        for (std::size_t job = 0; job < group_.jobs.waits.size(); ++job) {
            group_.jobs.left[job].store(group_.jobs.waits[job], std::memory_order_release);
        }
        unfinished_.store(group_.jobs.waits.size(), std::memory_order_relaxed);
        executor.run(*this);
        // What the jobs did is visible, also where the executor's own means are hidden from a checker of threads.
        while (unfinished_.load(std::memory_order_acquire) != 0) {
        }
    }

    void begin(Executor::Starter& starter) noexcept override {
        for (std::size_t job = 0; job < group_.jobs.waits.size(); ++job) {
            if (group_.jobs.waits[job] == 0) starter.start(job);
        }
    }
    void run(std::size_t job, Executor::Starter& starter) noexcept override {
        JobPlan& jobs = group_.jobs;
        // What the jobs before it did is visible, and no more, so that a thread checker finds missing edges of the
        // plan.
        (void)jobs.left[job].load(std::memory_order_acquire);
        const std::uint64_t began = read_clock();
        std::uint64_t now = began;
        for (std::uint32_t i = jobs.begins[job]; i < jobs.begins[job + 1]; ++i) {
            if (!stopped_.load(std::memory_order_relaxed)) now = run_system(i, now);
        }
        const bool divisible = jobs.begins[job + 1] - jobs.begins[job] > 1;
        if (divisible && now - began > jobs.limits[job]) outgrown_.store(true, std::memory_order_relaxed);
        for (std::size_t i = jobs.follower_begins[job]; i < jobs.follower_begins[job + 1]; ++i) {
            const std::uint32_t follower = jobs.followers[i];
            if (jobs.left[follower].fetch_sub(1, std::memory_order_acq_rel) == 1) starter.start(follower);
        }
        unfinished_.fetch_sub(1, std::memory_order_release);
    }

    // Whether systems that share a thread took so long that they should be cut anew.
    bool is_outgrown() const { return outgrown_.load(std::memory_order_relaxed); }

  private:
    // Returns: when it ended. The next one begins then: reading the clock may take longer than all the rest of an empty system.
    std::uint64_t run_system(std::uint32_t number, std::uint64_t began) noexcept {
        SystemEntry& entry = *group_.systems[number];
        entry.ran = false;
        if (!entry.enabled) return began;
        ++entry.tries;
        const WritingAs at(group_.exclusive ? writing : entry.moments);
#if defined(__cpp_exceptions)
        try {
            entry.not_ready = entry.system->run({world_, schedule_.time, entry.commands});
            entry.completed = true;
        } catch (...) {
            entry.not_ready = {"it threw an exception", {}};
            entry.thrown = std::current_exception();
            stopped_.store(true, std::memory_order_relaxed);
        }
#else
        entry.not_ready = entry.system->run({world_, schedule_.time, entry.commands});
        entry.completed = true;
#endif
        if (!group_.exclusive) entry.most_looks = std::max(entry.most_looks, writing.looks);
        const std::uint64_t now = read_clock();
        const std::uint64_t took = now - began;
        if (!entry.not_ready.what.empty()) return now;
        entry.ran = true;
        entry.last = took;
        entry.total += took;
        entry.recent = entry.runs++ == 0 ? took : (entry.recent * 7 + took) / 8;
        return now;
    }

    ScheduleState& schedule_;
    Group& group_;
    World& world_;
    std::atomic<std::size_t> unfinished_ = 0;
    std::atomic<bool> stopped_ = false;
    std::atomic<bool> outgrown_ = false;
};

// Notes which jobs wait for which.
void link(Group& group) {
    JobPlan& jobs = group.jobs;
    const std::size_t made = jobs.begins.size() - 1;
    jobs.waits.assign(made, 0);
    for (std::uint32_t job = 0; job < made; ++job) {
        jobs.follower_begins.push_back(jobs.followers.size());
        for (std::uint32_t i = jobs.begins[job]; i < jobs.begins[job + 1]; ++i) {
            for (const std::uint32_t system : group.followers[i]) {
                const std::uint32_t follower = jobs.job_of[system];
                const auto own = jobs.followers.begin() + static_cast<std::ptrdiff_t>(jobs.follower_begins[job]);
                if (follower == job || std::find(own, jobs.followers.end(), follower) != jobs.followers.end()) continue;
                jobs.followers.push_back(follower);
                ++jobs.waits[follower];
            }
        }
    }
    jobs.follower_begins.push_back(jobs.followers.size());
}

// Cuts the order of a group into jobs, by what its systems took lately. The first time it takes memory for any cut.
void cut(Group& group) {
    JobPlan& jobs = group.jobs;
    const double tick = seconds_per_tick();
    const auto limit_of = [&](double took) {
        return static_cast<std::uint64_t>(std::max(worth_more_threads, outgrown * took) / tick);
    };
    const auto count = static_cast<std::uint32_t>(group.systems.size());
    jobs.reserve(group);
    double sum = worth_a_job;
    double all = 0;
    bool guessed = false;
    for (std::uint32_t i = 0; i < count; ++i) {
        const SystemEntry& entry = *group.systems[i];
        if (sum >= worth_a_job) {
            jobs.begins.push_back(i);
            jobs.limits.push_back(0);
            sum = 0;
        }
        // A system that never ran may be a long one.
        const bool unknown = entry.enabled && entry.tries == 0;
        const double took = !entry.enabled ? 0 : unknown ? worth_a_job : static_cast<double>(entry.recent) * tick;
        guessed |= unknown;
        sum += took;
        all += took;
        jobs.job_of.push_back(static_cast<std::uint32_t>(jobs.begins.size() - 1));
        jobs.limits.back() = limit_of(sum);
    }
    jobs.limit = limit_of(all);
    jobs.worth_it = jobs.begins.size() > 1 && (guessed || all >= worth_more_threads);
    jobs.begins.push_back(count);
    link(group);
    jobs.good_for = guessed ? runs_after_a_guess : runs_between_cuts;
}

void run_group(ScheduleState& schedule, Store& store, Group& group) {
    if (store.listener() != nullptr && store.listener()->wants_care()) care_for_queries(store);
    GroupRun run(schedule, store, group);
    if (group.exclusive) {
        run.run_serially();
        return store.advance_tick();
    }
    Executor* executor = schedule.executor;
    const bool alone = executor == nullptr || executor->threads() < 2 || group.systems.size() < 2;
    if (!alone && group.jobs.good_for == 0) {
        cut(group);  // when there is no memory for it, the next run tries again
    } else if (!alone) {
        --group.jobs.good_for;
    }

    struct Leases {
        Store& store;
        Group& group;
        Leases(Store& of, Group& systems) : store(of), group(systems) {
            if (group.leases.empty()) return;
            store.ids().begin_leases(group.leases);
            for (SystemEntry* entry : group.systems)
                entry->commands.set_lease(entry->takes_commands ? entry->lease.get() : nullptr);
        }
        ~Leases() {
            if (group.leases.empty()) return;
            for (SystemEntry* entry : group.systems) entry->commands.set_lease(nullptr);
            store.ids().end_leases(group.leases);
        }
    };
    const Leases leases(store, group);
    const Store::SharedLock lock(store);
    if (alone || !group.jobs.worth_it) {
        run.run_serially();
    } else {
        run.run_on(*executor);
    }
    if (!alone && run.is_outgrown()) group.jobs.good_for = 0;
}

}  // namespace

void JobPlan::reserve(const Group& group) {
    const std::size_t count = group.systems.size();
    std::size_t edges = 0;
    for (const auto& after : group.followers) edges += after.size();
    for (std::vector<std::uint32_t>* list : {&begins, &job_of, &followers, &waits}) list->clear();
    follower_begins.clear();
    limits.clear();
    limits.reserve(count);
    begins.reserve(count + 1);
    job_of.reserve(count);
    followers.reserve(edges);
    follower_begins.reserve(count + 1);
    waits.reserve(count);
    if (!left) left = std::make_unique<std::atomic<std::uint32_t>[]>(count);
}

double seconds_per_tick() {
    const Calibration& began = calibration();
    // Two readings that lie too near to each other say little.
    while (Clock::now() - began.time < std::chrono::milliseconds(2)) {
    }
    const std::chrono::duration<double> passed = Clock::now() - began.time;
    return passed.count() / static_cast<double>(read_clock() - began.ticks);
}

// Commands of systems that completed, in order. Those of others are dropped.
void ScheduleState::flush(PhaseState& phase) {
    struct Drop {
        PhaseState& phase;
        ~Drop() {
            for (Group& group : phase.groups) {
                for (SystemEntry* entry : group.systems) {
                    entry->completed = false;
                    entry->commands.clear();
                }
            }
        }
    } drop{phase};
    World& world = *store("update").world();
    world.flush();
    for (Group& group : phase.groups) {
        for (SystemEntry* entry : group.systems) {
            if (entry->completed && !entry->commands.empty()) entry->commands.flush();
        }
    }
    // Callbacks may have recorded into the buffer of the world.
    world.flush();
    for (Group& group : phase.groups) {
        if (!group.leases.empty()) store("update").ids().trim_leases(group.leases);
    }
}

void ScheduleState::run(PhaseState& phase) {
    Store& at = store("update");
    calibration();
    at.require_unlocked("update");
    for (Group& group : phase.groups) {
        for (SystemEntry* entry : group.systems) {
            entry->ran = entry->completed = false;
            entry->not_ready = {"it was not reached", {}};
        }
    }
#if defined(__cpp_exceptions)
    try {
        run_groups(phase);
    } catch (...) {
        const std::exception_ptr first = std::current_exception();
        try {
            flush(phase);
        } catch (...) {  // one is enough
        }
        std::rethrow_exception(first);
    }
#else
    run_groups(phase);
#endif
    flush(phase);
}

void ScheduleState::run_groups(PhaseState& phase) {
    for (Group& group : phase.groups) {
        run_group(*this, store("update"), group);
#if defined(__cpp_exceptions)
        std::exception_ptr first;
        for (SystemEntry* entry : group.systems) {
            if (std::exception_ptr thrown = std::exchange(entry->thrown, nullptr); thrown && !first) first = thrown;
        }
        if (first) std::rethrow_exception(first);
#endif
        if (group.flush_after) flush(phase);
    }
}

}  // namespace stoa::detail

namespace stoa {

void Phase::update(double delta) {
    detail::ScheduleState& schedule = state_.schedule;
    schedule.require_idle("update");
    schedule.store("update");
    detail::require_time(delta);
    if (schedule.paused || !state_.enabled) return;
    state_.plan();
    state_.call_hooks();
    const detail::Running running(schedule);
    schedule.time.delta = delta;
    schedule.time.elapsed += delta;
    schedule.run(state_);
}

void Schedule::update(double delta) {
    detail::ScheduleState& schedule = *state_;
    schedule.require_idle("update");
    schedule.store("update");
    detail::require_time(delta);
    if (schedule.paused) return;
    schedule.plan();
    for (const auto& phase : schedule.phases) phase->call_hooks();
    const detail::Running running(schedule);
    schedule.time.delta = delta;
    schedule.time.elapsed += delta;
    ++schedule.time.frame;
    for (const auto& phase : schedule.phases) {
        if (phase->enabled) schedule.run(*phase);
    }
    schedule.store("update").world()->end_frame();
}

}  // namespace stoa

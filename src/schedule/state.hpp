// The compiled half of a schedule: its phases and systems, the plan that says in which order and beside whom they run, and the
// clock that times them. Included by the sources of this room only.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stoa/schedule.hpp"

namespace stoa::detail {

// Ticks of the fastest clock there is. Reading a system clock costs more than an empty system.
inline std::uint64_t read_clock() {
#if defined(__x86_64__) || defined(__i386__)
    return __builtin_ia32_rdtsc();
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}
double seconds_per_tick();

// One system of a phase.
struct SystemEntry {
    SystemEntry(std::string_view called, std::unique_ptr<System> made, const SystemOptions& options, Store& store);

    std::string name;
    std::unique_ptr<System> system;
    Access access;
    Commands commands;
    std::unique_ptr<IdLease> lease = std::make_unique<IdLease>();
    int priority;
    std::vector<std::string> before;
    std::vector<std::string> after;
    std::uint32_t section = 0;   // how many sync points stand before it
    std::uint64_t born = 0;      // order of addition in the schedule
    bool takes_commands;
    bool enabled;
    bool told_enabled = false;   // what its hooks know

    std::uint64_t tries = 0;       // runs, and skips: then what it takes is known
    std::uint32_t most_looks = 0;  // for changes, in one run
    Writing moments;               // of its own, in this run

    // Of the last run of its phase.
    bool ran = false;
    NotReady not_ready{"it has not been reached yet", {}};
    bool completed = false;
    std::uint64_t runs = 0;
    std::uint64_t last = 0;      // clock ticks
    std::uint64_t total = 0;
    std::uint64_t recent = 0;    // a mean of the latest runs
#if defined(__cpp_exceptions)
    std::exception_ptr thrown;
#endif
};

struct Group;

// How a group is cut into jobs: stretches of its order, so long that starting one costs little beside running it.
struct JobPlan {
    std::vector<std::uint32_t> begins;                  // of each job: its first system; and the end
    std::vector<std::uint32_t> job_of;                  // of each system
    std::vector<std::uint32_t> followers;               // of each job: those that wait for it
    std::vector<std::size_t> follower_begins;           // where those of a job begin; and the end
    std::vector<std::uint32_t> waits;                   // of each job: for how many others
    std::vector<std::uint64_t> limits;  // of each job: clock ticks after which the cut is no longer right
    std::uint64_t limit = 0;            // the same for all jobs together, on one thread
    std::unique_ptr<std::atomic<std::uint32_t>[]> left; // the same, while they run
    std::uint32_t good_for = 0;                         // runs until it is made anew
    bool worth_it = false;                              // there is enough to do for more than one thread

    void reserve(const Group& group);  // empties it, with room for any cut
};

// Systems of a phase that nothing separates: they may run side by side, as far as their places in the order allow.
struct Group {
    std::vector<SystemEntry*> systems;          // in order
    std::vector<std::vector<std::uint32_t>> followers;  // of each: those that wait for it directly
    std::vector<std::vector<bool>> ancestors;   // of each: those that are done before it begins
    std::vector<IdLease*> leases;               // of those that take commands, when there are several
    bool exclusive = false;                     // one system, which may change structure
    bool flush_after = false;
    JobPlan jobs;
};

struct PhaseState {
    PhaseState(ScheduleState& of, std::string_view called) : schedule(of), name(called), handle(*this) {}

    SystemEntry* find(std::string_view system) const;
    SystemEntry& get(std::string_view system, const char* verb) const;  // throws Errc::unknown_name
    void call_hooks();  // those that are due
    void plan();          // throws Errc::unknown_name, Errc::cycle; nothing has changed then

    ScheduleState& schedule;
    std::string name;
    Phase handle;
    bool enabled = true;
    std::uint32_t sections = 0;
    std::vector<std::unique_ptr<SystemEntry>> systems;  // in order of addition
    std::vector<Group> groups;
    bool planned = false;
};

struct ScheduleState {
    ScheduleState(World& world, Executor* on);
    ~ScheduleState();

    Store& store(const char* verb) const;  // throws Errc::world_gone
    void require_idle(const char* verb) const;  // throws Errc::locked
    const PhaseState* phase_of(std::string_view system, SystemEntry** found = nullptr) const;
    std::vector<std::string_view> system_names() const;
    void plan();

    // run.cpp
    void run(PhaseState& phase);
    void run_groups(PhaseState& phase);  // throws what a system threw, the first in order
    void flush(PhaseState& phase);

    StoreLink* link;
    Executor* executor;  // null: serial
    Time time;
    bool running = false;
    std::atomic<bool> paused = false;
    std::uint64_t next_born = 0;
    std::vector<std::unique_ptr<PhaseState>> phases;
};

// While one exists, the schedule can be neither changed nor updated.
class Running {
  public:
    explicit Running(ScheduleState& schedule) : flag_(schedule.running) { flag_ = true; }
    ~Running() { flag_ = false; }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

  private:
    bool& flag_;
};

// Sentences.
std::string in_quotes(std::string_view name);
// The nearest of the known names, as the end of a sentence; empty when none is near.
std::string hint(std::string_view name, std::span<const std::string_view> known);
[[noreturn]] void fail_unknown(const char* verb, const char* kind, std::string_view name,
                               std::span<const std::string_view> known = {});
void require_time(double delta);  // throws Errc::conflict

}  // namespace stoa::detail

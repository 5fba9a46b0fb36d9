// Parallel walks that record and reduce, on two threads. Commands are recorded by par_each beside the same walk with
// each, on one thread; sums by par_reduce beside a reduction of oneTBB over an array. Listed by workloads.cpp.
#include "trials.hpp"
#include "workloads.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_reduce.h>
#include <oneapi/tbb/task_arena.h>
#include <stoa/parallel.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace bench {
namespace {

constexpr std::size_t threads = 2;

struct Agent {
    std::uint32_t number;
    float health;
};
struct Sick {
    float since;
};

/// One in ten falls sick; who, is drawn for each.
template <class Record>
void visit(stoa::Entity entity, Agent& agent, Record& later) {
    stoa::Random random{1, entity.bits()};
    agent.health = random.between(0.0F, 1.0F);
    if (agent.health < 0.1F) later.set(entity, Sick{agent.health});
}

struct Agents {
    stoa::World world;
    stoa::Workers workers{threads};
    std::size_t recorded = 0;

    void fill(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) world.spawn(Agent{static_cast<std::uint32_t>(i), 0});
    }
    void clear() {
        recorded = world.commands().size();
        world.commands().clear();
    }
};
struct SerialAgents : Agents {
    void walk() {
        stoa::Commands& later = world.commands();
        world.query<Agent>().each([&](stoa::Entity entity, Agent& agent) { visit(entity, agent, later); });
    }
};
struct ParallelAgents : Agents {
    void walk() { world.query<Agent>().par_each(workers, world.commands(), visit<stoa::Commands>); }
};

template <class Agents>
struct Record {
    explicit Record(std::size_t n) : count(n) {}
    std::size_t operations() const { return count; }
    void prepare(Agents& agents) { agents.fill(count); }
    void run(Agents& agents) { agents.walk(); }
    void undo(Agents& agents) { agents.clear(); }
    std::uint64_t checksum(Agents& agents) { return agents.recorded; }

    std::size_t count;
};

struct Mass {
    double kg;
};

double mass_at(std::size_t i) { return static_cast<double>(i % 1000) / 8; }

struct RawMasses {
    std::vector<Mass> all;
    tbb::task_arena arena{static_cast<int>(threads)};

    void fill(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) all.push_back({mass_at(i)});
    }
    double sum() {
        return arena.execute([&] {
            return tbb::parallel_reduce(
                tbb::blocked_range<std::size_t>(0, all.size()), 0.0,
                [&](const tbb::blocked_range<std::size_t>& range, double sum) {
                    for (std::size_t i = range.begin(); i != range.end(); ++i) sum += all[i].kg;
                    return sum;
                },
                std::plus<>{});
        });
    }
};
struct StoaMasses {
    stoa::World world;
    stoa::Workers workers{threads};

    void fill(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) world.spawn(Mass{mass_at(i)});
    }
    double sum() {
        return world.query<const Mass>().par_reduce(
            workers, 0.0, [](const Mass& mass) { return mass.kg; }, std::plus<>{});
    }
};

template <class Masses>
struct Sum {
    explicit Sum(std::size_t n) : count(n) {}
    std::size_t operations() const { return count; }
    void prepare(Masses& masses) { masses.fill(count); }
    void run(Masses& masses) { total = masses.sum(); }
    // The summands are multiples of 1/8, so that every grouping gives the same sum.
    std::uint64_t checksum(Masses&) { return static_cast<std::uint64_t>(total * 8); }

    std::size_t count;
    double total = 0;
};

}  // namespace

void add_parallel_workloads(std::vector<Workload>& list) {
    list.push_back({"record_par2",
                    {100000, 1000000},
                    make_trial<OnTheWall<SerialAgents, Record<SerialAgents>>>,
                    make_trial<OnTheWall<ParallelAgents, Record<ParallelAgents>>>});
    list.push_back({"reduce_par2",
                    {100000, 1000000},
                    make_trial<OnTheWall<RawMasses, Sum<RawMasses>>>,
                    make_trial<OnTheWall<StoaMasses, Sum<StoaMasses>>>});
}

}  // namespace bench

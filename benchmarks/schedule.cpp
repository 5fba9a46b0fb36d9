// Schedules and threads: what it costs to call an empty system, to skip one by its condition, and to make a fixed step;
// and heavy work on one thread and on two. Listed by workloads.cpp.
#include "trials.hpp"
#include "workloads.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <stoa/parallel.hpp>

#include <cstring>
#include <optional>
#include <string>

namespace bench {
namespace {

constexpr std::size_t threads = 2;

struct Matrix {
    float m[16];
};

Matrix matrix_at(std::size_t i) {
    Matrix matrix{};
    for (int k = 0; k < 16; ++k)
        matrix.m[k] = static_cast<float>((i * 7 + static_cast<std::size_t>(k) * 13) % 11) * 0.1F;
    for (int k = 0; k < 16; k += 5) matrix.m[k] += 4.0F;
    return matrix;
}

/// By Gauss and Jordan; the matrices above need no pivoting.
void invert(Matrix& matrix) {
    float wide[4][8] = {};
    for (int row = 0; row < 4; ++row) {
        std::memcpy(wide[row], matrix.m + row * 4, sizeof(float) * 4);
        wide[row][4 + row] = 1;
    }
    for (int pivot = 0; pivot < 4; ++pivot) {
        const float scale = 1 / wide[pivot][pivot];
        for (float& value : wide[pivot]) value *= scale;
        for (int row = 0; row < 4; ++row) {
            if (row == pivot) continue;
            const float factor = wide[row][pivot];
            for (int column = 0; column < 8; ++column) wide[row][column] -= factor * wide[pivot][column];
        }
    }
    for (int row = 0; row < 4; ++row) std::memcpy(matrix.m + row * 4, wide[row] + 4, sizeof(float) * 4);
}

void work_hard(Matrix& matrix) {
    for (int i = 0; i < 20; ++i) invert(matrix);
}

std::uint64_t sum_of(std::uint64_t sum, const Matrix& matrix) {
    for (int k = 0; k < 16; k += 2) sum = fold(sum, matrix.m[k], matrix.m[k + 1]);
    return sum;
}

struct RawMatrices {
    std::vector<Matrix> all;
    tbb::task_arena arena{static_cast<int>(threads)};

    void fill(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) all.push_back(matrix_at(i));
    }
    void serial() {
        for (Matrix& matrix : all) work_hard(matrix);
    }
    void parallel() {
        arena.execute([&] {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(0, all.size(), 32),
                              [&](const tbb::blocked_range<std::size_t>& range) {
                                  for (std::size_t i = range.begin(); i != range.end(); ++i) work_hard(all[i]);
                              });
        });
    }
    std::uint64_t sum() const {
        std::uint64_t sum = 0;
        for (const Matrix& matrix : all) sum = sum_of(sum, matrix);
        return sum;
    }
};

struct StoaMatrices {
    stoa::World world;
    stoa::Workers workers{threads};

    void fill(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) world.spawn(matrix_at(i));
    }
    void serial() { world.query<Matrix>().each(work_hard); }
    void parallel() { world.query<Matrix>().par_each(workers, work_hard); }
    std::uint64_t sum() {
        std::uint64_t sum = 0;
        world.query<const Matrix>().each([&](const Matrix& matrix) { sum = sum_of(sum, matrix); });
        return sum;
    }
};

template <class Matrices>
struct Heavy {
    explicit Heavy(std::size_t n) : count(n) {}
    std::size_t operations() const { return count; }
    void prepare(Matrices& matrices) { matrices.fill(count); }
    void run(Matrices& matrices) { matrices.serial(); }
    std::uint64_t checksum(Matrices& matrices) { return matrices.sum(); }

    std::size_t count;
};

template <class Matrices>
struct HeavyParallel : Heavy<Matrices> {
    using Heavy<Matrices>::Heavy;
    void run(Matrices& matrices) { matrices.parallel(); }
};

/// Functions behind pointers, one after the other.
struct RawSystems {
    std::vector<void (*)(RawSystems&)> all;
    std::uint64_t calls = 0;

    void fill(std::size_t n) {
        all.assign(n, [](RawSystems& systems) { ++systems.calls; });
    }
    void serial() {
        for (auto* system : all) system(*this);
    }
    std::uint64_t sum() const { return calls; }
};

struct StoaSystems {
    stoa::World world;
    std::optional<stoa::Schedule> schedule;
    std::uint64_t calls = 0;

    void fill(std::size_t n) {
        schedule.emplace(world);
        stoa::Phase& phase = schedule->add_phase("all");
        for (std::size_t i = 0; i < n; ++i) phase.add(std::to_string(i), [this] { ++calls; });
    }
    void serial() { schedule->update(0); }
    std::uint64_t sum() const { return calls; }
};

struct StoaSystemsOnWorkers {
    stoa::Workers workers{threads};
    stoa::World world;
    std::optional<stoa::Schedule> schedule;
    std::vector<std::uint64_t> calls;

    void fill(std::size_t n) {
        calls.assign(n, 0);
        schedule.emplace(world, workers);
        stoa::Phase& phase = schedule->add_phase("all");
        for (std::size_t i = 0; i < n; ++i) phase.add(std::to_string(i), [this, i] { ++calls[i]; });
    }
    void serial() { schedule->update(0); }
    std::uint64_t sum() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t count : calls) sum += count;
        return sum;
    }
};

/// What a condition reads.
struct Gate {
    bool open = false;
};

/// The same functions, each behind a test of the gate.
struct RawGatedSystems {
    RawSystems systems;
    Gate gate;

    void fill(std::size_t n) { systems.fill(n); }
    void serial() {
        for (auto* system : systems.all) {
            keep(gate.open);
            if (gate.open) system(systems);
        }
    }
    std::uint64_t sum() const { return systems.calls; }
};

struct StoaGatedSystems {
    stoa::World world;
    std::optional<stoa::Schedule> schedule;
    std::uint64_t calls = 0;

    void fill(std::size_t n) {
        world.set_resource(Gate{});
        schedule.emplace(world);
        stoa::Phase& phase = schedule->add_phase("all");
        const stoa::Condition open{"open", [](stoa::Res<const Gate> gate) { return gate->open; }};
        for (std::size_t i = 0; i < n; ++i) phase.add(std::to_string(i), [this] { ++calls; }, {.when = open});
    }
    void serial() { schedule->update(0); }
    std::uint64_t sum() const { return calls; }
};

constexpr double step = 1.0 / 60;
constexpr double frame = 1.0 / 90;

/// The loop of fixed steps that most programs have: two of three frames make a step.
struct RawSteps {
    std::size_t frames = 0;
    double rest = 0;
    std::uint64_t steps = 0;

    void fill(std::size_t n) { frames = n; }
    void serial() {
        for (std::size_t i = 0; i < frames; ++i) {
            rest += frame;
            for (; rest > step * (1 - 1e-6); rest -= step) ++steps;
            keep(steps);
        }
    }
    std::uint64_t sum() const { return steps; }
};

struct StoaSteps {
    std::size_t frames = 0;
    stoa::World world;
    stoa::Schedule schedule{world};
    std::uint64_t steps = 0;

    void fill(std::size_t n) {
        frames = n;
        schedule.add_phase("physics", {.step = step}).add("step", [this] { ++steps; });
    }
    void serial() {
        for (std::size_t i = 0; i < frames; ++i) schedule.update(frame);
    }
    std::uint64_t sum() const { return steps; }
};

}  // namespace

void add_schedule_workloads(std::vector<Workload>& list) {
    list.push_back({"heavy_serial",
                    {1000, 20000},
                    make_trial<Steady<RawMatrices, Heavy<RawMatrices>>>,
                    make_trial<Steady<StoaMatrices, Heavy<StoaMatrices>>>});
    list.push_back({"heavy_par2",
                    {1000, 20000},
                    make_trial<OnTheWall<RawMatrices, HeavyParallel<RawMatrices>>>,
                    make_trial<OnTheWall<StoaMatrices, HeavyParallel<StoaMatrices>>>});
    list.push_back({"empty_system",
                    {100, 1000},
                    make_trial<Steady<RawSystems, Heavy<RawSystems>>>,
                    make_trial<Steady<StoaSystems, Heavy<StoaSystems>>>});
    list.push_back({"false_condition",
                    {100, 1000},
                    make_trial<Steady<RawGatedSystems, Heavy<RawGatedSystems>>>,
                    make_trial<Steady<StoaGatedSystems, Heavy<StoaGatedSystems>>>});
    list.push_back({"stepped_phase",
                    {900},
                    make_trial<Steady<RawSteps, Heavy<RawSteps>>>,
                    make_trial<Steady<StoaSteps, Heavy<StoaSteps>>>});
    list.push_back({"empty_system_par2",
                    {100, 1000},
                    make_trial<OnTheWall<RawSystems, Heavy<RawSystems>>>,
                    make_trial<OnTheWall<StoaSystemsOnWorkers, Heavy<StoaSystemsOnWorkers>>>});
}

}  // namespace bench

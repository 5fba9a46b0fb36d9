// stoa_bench: Stoa beside its hand-written twin. Runs what the options choose and prints a table or JSON lines. Exit
// codes: 0 good, 1 two implementations did not do the same work or a file could not be written, 2 bad options.
#include "latency.hpp"
#include "options.hpp"
#include "plot.hpp"
#include "report.hpp"
#include "workloads.hpp"

#include <cstdio>

namespace bench {
namespace {

std::vector<Workload> chosen_workloads(const Options& options) {
    std::vector<Workload> chosen = all_workloads();
    std::erase_if(chosen, [&](const Workload& workload) {
        return options.filter && !std::regex_search(workload.name, *options.filter);
    });
    for (Workload& workload : chosen) {
        std::erase_if(workload.sizes, [&](std::size_t n) { return options.quick && n > 100000; });
    }
    return chosen;
}

void print_list(const std::vector<Workload>& workloads) {
    for (const Workload& workload : workloads) {
        for (const std::size_t n : workload.sizes) {
            std::printf("%s %zu\n", workload.name.c_str(), n);
        }
    }
}

std::vector<Result> run(const std::vector<Workload>& workloads, const Options& options) {
    retain_freed_memory();
    const Effort effort = options.quick ? Effort{15, 25, 0.2} : Effort{};
    std::vector<Result> results;
    if (!options.json) {
        print_header();
    }
    for (const Workload& workload : workloads) {
        for (const std::size_t n : workload.sizes) {
            results.push_back({&workload, n, compare(workload, n, effort)});
            options.json ? print_json(results.back()) : print_row(results.back());
        }
    }
    return results;
}

/// Returns whether both implementations did the same work everywhere.
bool same_work(const std::vector<Result>& results) {
    bool same = true;
    for (const Result& result : results) {
        if (!result.figures.same_work) {
            std::fprintf(stderr, "stoa_bench: %s at %zu: the checksums differ\n", result.workload->name.c_str(),
                         result.n);
            same = false;
        }
    }
    return same;
}

int run_chosen(const Options& options) {
    const std::vector<Workload> workloads = chosen_workloads(options);
    if (options.list) {
        print_list(workloads);
        return 0;
    }
    const std::vector<Result> results = run(workloads, options);
    if (options.plot && !plot(results, *options.plot)) {
        std::fprintf(stderr, "stoa_bench: cannot write %s\n", options.plot->c_str());
        return 1;
    }
    return same_work(results) ? 0 : 1;
}

}  // namespace
}  // namespace bench

int main(int count, char** arguments) {
    const std::optional<bench::Options> options = bench::read_options(count, arguments);
    if (!options) {
        return 2;
    }
    if (options->help) {
        std::fputs(bench::usage, stdout);
        return 0;
    }
    if (options->latency) {
        return bench::print_latency(options->quick) ? 0 : 1;
    }
    return bench::run_chosen(*options);
}

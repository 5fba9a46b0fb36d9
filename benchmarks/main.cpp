// stoa_bench: Stoa beside its hand-written twin. Reads the options, runs the chosen workloads and prints a table or
// JSON lines. Exit codes: 0 good, 1 two implementations did not do the same work, 2 bad options.
#include "workloads.hpp"

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <thread>

namespace {

constexpr const char* usage =
    R"(usage: stoa_bench [--filter REGEX] [--quick] [--json [REGEX]] [--list] [--help]

Runs each workload with Stoa and with a hand-written array twin (raw), taking turns, and prints the medians in
nanoseconds per entity or operation (memory: bytes), their ratio, and the spread of Stoa's samples: the interquartile
range in percent of the median.

  --filter REGEX   only the workloads whose name matches
  --quick          shorter, and only up to 100,000 entities
  --json [REGEX]   one JSON object a line: name, n, impl, ns, spread (as a fraction), unit ("ns", or "B": then the
                   value under "ns" is bytes)
  --list           print the names and sizes, run nothing
)";

struct Options {
    std::optional<std::regex> filter;
    bool quick = false;
    bool json = false;
    bool list = false;
    bool help = false;
};

/// Nothing, with a message on stderr, when the options are bad.
std::optional<Options> parse(int count, char** arguments) {
    Options options;
    const auto set_filter = [&](const char* text) {
        try {
            options.filter.emplace(text);
            return true;
        } catch (const std::regex_error&) {
            std::fprintf(stderr, "stoa_bench: '%s' is not a regular expression\n", text);
            return false;
        }
    };
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        const char* value = i + 1 < count && arguments[i + 1][0] != '-' ? arguments[i + 1] : nullptr;
        if (option == "--quick") {
            options.quick = true;
        } else if (option == "--list") {
            options.list = true;
        } else if (option == "--help" || option == "-h") {
            options.help = true;
        } else if (option == "--json" || (option == "--filter" && value != nullptr)) {
            options.json = options.json || option == "--json";
            if (value != nullptr) {
                ++i;
                if (!set_filter(value)) {
                    return std::nullopt;
                }
            }
        } else if (option == "--filter") {
            std::fprintf(stderr, "stoa_bench: --filter needs a regular expression\n");
            return std::nullopt;
        } else {
            std::fprintf(stderr, "stoa_bench: unknown option '%s'; try --help\n", option.c_str());
            return std::nullopt;
        }
    }
    return options;
}

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) {
            return line.substr(line.find(':') + 2);
        }
    }
    return "unknown processor";
}

std::string compiler() {
#if defined(__clang__)
    std::string name = "clang " __clang_version__;
#elif defined(__GNUC__)
    std::string name = "g++ " __VERSION__;
#else
    std::string name = "unknown compiler";
#endif
    name.erase(name.find_last_not_of(' ') + 1);
#if !defined(__OPTIMIZE__)
    name += ", NOT OPTIMISED";
#endif
#if !defined(NDEBUG)
    name += ", with assertions";
#endif
    return name;
}

void print_header() {
    char date[32] = "";
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::localtime(&now));
    std::printf("%s, %u cores; %s; %s\n\n", processor().c_str(), std::thread::hardware_concurrency(),
                compiler().c_str(), date);
    std::printf("%-20s %9s %12s %12s %8s %8s\n", "workload", "n", "stoa", "raw", "ratio", "spread");
}

void print_row(const bench::Workload& workload, std::size_t n, const bench::Comparison& result) {
    const double ratio = result.raw.median > 0 ? result.stoa.median / result.raw.median : 0;
    std::printf("%-20s %9zu %9.2f %-2s %9.2f %-2s %7.2fx %7.1f%%%s\n", workload.name.c_str(), n, result.stoa.median,
                workload.unit, result.raw.median, workload.unit, ratio, result.stoa.spread * 100,
                result.same_work ? "" : "   CHECKSUM MISMATCH");
    std::fflush(stdout);
}

void print_json(const bench::Workload& workload, std::size_t n, const char* implementation,
                const bench::Statistics& result) {
    std::printf(R"({"name":"%s","n":%zu,"impl":"%s","ns":%.4f,"spread":%.4f,"unit":"%s"})"
                "\n",
                workload.name.c_str(), n, implementation, result.median, result.spread, workload.unit);
    std::fflush(stdout);
}

std::vector<bench::Workload> chosen_workloads(const Options& options) {
    std::vector<bench::Workload> all;
    bench::add_create_workloads(all);
    bench::add_signal_workloads(all);
    bench::add_structural_workloads(all);
    bench::add_command_workloads(all);
    bench::add_access_workloads(all);
    bench::add_iterate_workloads(all);
    bench::add_fragment_workloads(all);
    bench::add_mix_workloads(all);
    bench::add_change_workloads(all);
    bench::add_schedule_workloads(all);
    bench::add_index_workloads(all);
    bench::add_memory_workloads(all);
    bench::add_growth_workloads(all);
    std::erase_if(all, [&](const bench::Workload& workload) {
        return options.filter && !std::regex_search(workload.name, *options.filter);
    });
    for (bench::Workload& workload : all) {
        std::erase_if(workload.sizes, [&](std::size_t n) { return options.quick && n > 100000; });
    }
    return all;
}

/// Returns whether both implementations did the same work everywhere.
bool run(const std::vector<bench::Workload>& workloads, const Options& options) {
    bench::retain_freed_memory();
    const bench::Effort effort = options.quick ? bench::Effort{15, 25, 0.2} : bench::Effort{};
    bool same_work = true;
    if (!options.json) {
        print_header();
    }
    for (const bench::Workload& workload : workloads) {
        for (const std::size_t n : workload.sizes) {
            const bench::Comparison result = bench::compare(workload, n, effort);
            if (options.json) {
                print_json(workload, n, "raw", result.raw);
                print_json(workload, n, "stoa", result.stoa);
            } else {
                print_row(workload, n, result);
            }
            if (!result.same_work) {
                std::fprintf(stderr, "stoa_bench: %s at %zu: the checksums differ\n", workload.name.c_str(), n);
                same_work = false;
            }
        }
    }
    return same_work;
}

}  // namespace

int main(int count, char** arguments) {
    const std::optional<Options> options = parse(count, arguments);
    if (!options) {
        return 2;
    }
    if (options->help) {
        std::fputs(usage, stdout);
        return 0;
    }
    const std::vector<bench::Workload> workloads = chosen_workloads(*options);
    if (options->list) {
        for (const bench::Workload& workload : workloads) {
            for (const std::size_t n : workload.sizes) {
                std::printf("%s %zu\n", workload.name.c_str(), n);
            }
        }
        return 0;
    }
    return run(workloads, *options) ? 0 : 1;
}

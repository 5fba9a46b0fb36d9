// Reads the command line; see options.hpp.
#include "options.hpp"

#include <cstdio>

namespace bench {

const char* const usage =
    R"(usage: stoa_bench [--filter REGEX] [--quick] [--json [REGEX]] [--plot [FILE]] [--latency] [--list] [--help]

Runs each workload with Stoa and with a hand-written array twin (raw), taking turns, and prints the medians in
nanoseconds per entity or operation (memory: bytes), their ratio, and the spread of Stoa's samples: the interquartile
range in percent of the median. Where there is no twin, Stoa's figure stands alone.

  --filter REGEX   only the workloads whose name matches
  --quick          shorter, and only up to 100,000 entities (with --latency: a million)
  --json [REGEX]   one JSON object a line: name, n, impl, ns, spread (as a fraction), unit ("ns", or "B": then the
                   value under "ns" is bytes)
  --plot [FILE]    also draw what was measured, as SVG; FILE is stoa-bench.svg unless told
  --latency        instead of the workloads: how long single operations take while a world grows to ten million
                   entities; median, 99 %, 99.9 % and the longest
  --list           print the names and sizes, run nothing

docs/guide/benchmarks.md says what each workload does and how to read the figures.
)";

namespace {

bool set_filter(Options& options, const char* text) {
    if (text == nullptr) {
        std::fprintf(stderr, "stoa_bench: --filter needs a regular expression\n");
        return false;
    }
    try {
        options.filter.emplace(text);
        return true;
    } catch (const std::regex_error&) {
        std::fprintf(stderr, "stoa_bench: '%s' is not a regular expression\n", text);
        return false;
    }
}

/// Whether the option is one of those that are only there or not.
bool set_flag(Options& options, const std::string& option) {
    const struct {
        const char* name;
        bool Options::*flag;
    } flags[] = {{"--quick", &Options::quick},
                 {"--latency", &Options::latency},
                 {"--list", &Options::list},
                 {"--help", &Options::help},
                 {"-h", &Options::help}};
    for (const auto& known : flags) {
        if (option == known.name) {
            return options.*known.flag = true;
        }
    }
    return false;
}

}  // namespace

std::optional<Options> read_options(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string option = arguments[i];
        if (set_flag(options, option)) {
            continue;
        }
        const char* value = i + 1 < count && arguments[i + 1][0] != '-' ? arguments[++i] : nullptr;
        if (option == "--filter" || option == "--json") {
            options.json = options.json || option == "--json";
            if ((value != nullptr || option == "--filter") && !set_filter(options, value)) {
                return std::nullopt;
            }
        } else if (option == "--plot") {
            options.plot = value != nullptr ? value : "stoa-bench.svg";
        } else {
            std::fprintf(stderr, "stoa_bench: unknown option '%s'; try --help\n", option.c_str());
            return std::nullopt;
        }
    }
    return options;
}

}  // namespace bench

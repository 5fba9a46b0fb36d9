// Reads the command line; see options.hpp.
#include "options.hpp"

#include <cstdint>

namespace epidemic {

support::Arguments read_options(int count, char** arguments, Options& options) {
    return support::read_arguments(count, arguments,
                                   {{"--agents", options.agents, 100, 100'000'000},
                                    {"--days", options.days, 1, 10'000},
                                    {"--seed", options.seed, 0, UINT64_MAX},
                                    {"--threads", options.threads, 0, 1024}},
                                   {{"--csv", options.csv}, {"--svg", options.svg}});
}

}  // namespace epidemic

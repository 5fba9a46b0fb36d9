// Reads the command line; see options.hpp.
#include "options.hpp"

#include <cstdint>

namespace swarm {

support::Arguments read_options(int count, char** arguments, Options& options) {
    return support::read_arguments(count, arguments,
                                   {{"--entities", options.entities, 0, 100'000'000},
                                    {"--frames", options.frames, 0, 1'000'000},
                                    {"--seed", options.seed, 0, UINT64_MAX},
                                    {"--threads", options.threads, 0, 1024}},
                                   {{"--output", options.output}});
}

}  // namespace swarm

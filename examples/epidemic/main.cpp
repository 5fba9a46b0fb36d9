// An epidemic among agents: runs it day by day and writes a table and a chart. Started by the user; `epidemic --help`
// lists the options.
#include "options.hpp"
#include "output.hpp"
#include "simulation.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool write(const std::string& text, const std::string& file) {
    std::FILE* const opened = std::fopen(file.c_str(), "wb");
    const bool is_written = opened != nullptr && std::fwrite(text.data(), 1, text.size(), opened) == text.size();
    if (opened == nullptr || std::fclose(opened) != 0 || !is_written) {
        std::fprintf(stderr, "epidemic: writing '%s' failed\n", file.c_str());
        return false;
    }
    std::printf("wrote %s\n", file.c_str());
    return true;
}

int run(const epidemic::Options& options) {
    for (const std::string& file : {options.csv, options.svg}) {
        if (support::can_write(file)) continue;
        std::fprintf(stderr, "epidemic: cannot write '%s'\n", file.c_str());
        return 1;
    }
    epidemic::Simulation simulation(options.agents, options.seed, options.threads);
    std::printf("epidemic: %zu agents, %zu threads\n", simulation.agents(), simulation.threads());
    const Clock::time_point start = Clock::now();
    for (std::uint64_t day = 1; day <= options.days; ++day) {
        simulation.step();
        if (day % 10 != 0 && day != options.days) continue;
        const epidemic::Day& now = simulation.days().back();
        std::printf("day %4zu   susceptible %9zu   infected %9zu   recovered %9zu\n", static_cast<std::size_t>(day),
                    now.susceptible, now.infected, now.recovered);
        std::fflush(stdout);
    }
    const double seconds = seconds_since(start);
    std::printf("%.2f s, %.1f ms a day\n", seconds, seconds * 1000 / static_cast<double>(options.days));
    const bool is_written = write(epidemic::csv(simulation.days()), options.csv) &&
                            write(epidemic::svg(simulation.days(), simulation.agents()), options.svg);
    return is_written ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
    epidemic::Options options;
    const support::Arguments read = epidemic::read_options(count, arguments, options);
    if (!read.error.empty()) {
        std::fprintf(stderr, "epidemic: %s; try --help\n", read.error.c_str());
        return 2;
    }
    if (read.help) {
        std::fputs(epidemic::usage, stdout);
        return 0;
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "epidemic: %s\n", error.what());
        return 1;
    }
}

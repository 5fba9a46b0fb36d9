// The showcase: runs the swarm, shows frame times and entity counts while it does, and saves a picture of the end.
// Started by the user; `swarm --help` lists the options.
#include "options.hpp"
#include "picture.hpp"
#include "simulation.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// 1234567 as "1,234,567".
std::string grouped(std::size_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3;) {
        at -= 3;
        text.insert(at, 1, ',');
    }
    return text;
}

/// One line that is overwritten on a terminal, a new line now and then elsewhere.
class Progress {
  public:
    explicit Progress(std::size_t frames) : frames_(frames), terminal_(isatty(STDOUT_FILENO) != 0) {}

    void show(std::size_t done, double frame_ms, swarm::Simulation& simulation) {
        const std::size_t interval = terminal_ ? 5 : std::max<std::size_t>(frames_ / 10, 1);
        if (done % interval != 0 && done != frames_) {
            return;
        }
        const swarm::Changes& changes = simulation.changes();
        std::printf("%sframe %4zu of %zu   %6.2f ms (%s)   entities %s   embers %s   changes %s%s",
                    terminal_ ? "\r\033[K" : "", done, frames_, frame_ms, times(simulation).c_str(),
                    grouped(simulation.entities()).c_str(), grouped(simulation.embers()).c_str(),
                    grouped(changes.born + changes.died + changes.kindled + changes.quenched).c_str(),
                    terminal_ ? "" : "\n");
        if (terminal_ && done == frames_) {
            std::printf("\n");
        }
        std::fflush(stdout);
    }

  private:
    /// The last time of each system.
    static std::string times(const swarm::Simulation& simulation) {
        std::string text;
        for (const stoa::SystemReport& system : simulation.report()) {
            char time[64];
            std::snprintf(time, sizeof time, "%s%.*s %.2f", text.empty() ? "" : "  ",
                          static_cast<int>(system.name.size()), system.name.data(), system.last * 1000);
            text += time;
        }
        return text;
    }

    std::size_t frames_;
    bool terminal_;
};

void print_summary(std::vector<double>& frame_ms, std::size_t structural_changes) {
    if (frame_ms.empty()) {
        return;
    }
    std::sort(frame_ms.begin(), frame_ms.end());
    const double median = frame_ms[frame_ms.size() / 2];
    const double slow = frame_ms[frame_ms.size() * 99 / 100];
    std::printf("frames: median %.2f ms (%.0f a second), 99 of 100 within %.2f ms; %s structural changes\n", median,
                1000 / median, slow, grouped(structural_changes).c_str());
}

/// Returns the exit code.
int write(const swarm::Picture& picture, const std::string& file) {
    if (!picture.save(file)) {
        std::fprintf(stderr, "swarm: writing '%s' failed\n", file.c_str());
        return 1;
    }
    std::printf("wrote %s\n", file.c_str());
    return 0;
}

int run(const swarm::Options& options) {
    if (!support::can_write(options.output)) {
        std::fprintf(stderr, "swarm: cannot write '%s'\n", options.output.c_str());
        return 1;
    }
    std::printf("swarm: %s entities, %s frames, seed %llu\n", grouped(options.entities).c_str(),
                grouped(options.frames).c_str(), static_cast<unsigned long long>(options.seed));
    const Clock::time_point begin = Clock::now();
    swarm::Simulation simulation(options.entities, options.seed, options.threads);
    std::printf("spawned in %.0f ms; %zu threads\n", milliseconds_since(begin), simulation.threads());

    // The shutter is open for the last frames, a little wider each time; drawing is not part of the frame time.
    constexpr std::size_t shutter = 36;
    swarm::Picture picture(1600, 900);
    Progress progress(options.frames);
    std::vector<double> frame_ms;
    std::size_t structural_changes = 0;
    for (std::size_t done = 1; done <= options.frames; ++done) {
        const Clock::time_point start = Clock::now();
        simulation.step();
        frame_ms.push_back(milliseconds_since(start));

        const swarm::Changes& changes = simulation.changes();
        structural_changes += changes.born + changes.died + changes.kindled + changes.quenched;
        const std::size_t left = options.frames - done;
        if (left < shutter) {
            simulation.draw(picture, static_cast<float>(shutter - left) / static_cast<float>(shutter));
        }
        progress.show(done, frame_ms.back(), simulation);
    }
    if (options.frames == 0) {
        simulation.draw(picture, 1.0F);
    }
    print_summary(frame_ms, structural_changes);
    return write(picture, options.output);
}

}  // namespace

int main(int count, char** arguments) {
    swarm::Options options;
    const support::Arguments read = swarm::read_options(count, arguments, options);
    if (!read.error.empty()) {
        std::fprintf(stderr, "swarm: %s; try --help\n", read.error.c_str());
        return 2;
    }
    if (read.help) {
        std::fputs(swarm::usage, stdout);
        return 0;
    }
    try {
        return run(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "swarm: %s\n", error.what());
        return 1;
    }
}

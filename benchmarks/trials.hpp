// The shapes of a timed workload. Each turns a body, a small struct with the work itself, into a contender.
// Included by the files of workloads.
//
// A body is a template over the implementation (RawWorld or StoaWorld), is made from n, and has
//     std::size_t operations() const            what a sample is divided by
//     void prepare(World&)                      untimed, before the work
//     void run(World&)                          the work
//     std::uint64_t checksum(World&)            of the state after the work
// and, for Alternating, void build(World&), once, and void undo(World&), untimed, after the work; OnTheWall calls undo
// if there is one.
#pragma once

#include "harness.hpp"
#include "raw_world.hpp"
#include "stoa_world.hpp"

#include <algorithm>
#include <chrono>

namespace bench {

/// Every sample works on a new world; making and destroying it is not timed.
template <class World, class Body>
class Fresh final : public Contender {
  public:
    explicit Fresh(std::size_t n) : body_(n), rounds_(n <= 2000 ? 5 : 2) {}

    std::uint64_t warm_up() override {
        std::uint64_t sum = 0;
        for (int i = 0; i < rounds_; ++i) {
            World world;
            body_.prepare(world);
            body_.run(world);
            sum = body_.checksum(world);
        }
        return sum;
    }

    Sample sample() override {
        World world;
        body_.prepare(world);
        settle_heap();
        Stopwatch watch;
        watch.start();
        body_.run(world);
        Sample sample = watch.stop();
        sample.value /= static_cast<double>(body_.operations());
        return sample;
    }

  private:
    Body body_;
    int rounds_;
};

/// One world; the work is undone after each sample.
template <class World, class Body>
class Alternating final : public Contender {
  public:
    explicit Alternating(std::size_t n) : body_(n) { body_.build(world_); }

    std::uint64_t warm_up() override {
        std::uint64_t sum = 0;
        for (int i = 0; i < 3; ++i) {
            body_.prepare(world_);
            body_.run(world_);
            sum = body_.checksum(world_);
            body_.undo(world_);
        }
        return sum;
    }

    Sample sample() override {
        body_.prepare(world_);
        Stopwatch watch;
        watch.start();
        body_.run(world_);
        Sample sample = watch.stop();
        body_.undo(world_);
        sample.value /= static_cast<double>(body_.operations());
        return sample;
    }

  private:
    World world_;
    Body body_;
};

/// One world; a sample repeats the work until it is long enough for the clock.
template <class World, class Body>
class Steady final : public Contender {
  public:
    explicit Steady(std::size_t n) : body_(n) { body_.prepare(world_); }

    std::uint64_t warm_up() override {
        body_.run(world_);
        body_.run(world_);
        const std::uint64_t sum = body_.checksum(world_);
        body_.run(world_);
        const double once = std::max(1.0, timed(1).value);
        repeats_ = static_cast<std::size_t>(std::clamp(150000.0 / once, 1.0, 20000.0));
        return sum;
    }

    Sample sample() override {
        Sample sample = timed(repeats_);
        sample.value /= static_cast<double>(repeats_) * static_cast<double>(body_.operations());
        return sample;
    }

  private:
    Sample timed(std::size_t repeats) {
        Stopwatch watch;
        watch.start();
        for (std::size_t i = 0; i < repeats; ++i) {
            body_.run(world_);
            fence();
        }
        return watch.stop();
    }

    World world_;
    Body body_;
    std::size_t repeats_ = 1;
};

/// By the clock on the wall: the time of one thread says little about several.
template <class World, class Body>
class OnTheWall final : public Contender {
  public:
    explicit OnTheWall(std::size_t n) : body_(n) { body_.prepare(world_); }

    std::uint64_t warm_up() override {
        for (int i = 0; i < 2; ++i) sample();
        return body_.checksum(world_);
    }
    Sample sample() override {
        const auto start = std::chrono::steady_clock::now();
        body_.run(world_);
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        if constexpr (requires { body_.undo(world_); }) body_.undo(world_);
        return {took.count() / static_cast<double>(body_.operations()), true};
    }

  private:
    World world_;
    Body body_;
};

template <class Trial>
std::unique_ptr<Contender> make_trial(std::size_t n) {
    return std::make_unique<Trial>(n);
}

/// `workload<Fresh, Create2>("create2", sizes)`: both implementations in one shape.
template <template <class, class> class Shape, template <class> class Body>
Workload workload(const char* name, std::vector<std::size_t> sizes) {
    return {name, std::move(sizes), make_trial<Shape<RawWorld, Body<RawWorld>>>,
            make_trial<Shape<StoaWorld, Body<StoaWorld>>>};
}

}  // namespace bench

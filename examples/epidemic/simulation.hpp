// The epidemic as a world: an entity is an agent, a tag is the state of its health. Nothing depends on the number of
// threads: agents draw from streams of their own, and what parallel walks record is joined in the order of the walk.
#pragma once

#include "equations.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

namespace epidemic {

// An agent has one of these.
struct Susceptible {};
struct Infected {};
struct Recovered {};

/// Where an agent lives, and where it works.
struct Home {
    std::uint32_t number;
};
struct Work {
    std::uint32_t number;
};

enum class Place : std::uint8_t { home, work, elsewhere };
inline constexpr std::size_t place_count = 3;

/// A message: a susceptible agent has been infected.
struct Infection {
    stoa::Entity agent;
    Place place;
};

/// A resource: who can infect whom, by place. Counted anew in each step.
struct Crowds {
    std::vector<std::uint32_t> infected_at_home;  // by number of the home
    std::vector<std::uint32_t> infected_at_work;
    std::size_t infected = 0;
    std::size_t agents = 0;
};

/// One row of the result.
struct Day {
    std::size_t susceptible = 0;
    std::size_t infected = 0;
    std::size_t recovered = 0;
    std::size_t infections[place_count] = {};  // since the day before, by Place
    double infected_housemates = 0;            // that a susceptible agent has, on average
    Shares by_equations{};
};

class Simulation {
  public:
    Simulation(std::size_t agents, std::uint64_t seed, std::size_t threads);

    /// Effects: a day passes, and is added to days().
    void step();

    /// Returns: the days so far; the first is the state at the start.
    const std::vector<Day>& days() const { return days_; }
    std::size_t agents() const { return world_.size(); }
    std::size_t threads() const { return workers_.threads(); }
    /// Returns: text for people on what each system took.
    std::string explain() const { return schedule_.explain(); }

  private:
    void spawn_agents(std::size_t agents);
    void infect_first();
    void add_systems();
    void expose(stoa::Query<const Home, const Work, stoa::With<Susceptible>>& agents, const Crowds& crowds,
                stoa::Messages<Infection>& infections, std::uint64_t step);
    void record(stoa::Messages<const Infection>& infections);

    stoa::World world_;
    stoa::Workers workers_;
    stoa::Schedule schedule_;
    std::uint64_t seed_;
    std::vector<Day> days_;
};

}  // namespace epidemic

// The systems of the epidemic. A step of a quarter of a day counts the infected, exposes the susceptible, and lets the
// infected recover; a day is recorded after its four steps. See simulation.hpp.
#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

namespace epidemic {

using stoa::Commands;
using stoa::Entity;
using stoa::Messages;
using stoa::Query;
using stoa::Random;
using stoa::Res;
using stoa::Time;
using stoa::With;

namespace {

constexpr double step_days = 0.25;
constexpr std::uint32_t home_size = 4;
constexpr std::uint32_t work_size = 25;
constexpr std::size_t first_infected = 100;  // or one agent in a hundred, where that is fewer

constexpr double recovery_rate = 1.0 / 7;
constexpr double reproduction = 2.5;  // how many others the first infected agent infects
constexpr Rates rates{reproduction * recovery_rate, recovery_rate};

// Where infections happen, as shares of the rate.
constexpr double at_home = 0.4 * rates.infection / (home_size - 1);
constexpr double at_work = 0.4 * rates.infection / (work_size - 1);
constexpr double elsewhere = 0.2 * rates.infection;

// Each purpose has a seed of its own, so that no two draws of an agent in a step are the same.
enum Purpose : std::uint64_t { workplaces, beginnings, exposures, recoveries };
constexpr std::uint64_t seed_of(std::uint64_t seed, Purpose purpose) { return seed * 4 + purpose; }

double probability(double rate) { return 1 - std::exp(-rate * step_days); }

void count_infected(Query<const Home, const Work, With<Infected>> agents, Res<Crowds> crowds) {
    std::ranges::fill(crowds->infected_at_home, 0);
    std::ranges::fill(crowds->infected_at_work, 0);
    crowds->infected = agents.count();
    agents.each([&](const Home& home, const Work& work) {
        ++crowds->infected_at_home[home.number];
        ++crowds->infected_at_work[work.number];
    });
}

void fall_ill(Messages<const Infection> infections, Commands& later) {
    for (const Infection& infection : infections) later.replace<Susceptible>(infection.agent, Infected{});
}

}  // namespace

Simulation::Simulation(std::size_t agents, std::uint64_t seed, std::size_t threads)
    : workers_(threads), schedule_(world_, workers_), seed_(seed) {
    spawn_agents(agents);
    infect_first();
    add_systems();
    schedule_.phase("statistics").update(0);
}

void Simulation::spawn_agents(std::size_t agents) {
    std::vector<Home> homes(agents);
    std::vector<std::uint32_t> places_at_work(agents);
    for (std::size_t i = 0; i < agents; ++i) homes[i].number = static_cast<std::uint32_t>(i) / home_size;
    // Who works together is independent of who lives together.
    std::iota(places_at_work.begin(), places_at_work.end(), 0u);
    Random{seed_of(seed_, workplaces)}.shuffle(std::span{places_at_work});
    std::vector<Work> works(agents);
    for (std::size_t i = 0; i < agents; ++i) works[i].number = places_at_work[i] / work_size;

    std::vector<Entity> ids(agents);
    world_.spawn_columns(std::span{ids}, std::span{homes}, std::span{works}, Susceptible{});
    world_.set_resource(Crowds{.infected_at_home = std::vector<std::uint32_t>(agents / home_size + 1),
                               .infected_at_work = std::vector<std::uint32_t>(agents / work_size + 1),
                               .agents = agents});
}

void Simulation::infect_first() {
    std::vector<Entity> agents;
    world_.query<With<Susceptible>>().collect(agents);
    Random{seed_of(seed_, beginnings)}.shuffle(std::span{agents});
    agents.resize(std::min(first_infected, agents.size() / 100));
    for (const Entity agent : agents) world_.replace<Susceptible>(agent, Infected{});
}

void Simulation::add_systems() {
    schedule_.add_phase("spread", {.step = step_days, .when = stoa::exists<With<Infected>>()})
        .add("count infected", count_infected)
        .add("expose", [this](Query<const Home, const Work, With<Susceptible>> agents, Res<const Crowds> crowds,
                              Messages<Infection> infections,
                              const Time& time) { expose(agents, *crowds, infections, time.step); })
        .add("fall ill", fall_ill)
        .add("recover", [this](Query<With<Infected>> agents, Commands& later, const Time& time) {
            const double chance = probability(rates.recovery);
            const std::uint64_t seed = seed_of(seed_, recoveries);
            agents.par_each(workers_, later, [=, step = time.step](Entity agent, Commands& recorded) {
                if (Random{seed, agent.bits(), step}.chance(chance)) recorded.replace<Infected>(agent, Recovered{});
            });
        });
    schedule_.add_phase("statistics").add("record", [this](stoa::World&, Messages<const Infection> infections) {
        record(infections);
    });
}

// An agent draws twice: whether it is infected, and where, by the shares of the places in its risk.
void Simulation::expose(Query<const Home, const Work, With<Susceptible>>& agents, const Crowds& crowds,
                        Messages<Infection>& infections, std::uint64_t step) {
    const double outside = elsewhere * static_cast<double>(crowds.infected) / static_cast<double>(crowds.agents);
    const double chance_outside = probability(outside);
    agents.par_each(
        workers_, infections, [&](Entity agent, const Home& home, const Work& work, Messages<Infection>& recorded) {
            const double home_rate = at_home * crowds.infected_at_home[home.number];
            const double work_rate = at_work * crowds.infected_at_work[work.number];
            const double inside = home_rate + work_rate;
            const double chance = inside == 0 ? chance_outside : probability(inside + outside);
            Random random{seed_of(seed_, exposures), agent.bits(), step};
            if (!random.chance(chance)) return;
            const double where = random.unit() * (inside + outside);
            const Place place = where < home_rate ? Place::home : where < inside ? Place::work : Place::elsewhere;
            recorded.send(Infection{agent, place});
        });
}

void Simulation::record(Messages<const Infection>& infections) {
    const auto susceptible = world_.query<const Home, With<Susceptible>>();
    Day day;
    day.susceptible = susceptible.count();
    day.infected = world_.query<With<Infected>>().count();
    day.recovered = world_.query<With<Recovered>>().count();
    for (const Infection& infection : infections) ++day.infections[static_cast<std::size_t>(infection.place)];
    if (day.susceptible != 0) {
        const Crowds& crowds = world_.resource<const Crowds>();
        const auto housemates = susceptible.par_reduce(
            workers_, std::uint64_t{0},
            [&](const Home& home) { return std::uint64_t{crowds.infected_at_home[home.number]}; }, std::plus<>{});
        day.infected_housemates = static_cast<double>(housemates) / static_cast<double>(day.susceptible);
    }
    const auto all = static_cast<double>(agents());
    day.by_equations =
        days_.empty() ? Shares{static_cast<double>(day.susceptible) / all, static_cast<double>(day.infected) / all, 0}
                      : solve(days_.back().by_equations, rates, 1);
    days_.push_back(day);
}

void Simulation::step() { schedule_.update(1); }

}  // namespace epidemic

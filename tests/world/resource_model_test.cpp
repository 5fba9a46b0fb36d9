// Resources against a naive model: random setting, replacing, removing and moving of worlds, with every answer and the
// order of the end compared. A seed repeats a run.

#include "../support/environment.hpp"
#include "../support/random.hpp"

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

using stoa::World;

namespace {

std::vector<int> ends;  // the kinds of the values that ended and were not moved from

// Even kinds are replaced where they stand, odd ones at a new address.
template <int Kind>
struct Thing {
    explicit Thing(std::uint64_t number) : value(number) {}
    Thing(Thing&& other) noexcept : value(other.value), moved(std::exchange(other.moved, true)) {}
    Thing& operator=(Thing&& other) noexcept(Kind % 2 == 0) {
        value = other.value;
        other.moved = true;
        return *this;
    }
    ~Thing() {
        if (!moved) ends.push_back(Kind);
    }
    std::uint64_t value;
    bool moved = false;
};

constexpr int kinds = 24;

struct Verbs {
    bool (*has)(const World&);
    const std::uint64_t* (*find)(World&);
    std::uint64_t (*emplace)(World&, std::uint64_t);
    void (*set)(World&, std::uint64_t);
    bool (*remove)(World&);
};

template <int Kind>
constexpr Verbs verbs_of() {
    using R = Thing<Kind>;
    return {
        [](const World& world) { return world.has_resource<R>(); },
        [](World& world) -> const std::uint64_t* {
            const R* found = world.find_resource<const R>();
            return found != nullptr ? &found->value : nullptr;
        },
        [](World& world, std::uint64_t value) { return world.emplace_resource<R>(value).value; },
        [](World& world, std::uint64_t value) { world.set_resource(R{value}); },
        [](World& world) { return world.remove_resource<R>(); },
    };
}

template <int... Kinds>
constexpr std::array<Verbs, sizeof...(Kinds)> all_verbs(std::integer_sequence<int, Kinds...>) {
    return {verbs_of<Kinds>()...};
}

constexpr auto verbs = all_verbs(std::make_integer_sequence<int, kinds>{});

// In order of insertion.
using Model = std::vector<std::pair<int, std::uint64_t>>;

void compare(World& world, const Model& model) {
    for (int kind = 0; kind < kinds; ++kind) {
        const auto& verb = verbs[static_cast<std::size_t>(kind)];
        const auto known =
            std::find_if(model.begin(), model.end(), [&](const auto& entry) { return entry.first == kind; });
        const std::uint64_t* found = verb.find(world);
        REQUIRE((found != nullptr) == (known != model.end()));
        REQUIRE(verb.has(world) == (found != nullptr));
        if (found != nullptr) REQUIRE(*found == known->second);
    }
    world.check();
}

}  // namespace

TEST_CASE("resources behave as a list of values does") {
    const std::uint64_t seed = stoa_test::number_from_environment("STOA_SEED").value_or(1);
    CAPTURE(seed);
    stoa_test::Random random{seed};
    for (int round = 0; round < 40; ++round) {
        std::optional<World> world;
        world.emplace();
        Model model;
        for (int step = 0; step < 250; ++step) {
            const int kind = static_cast<int>(random.below(kinds));
            const auto& verb = verbs[static_cast<std::size_t>(kind)];
            const auto known =
                std::find_if(model.begin(), model.end(), [&](const auto& entry) { return entry.first == kind; });
            const auto value = random.below(1'000'000);
            ends.clear();
            switch (random.below(5)) {
                case 0:
                    REQUIRE(verb.remove(*world) == (known != model.end()));
                    REQUIRE(ends.size() == (known != model.end() ? 1 : 0));
                    if (known != model.end()) model.erase(known);
                    break;
                case 1: {
                    World elsewhere = std::move(*world);
                    *world = std::move(elsewhere);
                    break;
                }
                default:
                    if (random.one_in(2)) {
                        verb.set(*world, value);
                    } else {
                        REQUIRE(verb.emplace(*world, value) == value);
                    }
                    if (known != model.end()) {
                        known->second = value;
                    } else {
                        model.emplace_back(kind, value);
                    }
            }
            if (random.one_in(8)) compare(*world, model);
        }
        compare(*world, model);
        ends.clear();
        world.reset();
        std::vector<int> expected;
        for (auto entry = model.rbegin(); entry != model.rend(); ++entry) expected.push_back(entry->first);
        REQUIRE(ends == expected);
    }
}

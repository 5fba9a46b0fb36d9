// Guards the order that a schedule promises on threads. The executor runs on one thread and picks jobs first to last,
// last to first or at random, so that a system which does not wait for another one is caught in each run.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "support/busy_scene.hpp"
#include "support/order_executor.hpp"

using namespace stoa;
using support::OrderExecutor;
using Order = OrderExecutor::Order;

namespace {

struct A {
    int value = 0;
};
struct B {
    int value = 0;
};
struct Tag {};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Wind {
    int force = 0;
};

// Serial, and every order of jobs.
void in_all_orders(const std::function<void(Executor*)>& run) {
    run(nullptr);
    for (const Order order : {Order::first, Order::last}) {
        OrderExecutor executor(order);
        run(&executor);
        CHECK(executor.jobs_run > executor.runs);  // else it has shown nothing
    }
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        OrderExecutor executor(Order::random, seed);
        run(&executor);
    }
}

struct OnExecutor {
    OnExecutor(World& world, Executor* executor) {
        if (executor != nullptr) {
            schedule.emplace(world, *executor);
        } else {
            schedule.emplace(world);
        }
    }
    std::optional<Schedule> schedule;
};

}  // namespace

TEST_CASE("commands of a phase are applied in the order of its systems, whoever was done first") {
    in_all_orders([](Executor* executor) {
        World world;
        const Entity shared = world.spawn(A{});
        OnExecutor on(world, executor);
        std::string applied;
        std::vector<Entity> spawned(6);
        Phase& phase = on.schedule->add_phase("p");
        const auto record = [&](char name) {
            return [&, name](Commands& later) {
                const std::size_t number = static_cast<std::size_t>(name - 'a');
                later.run([&applied, name](World&) { applied += name; });
                later.set(shared, A{name});
                spawned[number] = later.spawn(B{name});
            };
        };
        phase.add("d", record('d'))
            .add("c", record('c'), {.priority = -1})
            .add("e", record('e'))
            .add("b", record('b'), {.priority = -2});
        phase.sync().add("f", record('f')).add("a", record('a'), {.before = "f"});
        for (int frame = 0; frame < 3; ++frame) {
            on.schedule->update(0);
            CHECK(applied == "bcdeaf");
            CHECK(world.get<const A>(shared).value == 'f');
            applied.clear();
        }
        // Walk order is the order of spawning.
        std::string walked;
        world.query<const B>().each([&](const B& b) { walked += static_cast<char>(b.value); });
        CHECK(walked == "bcdeafbcdeafbcdeaf");
    });
}

TEST_CASE("before and after are kept by systems that have nothing in common") {
    constexpr std::uint32_t count = 9;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        CAPTURE(seed);
        // Numbers are the line-up that the names agree with; systems are added in another one.
        stoa_test::Random random(seed);
        std::vector<std::uint32_t> added(count);
        std::iota(added.begin(), added.end(), 0u);
        for (std::uint32_t i = count; i > 1; --i) std::swap(added[i - 1], added[random.below(i)]);
        World world;
        OrderExecutor executor(seed % 3 == 0 ? Order::first : seed % 3 == 1 ? Order::last : Order::random, seed);
        Schedule schedule{world, executor};
        Phase& phase = schedule.add_phase("p");
        std::vector<std::uint32_t> ran;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // the first precedes the second
        for (const std::uint32_t number : added) {
            SystemOptions options;
            std::string before;
            std::string after;
            if (number + 1 < count && random.one_in(2)) {
                pairs.push_back({number, random.between(number + 1, count - 1)});
                options.before = before = std::to_string(pairs.back().second);
            }
            if (number != 0 && random.one_in(2)) {
                pairs.push_back({random.below(number), number});
                options.after = after = std::to_string(pairs.back().first);
            }
            phase.add(
                std::to_string(number), [&ran, number] { ran.push_back(number); }, options);
        }
        for (int frame = 0; frame < 2; ++frame) {
            ran.clear();
            schedule.update(0);
            CHECK(ran.size() == count);
            for (const auto& [first, second] : pairs) {
                CAPTURE(first);
                CAPTURE(second);
                CHECK(std::find(ran.begin(), ran.end(), first) < std::find(ran.begin(), ran.end(), second));
            }
        }
        CHECK(executor.jobs_run == 2 * count);
    }
}

namespace {

// In which order the executor that takes the last job first runs two systems, of which "a" was added first.
template <class First, class Second>
std::string reversed(First first, Second second) {
    World world;
    world.set_resource(Wind{});
    world.spawn(A{}, B{}, Loose{});
    OrderExecutor executor(Order::last);
    Schedule schedule{world, executor};
    std::string ran;
    schedule.add_phase("p").add("a", first(ran, 'a')).add("b", second(ran, 'b'));
    schedule.update(0);
    return ran;
}

// A system with these parameters.
template <class... Params>
struct Takes {
    auto operator()(std::string& ran, char name) const {
        return [&ran, name](Params...) { ran += name; };
    }
};

template <class First, class Second>
void check_waits(bool waits) {
    CHECK(reversed(First{}, Second{}) == (waits ? "ab" : "ba"));
    CHECK(reversed(Second{}, First{}) == (waits ? "ab" : "ba"));
}

}  // namespace

TEST_CASE("a system waits for one that writes what it touches, and for no other one") {
    using Everything = Takes<const World&>;
    check_waits<Everything, Takes<Query<A>>>(true);
    check_waits<Everything, Takes<Query<Mut<A>>>>(true);
    check_waits<Everything, Takes<Query<Maybe<A>>>>(true);
    check_waits<Everything, Takes<Query<Loose>>>(true);
    check_waits<Everything, Takes<Res<Wind>>>(true);
    check_waits<Everything, Takes<Query<const A, Needs<Wind>>>>(true);
    check_waits<Everything, Takes<World&>>(true);
    check_waits<Everything, Takes<Query<const A>, Res<const Wind>>>(false);
    check_waits<Everything, Everything>(false);
    check_waits<Everything, Takes<Commands&>>(false);
    check_waits<Takes<Query<A>, const World&>, Takes<Query<const B>>>(false);
    check_waits<Takes<Query<const B>, const World&>, Takes<Query<A>>>(true);

    check_waits<Takes<Query<A>>, Takes<Query<const A>>>(true);
    check_waits<Takes<Query<A>>, Takes<Query<A>>>(true);
    check_waits<Takes<Query<A>>, Takes<Watch<const A>>>(true);
    check_waits<Takes<Query<A>>, Takes<Query<const B, Changed<A>>>>(true);
    check_waits<Takes<Query<A>>, Takes<Query<B>>>(false);
    check_waits<Takes<Query<const A>>, Takes<Query<const A>>>(false);
    check_waits<Takes<Query<A, With<Tag>>>, Takes<Query<A, Without<Tag>>>>(false);
    check_waits<Takes<Query<A, With<Loose>>>, Takes<Query<A, Without<Loose>>>>(true);
    check_waits<Takes<Query<Loose, With<Tag>>>, Takes<Query<Loose, Without<Tag>>>>(true);
    check_waits<Takes<Res<Wind>>, Takes<Res<const Wind>>>(true);
    check_waits<Takes<Maybe<Res<Wind>>>, Takes<Res<const Wind>>>(true);
    check_waits<Takes<Res<const Wind>>, Takes<Res<const Wind>>>(false);
    check_waits<Takes<Query<A, Needs<const Wind>>>, Takes<Res<Wind>>>(true);
    check_waits<Takes<Commands&>, Takes<Commands&>>(false);
    check_waits<Takes<World&>, Takes<>>(true);
}

TEST_CASE("a world with a limit deals its ids out in the order of systems") {
    in_all_orders([](Executor* executor) {
        World world{WorldOptions{.max_entities = 8}};
        for (int i = 0; i < 3; ++i) world.despawn(world.spawn(A{}));  // some ids are used ones
        OnExecutor on(world, executor);
        std::vector<std::vector<std::uint64_t>> ids(3);
        Phase& phase = on.schedule->add_phase("p");
        for (std::size_t i = 0; i < ids.size(); ++i) {
            phase.add(std::to_string(i), [&ids, i](Commands& later) {
                for (int k = 0; k < 2; ++k) ids[i].push_back(later.spawn(A{}).bits());
            });
        }
        phase.add("other", [](Query<B>) {});  // so that there is something to overlap
        on.schedule->update(0);
        World alike{WorldOptions{.max_entities = 8}};
        for (int i = 0; i < 3; ++i) alike.despawn(alike.spawn(A{}));
        for (const auto& each : ids) {
            for (const std::uint64_t id : each) CHECK(id == alike.spawn(A{}).bits());
        }
        // Two are left, and the first in order gets them.
        bool refused = false;
        try {
            on.schedule->update(0);
        } catch (const Error& error) {
            refused = error.code() == Errc::capacity;
        }
        CHECK(refused);
        CHECK(world.size() == 8);
        CHECK(ids[0].size() == 4);
        CHECK(ids[1].size() == 2);
        world.check();
    });
}

TEST_CASE("a busy world is the same in every order of jobs, frame by frame") {
    support::BusyScene serial(nullptr, 5);
    OrderExecutor first(Order::first), last(Order::last), random(Order::random, 5);
    support::BusyScene scenes[] = {{&first, 5}, {&last, 5}, {&random, 5}};
    for (int frame = 0; frame < 60; ++frame) {
        serial.update();
        const auto expected = serial.fingerprint();
        for (support::BusyScene& scene : scenes) {
            scene.update();
            REQUIRE(scene.fingerprint() == expected);
        }
    }
    CHECK(last.jobs_run > last.runs);
}

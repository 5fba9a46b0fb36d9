// Guards that conditions and states are asked in order on any number of threads: 1, 2, 4 and 8 workers run the same
// systems, see the same changes and compute the same world as one thread. Run under ThreadSanitizer too.
#include <stoa/parallel.hpp>
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace stoa;

namespace {

constexpr int kinds = 6;

enum class Mode { calm, wild };

template <int Kind>
struct Value {
    std::uint64_t number = 0;
};
template <int Kind>
struct Total {
    std::uint64_t sum = 0;
};

std::uint64_t mixed(std::uint64_t number) {
    for (int i = 0; i < 40; ++i) number = number * 6364136223846793005u + 1442695040888963407u;
    return number >> 7;
}

// Systems that write one component or resource each, if what others wrote before them says so.
class Scene {
  public:
    explicit Scene(Executor* executor)
        : schedule_(executor != nullptr ? Schedule(world_, *executor) : Schedule(world_)) {
        add_all(std::make_integer_sequence<int, kinds>{});
    }
    void update() { schedule_.update(1.0 / 59); }
    std::vector<std::uint64_t> fingerprint() {
        std::vector<std::uint64_t> all;
        note_all(all, std::make_integer_sequence<int, kinds>{});
        for (const SystemReport& report : schedule_.report()) all.push_back(report.runs * 2 + (report.ran ? 1 : 0));
        return all;
    }
    World& world() { return world_; }

  private:
    template <int Kind>
    void add() {
        constexpr int next = (Kind + 1) % kinds;
        world_.spawn_many(200, Value<Kind>{Kind});
        world_.set_resource(Total<Kind>{});
        Phase& fast = *schedule_.find_phase("fast");
        Phase& slow = *schedule_.find_phase("slow");
        const std::string name = std::to_string(Kind);
        const Condition odd{"odd", [](Res<const Total<next>> total) { return total->sum % 2 == 1; }};
        const Condition moved{[](Query<const Value<next>, Changed<Value<next>>> all) { return !all.empty(); }};
        fast.add(
            "mix " + name,
            [](Query<Value<Kind>> all) { all.each([](Value<Kind>& value) { value.number = mixed(value.number); }); },
            {.when = !odd || every(0.1)});
        fast.add("sum " + name,
                 [](Query<const Value<Kind>> all, Res<Total<Kind>> total) {
                     all.each([&](const Value<Kind>& value) { total->sum += value.number; });
                 },
                 {.when = moved || odd});
        fast.add("spawn " + name,
                 [](Commands& later, Res<const Total<Kind>> total) { later.spawn(Value<Kind>{total->sum}); },
                 {.when = changed<Total<Kind>>() && !odd});
        slow.add("first " + name, [](Res<Total<Kind>> total) { total->sum += 3; },
                 {.when = once() && exists<Value<next>>()});
        slow.add("step " + name, [](Res<Total<Kind>> total, const Time& time) { total->sum += time.step; },
                 {.when = odd});
    }
    template <int... Kinds>
    void add_all(std::integer_sequence<int, Kinds...>) {
        schedule_.add_phase("fast");
        schedule_.add_phase("slow", {.step = 1.0 / 20, .when = !changed<Total<0>>() || every(1)});
        (add<Kinds>(), ...);
        schedule_.add_state(Mode::calm);
        schedule_.find_phase("fast")->add("switch", [](Res<State<Mode>> mode, Res<const Total<1>> total) {
            mode->next(total->sum % 3 == 0 ? Mode::calm : Mode::wild);
        });
        schedule_.find_phase("fast")->add("wild", [](Res<Total<2>> total) { total->sum += 5; },
                                          {.when = in_state(Mode::wild)});
        schedule_.on_enter(Mode::wild, "enter", [](Commands& later) { later.spawn(Value<3>{7}); });
        schedule_.on_exit(Mode::wild, "exit", [](Res<Total<4>> total) { total->sum += 9; });
    }
    template <int... Kinds>
    void note_all(std::vector<std::uint64_t>& all, std::integer_sequence<int, Kinds...>) {
        (note<Kinds>(all), ...);
    }
    template <int Kind>
    void note(std::vector<std::uint64_t>& all) {
        all.push_back(world_.resource<const Total<Kind>>().sum);
        world_.query<const Value<Kind>>().each([&](Entity entity, const Value<Kind>& value) {
            all.push_back(entity.bits());
            all.push_back(value.number);
        });
    }

    World world_;
    Schedule schedule_;
};

}  // namespace

TEST_CASE("workers: conditions give the same runs and the same world on 1, 2, 4 and 8 threads") {
#if defined(__SANITIZE_THREAD__)
    constexpr int frames = 30;
#else
    constexpr int frames = 120;
#endif
    std::vector<std::vector<std::uint64_t>> expected;
    Scene serial(nullptr);
    for (int frame = 0; frame < frames; ++frame) {
        serial.update();
        expected.push_back(serial.fingerprint());
    }
    CHECK(expected[5] != expected[6]);
    for (const std::size_t threads : {1u, 2u, 4u, 8u}) {
        Workers workers{threads};
        Scene scene(&workers);
        for (int frame = 0; frame < frames; ++frame) {
            scene.update();
            REQUIRE(scene.fingerprint() == expected[static_cast<std::size_t>(frame)]);
        }
        scene.world().check();
    }
}

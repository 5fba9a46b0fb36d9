// Random verbs of every kind against a naive model: the exact sequence of signals, the lists of watches and the
// contents of caches, for queries of every kind, all at once. A printed seed repeats a run: STOA_SEED.
#include "random_verbs.hpp"
#include "support/environment.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <memory>
#include <set>

using namespace stoa;
using namespace watch_test;

namespace {

struct Event {
    int subscriber;
    bool enters;
    Entity entity;
    friend bool operator==(const Event&, const Event&) = default;
};

std::string text_of(const std::vector<Event>& events) {
    std::string text;
    for (const Event& event : events) {
        text += (event.enters ? " +" : " -") + std::to_string(event.subscriber) + ":" +
                std::to_string(event.entity.index()) + "." + std::to_string(event.entity.generation());
    }
    return text;
}

// Subscriptions to all queries, in a random order that changes, and what they should be told.
class SignalOracle {
  public:
    SignalOracle(World& world, stoa_test::Random& random, bool with_lists) : world_(world), random_(random) {
        each_query(world, [&](int, const auto& query, const Ask&) {
            if (with_lists) lists_.emplace_back(query.watch(WatchFor::added | WatchFor::removed));
        });
        for (int i = 0; i < 40; ++i) subscribe();
    }

    void subscribe() {
        const auto wanted = static_cast<int>(random_.below(queries));
        each_query(world_, [&](int number, const auto& query, const Ask& ask) {
            if (number != wanted) return;
            const int name = next_name_++;
            const bool enters = random_.one_in(2);
            const auto tell = [this, name, enters, query, number](Entity entity) {
                // The entity matches, also while it is about to leave. Lists have those that entered, and still lack
                // those that leave.
                if (!query.contains(entity)) ++broken_;
                if (lists_.empty()) return log_.push_back({name, enters, entity});
                if (lists_[static_cast<std::size_t>(number)].lists(entity, enters) != enters) ++broken_;
                log_.push_back({name, enters, entity});
            };
            subscribers_.push_back({name, enters, ask, enters ? query.on_enter(tell) : query.on_leave(tell)});
        });
    }
    void unsubscribe() {
        if (subscribers_.empty()) return;
        subscribers_.erase(subscribers_.begin() + random_.below(static_cast<std::uint32_t>(subscribers_.size())));
    }

    void check(std::vector<Step> steps, bool in_order) {
        std::vector<Event> expected;
        const auto by_entity = [](const auto& x, const auto& y) { return x.entity < y.entity; };
        if (!in_order) {
            std::stable_sort(steps.begin(), steps.end(), by_entity);
            std::stable_sort(log_.begin(), log_.end(), by_entity);
        }
        for (const Step& step : steps) {
            for (const bool enters : {false, true}) {
                for (const Subscriber& subscriber : subscribers_) {
                    if (subscriber.enters != enters) continue;
                    const bool before = subscriber.ask.matches(step.before);
                    const bool after = subscriber.ask.matches(step.after);
                    if (before != after && after == enters) expected.push_back({subscriber.name, enters, step.entity});
                }
            }
        }
        if (log_ != expected) FAIL("told " << text_of(log_) << "\nexpected " << text_of(expected));
        REQUIRE(broken_ == 0);
        log_.clear();
        for (const Lists& lists : lists_) lists.clear();
    }

  private:
    struct Subscriber {
        int name;
        bool enters;
        Ask ask;
        Subscription subscription;
    };
    // A watch with its type erased.
    struct Lists {
        std::function<bool(Entity, bool)> lists;
        std::function<void()> clear;

        template <class... Terms>
        explicit Lists(Watch<Terms...> watch) {
            auto shared = std::make_shared<Watch<Terms...>>(std::move(watch));
            lists = [shared](Entity entity, bool among_added) {
                const auto list = among_added ? shared->added() : shared->removed();
                return std::find(list.begin(), list.end(), entity) != list.end();
            };
            clear = [shared] { shared->clear(); };
        }
    };
    World& world_;
    stoa_test::Random& random_;
    std::vector<Lists> lists_;  // by number of the query
    std::vector<Subscriber> subscribers_;
    std::vector<Event> log_;
    int next_name_ = 0;
    int broken_ = 0;
};

// One watch, with its type erased, and the lists that it should have.
struct WatchOracle {
    Ask ask;
    unsigned counted = 0;  // components whose writes count
    unsigned lists = 7;
    std::function<std::vector<Entity>(int)> read;
    std::function<void()> clear;
    std::set<Entity> added;
    std::set<Entity> removed;
    std::set<Entity> changed;

    template <class... Terms>
    WatchOracle(Watch<Terms...> watch, const Ask& asks, unsigned counts, unsigned kept)
        : ask(asks), counted(counts), lists(kept) {
        auto shared = std::make_shared<Watch<Terms...>>(std::move(watch));
        read = [shared](int which) {
            const auto list = which == 0 ? shared->added() : which == 1 ? shared->removed() : shared->changed();
            return std::vector<Entity>(list.begin(), list.end());
        };
        clear = [shared] { shared->clear(); };
    }

    void apply(const Step& step) {
        const bool before = ask.matches(step.before);
        const bool after = ask.matches(step.after);
        if (!before && after && (lists & 1) != 0) added.insert(step.entity);
        if (before && !after && (lists & 2) != 0) removed.insert(step.entity);
        const unsigned gained = step.after.has & ~step.before.has;  // an optional component that comes is a change
        if (before && after && ((step.written | gained) & counted) != 0 && (lists & 4) != 0)
            changed.insert(step.entity);
    }
    void check(int which) const {
        const std::vector<Entity> got = read(which);
        const std::set<Entity>& expected = which == 0 ? added : which == 1 ? removed : changed;
        for (const Entity entity : got) {
            if (!expected.contains(entity)) FAIL("list " << which << " has entity " << entity.index() << " too many");
        }
        for (const Entity entity : expected) {
            if (std::find(got.begin(), got.end(), entity) == got.end())
                FAIL("list " << which << " lacks entity " << entity.index());
        }
        REQUIRE(got.size() == expected.size());
    }
    void forget() {
        clear();
        added.clear();
        removed.clear();
        changed.clear();
    }
};

// One cache, with its type erased, and the order that it should have.
struct CacheOracle {
    Ask ask;
    bool by_value = false;
    std::function<std::vector<Entity>()> read;
    std::function<std::size_t()> size;

    template <class... Terms>
    CacheOracle(Cache<Terms...> cache, const Ask& asks, bool sorted) : ask(asks), by_value(sorted) {
        read = [cache] {
            std::vector<Entity> all;
            cache.collect(all);
            return all;
        };
        size = [cache] { return cache.size(); };
    }

    void check(RandomVerbs& verbs) const {
        std::vector<Entity> expected;
        for (const auto& [entity, form] : verbs.model()) {
            if (ask.matches(form)) expected.push_back(entity);
        }
        if (by_value) {
            std::stable_sort(expected.begin(), expected.end(),
                             [&](Entity x, Entity y) { return verbs.value(x) < verbs.value(y); });
        }
        REQUIRE(read() == expected);
        REQUIRE(size() == expected.size());
    }
};

bool less(const A& x, const A& y) { return x.value < y.value; }

std::vector<WatchOracle> make_watches(World& world) {
    std::vector<WatchOracle> all;
    each_query(world, [&](int, const auto& query, const Ask& ask) {
        all.emplace_back(query.watch(), ask, ask.data, 7u);
        all.emplace_back(query.watch(WatchFor::added | WatchFor::removed), ask, 0u, 3u);
        all.emplace_back(query.watch(WatchFor::changed), ask, ask.data, 4u);
        all.emplace_back(query.watch(WatchFor::removed), ask, 0u, 2u);
    });
    all.emplace_back(world.query<A, const C>().watch_changes<C>(), Ask{.required = Bit::a | Bit::c},
                     static_cast<unsigned>(Bit::c), 7u);
    all.emplace_back(world.query<A, Maybe<S>>().watch_changes<S>(), Ask{.required = Bit::a},
                     static_cast<unsigned>(Bit::s), 7u);
    return all;
}

std::vector<CacheOracle> make_caches(World& world) {
    std::vector<CacheOracle> all;
    each_query(world, [&](int, const auto& query, const Ask& ask) { all.emplace_back(query.cache(), ask, false); });
    all.emplace_back(world.query<A>().cache<A>(less), Ask{.required = Bit::a}, true);
    all.emplace_back(world.query<const A, Without<Tag>>().cache<A>(less), Ask{.required = Bit::a, .excluded = Bit::tag},
                     true);
    all.emplace_back(world.query<S, With<A>>().cache<A>(less), Ask{.required = Bit::a | Bit::s}, true);
    return all;
}

// Alone: signals without anything else that would have the world watched.
enum class Who { all, signals_alone };

void run(std::uint64_t seed, int steps, const WorldOptions& options, Who who = Who::all) {
    CAPTURE(seed);
    World world(options);
    RandomVerbs verbs(world, seed);
    stoa_test::Random& random = verbs.random();
    bool in_order = true;
    for (int i = 0; i < 60; ++i) verbs.step(in_order);

    SignalOracle signals(world, random, who == Who::all);
    std::vector<WatchOracle> watches;
    std::vector<CacheOracle> caches;
    if (who == Who::all) {
        watches = make_watches(world);
        caches = make_caches(world);
    }
    auto other_reader = world.query<const A, Changed<A>, Added<C>>();
    for (int i = 0; i < steps; ++i) {
        CAPTURE(i);
        const std::vector<Step> done = verbs.step(in_order);
        signals.check(done, in_order);
        for (const Step& step : done) {
            for (WatchOracle& watch : watches) watch.apply(step);
        }
        for (std::size_t number = 0; number < watches.size(); ++number) {
            CAPTURE(number);
            if (random.one_in(6)) watches[number].check(static_cast<int>(random.below(3)));
            if (random.one_in(40)) watches[number].forget();
        }
        for (const CacheOracle& cache : caches) {
            if (random.one_in(5)) cache.check(verbs);
        }
        if (random.one_in(20)) signals.unsubscribe();
        if (random.one_in(20)) signals.subscribe();
        if (random.one_in(10)) other_reader.each([](const A&) {});
        if (random.one_in(200)) world.shrink_to_fit();
        if (random.one_in(50)) world.check();
    }
}

}  // namespace

TEST_CASE("signals, watches and caches agree with a naive model") {
    if (const auto seed = stoa_test::number_from_environment("STOA_SEED")) {
        run(*seed, 4000, {});
        return;
    }
    for (std::uint64_t seed = 1; seed <= 12; ++seed) run(seed, 800, {});
    for (std::uint64_t seed = 21; seed <= 24; ++seed) run(seed, 800, {}, Who::signals_alone);
}

TEST_CASE("the same where the ticks wrap around") {
    for (std::uint64_t seed = 100; seed < 103; ++seed) run(seed, 800, {.first_tick = 0xffffff00u});
}

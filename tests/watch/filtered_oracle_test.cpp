// Random writes and structural changes against a naive model: for many filters at once, the exact calls of signals, the
// lists of watches and the contents of caches. The model knows which entities a subscriber was told of; a structural
// change is told from the values at that time, a write by the next flush or read. A printed seed repeats a run:
// STOA_SEED.
#include "support/seeds.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace stoa;

namespace {

struct Unit {
    int team = 0;
    int level = 0;
};
struct Name {
    std::string text;
};
struct Loose {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Grave {
    int depth = 0;
    static constexpr Traits stoa_traits{.cleanup = true};
};
struct Tag {};

constexpr std::pair<int, bool> pair_of(const Unit& unit) { return {unit.team, unit.level > 2}; }

// What the model knows of an entity.
struct Form {
    static constexpr unsigned has_unit = 1;
    static constexpr unsigned has_name = 2;
    static constexpr unsigned has_loose = 4;
    static constexpr unsigned has_grave = 8;

    std::optional<Unit> unit;
    std::optional<Name> name;
    std::optional<Loose> loose;
    std::optional<Grave> grave;
    bool tag = false;
    bool ghost = false;

    unsigned kinds() const {
        return (unit ? has_unit : 0u) | (name ? has_name : 0u) | (loose ? has_loose : 0u) | (grave ? has_grave : 0u) |
               (tag ? 16u : 0u) | (ghost ? 32u : 0u);
    }
};
using Model = std::map<Entity, Form>;
using Test = std::function<bool(const Form&)>;

struct Indexes {
    explicit Indexes(World& world)
        : team(world), level(world), name(world), names(world), loose(world), grave(world), pair(world) {}

    HashIndex<&Unit::team> team;
    OrderedIndex<&Unit::level> level;
    HashIndex<&Name::text> name;
    OrderedIndex<&Name::text> names;
    OrderedIndex<&Loose::value> loose;
    OrderedIndex<&Grave::depth> grave;
    OrderedIndex<pair_of> pair;
};

// One filtered query with its signals, watch and caches, and what they should have.
class Subject {
  public:
    template <class Filtered>
    Subject(const Filtered& query, Test matches, Test passes, unsigned tested, std::vector<std::string>& log,
            int number)
        : matches_(std::move(matches)), passes_(std::move(passes)), tested_(tested), number_(number) {
        enters_ = query.on_enter([&log, number](Entity e) { log.push_back(text(number, true, e)); });
        leaves_ = query.on_leave([&log, number](Entity e) { log.push_back(text(number, false, e)); });
        auto watch = std::make_shared<decltype(query.watch())>(query.watch());
        read_ = [watch](bool added) {
            const auto list = added ? watch->added() : watch->removed();
            return std::vector<Entity>(list.begin(), list.end());
        };
        clear_ = [watch] { watch->clear(); };
        auto cache = std::make_shared<decltype(query.cache())>(query.cache());
        cached_ = [cache] {
            std::vector<Entity> out;
            for (const Entity e : *cache) out.push_back(e);
            return out;
        };
    }

    static std::string text(int number, bool enters, Entity e) {
        return std::to_string(number) + (enters ? "+" : "-") + std::to_string(e.index()) + "v" +
               std::to_string(e.generation());
    }

    // A structural change of an entity. `before` has the values that were readable before it, `after` those after it.
    void change(Entity e, const Form* before, const Form* after, std::vector<std::string>& expected) {
        const bool was = before != nullptr && matches_(*before);
        const bool is = after != nullptr && matches_(*after);
        change(told_, e, was, is, before, after, [&](bool enters) { expected.push_back(text(number_, enters, e)); });
        change(listed_, e, was, is, before, after, [&](bool enters) { (enters ? added_ : removed_).insert(e); });
    }
    // What a flush tells of writes.
    std::vector<Entity> written(const Model& model, bool enters) {
        std::vector<Entity> out;
        for (const auto& [e, form] : model) {
            const bool now = matches_(form) && passes_(form);
            if (now == enters && told_.contains(e) != now) out.push_back(e);
        }
        for (const Entity e : out) enters ? static_cast<void>(told_.insert(e)) : static_cast<void>(told_.erase(e));
        return out;
    }
    int number() const { return number_; }

    void check_watch(const Model& model) {
        update_lists(model);
        REQUIRE(sorted(read_(true)) == std::vector<Entity>(added_.begin(), added_.end()));
        REQUIRE(sorted(read_(false)) == std::vector<Entity>(removed_.begin(), removed_.end()));
    }
    void clear_watch(const Model& model) {
        update_lists(model);
        clear_();
        added_.clear();
        removed_.clear();
    }
    void check_cache(const Model& model) const {
        std::vector<Entity> expected;
        for (const auto& [e, form] : model) {
            if (matches_(form) && passes_(form)) expected.push_back(e);
        }
        REQUIRE(cached_() == expected);
    }

  private:
    static std::vector<Entity> sorted(std::vector<Entity> list) {
        std::sort(list.begin(), list.end());
        return list;
    }
    // Which components the entity has after the change, with the values from before it: what a departure is decided by.
    static Form kept(const Form& before, const Form& after) {
        Form form = before;
        if (!after.unit) form.unit.reset();
        if (!after.name) form.name.reset();
        if (!after.loose) form.loose.reset();
        if (!after.grave) form.grave.reset();
        return form;
    }
    bool concerns(const Form& before, const Form& after) const {
        return ((before.kinds() ^ after.kinds()) & tested_) != 0;
    }

    template <class Tell>
    void change(std::set<Entity>& members, Entity e, bool was, bool is, const Form* before, const Form* after,
                Tell&& tell) {
        if (was && members.contains(e)) {
            if (!is || (concerns(*before, *after) && !passes_(kept(*before, *after)))) {
                members.erase(e);
                tell(false);
            }
        }
        if (is && !members.contains(e) && (!was || concerns(*before, *after)) && passes_(*after)) {
            members.insert(e);
            tell(true);
        }
    }
    void update_lists(const Model& model) {
        for (const auto& [e, form] : model) {
            const bool now = matches_(form) && passes_(form);
            if (now == listed_.contains(e)) continue;
            (now ? added_ : removed_).insert(e);
            now ? static_cast<void>(listed_.insert(e)) : static_cast<void>(listed_.erase(e));
        }
    }

    Test matches_;
    Test passes_;
    unsigned tested_;  // the components that the filter tests
    int number_;
    Subscription enters_;
    Subscription leaves_;
    std::function<std::vector<Entity>(bool)> read_;
    std::function<void()> clear_;
    std::function<std::vector<Entity>()> cached_;
    std::set<Entity> told_;
    std::set<Entity> listed_;
    std::set<Entity> added_;
    std::set<Entity> removed_;
};

class Driver {
  public:
    explicit Driver(stoa_test::Random& random) : random_(random), indexes_(world_) {
        const auto alive = [](const Form& form) { return !form.ghost; };
        const auto has_unit = [](const Form& form) { return form.unit && !form.ghost; };
        const auto add = [&](unsigned tested, const auto& query, Test matches, Test passes) {
            subjects_.push_back(std::make_unique<Subject>(query, std::move(matches), std::move(passes), tested, log_,
                                                          static_cast<int>(subjects_.size())));
        };
        add(Form::has_unit, world_.query<Unit>().where(indexes_.team == 1), has_unit,
            [](const Form& f) { return f.unit && f.unit->team == 1; });
        add(
            Form::has_unit,
            world_.query<const Unit, Without<Tag>>().where(indexes_.level.between(1, 3), indexes_.team != 2),
            [=](const Form& f) { return has_unit(f) && !f.tag; },
            [](const Form& f) { return f.unit && f.unit->level >= 1 && f.unit->level <= 3 && f.unit->team != 2; });
        add(Form::has_name | Form::has_loose, world_.query<>().where(indexes_.name == "b" || indexes_.loose > 2), alive,
            [](const Form& f) { return (f.name && f.name->text == "b") || (f.loose && f.loose->value > 2); });
        add(
            Form::has_unit | Form::has_name, world_.query<Tag>().where(!(indexes_.names < "b" && indexes_.level >= 2)),
            [](const Form& f) { return f.tag && !f.ghost; },
            [](const Form& f) { return (f.name && f.name->text >= "b") || (f.unit && f.unit->level < 2); });
        add(
            Form::has_loose, world_.query<Maybe<const Loose>, AnyOf<Unit, Name>>().where(indexes_.loose.in({0, 3, 9})),
            [](const Form& f) { return (f.unit || f.name) && !f.ghost; },
            [](const Form& f) { return f.loose && (f.loose->value == 0 || f.loose->value == 3); });
        add(
            Form::has_grave, world_.query<Grave>().where(indexes_.grave >= 2),
            [](const Form& f) { return f.grave.has_value(); },
            [](const Form& f) { return f.grave && f.grave->depth >= 2; });
        add(
            Form::has_unit | Form::has_grave,
            world_.query<Without<Tag>>().where(indexes_.pair == std::pair(1, true) || indexes_.grave < 2),
            [](const Form& f) { return !f.tag && !f.ghost; },
            [](const Form& f) {
                return (f.unit && f.unit->team == 1 && f.unit->level > 2) || (f.grave && f.grave->depth < 2);
            });
    }

    void step() {
        const std::uint32_t roll = random_.below(100);
        if (roll < 18 || model_.empty()) {
            spawn();
        } else if (roll < 40) {
            write();
        } else if (roll < 58) {
            put();
        } else if (roll < 74) {
            remove();
        } else if (roll < 80) {
            despawn();
        } else if (roll < 81) {
            clear();
        } else if (roll < 84) {
            write_all();
        } else {
            look();
        }
        if (log_ != expected_) {
            for (const std::string& one : log_) MESSAGE("told " << one);
            for (const std::string& one : expected_) MESSAGE("expected " << one);
            FAIL("signals differ");
        }
        log_.clear();
        expected_.clear();
    }

  private:
    int number() { return static_cast<int>(random_.below(5)); }
    Name name() { return {std::string(1, static_cast<char>('a' + random_.below(3)))}; }
    Entity pick() {
        auto at = model_.begin();
        std::advance(at, random_.below(static_cast<std::uint32_t>(model_.size())));
        return at->first;
    }

    // All subscribers leave first, then all enter; each in order.
    void announce(Entity e, const Form* before, const Form* after) {
        std::vector<std::string> told;
        for (const auto& subject : subjects_) subject->change(e, before, after, told);
        const auto is_leave = [](const std::string& one) { return one.find('-') != std::string::npos; };
        std::stable_partition(told.begin(), told.end(), is_leave);
        expected_.insert(expected_.end(), told.begin(), told.end());
    }
    void set(Entity e, const Form& after) {
        const Form before = model_[e];
        model_[e] = after;
        if (before.kinds() != after.kinds()) announce(e, &before, &after);
    }

    void spawn() {
        Form form;
        Entity e;
        switch (random_.below(5)) {
            case 0:
                form.unit = Unit{number(), number()};
                e = world_.spawn(*form.unit);
                break;
            case 1:
                form.unit = Unit{number(), number()};
                form.name = name();
                form.tag = true;
                e = world_.spawn(*form.unit, *form.name, Tag{});
                break;
            case 2:
                form.loose = Loose{number()};
                form.name = name();
                e = world_.spawn(*form.name, *form.loose);
                break;
            case 3:
                form.grave = Grave{number()};
                form.unit = Unit{number(), number()};
                form.loose = Loose{number()};
                e = world_.spawn(*form.grave, *form.unit, *form.loose);
                break;
            default:
                form.tag = true;
                e = world_.spawn(Tag{});
        }
        model_[e] = form;
        announce(e, nullptr, &form);
    }
    void write() {
        const Entity e = pick();
        Form& form = model_[e];
        if (Unit* unit = form.ghost ? nullptr : world_.find<Unit>(e)) {
            (random_.one_in(2) ? unit->team : unit->level) = number();
            form.unit = *unit;
        }
        if (Grave* grave = world_.find<Grave>(e)) {
            grave->depth = number();
            form.grave = *grave;
        }
        if (form.ghost) return;
        if (random_.one_in(2) && form.name) world_.set(e, *(form.name = name()));
        if (Loose* loose = random_.one_in(2) ? world_.find<Loose>(e) : nullptr) {
            loose->value = number();
            form.loose = *loose;
        }
    }
    void write_all() {
        const int team = number();
        world_.query<Unit>().each([&](Unit& unit) {
            if (unit.team == team) unit.team = (team + 1) % 5;
        });
        for (auto& [e, form] : model_) {
            if (form.unit && form.unit->team == team) form.unit->team = (team + 1) % 5;
        }
    }
    // Adds what is missing, and overwrites what is there, in one change.
    void put() {
        const Entity e = pick();
        Form form = model_[e];
        if (form.ghost) return;
        switch (random_.below(5)) {
            case 0:
                world_.set(e, *(form.unit = Unit{number(), number()}));
                break;
            case 1:
                form.unit = Unit{number(), number()};
                form.name = name();
                world_.set(e, *form.unit, *form.name);
                break;
            case 2:
                form.loose = Loose{number()};
                form.tag = true;
                world_.set(e, *form.loose, Tag{});
                break;
            case 3:
                world_.set(e, *(form.loose = Loose{number()}));
                break;
            default:
                form.grave = Grave{number()};
                form.tag = true;
                world_.set(e, *form.grave, Tag{});
        }
        set(e, form);
    }
    void remove() {
        const Entity e = pick();
        Form form = model_[e];
        if (form.ghost) {
            world_.remove<Grave>(e);
            announce(e, &form, nullptr);
            model_.erase(e);
            return;
        }
        switch (random_.below(6)) {
            case 0:
                world_.remove<Unit>(e);
                form.unit.reset();
                break;
            case 1:
                world_.remove<Name, Loose>(e);
                form.name.reset();
                form.loose.reset();
                break;
            case 2:
                world_.remove<Tag>(e);
                form.tag = false;
                break;
            case 3:
                world_.remove<Loose>(e);
                form.loose.reset();
                break;
            case 4:
                world_.remove<Unit, Name, Tag>(e);
                form.unit.reset();
                form.name.reset();
                form.tag = false;
                break;
            default:
                world_.remove<Grave>(e);
                form.grave.reset();
        }
        set(e, form);
    }
    void despawn() {
        const Entity e = pick();
        Form form = model_[e];
        if (form.ghost) return;
        world_.despawn(e);
        if (!form.grave) {
            announce(e, &form, nullptr);
            model_.erase(e);
            return;
        }
        Form ghost;
        ghost.grave = form.grave;
        ghost.ghost = true;
        set(e, ghost);
    }
    void clear() {
        if (!random_.one_in(4)) return;
        world_.clear();
        // In the order of the tables, which the model does not know.
        const Model old = std::exchange(model_, {});
        for (const auto& [e, form] : old) announce(e, &form, nullptr);
        std::sort(log_.begin(), log_.end());
        std::sort(expected_.begin(), expected_.end());
    }
    // Looks at something, so that indexes, watches and signals catch up at different times.
    void look() {
        Subject& subject = *subjects_[random_.below(static_cast<std::uint32_t>(subjects_.size()))];
        switch (random_.below(6)) {
            case 0:
                return flush();
            case 1:
                return subject.check_watch(model_);
            case 2:
                return subject.clear_watch(model_);
            case 3:
            case 4:
                return subject.check_cache(model_);
            default:
                static_cast<void>(indexes_.team.count(1));
                static_cast<void>(indexes_.loose.size());
        }
    }
    void flush() {
        world_.flush();
        for (const bool enters : {false, true}) {
            std::vector<std::pair<Entity, int>> told;
            for (const auto& subject : subjects_) {
                for (const Entity e : subject->written(model_, enters)) told.push_back({e, subject->number()});
            }
            std::sort(told.begin(), told.end());
            for (const auto& [e, number] : told) expected_.push_back(Subject::text(number, enters, e));
        }
        world_.check();
    }

    stoa_test::Random& random_;
    World world_;
    Indexes indexes_;
    Model model_;
    std::vector<std::string> log_;
    std::vector<std::string> expected_;
    std::vector<std::unique_ptr<Subject>> subjects_;
};

}  // namespace

TEST_CASE("random changes: signals, watches and caches of filtered queries against a model") {
    stoa_test::for_each_seed(12, [](stoa_test::Random& random) {
        Driver driver(random);
        for (int i = 0; i < 2500; ++i) {
            CAPTURE(i);
            driver.step();
        }
    });
}

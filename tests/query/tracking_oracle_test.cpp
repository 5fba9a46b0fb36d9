// Random operations against a naive model that notes, for each component of each entity, in which operation it was last
// added and last changed. Several handles with different marks are walked in between; each must see exactly what has
// happened since its own last walk. STOA_SEED chooses one seed and repeats what the long run did with it.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stoa/stoa.hpp>
#include <string>
#include <vector>

#include "support/build_kind.hpp"
#include "support/environment.hpp"
#include "support/matches.hpp"
#include "support/random.hpp"

using namespace stoa;
using stoa_test::Entities;
using stoa_test::sorted;

namespace {

struct A {
    int value = 0;
};
struct B {
    std::string text;
};
struct S {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Tag {};
struct X {
    double data[3] = {};
};

enum Kind : std::size_t { a, b, s, tag, x, kinds };

struct Stamp {
    bool has = false;
    std::uint64_t added = 0;
    std::uint64_t changed = 0;
};
using Record = std::array<Stamp, kinds>;
using Model = std::map<Entity, Record>;

// A handle of the world, and the condition that it stands for.
struct Handle {
    std::function<Entities()> walk;
    std::function<std::size_t()> count;
    std::function<bool(Entity)> contains;
    std::function<Handle()> copy;
    bool (*matches)(const Record&, std::uint64_t since);
    bool writes_a = false;
    std::uint64_t since = 0;
};

template <class Q>
Handle handle_on(Q query, bool (*matches)(const Record&, std::uint64_t), bool writes_a = false) {
    auto shared = std::make_shared<Q>(std::move(query));
    auto turn = std::make_shared<unsigned>(0);
    Handle made;
    made.walk = [shared, turn, writes_a] {
        if (writes_a || ++*turn % 2 == 0) return stoa_test::walked(*shared);
        return stoa_test::collected(*shared);
    };
    made.count = [shared] { return shared->count(); };
    made.contains = [shared](Entity e) { return shared->contains(e); };
    made.copy = [shared, matches, writes_a] { return handle_on(Q(*shared), matches, writes_a); };
    made.matches = matches;
    made.writes_a = writes_a;
    return made;
}

bool is_changed(const Record& r, Kind kind, std::uint64_t since) { return r[kind].has && r[kind].changed > since; }
bool is_added(const Record& r, Kind kind, std::uint64_t since) { return r[kind].has && r[kind].added > since; }

Handle new_handle(World& world, std::uint32_t which) {
    using R = const Record&;
    using N = std::uint64_t;
    switch (which) {
        case 0:
            return handle_on(world.query<Changed<A>>(), [](R r, N n) { return is_changed(r, a, n); });
        case 1:
            return handle_on(world.query<Added<A>>(), [](R r, N n) { return is_added(r, a, n); });
        case 2:
            return handle_on(world.query<Changed<B>>(), [](R r, N n) { return is_changed(r, b, n); });
        case 3:
            return handle_on(world.query<Changed<S>>(), [](R r, N n) { return is_changed(r, s, n); });
        case 4:
            return handle_on(world.query<Added<S>, Without<X>>(),
                             [](R r, N n) { return is_added(r, s, n) && !r[x].has; });
        case 5:
            return handle_on(world.query<Added<Tag>>(), [](R r, N n) { return is_added(r, tag, n); });
        case 6:
            return handle_on(world.query<Changed<A>, Changed<B>>(),
                             [](R r, N n) { return is_changed(r, a, n) && is_changed(r, b, n); });
        case 7:
            return handle_on(world.query<const S, Changed<A>, Without<Tag>>(),
                             [](R r, N n) { return r[s].has && is_changed(r, a, n) && !r[tag].has; });
        case 8:
            return handle_on(world.query<Or<Changed<A>, Changed<B>>>(),
                             [](R r, N n) { return is_changed(r, a, n) || is_changed(r, b, n); });
        case 9:
            return handle_on(world.query<Or<Added<A>, Changed<S>, With<Tag, X>>>(), [](R r, N n) {
                return is_added(r, a, n) || is_changed(r, s, n) || (r[tag].has && r[x].has);
            });
        case 10:
            return handle_on(world.query<const A, Or<Changed<A>, Added<S>>, Or<Without<Tag>, Added<Tag>>>(), [](R r,
                                                                                                                N n) {
                return r[a].has && (is_changed(r, a, n) || is_added(r, s, n)) && (!r[tag].has || is_added(r, tag, n));
            });
        case 11:
            return handle_on(world.query<Changed<B>, Or<Changed<A>, Without<X>>>(),
                             [](R r, N n) { return is_changed(r, b, n) && (is_changed(r, a, n) || !r[x].has); });
        case 12:
            return handle_on(
                world.query<A, Or<Changed<A>, Changed<B>>>(),
                [](R r, N n) { return r[a].has && (is_changed(r, a, n) || is_changed(r, b, n)); }, true);
        default:
            return handle_on(
                world.query<A, Changed<A>>(), [](R r, N n) { return is_changed(r, a, n); }, true);
    }
}
constexpr std::uint32_t handle_kinds = 14;

class Trial {
  public:
    explicit Trial(std::uint64_t seed)
        : random_(seed), world_(WorldOptions{.first_tick = static_cast<std::uint32_t>(random_.next())}) {
        for (std::uint32_t which = 0; which < handle_kinds; ++which) handles_.push_back(new_handle(world_, which));
    }

    void step() {
        ++now_;
        const std::uint32_t kind = random_.below(100);
        if (kind < 40 || model_.empty()) {
            edit();
        } else if (kind < 60) {
            write_one();
        } else if (kind < 68) {
            write_many();
        } else if (kind < 72) {
            bulk();
        } else if (kind < 96) {
            walk(handles_[random_.below(static_cast<std::uint32_t>(handles_.size()))]);
        } else if (kind < 97) {
            world_.shrink_to_fit();
        } else if (kind < 98) {
            if (random_.one_in(12)) world_.clear(), model_.clear();
        } else {
            Handle& old = handles_[random_.below(static_cast<std::uint32_t>(handles_.size()))];
            if (random_.one_in(2)) {
                old = new_handle(world_, random_.below(handle_kinds));
            } else {
                const Handle from = handles_[random_.below(static_cast<std::uint32_t>(handles_.size()))];
                old = from.copy();
                old.since = from.since;
            }
        }
        world_.check();
    }
    void finish() {
        for (Handle& handle : handles_) {
            ++now_;  // some of them write
            walk(handle);
        }
    }

  private:
    Entity pick() { return std::next(model_.begin(), random_.below(static_cast<std::uint32_t>(model_.size())))->first; }

    void put(Entity e, Kind kind, bool replaces) {
        Stamp& stamp = model_[e][kind];
        if (!stamp.has) stamp = {true, now_, now_};
        if (replaces) stamp.changed = now_;
    }
    void touch(Entity e, Kind kind) {
        if (model_[e][kind].has) model_[e][kind].changed = now_;
    }

    void edit() {
        const std::uint32_t kind = random_.below(24);
        if (model_.empty() || kind < 5) return spawn(kind % 5);
        const Entity e = pick();
        switch (kind) {
            case 5:
            case 6:
                world_.despawn(e), model_.erase(e);
                return;
            case 7:
                world_.add<A>(e), put(e, a, false);
                return;
            case 8:
                world_.set(e, A{1}), put(e, a, true);
                return;
            case 9:
                world_.emplace<B>(e, "some text that is too long to stand inside the string"), put(e, b, true);
                return;
            case 10:
                world_.add<B, X>(e), put(e, b, false), put(e, x, false);
                return;
            case 11:
                world_.set(e, B{"b"}, S{2}), put(e, b, true), put(e, s, true);
                return;
            case 12:
                world_.add<S>(e), put(e, s, false);
                return;
            case 13:
                world_.add<Tag>(e), put(e, tag, false);
                return;
            case 14:
            case 15:
                world_.add<X>(e), put(e, x, false);
                return;
            case 16:
                world_.remove<A>(e), drop(e, {a});
                return;
            case 17:
                world_.remove<B>(e), drop(e, {b});
                return;
            case 18:
                world_.remove<S>(e), drop(e, {s});
                return;
            case 19:
                world_.remove<Tag, S>(e), drop(e, {tag, s});
                return;
            case 20:
            case 21:
                world_.remove<X>(e), drop(e, {x});
                return;
            case 22:
                world_.remove_all(e), model_[e] = {};
                return;
            default:
                copy(pick(), e);
                return;
        }
    }
    void drop(Entity e, std::initializer_list<Kind> gone) {
        for (const Kind kind : gone) model_[e][kind] = {};
    }
    void spawn(std::uint32_t how) {
        switch (how) {
            case 0: {
                const Entity e = world_.spawn(A{3}, B{"b"});
                put(e, a, false), put(e, b, false);
                return;
            }
            case 1: {
                const Entity e = world_.spawn<A, S, Tag>();
                put(e, a, false), put(e, s, false), put(e, tag, false);
                return;
            }
            case 2: {
                Entities ids(random_.between(1, 12));
                world_.spawn_many(std::span{ids}, A{4}, X{});
                for (const Entity e : ids) put(e, a, false), put(e, x, false);
                return;
            }
            case 3:
                model_[world_.spawn()] = {};
                return;
            default: {
                if (model_.empty()) return;
                const Entity from = pick();
                const Entity e = world_.clone(from);
                for (std::size_t kind = 0; kind < kinds; ++kind) {
                    if (model_[from][kind].has) put(e, static_cast<Kind>(kind), false);
                }
                model_[e];
            }
        }
    }
    void copy(Entity from, Entity to) {
        world_.copy(from, to);
        if (from == to) return;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            if (kind == tag && model_[to][kind].has) continue;
            if (model_[from][kind].has) put(to, static_cast<Kind>(kind), true);
        }
    }

    void write_one() {
        const Entity e = pick();
        switch (random_.below(9)) {
            case 0:
                if (world_.has<A>(e)) world_.get<A>(e).value += 1;
                return touch(e, a);
            case 1:
                if (world_.has<A>(e)) world_.get_value<A>(e) += 1;
                return touch(e, a);
            case 2:
                static_cast<void>(world_.find<A>(e));
                return touch(e, a);
            case 3:
                static_cast<void>(world_.find<B>(e));
                return touch(e, b);
            case 4:
                static_cast<void>(world_.find<S>(e));
                return touch(e, s);
            case 5:
                if (world_.query<A>().fetch(e, [](A& value) { ++value.value; })) touch(e, a);
                return;
            case 6:
                static_cast<void>(world_.find<const A>(e));
                return;
            case 7:
                static_cast<void>(world_.find<X>(e));
                return;
            default:
                world_.entity(e).find<S>();
                return touch(e, s);
        }
    }
    void write_many() {
        switch (random_.below(6)) {
            case 0:
                world_.query<A>().each([&](Entity e, A& value) { ++value.value, touch(e, a); });
                return;
            case 1:
                world_.query<A>().each_until([&](Entity e, A&) { return touch(e, a), random_.one_in(6); });
                return;
            case 2:
                for (auto [e, value] : world_.query<A>()) {
                    touch(e, a);
                    if (random_.one_in(6)) break;
                }
                return;
            case 3:
                world_.query<Mut<A>, Maybe<S>>().each([&](Entity e, Mut<A> value, S*) {
                    touch(e, s);
                    if (random_.one_in(3)) value.write().value += 1, touch(e, a);
                });
                return;
            case 4:
                world_.query<B, Without<Tag>>().each_chunk([&](std::span<const Entity> ids, std::span<B>) {
                    for (const Entity e : ids) touch(e, b);
                });
                return;
            default:
                world_.query<const A>().each([](const A&) {});
                return;
        }
    }
    void bulk() {
        Entities matches;
        for (const auto& [e, record] : model_) {
            if (record[b].has && !record[tag].has) matches.push_back(e);
        }
        auto query = world_.query<B, Without<Tag>>();
        std::size_t expected = 0;
        switch (random_.below(6)) {
            case 0:
                for (const Entity e : matches) expected += !model_[e][x].has, put(e, x, false);
                REQUIRE(query.add_all<X>() == expected);
                return;
            case 1:
                for (const Entity e : matches) put(e, a, true);
                REQUIRE(query.set_all(A{5}) == matches.size());
                return;
            case 2:
                for (const Entity e : matches) expected += model_[e][x].has, drop(e, {x});
                REQUIRE(query.remove_all<X>() == expected);
                return;
            case 3:
                for (const Entity e : matches) put(e, tag, false), put(e, s, false);
                REQUIRE((query.add_all<Tag, S>() == matches.size()));
                return;
            case 4:
                for (const Entity e : matches) drop(e, {b});
                REQUIRE(query.remove_all<B>() == matches.size());
                return;
            default:
                if (!random_.one_in(4)) return;
                for (const Entity e : matches) model_.erase(e);
                REQUIRE(query.despawn_all() == matches.size());
        }
    }

    void walk(Handle& handle) {
        Entities expected;
        for (const auto& [e, record] : model_) {
            if (handle.matches(record, handle.since)) expected.push_back(e);
        }
        REQUIRE(handle.count() == expected.size());
        if (!model_.empty()) {
            const Entity e = pick();
            REQUIRE(handle.contains(e) == handle.matches(model_[e], handle.since));
        }
        REQUIRE(handle.walk() == expected);
        if (handle.writes_a) {
            for (const Entity e : expected) touch(e, a);
        }
        handle.since = now_;
    }

    stoa_test::Random random_;
    World world_;
    Model model_;
    std::vector<Handle> handles_;
    std::uint64_t now_ = 0;
};

void run_seed(std::uint64_t seed, std::uint64_t steps) {
    CAPTURE(seed);
    Trial trial(seed);
    for (std::uint64_t step = 0; step < steps; ++step) {
        CAPTURE(step);
        trial.step();
    }
    trial.finish();
}

// Seeds that once failed. A seed enters this list on the day it fails and never leaves it.
struct KnownSeed {
    const char* name;
    std::uint64_t seed;
    std::uint64_t steps;
};
const std::vector<KnownSeed> known_seeds{};

}  // namespace

TEST_CASE("each handle sees exactly what was added or changed since its last walk, whatever happens in between") {
    const std::uint64_t steps = stoa_test::by_build(8000, 3000, 1200);
    if (const auto seed = stoa_test::number_from_environment("STOA_SEED")) return run_seed(*seed, steps);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) run_seed(seed, steps);
    for (const KnownSeed& known : known_seeds) {
        CAPTURE(known.name);
        run_seed(known.seed, known.steps);
    }
}

// Random operations against a naive model that notes, for each handle and component, the number in the value that was
// removed last. STOA_SEED chooses one seed.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <stoa/stoa.hpp>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/build_kind.hpp"
#include "support/components.hpp"
#include "support/environment.hpp"
#include "support/random.hpp"
#include "support/values.hpp"

using namespace stoa;
using namespace stoa_test;

namespace {

// One component: how the test acts on it without knowing its type.
struct Kind {
    bool cleanup;
    bool carries;
    void (*put)(World&, Entity, int);
    bool (*remove)(World&, Entity);
    std::size_t (*remove_from_all)(World&);
    std::size_t (*despawn_all)(World&);
    void (*keep)(World&);
    int (*removed)(const World&, Entity);  // -1: none
    int (*present)(World&, Entity);
};

template <class C>
Kind kind_of() {
    Kind kind{};
    kind.cleanup = traits<C>.cleanup;
    kind.carries = carries_number<C>;
    kind.put = [](World& world, Entity e, int number) {
        if constexpr (std::is_move_constructible_v<C>) {
            world.set(e, make<C>(number));
        } else {
            world.emplace<C>(e, number);
        }
    };
    kind.remove = [](World& world, Entity e) { return world.remove<C>(e); };
    kind.remove_from_all = [](World& world) { return world.query<With<C>>().template remove_all<C>(); };
    kind.despawn_all = [](World& world) { return world.query<With<C>>().despawn_all(); };
    kind.keep = [](World& world) { world.keep_removed<C>(); };
    kind.removed = [](const World& world, Entity e) {
        const C* value = world.find_removed<C>(e);
        return value != nullptr ? read(*value) : -1;
    };
    kind.present = [](World& world, Entity e) {
        const C* value = world.find<const C>(e);
        return value != nullptr ? read(*value) : -1;
    };
    return kind;
}

const std::array kinds{kind_of<Position>(), kind_of<Velocity>(), kind_of<Name>(),    kind_of<Owner>(),
                       kind_of<Red>(),      kind_of<Burning>(),  kind_of<Note>(),    kind_of<Pinned>(),
                       kind_of<Flag>(),     kind_of<Bag>(),      kind_of<Crate>(),   kind_of<PooledCounted>(),
                       kind_of<Grave>(),    kind_of<Tomb>(),     kind_of<Haunted>(), kind_of<Wide>(),
                       kind_of<Counted>()};

const int steps_of_a_run = static_cast<int>(by_build(20'000, 6000, 3000));

using Values = std::array<std::optional<int>, kinds.size()>;

class Run {
  public:
    Run(std::uint64_t seed, bool keep_all) : random_(seed), world_(WorldOptions{.keep_removed = keep_all}) {
        kept_.fill(keep_all);
    }

    void go(int steps) {
        for (int step = 0; step < steps; ++step) {
            act();
            if (random_.one_in(16)) compare();
        }
        compare();
    }

  private:
    std::size_t any_kind() { return random_.below(static_cast<std::uint32_t>(kinds.size())); }
    std::optional<Entity> any_entity() {
        if (entities_.empty()) return std::nullopt;
        auto at = entities_.begin();
        std::advance(at, random_.below(static_cast<std::uint32_t>(entities_.size())));
        return at->first;
    }

    void act() {
        const std::uint32_t what = random_.below(1000);
        if (what < 250) return spawn();
        if (what < 450) return edit();
        if (what < 640) return remove();
        if (what < 800) return despawn();
        if (what < 840) return strip();
        if (what < 900) return end_frame();
        if (what < 925) return copy();
        if (what < 935) return for_all();
        if (what < 940) return clear();
        if (what < 945) return world_.shrink_to_fit();
        if (what < 950) return move();
        if (what < 960) return keep();
    }

    void spawn() {
        const Entity e = world_.spawn();
        entities_[e] = {};
        handles_.push_back(e);
        for (std::uint32_t i = random_.below(6); i > 0; --i) put(e, any_kind());
    }
    void put(Entity e, std::size_t k) {
        const int number = kinds[k].carries ? ++number_ : 0;
        kinds[k].put(world_, e, number);
        entities_[e][k] = number;
    }
    void edit() {
        const std::optional<Entity> e = any_entity();
        if (e && world_.alive(*e)) put(*e, any_kind());
    }
    void remove() {
        const std::optional<Entity> e = any_entity();
        if (!e) return;
        const std::size_t k = any_kind();
        const bool had = entities_[*e][k].has_value();
        CHECK(kinds[k].remove(world_, *e) == had);
        drop(*e, k);
    }
    void despawn() {
        const std::optional<Entity> e = any_entity();
        if (!e) return;
        world_.despawn(*e);
        note_despawn(*e);
    }
    void strip() {
        const std::optional<Entity> e = any_entity();
        if (!e || !world_.alive(*e)) return;
        world_.remove_all(*e);
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (!kinds[k].cleanup) drop(*e, k);
        }
    }
    void copy() {
        const std::optional<Entity> from = any_entity();
        const std::optional<Entity> to = any_entity();
        if (!from || !to || !world_.alive(*from) || !world_.alive(*to) || from == to) return;
        const Values& values = entities_[*from];
        if (values[owner] || values[pinned]) return;  // cannot be copied
        world_.copy(*from, *to);
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (!kinds[k].cleanup && values[k]) entities_[*to][k] = values[k];
        }
    }
    void for_all() {
        const std::size_t k = any_kind();
        std::vector<Entity> matches;
        for (const auto& [e, values] : entities_) {
            if (values[k]) matches.push_back(e);
        }
        if (random_.one_in(2)) {
            kinds[k].remove_from_all(world_);
            for (const Entity e : matches) drop(e, k);
        } else {
            kinds[k].despawn_all(world_);
            for (const Entity e : matches) note_despawn(e);
        }
    }
    void clear() {
        world_.clear();
        while (!entities_.empty()) {
            const Entity e = entities_.begin()->first;
            for (std::size_t k = 0; k < kinds.size(); ++k) note(e, k);
            entities_.erase(e);
        }
    }
    void end_frame() {
        world_.end_frame();
        for (auto& of_kind : removed_) of_kind.clear();
        handles_.clear();
        for (const auto& [e, values] : entities_) handles_.push_back(e);
    }
    void move() {
        World other = std::move(world_);
        world_ = std::move(other);
    }
    void keep() {
        const std::size_t k = any_kind();
        kinds[k].keep(world_);
        kept_[k] = true;
    }

    // The model.
    void note(Entity e, std::size_t k) {
        if (kept_[k] && entities_[e][k]) removed_[k][e] = *entities_[e][k];
    }
    void drop(Entity e, std::size_t k) {
        note(e, k);
        entities_[e][k].reset();
        if (!world_.alive(e)) forget_if_bare(e);
    }
    void note_despawn(Entity e) {
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            if (kinds[k].cleanup) continue;
            note(e, k);
            entities_[e][k].reset();
        }
        forget_if_bare(e);
    }
    void forget_if_bare(Entity e) {
        for (const std::optional<int>& value : entities_[e]) {
            if (value) return;
        }
        entities_.erase(e);
    }

    void compare() {
        world_.check();
        bool same = true;
        for (std::size_t k = 0; k < kinds.size(); ++k) {
            for (const Entity e : handles_) {
                const auto expected = removed_[k].find(e);
                same &= kinds[k].removed(world_, e) == (expected != removed_[k].end() ? expected->second : -1);
            }
            for (const auto& [e, values] : entities_) same &= kinds[k].present(world_, e) == values[k].value_or(-1);
        }
        CHECK(same);
    }

    static constexpr std::size_t owner = 3;
    static constexpr std::size_t pinned = 7;

    stoa_test::Random random_;
    World world_;
    int number_ = 0;
    std::array<bool, kinds.size()> kept_{};
    std::map<Entity, Values> entities_;  // ghosts too
    std::vector<Entity> handles_;        // every handle that may have removed values
    std::array<std::map<Entity, int>, kinds.size()> removed_;
};

}  // namespace

TEST_SUITE("removed values against a model") {
    TEST_CASE("random operations") {
        const auto chosen = number_from_environment("STOA_SEED");
        const std::uint64_t runs = chosen ? 1 : 12;
        for (std::uint64_t i = 0; i < runs; ++i) {
            const std::uint64_t seed = chosen.value_or(0x5eed + i);
            CAPTURE(seed);
            Run(seed, false).go(steps_of_a_run);
            Run(seed, true).go(steps_of_a_run);
        }
        CHECK(Counted::ledger().alive == 0);
        CHECK(Counted::ledger().wrong == 0);
        CHECK(Pinned::ledger().alive == 0);
        CHECK(Pinned::ledger().wrong == 0);
        CHECK(PooledCounted::ledger().alive == 0);
        CHECK(Tomb::ledger().alive == 0);
        CHECK(Tomb::ledger().wrong == 0);
    }
}

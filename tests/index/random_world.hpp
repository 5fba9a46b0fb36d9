// Random verbs of every kind on a world with components of every kind. Called by the random test of indexes.
#pragma once

#include "support/random.hpp"

#include <stoa/stoa.hpp>

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace index_test {

using stoa::Entity;

struct Unit {
    int team = 0;
    float heat = 0;
    Entity target;
};
struct Name {
    std::string text;
};
struct Loose {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct Grave {
    int value = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};
struct Mass {
    double value = 1;
};
struct Tag {};

constexpr std::pair<int, bool> pair_of(const Unit& unit) { return {unit.team / 2, unit.heat > 0}; }

class RandomWorld {
  public:
    RandomWorld(stoa::World& world, std::uint64_t seed) : world_(world), random_(seed) {}

    std::uint32_t below(std::uint32_t limit) { return random_.below(limit); }
    bool one_in(std::uint32_t times) { return random_.one_in(times); }
    int team() { return static_cast<int>(below(8)) - 2; }
    int number() { return static_cast<int>(below(12)); }
    float heat() {
        const float odd[] = {
            0.0f, -0.0f, std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity(),
            1.5f, -2.25f};
        return one_in(3) ? odd[below(6)] : static_cast<float>(below(9)) - 4;
    }
    std::string text() {
        return std::string(below(4) * 5, static_cast<char>('a' + below(26))) + static_cast<char>('a' + below(3));
    }
    // Some entity that is there, or was.
    Entity any() { return ids_.empty() ? Entity{} : ids_[below(static_cast<std::uint32_t>(ids_.size()))]; }
    Unit unit() { return {team(), heat(), any()}; }

    void step() {
        const std::uint32_t roll = below(100);
        if (world_.size() > 150 || roll == 99) return bulk();
        if (roll < 22) return spawn();
        if (roll < 40) return edit(any());
        if (roll < 62) return remove(any());
        if (roll < 85) return write(any());
        if (roll < 92) return walk();
        if (roll < 97) return record();
        rare();
    }
    // Called in the middle of walks now and then, before a row is written and after it.
    std::function<void()> inside;

    void write(Entity entity) {
        switch (below(6)) {
            case 0:
                if (Unit* found = world_.find<Unit>(entity)) *found = unit();
                break;
            case 1:
                if (world_.has<Unit>(entity)) world_.get<Unit>(entity).team = team();
                break;
            case 2:
                if (Loose* found = world_.find<Loose>(entity)) found->value = number();
                break;
            case 3:
                if (Name* found = world_.find<Name>(entity)) found->text = text();
                break;
            case 4:
                if (Grave* found = world_.find<Grave>(entity)) found->value = number();
                break;
            default:
                world_.query<stoa::Mut<Unit>>().fetch(entity, [&](stoa::Mut<Unit> m) { m.write().heat = heat(); });
        }
    }

  private:
    void pause() {
        if (inside && one_in(12)) inside();
    }
    void keep(Entity entity) {
        if (ids_.size() > 400) ids_[below(400)] = entity;
        ids_.push_back(entity);
        if (ids_.size() > 500) ids_.resize(300);
    }
    void keep_all(const std::vector<Entity>& ids) {
        for (const Entity entity : ids) keep(entity);
    }

    void spawn() {
        std::vector<Entity> ids(below(6));
        switch (below(10)) {
            case 0:
                return keep(world_.spawn(unit()));
            case 1:
                return keep(world_.spawn(unit(), Name{text()}));
            case 2:
                return keep(world_.spawn(unit(), Loose{number()}, Tag{}));
            case 3:
                return keep(world_.spawn(Name{text()}, Grave{number()}));
            case 4:
                return keep(world_.spawn(unit(), Mass{}, Grave{number()}, Loose{number()}));
            case 5:
                world_.spawn_many(std::span{ids}, unit(), Mass{});
                return keep_all(ids);
            case 6:
                world_.spawn_many(std::span{ids}, Name{text()}, Loose{number()});
                return keep_all(ids);
            case 7: {
                std::vector<Unit> units(ids.size());
                for (Unit& one : units) one = unit();
                world_.spawn_columns(std::span{ids}, std::span{units});
                return keep_all(ids);
            }
            case 8:
                return keep(world_.table<Unit, Mass>().spawn([&](Unit& made, Mass&) { made = unit(); }));
            default:
                if (const Entity model = any(); world_.alive(model)) keep(world_.clone(model));
        }
    }
    void edit(Entity entity) {
        if (!world_.alive(entity)) return;
        switch (below(10)) {
            case 0:
                world_.set(entity, unit());
                break;
            case 1:
                world_.set(entity, unit(), Name{text()});
                break;
            case 2:
                world_.set(entity, Loose{number()});
                break;
            case 3:
                world_.emplace<Name>(entity, text());
                break;
            case 4:
                world_.emplace<Unit>(entity, team(), heat(), any());
                break;
            case 5:
                world_.add<Unit, Tag>(entity);
                break;
            case 6:
                world_.add<Mass, Loose>(entity);
                break;
            case 7:
                world_.set(entity, Grave{number()});
                break;
            case 8:
                world_.add<Tag>(entity);
                break;
            default:
                if (const Entity from = any(); world_.alive(from)) world_.copy(from, entity);
        }
    }
    void remove(Entity entity) {
        switch (below(9)) {
            case 0:
            case 1:
            case 2:
                world_.despawn(entity);
                break;
            case 3:
                world_.remove<Unit>(entity);
                break;
            case 4:
                world_.remove<Name, Loose>(entity);
                break;
            case 5:
                world_.remove<Grave>(entity);
                break;
            case 6:
                world_.remove<Loose>(entity);
                break;
            case 7:
                world_.remove<Mass, Tag>(entity);
                break;
            default:
                world_.remove_all(entity);
        }
    }
    // With pauses between the moment when a row is handed out and the writes to it.
    void walk() {
        const auto put = [this](auto&& write) {
            pause();
            write();
            pause();
        };
        switch (below(8)) {
            case 0:
                world_.query<Unit, With<>>().each([&](Unit& one) {
                    if (one_in(9)) put([&] { one.team = team(); });
                });
                break;
            case 1:
                world_.query<stoa::Mut<Unit>, stoa::With<Tag>>().each([&](stoa::Mut<Unit> m) {
                    if (one_in(3)) put([&] { m.write() = unit(); });
                });
                break;
            case 2:
                world_.query<Unit, Loose>().each_chunk([&](std::span<Unit> units, std::span<Loose> looses) {
                    for (Unit& one : units) put([&] { one.heat = heat(); });
                    for (Loose& one : looses) put([&] { one.value = number(); });
                });
                break;
            case 3:
                for (auto [entity, name] : world_.query<Name>()) {
                    if (one_in(4)) put([&name = name, this] { name.text = text(); });
                }
                break;
            case 4:
                world_.query<Grave>().each([&](Grave& one) { put([&] { one.value += one_in(10) ? 1 : 0; }); });
                break;
            case 5:
                world_.query<Loose>().each_until([&](Loose& one) {
                    put([&] { one.value = number(); });
                    return one_in(5);
                });
                break;
            case 6:
                world_.query<Unit, stoa::Maybe<Loose>>().each([&](Unit& one, Loose* loose) {
                    put([&] { one.team = team(); });
                    if (loose != nullptr) put([&] { loose->value = number(); });
                });
                break;
            default:
                world_.query<Unit>().reversed().each([&](Unit& one) {
                    if (one_in(20)) put([&] { one.target = any(); });
                });
        }
    }
    template <class...>
    using With = stoa::With<>;

    void record() {
        stoa::Commands& later = world_.commands();
        for (std::uint32_t i = below(12); i-- > 0;) {
            const Entity entity = any();
            switch (below(7)) {
                case 0:
                    keep(later.spawn(unit(), Name{text()}));
                    break;
                case 1:
                    later.set(entity, unit());
                    break;
                case 2:
                    later.remove<Unit>(entity);
                    break;
                case 3:
                    later.add<Loose, Name>(entity);
                    break;
                case 4:
                    later.despawn(entity);
                    break;
                case 5:
                    later.remove<Loose, Tag>(entity);
                    break;
                default:
                    later.set(entity, Loose{number()}, Grave{number()});
            }
        }
        if (one_in(3)) {
            world_.end_frame();
        } else {
            world_.flush();
        }
    }
    void bulk() {
        switch (below(12)) {
            case 0:
                world_.query<Unit, stoa::Without<Name>>().despawn_all();
                break;
            case 1:
                world_.query<Unit, stoa::With<Tag>>().remove_all<Unit>();
                break;
            case 2:
                world_.query<Mass>().set_all(unit());
                break;
            case 3:
                world_.query<Unit>().add_all<Tag>();
                break;
            case 4:
                world_.query<Tag>().remove_all<Tag>();
                break;
            case 5:
                world_.query<Loose>().remove_all<Loose>();
                break;
            case 6:
                world_.query<Name>().despawn_all();
                break;
            case 7:
                world_.query<Grave>().remove_all<Grave>();
                break;
            case 8:
                world_.query<Name>().set_all(Name{text()}, Loose{number()});
                break;
            case 9:
                world_.query<Loose>().despawn_all();
                break;
            case 10:
                world_.query<stoa::Without<Unit>>().add_all<Unit>();
                break;
            default:
                if (one_in(3)) world_.clear();
        }
    }
    void rare() {
        switch (below(6)) {
            case 0:
                world_.shrink_to_fit();
                break;
            case 1:
                world_ = stoa::World(std::move(world_));
                break;
            case 2:
                watched_ = world_.query<Unit>().on_leave([](Entity) {});
                break;
            case 3:
                watched_.reset();
                break;
            case 4:
                world_.query<const Unit, stoa::Changed<Unit>>().each([](const Unit&) {});
                break;
            default:
                if (one_in(20)) world_.keep_removed<Name>();
        }
    }

    stoa::World& world_;
    stoa_test::Random random_;
    std::vector<Entity> ids_;
    std::optional<stoa::Subscription> watched_;
};

}  // namespace index_test

// Edits as data: a random edit can be recorded in a command buffer, or applied to a world at once. The oracle does one
// in one world and the other in another. Invariant: equal edits in an equal order mean the same in both.
#pragma once

#include "../support/type_list.hpp"
#include "../support/values.hpp"

#include <stoa/stoa.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace command_test {

using namespace stoa_test;  // the components

using stoa::Commands;
using stoa::Entity;
using stoa::World;

/// One list of types, with everything that can be done with it.
struct Combo {
    Entity (*record_spawn)(Commands&, int);
    Entity (*record_default)(Commands&);
    Entity (*record_initialized)(Commands&, int);
    void (*record_set)(Commands&, Entity, int);
    void (*record_add)(Commands&, Entity);
    void (*record_remove)(Commands&, Entity);
    void (*record_replace)(Commands&, Entity, int);  // the first type by a partner, and the partner by it
    Entity (*spawn)(World&, int);
    Entity (*spawn_default)(World&);
    void (*set)(World&, Entity, int);
    void (*add)(World&, Entity);
    bool (*remove)(World&, Entity);
    void (*replace)(World&, Entity, int);
};

// What the first type of a combo is replaced by, and the other way round if the number is odd.
template <class T>
using Partner = std::conditional_t<std::is_same_v<T, Position>, Score, Position>;

template <class To, class T>
void replace_in(To& to, Entity e, int n) {
    if (n % 2 == 0) {
        to.template replace<T>(e, stoa_test::make<Partner<T>>(n));
    } else {
        to.template replace<Partner<T>>(e, stoa_test::make<T>(n));
    }
}

template <class T, class... Ts>
constexpr Combo combo_of() {
    using stoa_test::make;
    using stoa_test::write;
    return {
        [](Commands& later, int n) { return later.spawn(make<T>(n), make<Ts>(n)...); },
        [](Commands& later) { return later.spawn<T, Ts...>(); },
        [](Commands& later, int n) { return later.spawn<T, Ts...>([n](auto&... values) { (write(values, n), ...); }); },
        [](Commands& later, Entity e, int n) { later.set(e, make<T>(n), make<Ts>(n)...); },
        [](Commands& later, Entity e) { later.add<T, Ts...>(e); },
        [](Commands& later, Entity e) { later.remove<T, Ts...>(e); },
        &replace_in<Commands, T>,
        [](World& world, int n) { return world.spawn(make<T>(n), make<Ts>(n)...); },
        [](World& world) { return world.spawn<T, Ts...>(); },
        [](World& world, Entity e, int n) { world.set(e, make<T>(n), make<Ts>(n)...); },
        [](World& world, Entity e) { world.add<T, Ts...>(e); },
        [](World& world, Entity e) { return world.remove<T, Ts...>(e); },
        &replace_in<World, T>,
    };
}

inline const std::vector<Combo>& combos() {
    static const std::vector<Combo> all{
        combo_of<Position>(),
        combo_of<Velocity>(),
        combo_of<Name>(),
        combo_of<Counted>(),
        combo_of<Red>(),
        combo_of<Owner>(),
        combo_of<Wide, Position>(),
        combo_of<Position, Velocity>(),
        combo_of<Name, Counted2, Blue>(),
        combo_of<Velocity, Counted, Position, Red>(),
        combo_of<Burning>(),
        combo_of<Note>(),
        combo_of<Flag>(),
        combo_of<Clumsy>(),
        combo_of<SparseCounted, Note>(),
        combo_of<Position, Burning>(),
        combo_of<Counted, SparseCounted, Red>(),
        combo_of<Bag>(),
        combo_of<PooledCounted, Velocity>(),
        combo_of<Crate>(),
        combo_of<Grave>(),
        combo_of<Haunted, Name>(),
        combo_of<Tomb>(),
        combo_of<Hollow, int>(),
    };
    return all;
}

inline constexpr std::uint32_t owner_combo = 5;  // the only one that cannot be copied

enum class Kind : std::uint8_t {
    spawn,
    spawn_default,
    spawn_initialized,
    clone,
    despawn,
    add,
    set,
    remove,
    replace,
    remove_all,
    copy,
    run
};

struct Edit {
    Kind kind = Kind::despawn;
    std::uint32_t combo = 0;
    std::uint32_t subject = 0;  // number of a handle, the same in both worlds
    std::uint32_t other = 0;    // of a clone the model, of a copy the source
    int number = 0;
    std::vector<Edit> nested;  // of a run: recorded when it runs
};

using Handles = std::vector<Entity>;

struct Counts {
    std::size_t applied = 0;
    std::size_t skipped = 0;
};

/// Records an edit; `handles` gets the id of a spawn.
inline void record(Commands& later, Handles& handles, const Edit& edit) {
    const Combo& combo = combos()[edit.combo];
    const Entity subject = handles[edit.subject];
    switch (edit.kind) {
        case Kind::spawn:
            handles[edit.subject] = combo.record_spawn(later, edit.number);
            break;
        case Kind::spawn_default:
            handles[edit.subject] = combo.record_default(later);
            break;
        case Kind::spawn_initialized:
            handles[edit.subject] = combo.record_initialized(later, edit.number);
            break;
        case Kind::despawn:
            later.despawn(subject);
            break;
        case Kind::add:
            combo.record_add(later, subject);
            break;
        case Kind::set:
            combo.record_set(later, subject, edit.number);
            break;
        case Kind::remove:
            combo.record_remove(later, subject);
            break;
        case Kind::replace:
            combo.record_replace(later, subject, edit.number);
            break;
        case Kind::remove_all:
            later.remove_all(subject);
            break;
        case Kind::clone:
            handles[edit.subject] = later.clone(handles[edit.other]);
            break;
        case Kind::copy:
            later.copy(handles[edit.other], subject);
            break;
        case Kind::run:
            later.run([&later, &handles, nested = edit.nested](World&) {
                for (const Edit& one : nested) record(later, handles, one);
            });
            break;
    }
}

inline bool apply_one(World& world, Handles& handles, const Edit& edit) {
    const Combo& combo = combos()[edit.combo];
    const Entity subject = handles[edit.subject];
    const bool alive = world.alive(subject);
    switch (edit.kind) {
        case Kind::spawn:
        case Kind::spawn_initialized:
            handles[edit.subject] = combo.spawn(world, edit.number);
            return true;
        case Kind::spawn_default:
            handles[edit.subject] = combo.spawn_default(world);
            return true;
        case Kind::despawn:
            return world.despawn(subject);
        case Kind::add:
            if (alive) combo.add(world, subject);
            return alive;
        case Kind::set:
            if (alive) combo.set(world, subject, edit.number);
            return alive;
        case Kind::remove:
            return combo.remove(world, subject) || alive;
        case Kind::replace:
            combo.replace(world, subject, edit.number);
            return alive;
        case Kind::remove_all:
            return world.remove_all(subject) || alive;
        case Kind::clone:
            if (!world.alive(handles[edit.other])) return false;
            handles[edit.subject] = world.clone(handles[edit.other]);
            return true;
        case Kind::copy:
            if (!alive || !world.alive(handles[edit.other])) return false;
            world.copy(handles[edit.other], subject);
            return true;
        case Kind::run:
            return true;
    }
    return false;
}

template <class C>
void compare(World& a, Entity in_a, World& b, Entity in_b, std::string& out) {
    const bool there = a.has<C>(in_a);
    if (there != b.has<C>(in_b)) {
        out += std::string(a.component<C>().name) + (there ? " is there; " : " is not there; ");
        return;
    }
    if (!there) return;
    const int mine = read(*a.find<const C>(in_a));
    const int other = read(*b.find<const C>(in_b));
    if (mine != other) {
        out += std::string(a.component<C>().name) + " is " + std::to_string(mine) + ", not " + std::to_string(other) +
               "; ";
    }
}

/// Applies edits one by one; those of a run come after all others.
inline Counts apply(World& world, Handles& handles, std::vector<Edit> edits) {
    Counts counts;
    for (std::size_t i = 0; i < edits.size(); ++i) {
        ++(apply_one(world, handles, edits[i]) ? counts.applied : counts.skipped);
        const std::vector<Edit> nested = std::move(edits[i].nested);
        edits.insert(edits.end(), nested.begin(), nested.end());
    }
    return counts;
}

/// One sentence on the first differences of an entity in two worlds, or an empty string.
inline std::string difference(World& a, Entity in_a, World& b, Entity in_b) {
    std::string out;
    if (a.alive(in_a) != b.alive(in_b)) out += a.alive(in_a) ? "is alive; " : "is not alive; ";
    AllComponents::each([&]<class C>() { compare<C>(a, in_a, b, in_b, out); });
    return out;
}

}  // namespace command_test

// The paths of values that have constructors, which go through a RowDraft, and of whole entities. Texts are short, so
// that no path allocates memory for them. tools/instructions.py counts their instructions, see count.hpp. It uses
// public headers only, so that it can be compiled against another revision of the library.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <stoa/stoa.hpp>

#include "count.hpp"

namespace {

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Name {
    std::string text;
};
struct Title {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

using counted::count;
using counted::operations;
using stoa::Entity;
using stoa::World;
using Ids = std::span<const Entity>;
using Names = stoa::HashIndex<&Name::text>;

// Each path knows nothing of what it is called with.

[[gnu::noipa]] void spawn_string(World& world, std::span<Entity> out) {
    for (Entity& id : out) id = world.spawn(Position{1, 2}, Name{"new"});
}

[[gnu::noipa]] void spawn_string_later(World& world) {
    stoa::Commands& later = world.commands();
    for (std::size_t i = 0; i < operations; ++i) later.spawn(Position{1, 2}, Name{"new"});
    world.flush();
}

[[gnu::noipa]] void spawn_prefab(const stoa::Prefab& prefab) {
    for (std::size_t i = 0; i < operations; ++i) prefab.spawn(Name{"new"});
}

[[gnu::noipa]] void spawn_many(World& world, std::span<Entity> out) {
    world.spawn_many(out, Position{1, 2}, Name{"new"});
}

[[gnu::noipa]] void set_string(World& world, const Ids& ids) {
    for (const Entity id : ids) world.set(id, Name{"new"});
}

[[gnu::noipa]] void set_two(World& world, const Ids& ids) {
    for (const Entity id : ids) world.set(id, Velocity{3, 4}, Name{"new"});
}

[[gnu::noipa]] void set_sparse_string(World& world, const Ids& ids) {
    for (const Entity id : ids) world.set(id, Title{"new"});
}

[[gnu::noipa]] void emplace_string(World& world, const Ids& ids) {
    for (const Entity id : ids) world.emplace<Name>(id, "new");
}

[[gnu::noipa]] void set_string_later(World& world, const Ids& ids) {
    stoa::Commands& later = world.commands();
    for (const Entity id : ids) later.set(id, Name{"new"});
    world.flush();
}

[[gnu::noipa]] void clone(World& world, const Ids& ids) {
    for (const Entity id : ids) world.clone(id);
}

[[gnu::noipa]] void copy(World& world, const Ids& ids, Entity from) {
    for (const Entity id : ids) world.copy(from, id);
}

[[gnu::noipa]] std::size_t find_text(const Names& names, std::span<const std::string> texts) {
    std::size_t sum = 0;
    for (const std::string& text : texts) sum += names.find(text) ? 1U : 0U;
    return sum;
}

template <class... Ts>
std::vector<Entity> spawned(World& world, const Ts&... values) {
    std::vector<Entity> ids(operations);
    world.spawn_many(ids, values...);
    return ids;
}

template <class T>
auto number_is(World& world, std::size_t number) {
    return [&world, number] { return world.query<const T>().count() == number; };
}

void count_spawns(World& world) {
    std::vector<Entity> ids(operations);
    const stoa::Prefab prefab(world, Position{1, 2}, Name{"old"});
    count(
        "spawn_string", [&] { spawn_string(world, ids); }, number_is<Name>(world, operations));
    count(
        "spawn_string_later", [&] { spawn_string_later(world); }, number_is<Name>(world, 2 * operations));
    count(
        "spawn_prefab", [&] { spawn_prefab(prefab); }, number_is<Name>(world, 3 * operations));
    count(
        "spawn_many", [&] { spawn_many(world, ids); }, number_is<Name>(world, 4 * operations));
}

void count_strings(World& world) {
    const std::vector<Entity> ids = spawned(world, Position{1, 2});
    count(
        "add_string", [&] { set_string(world, ids); }, number_is<Name>(world, operations));
    count(
        "overwrite_string", [&] { set_string(world, ids); }, number_is<Name>(world, operations));
    count(
        "add_sparse_string", [&] { set_sparse_string(world, ids); }, number_is<Title>(world, operations));
    count(
        "overwrite_sparse_string", [&] { set_sparse_string(world, ids); }, number_is<Title>(world, operations));
}

void count_more_strings(World& world) {
    count(
        "add_two", [&world, ids = spawned(world, Position{1, 2})] { set_two(world, ids); },
        number_is<Name>(world, operations));
    count(
        "overwrite_two", [&world, ids = spawned(world, Velocity{}, Name{})] { set_two(world, ids); },
        number_is<Name>(world, 2 * operations));
    count(
        "emplace_string", [&world, ids = spawned(world, Position{1, 2})] { emplace_string(world, ids); },
        number_is<Name>(world, 3 * operations));
    count(
        "add_string_later", [&world, ids = spawned(world, Position{1, 2})] { set_string_later(world, ids); },
        number_is<Name>(world, 4 * operations));
}

void count_copies(World& world) {
    const std::vector<Entity> ids = spawned(world, Position{1, 2}, Name{"old"}, Title{"old"});
    count(
        "clone", [&] { clone(world, ids); }, number_is<Title>(world, 2 * operations));
    count(
        "copy",
        [&] {
            copy(world, ids, world.spawn(Position{3, 4}, Name{"new"}));
        },
        [&] { return world.get<const Name>(ids.back()).text == "new"; });
}

void count_texts(World& world) {
    std::vector<std::string> texts(operations);
    for (std::size_t i = 0; i < operations; ++i) {
        texts[i] = "key " + std::to_string(i);
        world.spawn(Name{texts[i]});
    }
    const Names names(world);
    names.refresh();
    std::size_t found = 0;
    count(
        "find_text", [&] { found = find_text(names, texts); }, [&] { return found == operations; });
}

}  // namespace

int main() {
    World world;
    // A later round takes the place of an earlier one: in the second, tables, plans and memory are there.
    for (int round = 0; round < 2; ++round) {
        for (const auto part : {count_spawns, count_strings, count_more_strings, count_copies}) {
            part(world);
            world.clear();
        }
    }
    World indexed;  // an index makes its component tracked for ever
    count_texts(indexed);
}

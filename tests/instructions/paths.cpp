// The hot paths of values that are plain bytes, and walks. tools/instructions.py counts their instructions, see
// count.hpp. Built twice: optimised, and as a debug build, where walks are compared with a loop by hand.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
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
struct Acceleration {
    float x, y;
};
struct Mass {
    float x, y;
};
struct Charge {
    float x, y;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};
struct Spin {
    float x, y;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

using stoa::Entity;
using stoa::World;
using Ids = std::span<const Entity>;
using counted::count;
using counted::operations;
using Movers = stoa::Query<Position, const Velocity>;

// Each path knows nothing of what it is called with.

[[gnu::noipa]] void spawn(World& world, std::span<Entity> out) {
    for (Entity& id : out) id = world.spawn(Position{1, 2}, Velocity{3, 4});
}

[[gnu::noipa]] void spawn_later(World& world) {
    stoa::Commands& later = world.commands();
    for (std::size_t i = 0; i < operations; ++i) later.spawn(Position{1, 2}, Velocity{3, 4});
    world.flush();
}

[[gnu::noipa]] void despawn(World& world, const Ids& ids) {
    for (const Entity id : ids) world.despawn(id);
}

[[gnu::noipa]] void add(World& world, const Ids& ids) {
    for (const Entity id : ids) world.set(id, Acceleration{5, 6});
}

[[gnu::noipa]] void remove(World& world, const Ids& ids) {
    for (const Entity id : ids) world.remove<Acceleration>(id);
}

[[gnu::noipa]] void replace(World& world, const Ids& ids) {
    for (const Entity id : ids) world.replace<Acceleration>(id, Mass{7, 8});
}

[[gnu::noipa]] void replace_sparse(World& world, const Ids& ids) {
    for (const Entity id : ids) world.replace<Charge>(id, Spin{7, 8});
}

[[gnu::noipa]] void add_sparse(World& world, const Ids& ids) {
    for (const Entity id : ids) world.set(id, Charge{5, 6});
}

[[gnu::noipa]] void remove_sparse(World& world, const Ids& ids) {
    for (const Entity id : ids) world.remove<Charge>(id);
}

[[gnu::noipa]] float get(World& world, const Ids& ids) {
    float sum = 0;
    for (const Entity id : ids) sum += world.get<const Position>(id).x;
    return sum;
}

[[gnu::noipa]] std::size_t has(World& world, const Ids& ids) {
    std::size_t sum = 0;
    for (const Entity id : ids) sum += world.has<Velocity>(id) ? 1U : 0U;
    return sum;
}

[[gnu::noipa]] void remove_later(World& world, const Ids& ids) {
    stoa::Commands& later = world.commands();
    for (const Entity id : ids) later.remove<Acceleration>(id);
    world.flush();
}

[[gnu::noipa]] void each(const Movers& movers) {
    movers.each([](Position& position, const Velocity& velocity) {
        position.x += velocity.x;
        position.y += velocity.y;
    });
}

// Through pointers: in a debug build every access through a span is a call, which is not what is counted here.
[[gnu::noipa]] void each_chunk(const Movers& movers) {
    movers.each_chunk([](std::span<Position> positions, std::span<const Velocity> velocities) {
        Position* position = positions.data();
        const Velocity* velocity = velocities.data();
        for (std::size_t row = 0, count = positions.size(); row < count; ++row) {
            position[row].x += velocity[row].x;
            position[row].y += velocity[row].y;
        }
    });
}

[[gnu::noipa]] void range_for(const Movers& movers) {
    for (auto [id, position, velocity] : movers) {
        position.x += velocity.x;
        position.y += velocity.y;
    }
}

// The same by hand.
[[gnu::noipa]] void raw(Position* positions, const Velocity* velocities, std::size_t count) {
    for (std::size_t row = 0; row < count; ++row) {
        positions[row].x += velocities[row].x;
        positions[row].y += velocities[row].y;
    }
}

// Messages of 16 bytes.
struct Hit {
    Entity target;
    int damage;
};

[[gnu::noipa]] void send(World& world, Entity target) {
    for (std::size_t i = 0; i < operations; ++i) world.send(Hit{target, static_cast<int>(i)});
}

[[gnu::noipa]] void send_in_system(stoa::Messages<Hit> hits, Entity target) {
    for (std::size_t i = 0; i < operations; ++i) hits.send(Hit{target, static_cast<int>(i)});
}

[[gnu::noipa]] long read(stoa::MessageReader<Hit>& reader) {
    long sum = 0;
    for (const Hit& hit : reader.read()) sum += hit.damage;
    return sum;
}

// Tags, and queries of each four of them, made below the typed interface: a thousand names of types would take long to
// compile.
template <std::size_t>
struct Tag {};
constexpr std::size_t tags = 14;
constexpr std::size_t query_number = 1000;

struct TagVerbs {
    stoa::detail::TypeHandle* slot;
    bool (*add)(stoa::detail::Store&, Entity);
    bool (*remove)(stoa::detail::Store&, Entity);
};
template <std::size_t... Is>
std::array<TagVerbs, tags> make_verbs(std::index_sequence<Is...>) {
    using namespace stoa::detail;
    return {{{&type_handle<Tag<Is>>, &stoa::detail::add<Tag<Is>>, &stoa::detail::remove<Tag<Is>>}...}};
}

// Takes an entity through sets of tags, no two of them equal: the order of a Gray code. Each set is a new table.
[[gnu::noipa]] void table_for_queries(stoa::detail::Store& store, Entity e, std::span<const TagVerbs> verbs) {
    for (std::uint32_t step = 1; step <= operations; ++step) {
        const auto tag = static_cast<std::size_t>(std::countr_zero(step));
        const bool comes = ((step ^ (step >> 1)) >> tag & 1) != 0;
        (comes ? verbs[tag].add : verbs[tag].remove)(store, e);
    }
}

std::vector<Entity> spawn_movers(World& world) {
    std::vector<Entity> ids(operations);
    world.spawn_many(ids, Position{1, 2}, Velocity{3, 4});
    return ids;
}

// The same disorder each time.
void shuffle(std::vector<Entity>& ids) {
    std::uint64_t state = 7;
    for (std::size_t left = ids.size(); left > 1; --left) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        std::swap(ids[left - 1], ids[(state >> 33) % left]);
    }
}

template <class T>
auto number_is(World& world, std::size_t number) {
    return [&world, number] { return world.query<const T>().count() == number; };
}

void count_lives(World& world) {
    std::vector<Entity> ids(operations);
    count(
        "spawn", [&] { spawn(world, ids); }, number_is<Velocity>(world, operations));
    count(
        "despawn", [&] { despawn(world, ids); }, number_is<Velocity>(world, 0));
    count(
        "spawn_later", [&] { spawn_later(world); }, number_is<Velocity>(world, operations));
}

void count_changes(World& world) {
    const std::vector<Entity> ids = spawn_movers(world);
    count(
        "add", [&] { add(world, ids); }, number_is<Acceleration>(world, operations));
    count(
        "remove", [&] { remove(world, ids); }, number_is<Acceleration>(world, 0));
    count(
        "add_sparse", [&] { add_sparse(world, ids); }, number_is<Charge>(world, operations));
    count(
        "remove_sparse", [&] { remove_sparse(world, ids); }, number_is<Charge>(world, 0));
    add(world, ids);
    count(
        "replace", [&] { replace(world, ids); }, number_is<Mass>(world, operations));
    world.query<>().remove_all<Mass>();
    add_sparse(world, ids);
    count(
        "replace_sparse", [&] { replace_sparse(world, ids); }, number_is<Spin>(world, operations));
    world.query<>().remove_all<Spin>();
    add(world, ids);
    count(
        "remove_later", [&] { remove_later(world, ids); }, number_is<Acceleration>(world, 0));
}

void count_lookups(World& world) {
    std::vector<Entity> ids = spawn_movers(world);
    for (std::size_t i = 0; i < operations; i += 2) world.remove<Velocity>(ids[i]);
    shuffle(ids);
    float sum = 0;
    count(
        "get", [&] { sum = get(world, ids); }, [&] { return sum == static_cast<float>(operations); });
    std::size_t found = 0;
    count(
        "has", [&] { found = has(world, ids); }, [&] { return found == operations / 2; });
}

void count_walks(World& world) {
    const std::vector<Entity> ids = spawn_movers(world);
    const Movers movers = world.query<Position, const Velocity>();
    const auto last_is = [&](float x) { return [&, x] { return world.get<const Position>(ids.back()).x == x; }; };
    count(
        "each", [&] { each(movers); }, last_is(4));
    count(
        "each_chunk", [&] { each_chunk(movers); }, last_is(7));
    count(
        "range_for", [&] { range_for(movers); }, last_is(10));
    std::vector<Position> positions(operations, Position{1, 2});
    const std::vector<Velocity> velocities(operations, Velocity{3, 4});
    count(
        "raw", [&] { raw(positions.data(), velocities.data(), operations); }, [&] { return positions.back().x == 4; });
}

// In a world of their own, whose memory is warm.
void count_messages() {
    using namespace stoa::detail;
    World world;
    const Entity target = world.spawn();
    stoa::MessageReader<Hit> reader{world};
    const auto is_full = [&] { return reader.size() == operations; };
    const auto end = [&] {
        reader.clear();
        world.end_frame();
    };
    send(world, target);
    end();
    count(
        "send", [&] { send(world, target); }, is_full);
    end();
    const auto hits = MessagesAccess::sender<Hit>(message_queue<Hit>(store_of(world, "send"), "send"));
    count(
        "send_in_system", [&] { send_in_system(hits, target); }, is_full);
    long sum = 0;
    count(
        "read", [&] { sum = read(reader); },
        [&] { return sum == static_cast<long>(operations * (operations - 1) / 2); });
}

// How much a table costs that is new to a thousand queries.
void count_tables() {
    using namespace stoa::detail;
    const std::array<TagVerbs, tags> verbs = make_verbs(std::make_index_sequence<tags>{});
    std::vector<std::array<Alternative, 4>> specs;
    std::vector<TermList> lists;
    specs.reserve(query_number);
    lists.reserve(query_number);
    Store store(stoa::WorldOptions{});
    for (std::uint32_t set = 0; lists.size() < query_number; ++set) {
        if (std::popcount(set) != 4) continue;
        auto& terms = specs.emplace_back();
        std::uint32_t condition = 0;
        for (std::size_t tag = 0; tag < tags; ++tag) {
            if ((set >> tag & 1) == 0) continue;
            terms[condition] = {verbs[tag].slot, condition};
            ++condition;
        }
        lists.push_back({terms.data(), 4, {}});
        static_cast<void>(query_state(store, lists.back()));
    }
    const Entity e = stoa::detail::spawn<>(store);
    count(
        "table_for_queries", [&] { table_for_queries(store, e, verbs); },
        [&] {
            return store.tables().size() > operations && query_state(store, lists[0]).tables().size() > operations / 32;
        });
}

}  // namespace

int main() {
    World world;
    // A later round takes the place of an earlier one: in the second, tables, plans and memory are there.
    for (int round = 0; round < 2; ++round) {
        for (const auto part : {count_lives, count_changes, count_lookups, count_walks}) {
            part(world);
            world.clear();
        }
    }
    count_messages();
    count_tables();
}

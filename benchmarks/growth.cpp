// What a unit costs as a world grows: an entity among up to ten million, a table among up to 65,536, a query among a
// thousand, a component type among two hundred. Listed by workloads.cpp.
#include "bodies.hpp"
#include "own_components.hpp"
#include "tables.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

/// Per table.
template <class Tables>
struct MakeTables {
    explicit MakeTables(std::size_t n) : count(n) {}

    std::size_t operations() const { return count; }
    void prepare(Tables&) {}
    void run(Tables& tables) { tables.build(count); }
    std::uint64_t checksum(Tables& tables) {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < count; ++i) {
            sum = fold(sum, tables.sum_of(i));
        }
        return sum;
    }

    std::size_t count;
};

/// Per table that matches: every second one, with one row.
template <class Tables>
struct WalkTables : MakeTables<Tables> {
    using MakeTables<Tables>::MakeTables;
    std::size_t operations() const { return this->count / 2; }
    void prepare(Tables& tables) { tables.build(this->count); }
    void run(Tables& tables) { tables.walk(); }
};

/// Entities in a world that knows n other component types, each used by a table of its own.
template <class World>
struct SpawnAmongTypes : Create2<World> {
    explicit SpawnAmongTypes(std::size_t n) : Create2<World>(10000), types(n) {}
    void prepare(World& world) { world.use_types(types); }

    std::size_t types;
};

template <class World>
struct AddAmongTypes : Create2<World> {
    explicit AddAmongTypes(std::size_t n) : Create2<World>(10000), types(n) {}
    void build(World& world) {
        world.use_types(types);
        world.create2(this->ids);
    }
    void run(World& world) { world.add_acceleration(this->ids); }
    void undo(World& world) { world.remove_acceleration(this->ids); }

    std::size_t types;
};

/// A world with n live queries, all of which match the tables that have Data. By hand there are no queries, only loops.
class QueriedWorld {
  public:
    void ask(std::size_t queries) {
        for (std::size_t i = 0; i < queries; ++i) {
            query_without_own(world_, i);
        }
    }

    /// One entity in each of `mark_count` new tables: one that the queries match, or one that they do not.
    void spawn_matching() { spawn_each(Marks{}, Data{1}); }
    void spawn_apart() { spawn_each(Marks{}); }

    std::uint64_t tables() { return world_.stats().tables; }

  private:
    using Marks = std::make_integer_sequence<int, mark_count>;

    template <int... Number, class... Common>
    void spawn_each(std::integer_sequence<int, Number...>, const Common&... common) {
        (world_.spawn(Mark<Number>{Number}, common...), ...);
    }

    stoa::World world_;
};

/// Per spawn.
template <void (QueriedWorld::*Spawn)()>
struct SpawnAmongQueries {
    explicit SpawnAmongQueries(std::size_t n) : queries(n) {}

    std::size_t operations() const { return mark_count; }
    void prepare(QueriedWorld& world) { world.ask(queries); }
    void run(QueriedWorld& world) { (world.*Spawn)(); }
    std::uint64_t checksum(QueriedWorld& world) { return world.tables(); }

    std::size_t queries;
};

/// Per query: each is made again, among the others.
struct AskAgain {
    explicit AskAgain(std::size_t n) : queries(n) {}

    std::size_t operations() const { return queries; }
    void prepare(QueriedWorld& world) {
        world.spawn_matching();
        world.ask(queries);
    }
    void run(QueriedWorld& world) { world.ask(queries); }
    std::uint64_t checksum(QueriedWorld& world) { return world.tables(); }

    std::size_t queries;
};

template <template <class, class> class Shape, template <class> class Body>
Workload table_workload(const char* name) {
    return {name,
            {10, 1000, 65536},
            make_trial<Shape<RawTables, Body<RawTables>>>,
            make_trial<Shape<StoaTables, Body<StoaTables>>>};
}

template <template <class, class> class Shape, class Body>
Workload query_workload(const char* name) {
    return {name, {10, 1000}, nullptr, make_trial<Shape<QueriedWorld, Body>>};
}

}  // namespace

void add_growth_workloads(std::vector<Workload>& list) {
    const std::vector<std::size_t> entities{1000, 10000, 100000, 1000000, 10000000};
    list.push_back(workload<Fresh, Create2>("growth_spawn", entities));
    list.push_back(workload<Steady, Iterate2>("growth_each", entities));
    list.push_back(workload<Steady, GetAtRandom>("growth_get", entities));
    list.push_back(workload<Fresh, DestroyInOrder>("growth_despawn", entities));
    list.push_back(table_workload<Fresh, MakeTables>("growth_tables"));
    list.push_back(table_workload<Steady, WalkTables>("growth_tables_walk"));
    list.push_back(query_workload<Fresh, SpawnAmongQueries<&QueriedWorld::spawn_matching>>("growth_queries_match"));
    list.push_back(query_workload<Fresh, SpawnAmongQueries<&QueriedWorld::spawn_apart>>("growth_queries_apart"));
    list.push_back(query_workload<Steady, AskAgain>("growth_queries_again"));
    list.push_back(workload<Fresh, SpawnAmongTypes>("growth_types_spawn", {10, 200}));
    list.push_back(workload<Alternating, AddAmongTypes>("growth_types_add", {10, 200}));
}

}  // namespace bench

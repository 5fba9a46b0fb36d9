// Large worlds: ten million entities, 65,536 tables. Listed by main.cpp.
#include "bodies.hpp"
#include "tables.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class World>
struct Spawn : Body<World> {
    using Body<World>::Body;
    void run(World& world) { world.create2(this->ids); }
    std::uint64_t checksum(World& world) { return this->position_sum(world); }
};

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

}  // namespace

void add_growth_workloads(std::vector<Workload>& list) {
    list.push_back(workload<Fresh, Spawn>("growth_spawn2", {10000000}));
    list.push_back({"growth_tables",
                    {65536},
                    make_trial<Fresh<RawTables, MakeTables<RawTables>>>,
                    make_trial<Fresh<StoaTables, MakeTables<StoaTables>>>});
}

}  // namespace bench

// Structural change of entities with two components: add and remove a component or a tag, in a table and in sparse
// storage; replace a third component by another; and a cycle of spawning and despawning. Listed by workloads.cpp.
#include "bodies.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class World>
using Ids = std::span<const typename World::Id>;

// What is added and removed: four kinds.

template <class World>
struct TableComponent {
    static void add(World& world, Ids<World> ids) { world.add_acceleration(ids); }
    static void remove(World& world, Ids<World> ids) { world.remove_acceleration(ids); }
    static bool has(World& world, typename World::Id id) { return world.has_acceleration(id); }
};

template <class World>
struct SparseComponent {
    static void add(World& world, Ids<World> ids) { world.add_sparse_acceleration(ids); }
    static void remove(World& world, Ids<World> ids) { world.remove_sparse_acceleration(ids); }
    static bool has(World& world, typename World::Id id) { return world.has_sparse_acceleration(id); }
};

template <class World>
struct TableTag {
    static void add(World& world, Ids<World> ids) { world.add_tag(ids); }
    static void remove(World& world, Ids<World> ids) { world.remove_tag(ids); }
    static bool has(World& world, typename World::Id id) { return world.has_tag(id); }
};

template <class World>
struct OutsideTag {
    static void add(World& world, Ids<World> ids) { world.add_sparse_tag(ids); }
    static void remove(World& world, Ids<World> ids) { world.remove_sparse_tag(ids); }
    static bool has(World& world, typename World::Id id) { return world.has_sparse_tag(id); }
};

template <class World, class Kind>
struct ChangeBody : Body<World> {
    using Body<World>::Body;
    void build(World& world) { world.create2(this->ids); }
    std::uint64_t checksum(World& world) {
        std::uint64_t sum = this->position_sum(world);
        for (const auto id : this->ids) {
            sum = fold(sum, Kind::has(world, id) ? 1U : 0U);
        }
        return sum;
    }
};

template <template <class> class Kind>
struct Adding {
    template <class World>
    struct Of : ChangeBody<World, Kind<World>> {
        using ChangeBody<World, Kind<World>>::ChangeBody;
        void run(World& world) { Kind<World>::add(world, this->ids); }
        void undo(World& world) { Kind<World>::remove(world, this->ids); }
    };
};

template <template <class> class Kind>
struct Removing {
    template <class World>
    struct Of : ChangeBody<World, Kind<World>> {
        using ChangeBody<World, Kind<World>>::ChangeBody;
        void prepare(World& world) { Kind<World>::add(world, this->ids); }
        void run(World& world) { Kind<World>::remove(world, this->ids); }
        void undo(World&) {}
    };
};

template <class World>
struct Replacing : ChangeBody<World, TableComponent<World>> {
    using ChangeBody<World, TableComponent<World>>::ChangeBody;
    void build(World& world) {
        world.create2(this->ids);
        world.add_acceleration(this->ids);
    }
    void run(World& world) { world.replace_acceleration(this->ids); }
    void undo(World& world) { world.replace_drag(this->ids); }
    std::uint64_t checksum(World& world) {
        std::uint64_t sum = this->position_sum(world);
        for (const auto id : this->ids) {
            sum = fold(sum, world.has_drag(id) ? 2U : world.has_acceleration(id) ? 1U : 0U);
        }
        return sum;
    }
};

template <class World>
struct EntityCycle : Body<World> {
    using Body<World>::Body;
    void prepare(World& world) { world.prepare_cycle(this->ids.size()); }
    void run(World& world) {
        sum = world.cycle();
        keep(sum);
    }
    std::uint64_t checksum(World&) { return sum; }

    std::uint64_t sum = 0;
};

}  // namespace

void add_structural_workloads(std::vector<Workload>& list) {
    list.push_back(workload<Alternating, Adding<TableComponent>::Of>("add_component", usual_sizes));
    list.push_back(workload<Alternating, Removing<TableComponent>::Of>("remove_component", usual_sizes));
    list.push_back(workload<Alternating, Replacing>("replace_component", usual_sizes));
    list.push_back(workload<Alternating, Adding<SparseComponent>::Of>("add_sparse", usual_sizes));
    list.push_back(workload<Alternating, Removing<SparseComponent>::Of>("remove_sparse", usual_sizes));
    list.push_back(workload<Alternating, Adding<TableTag>::Of>("add_tag", usual_sizes));
    list.push_back(workload<Alternating, Removing<TableTag>::Of>("remove_tag", usual_sizes));
    list.push_back(workload<Alternating, Adding<OutsideTag>::Of>("add_tag_sparse", usual_sizes));
    list.push_back(workload<Alternating, Removing<OutsideTag>::Of>("remove_tag_sparse", usual_sizes));
    list.push_back(workload<Steady, EntityCycle>("entity_cycle", usual_sizes));
}

}  // namespace bench

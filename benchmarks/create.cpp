// Creation and destruction: one by one, through a table handle, into recycled slots, in bulk, from a prefab. Listed by
// workloads.cpp.
#include "bodies.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class World>
struct CreateEmpty : Body<World> {
    using Body<World>::Body;
    void run(World& world) { world.create_empty(this->ids); }
    std::uint64_t checksum(World& world) { return this->alive_sum(world); }
};

template <class World>
struct Create2Fast : Create2<World> {
    using Create2<World>::Create2;
    void run(World& world) { world.create2_fast(this->ids); }
};

template <class World>
struct Create2Recycled : Create2Fast<World> {
    using Create2Fast<World>::Create2Fast;
    void prepare(World& world) {
        world.create2(this->ids);
        world.destroy(this->ids);
    }
};

template <class World>
struct Create5 : Body<World> {
    using Body<World>::Body;
    void run(World& world) { world.create5(this->ids); }
    std::uint64_t checksum(World& world) {
        std::uint64_t sum = 0;
        for (const auto id : this->ids) {
            sum = fold(sum, world.sum_of_five(id), 0);
        }
        return sum;
    }
};

template <class World>
struct BulkCreate2 : Create2<World> {
    explicit BulkCreate2(std::size_t n) : Create2<World>(n) {
        for (std::size_t i = 0; i < n; ++i) {
            positions.push_back(position_at(i));
            velocities.push_back(velocity_at(i));
        }
    }
    void run(World& world) { world.bulk_create2(this->ids, positions, velocities); }

    std::vector<Position> positions;
    std::vector<Velocity> velocities;
};

/// Copies of stored values; `Create` says how.
template <class World, void (World::*Create)(std::span<typename World::Id>)>
struct CreateFromPattern : Create2<World> {
    using Create2<World>::Create2;
    void prepare(World& world) { world.make_pattern(); }
    void run(World& world) { (world.*Create)(this->ids); }
};

template <class World>
using CreatePrefab = CreateFromPattern<World, &World::create_pattern>;
template <class World>
using CreatePrefabAt = CreateFromPattern<World, &World::create_pattern_at>;
template <class World>
using BulkCreatePrefab = CreateFromPattern<World, &World::bulk_create_pattern>;

template <class World>
struct DestroyAtRandom : DestroyInOrder<World> {
    using DestroyInOrder<World>::DestroyInOrder;
    void prepare(World& world) {
        world.create2(this->ids);
        shuffle(this->ids);
    }
};

}  // namespace

void add_create_workloads(std::vector<Workload>& list) {
    list.push_back(workload<Fresh, CreateEmpty>("create_empty", usual_sizes));
    list.push_back(workload<Fresh, Create2>("create2", usual_sizes));
    list.push_back(workload<Fresh, Create2Fast>("create2_fast", usual_sizes));
    list.push_back(workload<Fresh, Create2Recycled>("create2_recycled", usual_sizes));
    list.push_back(workload<Fresh, Create5>("create5", usual_sizes));
    list.push_back(workload<Fresh, BulkCreate2>("bulk_create2", usual_sizes));
    list.push_back(workload<Fresh, CreatePrefab>("prefab_spawn", usual_sizes));
    list.push_back(workload<Fresh, CreatePrefabAt>("prefab_spawn_at", usual_sizes));
    list.push_back(workload<Fresh, BulkCreatePrefab>("prefab_spawn_many", usual_sizes));
    list.push_back(workload<Fresh, DestroyInOrder>("destroy_order", usual_sizes));
    list.push_back(workload<Fresh, DestroyAtRandom>("destroy_random", usual_sizes));
}

}  // namespace bench

// Recorded edits: every second entity is noted while all are walked, and the edits are applied afterwards; and recorded
// spawns. Per command. Listed by workloads.cpp.
#include "bodies.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class World>
struct QueueRemove : Body<World> {
    using Body<World>::Body;
    std::size_t operations() const { return this->ids.size() / 2; }
    void build(World& world) { world.create2(this->ids); }
    void prepare(World& world) { world.add_acceleration(this->ids); }
    void run(World& world) { world.queue_remove_acceleration(); }
    void undo(World& world) { world.remove_acceleration(rest); }
    std::uint64_t checksum(World& world) {
        std::uint64_t sum = this->position_sum(world);
        rest.clear();
        for (const auto id : this->ids) {
            const bool left = world.has_acceleration(id);
            sum = fold(sum, left ? 1U : 0U);
            if (left) rest.push_back(id);
        }
        return sum;
    }

    std::vector<typename World::Id> rest;  // the same after each run
};

template <class World>
struct QueueDespawn : Body<World> {
    using Body<World>::Body;
    std::size_t operations() const { return this->ids.size() / 2; }
    void build(World&) {}
    void prepare(World& world) { world.create2(this->ids); }
    void run(World& world) { world.queue_destroy(); }
    void undo(World& world) { world.destroy(this->ids); }
    std::uint64_t checksum(World& world) { return this->alive_sum(world); }
};

template <class World>
struct QueueSpawn : Create2<World> {
    using Create2<World>::Create2;
    void run(World& world) { world.queue_create2(this->ids); }
};

}  // namespace

void add_command_workloads(std::vector<Workload>& list) {
    list.push_back(workload<Alternating, QueueRemove>("commands_remove", usual_sizes));
    list.push_back(workload<Alternating, QueueDespawn>("commands_despawn", usual_sizes));
    list.push_back(workload<Fresh, QueueSpawn>("commands_spawn", usual_sizes));
}

}  // namespace bench

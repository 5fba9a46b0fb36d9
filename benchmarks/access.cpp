// Random access: get, has and alive over shuffled ids. Listed by workloads.cpp.
#include "bodies.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class World>
struct HasAtRandom : Access<World> {
    using Access<World>::Access;
    void prepare(World& world) {
        world.create_half(this->ids);
        shuffle(this->ids);
    }
    void run(World& world) {
        this->sum = world.count_velocities(this->ids);
        keep(this->sum);
    }
};

/// Every second entity is dead.
template <class World>
struct AliveAtRandom : Access<World> {
    using Access<World>::Access;
    void prepare(World& world) {
        world.create2(this->ids);
        std::vector<typename World::Id> dead;
        for (std::size_t i = 1; i < this->ids.size(); i += 2) {
            dead.push_back(this->ids[i]);
        }
        world.destroy(dead);
        shuffle(this->ids);
    }
    void run(World& world) {
        this->sum = world.count_alive(this->ids);
        keep(this->sum);
    }
};

}  // namespace

void add_access_workloads(std::vector<Workload>& list) {
    list.push_back(workload<Steady, GetAtRandom>("get_random", usual_sizes));
    list.push_back(workload<Steady, HasAtRandom>("has_random", usual_sizes));
    list.push_back(workload<Steady, AliveAtRandom>("alive_random", usual_sizes));
}

}  // namespace bench

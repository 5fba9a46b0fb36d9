// Signals: creation while someone counts. Listed by workloads.cpp.
#include "bodies.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class World>
struct CreateCounted : Body<World> {
    using Body<World>::Body;
    void prepare(World& world) { world.count_arrivals(); }
    void run(World& world) { world.create2_told(this->ids); }
    std::uint64_t checksum(World& world) { return fold(this->position_sum(world), world.arrivals()); }
};

template <class World>
struct CreateNoted : CreateCounted<World> {
    using CreateCounted<World>::CreateCounted;
    void prepare(World& world) { world.sum_arrivals(); }
};

}  // namespace

void add_signal_workloads(std::vector<Workload>& list) {
    list.push_back(workload<Fresh, CreateCounted>("create2_signal", usual_sizes));
    list.push_back(workload<Fresh, CreateNoted>("create2_signal_read", usual_sizes));
}

}  // namespace bench

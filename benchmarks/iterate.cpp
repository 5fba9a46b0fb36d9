// Walks over one, two and three components, over half of the entities, past those with a tag, and over five components
// one after the other. Per entity that matches. Listed by workloads.cpp.
#include "bodies.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

template <class World>
using Iterate1 = Iterate<World, &World::create2, &World::iterate1>;
template <class World>
using Iterate1Chunks = Iterate<World, &World::create2, &World::iterate1_chunks>;
template <class World>
using Iterate2Chunks = Iterate<World, &World::create2, &World::iterate2_chunks>;
template <class World>
using Iterate2Half = Iterate<World, &World::create_half, &World::iterate2, 2>;
template <class World>
using Iterate2HalfChunks = Iterate<World, &World::create_half, &World::iterate2_chunks, 2>;
template <class World>
using Iterate3 = Iterate<World, &World::create3, &World::iterate3>;
template <class World>
using Iterate3Chunks = Iterate<World, &World::create3, &World::iterate3_chunks>;
template <class World>
using IterateUntagged = Iterate<World, &World::create_tagged, &World::iterate_untagged, 2>;
template <class World>
using IterateUntaggedChunks = Iterate<World, &World::create_tagged, &World::iterate_untagged_chunks, 2>;

/// Per value, five of which an entity has.
template <class World, void (World::*Walk)()>
struct DoubleFive : Body<World> {
    using Body<World>::Body;
    std::size_t operations() const { return this->ids.size() * 5; }
    void prepare(World& world) { world.create5(this->ids); }
    void run(World& world) { (world.*Walk)(); }
    std::uint64_t checksum(World& world) {
        std::uint64_t sum = 0;
        for (const auto id : this->ids) {
            sum = fold(sum, world.sum_of_five(id), 0);
        }
        return sum;
    }
};

template <class World>
using Packed5 = DoubleFive<World, &World::double_five>;
template <class World>
using Packed5Chunks = DoubleFive<World, &World::double_five_chunks>;

}  // namespace

void add_iterate_workloads(std::vector<Workload>& list) {
    list.push_back(workload<Steady, Iterate1>("iterate1", usual_sizes));
    list.push_back(workload<Steady, Iterate1Chunks>("iterate1_chunk", usual_sizes));
    list.push_back(workload<Steady, Iterate2>("iterate2", usual_sizes));
    list.push_back(workload<Steady, Iterate2Chunks>("iterate2_chunk", usual_sizes));
    list.push_back(workload<Steady, Iterate2Half>("iterate2_half", usual_sizes));
    list.push_back(workload<Steady, Iterate2HalfChunks>("iterate2_half_chunk", usual_sizes));
    list.push_back(workload<Steady, Iterate3>("iterate3", usual_sizes));
    list.push_back(workload<Steady, Iterate3Chunks>("iterate3_chunk", usual_sizes));
    list.push_back(workload<Steady, IterateUntagged>("iterate_not", usual_sizes));
    list.push_back(workload<Steady, IterateUntaggedChunks>("iterate_not_chunk", usual_sizes));
    list.push_back(workload<Steady, Packed5>("packed5", {1000, 100000}));
    list.push_back(workload<Steady, Packed5Chunks>("packed5_chunk", {1000, 100000}));
}

}  // namespace bench

// Change detection: one entity in a hundred is marked, scattered over all or as one stretch; then a walk visits what
// changed since it last ran. Per marked entity. Listed by workloads.cpp.
#include "column.hpp"
#include "components.hpp"
#include "harness.hpp"
#include "trials.hpp"
#include "workloads.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace bench {
namespace {

class StoaChanges {
  public:
    using Id = stoa::Entity;

    void create(std::span<Id> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = world_.spawn(position_at(i), velocity_at(i));
        }
    }

    void mark(std::span<const Id> ids, float marker) {
        for (const Id id : ids) {
            world_.get<Position>(id).y = marker;
        }
    }

    /// How many of the positions that changed since the last call have this marker.
    std::uint64_t walk(float marker) {
        std::uint64_t found = 0;
        changed_.each([&](const Position& p) { found += p.y == marker ? 1U : 0U; });
        return found;
    }

  private:
    stoa::World world_;
    stoa::Query<const Position, stoa::Changed<Position>> changed_ =
        world_.query<const Position, stoa::Changed<Position>>();
};

/// The same by hand: a list of what was marked.
class RawChanges {
  public:
    using Id = std::uint32_t;

    void create(std::span<Id> out) {
        rows_.resize(out.size());
        positions_.resize(out.size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = rows_[i] = static_cast<std::uint32_t>(i);
            positions_[i] = position_at(i);
        }
    }

    void mark(std::span<const Id> ids, float marker) {
        for (const Id id : ids) {
            positions_[rows_[id]].y = marker;
            marked_.push_back(id);
        }
    }

    std::uint64_t walk(float marker) {
        std::uint64_t found = 0;
        for (const Id id : marked_) {
            found += positions_[rows_[id]].y == marker ? 1U : 0U;
        }
        marked_.clear();
        return found;
    }

  private:
    Column<std::uint32_t> rows_;
    Column<Position> positions_;
    std::vector<Id> marked_;
};

enum class Spread { scattered, clustered };

/// Each sample marks another hundredth.
template <class World, Spread Where>
struct Changes {
    explicit Changes(std::size_t n) : ids(n), chosen(n / 100) {}

    std::size_t operations() const { return chosen.size(); }
    void build(World& world) {
        world.create(ids);
        // The first walk sees everything.
        world.walk(0);
    }
    void choose() {
        ++round;
        marker = 100000.0F + as_float(round % 100000);
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            chosen[i] =
                Where == Spread::scattered ? ids[i * 100 + round % 100] : ids[(round * chosen.size() + i) % ids.size()];
        }
    }
    std::uint64_t checksum(World&) const { return found; }

    std::vector<typename World::Id> ids;
    std::vector<typename World::Id> chosen;
    std::size_t round = 0;
    float marker = 0;
    std::uint64_t found = 0;
};

template <class World, Spread Where>
struct MarkSome : Changes<World, Where> {
    using Changes<World, Where>::Changes;
    void prepare(World&) { this->choose(); }
    void run(World& world) { world.mark(this->chosen, this->marker); }
    std::uint64_t checksum(World& world) { return this->found = world.walk(this->marker); }
    void undo(World& world) { world.walk(this->marker); }
};

template <class World, Spread Where>
struct WalkChanged : Changes<World, Where> {
    using Changes<World, Where>::Changes;
    void prepare(World& world) {
        this->choose();
        world.mark(this->chosen, this->marker);
    }
    void run(World& world) {
        this->found = world.walk(this->marker);
        keep(this->found);
    }
    void undo(World&) {}
};

template <template <class, Spread> class Body, Spread Where>
Workload change_workload(const char* name) {
    return {name,
            {1000000},
            make_trial<Alternating<RawChanges, Body<RawChanges, Where>>>,
            make_trial<Alternating<StoaChanges, Body<StoaChanges, Where>>>};
}

}  // namespace

void add_change_workloads(std::vector<Workload>& list) {
    list.push_back(change_workload<MarkSome, Spread::scattered>("change_mark"));
    list.push_back(change_workload<WalkChanged, Spread::scattered>("change_walk"));
    list.push_back(change_workload<MarkSome, Spread::clustered>("change_mark_near"));
    list.push_back(change_workload<WalkChanged, Spread::clustered>("change_walk_near"));
}

}  // namespace bench

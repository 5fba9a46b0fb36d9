// Caches: one unit in a hundred changes its rank and its team; then the sorted cache of one team is read. The other
// side is the sorted cache of all units, at the same rate of change. Per changed unit. Listed by workloads.cpp.
#include "harness.hpp"
#include "trials.hpp"
#include "workloads.hpp"

#include <stoa/stoa.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace bench {
namespace {

struct Member {
    std::uint32_t rank = 0;
    std::uint32_t team = 0;
};

/// Units in a world and a cache of them by rank: of all, or of those with team 1.
template <bool Filtered>
class Ranks {
  public:
    void build(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) ids_.push_back(world_.spawn(member_at(i, 0)));
        read();
    }
    void change(std::size_t i, std::size_t round) { world_.get<Member>(ids_[i]) = member_at(i, round); }
    std::size_t read() { return cache_.size(); }
    /// Of those with team 1, in order.
    std::uint64_t sum() {
        std::uint64_t sum = 0;
        cache_.each([&](stoa::Entity entity, const Member& member) {
            if (member.team == 1) sum = fold(sum, entity.index());
        });
        return sum;
    }

  private:
    struct NoIndex {
        explicit NoIndex(stoa::World&) {}
    };

    static Member member_at(std::size_t i, std::size_t round) {
        const auto number = static_cast<std::uint32_t>(i * 2654435761u + round * 40503u);
        return {number >> 4, number >> 9 & 1u};
    }
    auto make_cache() {
        const auto ranks_lower = [](const Member& a, const Member& b) { return a.rank < b.rank; };
        if constexpr (Filtered) {
            return world_.query<const Member>().where(by_team_ == 1).template cache<Member>(ranks_lower);
        } else {
            return world_.query<const Member>().template cache<Member>(ranks_lower);
        }
    }

    stoa::World world_;
    std::conditional_t<Filtered, stoa::HashIndex<&Member::team>, NoIndex> by_team_{world_};
    stoa::Cache<const Member> cache_ = make_cache();
    std::vector<stoa::Entity> ids_;
};

/// Each sample changes another hundredth.
template <class World>
struct ReadCache {
    explicit ReadCache(std::size_t n) : size(n) {}

    std::size_t operations() const { return size / 100; }
    void build(World& world) { world.build(size); }
    void prepare(World& world) {
        ++round;
        for (std::size_t i = round % 100; i < size; i += 100) world.change(i, round);
    }
    void run(World& world) { keep(world.read()); }
    std::uint64_t checksum(World& world) { return world.sum(); }
    void undo(World&) {}

    std::size_t size;
    std::size_t round = 0;
};

}  // namespace

void add_cache_workloads(std::vector<Workload>& list) {
    list.push_back({"cache_filtered",
                    {1000, 100000, 1000000},
                    make_trial<Alternating<Ranks<false>, ReadCache<Ranks<false>>>>,
                    make_trial<Alternating<Ranks<true>, ReadCache<Ranks<true>>>>});
}

}  // namespace bench

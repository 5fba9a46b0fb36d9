// Hash indexes: finding one entity by a key that each has, keeping up with changed keys, and walking the few that pass
// a filter, beside a hand-written hash table over an array. Listed by workloads.cpp.
#include "units.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

constexpr std::uint32_t teams = 1000;

/// An array of units and a hash table from key to row; no removal but by overwriting.
class RawUnits {
  public:
    void build(const std::vector<std::uint32_t>& keys) {
        while (slots_.size() < 2 * keys.size() + 2) slots_.resize(slots_.empty() ? 16 : 2 * slots_.size());
        std::uint32_t team = 0;
        for (const std::uint32_t key : keys) {
            units_.push_back({key, team++ % teams, 0});
            insert(key, static_cast<std::uint32_t>(units_.size() - 1));
        }
    }
    std::uint64_t find(std::uint32_t key) const {
        for (std::size_t at = home(key);; at = (at + 1) & (slots_.size() - 1)) {
            if (slots_[at].row == none) return 0;
            if (slots_[at].key == key) return slots_[at].row + 1;
        }
    }
    /// Gives the keys of two units to each other.
    void exchange(std::size_t a, std::size_t b) {
        std::swap(units_[a].key, units_[b].key);
        slot(units_[a].key).row = static_cast<std::uint32_t>(a);
        slot(units_[b].key).row = static_cast<std::uint32_t>(b);
    }
    void settle() {}
    void warm_team(std::uint32_t team) {
        for (Unit& unit : units_) {
            if (unit.team == team) unit.heat += 1;
        }
    }
    std::uint64_t heat() const {
        std::uint64_t sum = 0;
        for (const Unit& unit : units_) sum += static_cast<std::uint64_t>(unit.heat) * unit.key;
        return sum;
    }

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t row = none;
    };
    std::size_t home(std::uint32_t key) const { return ((key * 0x9e3779b97f4a7c15u) >> 32) & (slots_.size() - 1); }
    Slot& slot(std::uint32_t key) {
        std::size_t at = home(key);
        while (slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
        return slots_[at];
    }
    void insert(std::uint32_t key, std::uint32_t row) {
        std::size_t at = home(key);
        while (slots_[at].row != none) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = {key, row};
    }

    std::vector<Unit> units_;
    std::vector<Slot> slots_;
};

class StoaUnits : public IndexedUnits<stoa::HashIndex<&Unit::key>> {
  public:
    void build(const std::vector<std::uint32_t>& keys) {
        std::uint32_t team = 0;
        for (const std::uint32_t key : keys) spawn({key, team++ % teams, 0});
        settle();
        by_team_.refresh();
    }
    void warm_team(std::uint32_t team) {
        units_.where(by_team_ == team).each([](Unit& unit) { unit.heat += 1; });
    }

  private:
    stoa::HashIndex<&Unit::team> by_team_{world_};
};

template <class Units>
struct WhereTeam {
    explicit WhereTeam(std::size_t n) : keys(scattered_keys(n)) {}
    std::size_t operations() const { return std::max<std::size_t>(1, keys.size() / teams); }
    void prepare(Units& units) { units.build(keys); }
    void run(Units& units) { units.warm_team(7); }
    std::uint64_t checksum(Units& units) { return units.heat(); }

    std::vector<std::uint32_t> keys;
};

template <template <class> class Body>
Workload index_workload(const char* name, std::vector<std::size_t> sizes) {
    return {name, std::move(sizes), make_trial<Steady<RawUnits, Body<RawUnits>>>,
            make_trial<Steady<StoaUnits, Body<StoaUnits>>>};
}

}  // namespace

void add_index_workloads(std::vector<Workload>& list) {
    list.push_back(index_workload<FindWarm>("index_find", usual_sizes));
    list.push_back(index_workload<Find>("index_find_cold", usual_sizes));
    list.push_back(index_workload<Upkeep>("index_upkeep", usual_sizes));
    list.push_back(index_workload<WhereTeam>("where_one_of_1000", usual_sizes));
}

}  // namespace bench

// Ordered indexes: finding one entity by its key, keeping up with changed keys, and walking a range of keys, beside a
// sorted array of keys. Listed by workloads.cpp.
#include "units.hpp"
#include "workloads.hpp"

namespace bench {
namespace {

/// An array of units and a sorted one of their keys. Keys change hands and never come or go, so the order stays.
class RawSortedUnits {
  public:
    void build(const std::vector<std::uint32_t>& keys) {
        for (const std::uint32_t key : keys) {
            entries_.push_back({key, static_cast<std::uint32_t>(units_.size())});
            units_.push_back({key, 0, 0});
        }
        std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
    }
    std::uint64_t find(std::uint32_t key) const {
        const auto at = lower_bound(key);
        return at != entries_.end() && at->key == key ? at->row + 1 : 0;
    }
    /// Gives the keys of two units to each other.
    void exchange(std::size_t a, std::size_t b) {
        std::swap(units_[a].key, units_[b].key);
        entry(units_[a].key).row = static_cast<std::uint32_t>(a);
        entry(units_[b].key).row = static_cast<std::uint32_t>(b);
    }
    void settle() {}
    void warm_between(std::uint32_t lowest, std::uint32_t highest) {
        for (auto at = lower_bound(lowest); at != entries_.end() && at->key <= highest; ++at) {
            units_[at->row].heat += 1;
        }
    }
    std::uint64_t heat() const {
        std::uint64_t sum = 0;
        for (const Unit& unit : units_) sum += static_cast<std::uint64_t>(unit.heat) * unit.key;
        return sum;
    }

  private:
    struct Entry {
        std::uint32_t key;
        std::uint32_t row;
    };
    std::vector<Entry>::const_iterator lower_bound(std::uint32_t key) const {
        return std::lower_bound(entries_.begin(), entries_.end(), key,
                                [](const Entry& entry, std::uint32_t sought) { return entry.key < sought; });
    }
    Entry& entry(std::uint32_t key) { return entries_[static_cast<std::size_t>(lower_bound(key) - entries_.begin())]; }

    std::vector<Unit> units_;
    std::vector<Entry> entries_;
};

class StoaSortedUnits : public IndexedUnits<stoa::OrderedIndex<&Unit::key>> {
  public:
    void build(const std::vector<std::uint32_t>& keys) {
        for (const std::uint32_t key : keys) spawn({key, 0, 0});
        settle();
    }
    void warm_between(std::uint32_t lowest, std::uint32_t highest) {
        units_.where(by_key_.between(lowest, highest)).each([](Unit& unit) { unit.heat += 1; });
    }
};

/// One unit in a thousand, from the middle of the keys. Per unit that passes.
template <class Units>
struct WhereBetween {
    explicit WhereBetween(std::size_t n) : keys(scattered_keys(n)), passing(std::max<std::size_t>(1, n / 1000)) {}
    std::size_t operations() const { return passing; }
    void prepare(Units& units) { units.build(keys); }
    void run(Units& units) { units.warm_between(key_at(keys.size() / 2), key_at(keys.size() / 2 + passing - 1)); }
    std::uint64_t checksum(Units& units) { return units.heat(); }

    std::vector<std::uint32_t> keys;
    std::size_t passing;
};

template <template <class> class Body>
Workload ordered_workload(const char* name) {
    return {name, usual_sizes, make_trial<Steady<RawSortedUnits, Body<RawSortedUnits>>>,
            make_trial<Steady<StoaSortedUnits, Body<StoaSortedUnits>>>};
}

}  // namespace

void add_ordered_index_workloads(std::vector<Workload>& list) {
    list.push_back(ordered_workload<FindWarm>("ordered_find"));
    list.push_back(ordered_workload<Find>("ordered_find_cold"));
    list.push_back(ordered_workload<Upkeep>("ordered_upkeep"));
    list.push_back(ordered_workload<WhereBetween>("between_one_of_1000"));
}

}  // namespace bench

// Units with a key that each has for itself, and what is timed on an index over it: finding, and keeping up with
// changed keys. Used by index.cpp (hash) and ordered_index.cpp, each with Stoa and by hand.
//
// The template parameter is one of their classes, with build(keys), find(key), exchange(a, b), settle() and heat().
#pragma once

#include "trials.hpp"

#include <stoa/stoa.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bench {

struct Unit {
    std::uint32_t key = 0;
    std::uint32_t team = 0;
    float heat = 0;
};

inline std::uint32_t key_at(std::size_t i) { return static_cast<std::uint32_t>(i * 7 + 3); }

/// Each key once, in an order that has nothing to do with that of the entities.
inline std::vector<std::uint32_t> scattered_keys(std::size_t n) {
    std::vector<std::uint32_t> keys(n);
    for (std::size_t i = 0; i < n; ++i) {
        keys[i] = key_at(i);
    }
    shuffle(keys);
    return keys;
}

/// Units in a world, with an index over their keys.
template <class Index>
class IndexedUnits {
  public:
    std::uint64_t find(std::uint32_t key) const {
        const stoa::Entity found = by_key_.find(key);
        return found ? found.index() + 1 : 0;
    }
    void exchange(std::size_t a, std::size_t b) {
        std::swap(world_.get<Unit>(ids_[a]).key, world_.get<Unit>(ids_[b]).key);
    }
    void settle() { by_key_.refresh(); }
    std::uint64_t heat() {
        std::uint64_t sum = 0;
        units_.each([&](const Unit& unit) { sum += static_cast<std::uint64_t>(unit.heat) * unit.key; });
        return sum;
    }

  protected:
    void spawn(const Unit& unit) { ids_.push_back(world_.spawn(unit)); }

    stoa::World world_;
    Index by_key_{world_};
    stoa::Query<Unit> units_ = world_.query<Unit>();

  private:
    std::vector<stoa::Entity> ids_;
};

template <class Units>
struct Find {
    explicit Find(std::size_t n) : keys(scattered_keys(n)) {}
    std::size_t operations() const { return keys.size(); }
    void prepare(Units& units) {
        units.build(keys);
        shuffle(keys);
    }
    void run(Units& units) {
        sum = 0;
        for (const std::uint32_t key : keys) sum += units.find(key);
    }
    std::uint64_t checksum(Units&) { return sum; }

    std::vector<std::uint32_t> keys;
    std::uint64_t sum = 0;
};

/// The same keys again and again.
template <class Units>
struct FindWarm : Find<Units> {
    using Find<Units>::Find;
    void prepare(Units& units) {
        Find<Units>::prepare(units);
        if (this->keys.size() > 256) this->keys.resize(256);
    }
};

template <class Units>
struct Upkeep {
    explicit Upkeep(std::size_t n) : keys(scattered_keys(n)), rows(n) {
        for (std::size_t i = 0; i < n; ++i) rows[i] = i;
        shuffle(rows);
        rows.resize(std::min<std::size_t>(n, 10'000) / 2 * 2);
    }
    std::size_t operations() const { return rows.size(); }
    void prepare(Units& units) { units.build(keys); }
    void run(Units& units) {
        for (std::size_t i = 0; i < rows.size(); i += 2) units.exchange(rows[i], rows[i + 1]);
        units.settle();
    }
    std::uint64_t checksum(Units& units) {
        std::uint64_t sum = 0;
        for (const std::uint32_t key : keys) sum = fold(sum, units.find(key));
        return sum;
    }

    std::vector<std::uint32_t> keys;
    std::vector<std::size_t> rows;
};

}  // namespace bench

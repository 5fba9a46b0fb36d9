// Walks over many small tables, and queries made in a world of a thousand tables: made again, made for the first time,
// and the first of all. Listed by workloads.cpp.
#include "fragments.hpp"

#include "harness.hpp"
#include "trials.hpp"
#include "workloads.hpp"

namespace bench {

void StoaFragments::build(std::size_t tables, std::size_t rows) {
    for (std::size_t table = 0; table < tables; ++table) {
        for (std::size_t row = 0; row < rows; ++row) {
            add_own(world_, world_.spawn(Data{1.0F + as_float(row)}), table);
        }
    }
}

void StoaFragments::build_tenth(std::size_t tables) {
    for (std::size_t table = 0; table < tables; ++table) {
        const stoa::Entity id = world_.spawn(Data{1.0F});
        add_own(world_, id, table);
        if (table % 10 == 0) {
            world_.set(id, Position{0, 0});
        }
    }
}

void StoaFragments::make_other_queries() {
    keep(world_.query<const Data>().count());
    keep(world_.query<const Position>().count());
}

void StoaFragments::double_data() {
    data_.in(world_).each([](Data& data) { data.v *= 2.0F; });
}

void StoaFragments::double_data_chunks() {
    data_.in(world_).each_chunk([](std::span<Data> values) {
        for (Data& data : values) {
            data.v *= 2.0F;
        }
    });
}

std::uint64_t StoaFragments::count_matches() {
    std::uint64_t count = 0;
    world_.query<const Data, const Position>().each([&](const Data&, const Position&) { ++count; });
    return count;
}

std::uint64_t StoaFragments::checksum() {
    std::uint64_t sum = 0;
    world_.query<const Data>().each([&](const Data& data) { sum += fold(0, data.v, 0); });
    return sum;
}

void RawFragments::build(std::size_t tables, std::size_t rows) {
    tables_ = std::vector<Column<float>>(tables);
    for (Column<float>& values : tables_) {
        values.resize(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            values[row] = 1.0F + as_float(row);
        }
    }
}

void RawFragments::build_tenth(std::size_t tables) {
    components_.resize(tables);
    rows_.resize(tables);
    for (std::size_t table = 0; table < tables; ++table) {
        components_[table] = 1U | (table % 10 == 0 ? 2U : 0U) | (std::uint64_t{4} << (table % 40));
        rows_[table] = 1;
    }
}

void RawFragments::double_data() {
    for (Column<float>& table : tables_) {
        float* values = table.data();
        for (std::size_t row = 0; row < table.size(); ++row) {
            values[row] *= 2.0F;
        }
    }
}

std::uint64_t RawFragments::count_matches() const {
    std::uint64_t count = 0;
    for (std::size_t table = 0; table < components_.size(); ++table) {
        count += rows_[table] & (0U - static_cast<std::uint32_t>((components_[table] & 3U) == 3U));
    }
    return count;
}

std::uint64_t RawFragments::checksum() const {
    std::uint64_t sum = 0;
    for (const Column<float>& table : tables_) {
        for (const float value : table) {
            sum += fold(0, value, 0);
        }
    }
    return sum;
}

namespace {

template <class World, std::size_t Tables, void (World::*Walk)()>
struct WalkFragments {
    explicit WalkFragments(std::size_t n) : rows(n / Tables) {}

    std::size_t operations() const { return rows * Tables; }
    void prepare(World& world) { world.build(Tables, rows); }
    void run(World& world) { (world.*Walk)(); }
    std::uint64_t checksum(World& world) { return world.checksum(); }

    std::size_t rows;
};

/// Per query.
template <class World>
struct QueryAgain {
    explicit QueryAgain(std::size_t n) : tables(n) {}

    std::size_t operations() const { return 1; }
    void prepare(World& world) { world.build_tenth(tables); }
    void run(World& world) {
        count = world.count_matches();
        keep(count);
    }
    std::uint64_t checksum(World&) const { return count; }

    std::size_t tables;
    std::uint64_t count = 0;
};

template <class World>
struct QueryFirst : QueryAgain<World> {
    using QueryAgain<World>::QueryAgain;
    void prepare(World& world) {
        QueryAgain<World>::prepare(world);
        world.make_other_queries();
    }
};

template <template <class, class> class Shape, template <class> class Body>
Workload fragment_workload(const char* name, std::size_t n) {
    return {name,
            {n},
            make_trial<Shape<RawFragments, Body<RawFragments>>>,
            make_trial<Shape<StoaFragments, Body<StoaFragments>>>};
}

template <class World>
using Walk26 = WalkFragments<World, 26, &World::double_data>;
template <class World>
using Walk26Chunks = WalkFragments<World, 26, &World::double_data_chunks>;
template <class World>
using Walk1000 = WalkFragments<World, 1000, &World::double_data>;
template <class World>
using Walk1000Chunks = WalkFragments<World, 1000, &World::double_data_chunks>;

}  // namespace

void add_fragment_workloads(std::vector<Workload>& list) {
    list.push_back(fragment_workload<Steady, Walk26>("frag_26x20", 520));
    list.push_back(fragment_workload<Steady, Walk26Chunks>("frag_26x20_chunk", 520));
    list.push_back(fragment_workload<Steady, Walk26>("frag_26x100", 2600));
    list.push_back(fragment_workload<Steady, Walk26Chunks>("frag_26x100_chunk", 2600));
    list.push_back(fragment_workload<Steady, Walk1000>("frag_1000x100", 100000));
    list.push_back(fragment_workload<Steady, Walk1000Chunks>("frag_1000x100_chunk", 100000));
    list.push_back(fragment_workload<Steady, QueryAgain>("query_again", 1000));
    list.push_back(fragment_workload<Fresh, QueryFirst>("query_first", 1000));
    list.push_back(fragment_workload<Fresh, QueryAgain>("query_first_of_all", 1000));
}

}  // namespace bench

// Worlds of many tables: each has Data and a component of its own. Used by fragments.cpp: how long a walk over them
// takes, and how long it takes to find the few that match.
#pragma once

#include "column.hpp"
#include "components.hpp"
#include "kept_query.hpp"
#include "own_components.hpp"

#include <stoa/stoa.hpp>

#include <cstdint>
#include <vector>

namespace bench {

class StoaFragments {
  public:
    void build(std::size_t tables, std::size_t rows);  // row i holds Data{1 + i}
    void build_tenth(std::size_t tables);              // one row each; every tenth table has a Position too
    void make_other_queries();                         // so that the world knows its tables by component

    void double_data();
    void double_data_chunks();
    std::uint64_t count_matches();  // makes a query for Data and Position, walks it once, drops it
    std::uint64_t checksum();       // of all Data, in any order

  private:
    stoa::World world_;
    KeptQuery<Data> data_;
};

/// The same by hand: an array of Data for each table, and one word of component bits.
class RawFragments {
  public:
    void build(std::size_t tables, std::size_t rows);
    void build_tenth(std::size_t tables);
    void make_other_queries() {}

    void double_data();
    void double_data_chunks() { double_data(); }
    std::uint64_t count_matches() const;
    std::uint64_t checksum() const;

  private:
    std::vector<Column<float>> tables_;
    Column<std::uint64_t> components_;
    Column<std::uint32_t> rows_;
};

}  // namespace bench

// Many small tables: each combination of sixteen components, one entity in each. Used by growth.cpp (how long it
// takes) and by memory.cpp (how much it takes).
#pragma once

#include "components.hpp"
#include "kept_query.hpp"

#include <stoa/stoa.hpp>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace bench {

/// Entity number i has mark k, with value k, where bit k of i is set.
class StoaTables {
  public:
    void build(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            ids_.push_back(world_.spawn());
            add_marks(ids_.back(), i, Marks{});
        }
    }

    std::uint64_t sum_of(std::size_t i) { return sum_marks(ids_[i], Marks{}); }

    /// Adds one to the first mark of all that have it: every second table, one row in each.
    void walk() {
        first_.in(world_).each([](Mark<0>& mark) { ++mark.value; });
    }

  private:
    using Marks = std::make_integer_sequence<int, mark_count>;

    template <int... Number>
    void add_marks(stoa::Entity id, std::size_t bits, std::integer_sequence<int, Number...>) {
        (((bits >> Number) & 1U ? world_.set(id, Mark<Number>{Number}) : void()), ...);
    }

    template <int... Number>
    std::uint64_t sum_marks(stoa::Entity id, std::integer_sequence<int, Number...>) {
        const auto value = [](const auto* mark) {
            return mark == nullptr ? std::uint64_t{0} : std::uint64_t{1} << (16 + mark->value);
        };
        return (value(world_.find<const Mark<Number>>(id)) + ...);
    }

    stoa::World world_;
    std::vector<stoa::Entity> ids_;
    KeptQuery<Mark<0>> first_;
};

/// The same by hand: a table is its number's bits, an entity moves from table to table as it gets its marks.
class RawTables {
  public:
    void build(std::size_t count) {
        tables_.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            Table* table = open(0);
            table->ids.push_back(static_cast<std::uint32_t>(i));
            std::size_t bits = 0;
            for (int mark = 0; mark < mark_count; ++mark) {
                if (((i >> mark) & 1U) != 0) {
                    bits |= std::size_t{1} << mark;
                    table = move_last(*table, *open(bits), mark);
                }
            }
            places_.push_back(table);
        }
    }

    std::uint64_t sum_of(std::size_t i) {
        std::uint64_t sum = 0;
        for (const int value : places_[i]->values) {
            sum += std::uint64_t{1} << (16 + value);
        }
        return sum;
    }

    void walk() {
        for (std::size_t bits = 1; bits < tables_.size(); bits += 2) {
            ++tables_[bits]->values.front();
        }
    }

  private:
    struct Table {
        std::vector<std::uint32_t> ids;
        std::vector<int> values;  // of its rows, one after the other
    };

    Table* open(std::size_t bits) {
        if (tables_[bits] == nullptr) {
            tables_[bits] = std::make_unique<Table>();
        }
        return tables_[bits].get();
    }

    /// Every table ends with one row, so the one that moves on is the last of two.
    static Table* move_last(Table& from, Table& to, int mark) {
        const std::size_t width = from.values.size() / from.ids.size();
        to.ids.push_back(from.ids.back());
        to.values.insert(to.values.end(), from.values.end() - static_cast<std::ptrdiff_t>(width), from.values.end());
        to.values.push_back(mark);
        from.ids.pop_back();
        from.values.resize(from.values.size() - width);
        return &to;
    }

    std::vector<std::unique_ptr<Table>> tables_;
    std::vector<Table*> places_;
};

}  // namespace bench

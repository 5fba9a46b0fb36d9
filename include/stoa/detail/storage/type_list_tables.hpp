// The map from the number of a type list to the table of its components, with which a spawn finds its table without a
// search. A part of Store, because the fast path of spawn reads it.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

class BlockPool;
class Table;

class TypeListTables {
  public:
    TypeListTables() = default;
    TypeListTables(const TypeListTables&) = delete;
    TypeListTables& operator=(const TypeListTables&) = delete;

    // The table of a list, or null when it is not known. Accepts any number, also one of no list.
    [[gnu::always_inline]] Table* find(std::uint64_t number) const {
        if (number >= count_) [[unlikely]]
            return nullptr;
        return tables_[number];
    }
    Table* find(ListNumber number) const { return find(std::uint64_t{index_of(number)}); }
    // Makes room for this number. Throws std::bad_alloc.
    void prepare(BlockPool& pool, ListNumber number);
    // Requires: prepare().
    void set(ListNumber number, Table& table) noexcept { tables_[index_of(number)] = &table; }
    // Forgets the tables that `which(table)` selects.
    template <class Which>
    void forget(Which&& which) noexcept {
        for (std::uint32_t number = 0; number < count_; ++number) {
            if (tables_[number] != nullptr && which(*tables_[number])) tables_[number] = nullptr;
        }
    }
    // Calls visit(table) for every list whose table is known.
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::uint32_t number = 0; number < count_; ++number) {
            if (tables_[number] != nullptr) visit(*tables_[number]);
        }
    }
    void free(BlockPool& pool) noexcept;

  private:
    Table** tables_ = nullptr;
    std::uint32_t count_ = 0;  // all of its capacity
};

}  // namespace stoa::detail

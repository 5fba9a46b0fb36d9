// The rows of one table as the unlocked walk `each_table` sees them: live, so that changing the current entity and then
// decrementing the position visits every entity once. A view for the time of one callback.
#pragma once

#include <cstddef>
#include <type_traits>

#include "stoa/detail/lookup.hpp"
#include "stoa/detail/store.hpp"

namespace stoa {

class TableRows {
  public:
    std::size_t size() const { return static_cast<std::size_t>(table_.rows()); }

    // Null past the end.
    Entity entity(std::size_t row) const {
        const detail::Place place = at(row);
        return place ? detail::entities(place.chunk->base)[place.row()] : Entity{};
    }

    // Any component of the entity, named in the query or not; null when it has none or past the end. A T that is not const
    // counts as changed.
    template <class T>
    T* find(std::size_t row) const {
        using Component = std::remove_const_t<T>;
        static_assert(detail::is_component<Component>());
        const detail::Place place = at(row);
        if (!place) return nullptr;
        if constexpr (detail::is_sparse<Component>) {
            return detail::find<T>(store_, detail::entities(place.chunk->base)[place.row()]);
        } else {
            const detail::ColumnAt column = store_.column_of<Component>(*place.chunk->columns);
            if (column.offset == detail::ColumnAt::absent) return nullptr;
            return detail::address_of(detail::value_in<T>(store_, *place.chunk, column, place.row()));
        }
    }
    // Throws Errc::missing_component, Errc::dead_entity past the end.
    template <class T>
    T& get(std::size_t row) const {
        T* found = find<T>(row);
        if (found == nullptr) store_.fail_lookup("get", entity(row), detail::type_slot<std::remove_const_t<T>>);
        return *found;
    }

  private:
    template <class...>
    friend class Query;
    TableRows(detail::Store& store, const detail::Table& table) : store_(store), table_(table) {}

    detail::Place at(std::size_t row) const {
        if (row >= size()) return {};
        const auto chunk = static_cast<std::uint32_t>(row / table_.chunk_rows);
        const std::uint32_t number = table_.chunks[chunk];
        return {&store_.chunk(number), detail::Location::of(number, static_cast<std::uint32_t>(row % table_.chunk_rows))};
    }

    detail::Store& store_;
    const detail::Table& table_;
};

}  // namespace stoa

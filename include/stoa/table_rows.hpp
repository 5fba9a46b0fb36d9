// The rows of one table, as the unlocked walk Query::each_table passes them. The view is live: a loop from the last
// position to the first that changes the current entity visits every entity once.
//
//     world.query<const Health>().each_table([&](TableRows& rows) {
//         for (std::size_t i = rows.size(); i-- > 0;) {
//             if (rows.get<const Health>(i).points <= 0) world.despawn(rows.entity(i));
//         }
//     });
#pragma once

#include <cstddef>
#include <type_traits>

#include "stoa/detail/storage/lookup.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa {

namespace detail {

struct TableRowsAccess;

}  // namespace detail

/// A view for the time of one callback. Positions run from 0 to size() - 1.
///
/// The structure is not locked. A new row is appended at the end; when a row leaves, the last row takes its position.
/// So a loop from the last position to the first misses no row. Tables are not freed during the walk:
/// World::shrink_to_fit throws Errc::locked.
///
/// Invalidates: after a structural change a position may name another entity, and references to components in tables
/// are invalid.
/// Complexity: O(1) for all calls here.
/// Threads: as World.
class TableRows {
  public:
    /// Returns: how many rows the table has now.
    std::size_t size() const { return static_cast<std::size_t>(table_.row_count()); }

    /// Returns: the entity at this position; null past the end.
    /// Throws: nothing.
    Entity entity(std::size_t row) const {
        const detail::EntityRow place = at(row);
        return place ? detail::entities(place.chunk->base)[place.row()] : Entity{};
    }

    /// Effects: find<T> counts as a change, find<const T> does not.
    /// Returns: the T of the entity, named in the query or not, in a table or sparse; null when the entity has none, or
    /// past the end.
    /// Throws: nothing.
    template <class T>
    T* find(std::size_t row) const {
        using Component = std::remove_const_t<T>;
        static_assert(detail::is_component<Component>());
        const detail::EntityRow place = at(row);
        if (!place) return nullptr;
        if constexpr (detail::is_sparse<Component>) {
            return detail::find<T>(store_, detail::entities(place.chunk->base)[place.row()]);
        } else {
            const detail::ColumnAt column = store_.column_of<Component>(*place.chunk->columns);
            if (column.offset == detail::ColumnAt::absent) return nullptr;
            return detail::address_of(detail::value_in<T>(store_, *place.chunk, column, place.row()));
        }
    }
    /// Effects: as find.
    /// Returns: the T of the entity.
    /// Throws: Errc::missing_component; Errc::dead_entity past the end.
    template <class T>
    T& get(std::size_t row) const {
        T* found = find<T>(row);
        if (found == nullptr) fail_lookup(store_, "get", entity(row), detail::type_handle<std::remove_const_t<T>>);
        return *found;
    }

  private:
    friend struct detail::TableRowsAccess;
    TableRows(detail::Store& store, const detail::Table& table) : store_(store), table_(table) {}

    detail::EntityRow at(std::size_t row) const {
        if (row >= size()) return {};
        const auto chunk = static_cast<std::uint32_t>(row / table_.chunk_rows());
        const detail::ChunkNumber number = table_.chunks()[chunk];
        return {&store_.chunks()[number],
                detail::Location::of(number, static_cast<std::uint32_t>(row % table_.chunk_rows()))};
    }

    detail::Store& store_;
    const detail::Table& table_;
};

// The door for walks, which make these views.
struct detail::TableRowsAccess {
    static TableRows make(Store& store, const Table& table) { return {store, table}; }
};

}  // namespace stoa

// Queries that only read, made by World::query of a const World: all walks and questions of a Query, and nothing that
// changes the world.
//
//     void draw(const World& world) {
//         world.query<const Position, const Sprite>().each([](const Position& at, const Sprite& sprite) { … });
//     }
//
// The terms read: `const T`, `Maybe<const T>`, tags, With, Without, AnyOf, Lacks, Or, and Needs<const R>. Changed and
// Added are not among them, because they make the world track changes. Everything else is as for a Query, see
// query.hpp.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "stoa/query.hpp"

namespace stoa {

namespace detail {

// A source whose handle only reads.
template <class Source>
struct ReadOnly : Source {
    static constexpr bool only_reads = true;

    explicit ReadOnly(Source source) : Source(std::move(source)) {}
};

template <class... Rs>
consteval bool needs_for_reading(Types<Rs...>) {
    return (std::is_const_v<Rs> && ...);
}

template <class... Terms>
consteval bool are_reading_terms() {
    static_assert(are_terms<Terms...>());
    static_assert(!(Term<Terms>::may_write || ...) && needs_for_reading(NeededBy<Terms...>{}),
                  "a query of a const World only reads: name const T, Maybe<const T> and Needs<const R>");
    static_assert(!(Term<Terms>::tracks || ...),
                  "Changed and Added make the world track changes: make the query of a World that is not const");
    return true;
}

}  // namespace detail

/// The rows of one table, as ReadQuery::each_table hands them out.
class ReadTableRows {
  public:
    /// size(), entity(row): as those of TableRows.
    std::size_t size() const { return rows_.size(); }
    Entity entity(std::size_t row) const { return rows_.entity(row); }

    /// find<const T>(row), get<const T>(row): as those of TableRows.
    template <class T>
        requires std::is_const_v<T>
    T* find(std::size_t row) const {
        return rows_.template find<T>(row);
    }
    template <class T>
        requires std::is_const_v<T>
    T& get(std::size_t row) const {
        return rows_.template get<T>(row);
    }

  private:
    template <class... Terms>
    friend class ReadQuery;
    explicit ReadTableRows(const TableRows& rows) : rows_(rows) {}

    const TableRows& rows_;
};

/// Made by World::query of a const World. Copies are cheap.
///
/// For all calls:
/// Throws: as those of Query.
/// Threads: several threads may make, copy and use read queries of one world at the same time, while none of them
/// changes it. where() also asks what filter.hpp does.
template <class... Terms>
class ReadQuery : private detail::Lookups<detail::ReadOnly<detail::QuerySource<Terms...>>, Terms...> {
    static_assert(detail::are_reading_terms<Terms...>());
    using Source = detail::ReadOnly<detail::QuerySource<Terms...>>;
    using Base = detail::Lookups<Source, Terms...>;
    using Base::source_;

  public:
    /// each(f), each_until(f), each_chunk(f), range-for, collect(container), par_each(executor, f), par_each(executor,
    /// later, f), par_reduce(executor, init, map, combine). Effects: as those of Query. An Entity may stand in front,
    /// an EntityRef not: it could change the world.
    using Base::begin;
    using Base::collect;
    using Base::each;
    using Base::each_chunk;
    using Base::each_until;
    using Base::end;
    using Base::par_each;
    using Base::par_reduce;

    /// Effects: calls f(ReadTableRows&) once for each table that has rows. The structure is locked until the walk ends.
    /// Requires: no term is sparse.
    template <class F>
    void each_table(F&& f) const {
        static_assert(!Source::names_sparse,
                      "each_table walks whole tables, so its terms name components that tables have");
        detail::Store& store = source_.require_store();
        const detail::Store::SharedLock lock(store);
        const auto tables = source_.is_active() ? source_.tables() : std::span<detail::Table* const>{};
        for (std::size_t i = 0; i < tables.size(); ++i) {
            const detail::Table& table = *tables[source_.is_backward() ? tables.size() - 1 - i : i];
            if (table.row_count() == 0) continue;
            const TableRows all = detail::TableRowsAccess::make(store, table);
            ReadTableRows rows(all);
            f(rows);
        }
    }

    /// fetch(entity, f), count(), empty(), contains(entity), first(), single(), active(), setup(f): as those of Query.
    using Base::active;
    using Base::contains;
    using Base::count;
    using Base::empty;
    using Base::fetch;
    using Base::first;
    using Base::setup;
    using Base::single;

    /// reversed(), ordered(). Returns: modified copies.
    ReadQuery reversed() const { return ReadQuery(Source(source_.reversed())); }
    ReadQuery ordered() const { return ReadQuery(Source(source_.ordered())); }

    /// where.hpp. Returns: a ReadFiltered<Terms...> of those matches whose fields pass all filters.
    template <class... Filters>
    auto where(const Filters&... filters) const {
        return detail::WhereCalls<ReadQuery>::where(*this, filters...);
    }

  private:
    friend struct detail::QueryAccess;

    explicit ReadQuery(detail::Store& store) : Base(Source(detail::QuerySource<Terms...>::for_reader(store))) {}
    explicit ReadQuery(Source source) noexcept : Base(std::move(source)) {}
};

template <class... Terms>
inline constexpr bool detail::is_handle<ReadQuery<Terms...>> = true;

}  // namespace stoa

// How the walks of a query go over rows: runs of rows in one chunk, in order, and the calls for the rows of a run. Typed
// and inline, because this is the loop that users' time is spent in. Called by Query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/query_state.hpp"
#include "stoa/detail/terms.hpp"
#include "stoa/entity_ref.hpp"

namespace stoa::detail {

template <class... Terms>
struct TermTypes {};

// Those terms that hand something to a callback.
template <class Chosen, class... Terms>
struct GivingTerms {
    using type = Chosen;
};
template <class... Chosen, class T, class... Terms>
struct GivingTerms<TermTypes<Chosen...>, T, Terms...>
    : GivingTerms<std::conditional_t<Term<T>::gives, TermTypes<Chosen..., T>, TermTypes<Chosen...>>, Terms...> {};

enum class Order : std::uint8_t { tables, reversed, by_index };

// The end of a range-for. Of its own, because <iterator> is a costly header.
struct WalkEnd {};

// Calls visit(chunk, first row, count) for each run of matching rows in table order, until it returns true.
template <class Visit>
bool walk_tables(Store& store, const QueryState& state, Visit&& visit) {
    // By position and with the count of now: a table that is made meanwhile is not visited.
    const std::size_t count = state.tables().size();
    for (std::size_t t = 0; t < count; ++t) {
        const Table& table = *state.tables()[t];
        if (table.rows() == 0) continue;
        for (std::uint32_t c = 0; c <= table.tail_index; ++c) {
            const Chunk& chunk = store.chunk(table.chunks[c]);
            const std::uint32_t rows = c == table.tail_index ? table.tail_rows : table.chunk_rows;
            if (state.is_plain()) [[likely]] {
                if (visit(chunk, 0u, rows)) return true;
                continue;
            }
            const Entity* ids = entities(chunk.base);
            for (std::uint32_t row = 0; row < rows;) {
                if (!state.passes(store, ids[row], table)) {
                    ++row;
                    continue;
                }
                const std::uint32_t first = row;
                do ++row;
                while (row < rows && state.passes(store, ids[row], table));
                if (visit(chunk, first, row - first)) return true;
            }
        }
    }
    return false;
}

// The same, driven by a sparse set where that leaves few rows to look at.
template <class Visit>
bool walk_forward(Store& store, const QueryState& state, Visit&& visit) {
    if (!state.is_plain()) {
        std::vector<Location> few;
        if (state.collect_few(store, few)) {
            for (const Location at : few) {
                if (visit(store.chunk(at.chunk()), at.row(), 1u)) return true;
            }
            return false;
        }
    }
    return walk_tables(store, state, visit);
}

// The matches in an order that is not the walk's own.
STOA_API std::vector<Entity> matches_in_order(Store& store, const QueryState& state, Order order);

// The walk that all others are made of. Requires: the structure is locked.
template <class Visit>
bool walk(Store& store, const QueryState& state, Order order, Visit&& visit) {
    if (order == Order::tables) [[likely]] return walk_forward(store, state, visit);
    for (const Entity entity : matches_in_order(store, state, order)) {
        const Place place = state.find(store, entity);
        if (visit(*place.chunk, place.row(), 1u)) return true;
    }
    return false;
}

// The three shapes of a callback: with an Entity or an EntityRef in front, or with what the terms give alone.
template <class F, class... Args>
inline constexpr bool takes_entity = std::is_invocable_v<F&, Entity, Args...>;
template <class F, class... Args>
inline constexpr bool takes_ref = !takes_entity<F, Args...> && std::is_invocable_v<F&, EntityRef, Args...>;

template <class F, class... Terms>
consteval bool accepts_terms(TermTypes<Terms...>) {
    return takes_entity<F, typename Term<Terms>::Argument...> || takes_ref<F, typename Term<Terms>::Argument...> ||
           std::is_invocable_v<F&, typename Term<Terms>::Argument...>;
}

template <class F, class... Args>
decltype(auto) call(F& f, Store& store, Entity entity, Args&&... args) {
    if constexpr (takes_entity<F, Args...>) {
        return f(entity, std::forward<Args>(args)...);
    } else if constexpr (takes_ref<F, Args...>) {
        return f(EntityRef(store, entity), std::forward<Args>(args)...);
    } else {
        return f(std::forward<Args>(args)...);
    }
}

// One argument that a term gives at a row.
template <class T>
typename Term<T>::Argument argument_at(const TermColumn& from, Entity entity, std::size_t row) {
    return Term<T>::argument(from, entity, row);
}

template <class T>
inline constexpr bool gives_sparse = Term<T>::gives && is_sparse<typename Term<T>::Component>;

// The values that a term gives for `count` rows from `row` on.
template <class T>
auto span_at(const TermColumn& from, Entity entity, std::size_t row, std::size_t count) {
    using Argument = typename Term<T>::Argument;
    if constexpr (std::is_pointer_v<Argument>) {
        Argument value = Term<T>::argument(from, entity, row);
        return std::span<std::remove_pointer_t<Argument>>(value, value != nullptr ? count : 0);
    } else {
        return std::span<std::remove_reference_t<Argument>>(&Term<T>::argument(from, entity, row), count);
    }
}

// Columns that are arrays are parameters of a function of their own, so that the compiler may believe that they do not
// overlap, and vectorise.
template <class F, class... Ts>
void call_columns(F& f, Store& store, const Entity* ids, std::size_t count, Ts* __restrict... columns) {
    for (std::size_t row = 0; row < count; ++row) call(f, store, ids[row], columns[row]...);
}

template <class, class Column>
using SameFor = Column;

template <class F, class... Terms>
void call_mixed(F& f, Store& store, const Chunk& chunk, std::uint32_t first, std::uint32_t count, TermTypes<Terms...>,
                SameFor<Terms, TermColumn>... columns) {
    const Entity* ids = entities(chunk.base);
    for (std::uint32_t row = first; row < first + count; ++row) {
        call(f, store, ids[row], argument_at<Terms>(columns, ids[row], row)...);
    }
}

template <class F, class... Terms>
void call_run(F& f, Store& store, const Chunk& chunk, std::uint32_t first, std::uint32_t count, TermTypes<Terms...>) {
    if constexpr ((Term<Terms>::is_plain && ...)) {
        call_columns(f, store, entities(chunk.base) + first, count,
                          &Term<Terms>::argument(Term<Terms>::column_of(store, chunk), Entity{}, first)...);
    } else {
        call_mixed(f, store, chunk, first, count, TermTypes<Terms...>{}, Term<Terms>::column_of(store, chunk)...);
    }
}

}  // namespace stoa::detail

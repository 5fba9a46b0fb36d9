// The loops that call the callback of a walk for the rows of a row span. Typed and inline, because users spend their
// time here. Used by every walk: of queries, filtered queries, caches and tables; by signals and initializers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/query/callable.hpp"
#include "stoa/detail/query/data_terms.hpp"

namespace stoa::detail {

// What the terms of a walk look up once per walk.
template <class T>
struct SourceOf {
    typename Term<T>::Source source;
};
template <class... Terms>
struct Sources : SourceOf<Terms>... {
    explicit Sources([[maybe_unused]] const Store& store) : SourceOf<Terms>{Term<Terms>::source(store)}... {}

    template <class T>
    auto column_in(const Table& table) const {
        return Term<T>::column_in(table, static_cast<const SourceOf<T>&>(*this).source);
    }
    template <class T>
    auto open(const Store& store, const RowSpan& rows, Tick now) const {
        return Term<T>::open(column_in<T>(*rows.table), store, rows, now);
    }
};

// What the terms look up once per table, for loops that open each row separately, so that only rows that were handed
// out count as written.
template <class T>
struct ColumnOf {
    typename Term<T>::Column column;
};
template <class... Terms>
struct Columns : ColumnOf<Terms>... {
    Columns() {}
    Columns([[maybe_unused]] const Sources<Terms...>& sources, [[maybe_unused]] const Table& table)
        : ColumnOf<Terms>{sources.template column_in<Terms>(table)}... {}

    template <class T>
    [[gnu::always_inline]] decltype(auto) value(const Store& store, const RowSpan& row, Entity entity, Tick now) const {
        return Term<T>::at(Term<T>::open(static_cast<const ColumnOf<T>&>(*this).column, store, row, now), entity, 0);
    }
};

// The row of one entity, with what a walk would have looked up for it.
template <class... Terms>
struct LocatedRow {
    const Sources<Terms...> sources;
    const RowSpan rows;

    LocatedRow(const Store& store, const EntityRow& place) : sources(store), rows(rows_at(place)) {}

    template <class T>
    decltype(auto) value(const Store& store, Entity entity) const {
        return Term<T>::at(sources.template open<T>(store, rows, store.clock().thread_tick()), entity, 0);
    }
};

template <class... Terms>
struct TermTypes {
    using Sources = detail::Sources<Terms...>;
    using Columns = detail::Columns<Terms...>;
    using LocatedRow = detail::LocatedRow<Terms...>;
};

// The terms that pass something to a callback.
template <class Chosen, class... Terms>
struct GivingTerms {
    using type = Chosen;
};
template <class... Chosen, class T, class... Terms>
struct GivingTerms<TermTypes<Chosen...>, T, Terms...>
    : GivingTerms<std::conditional_t<Term<T>::gives, TermTypes<Chosen..., T>, TermTypes<Chosen...>>, Terms...> {};
template <class... Terms>
using GivenBy = typename GivingTerms<TermTypes<>, Terms...>::type;

template <class F, class... Terms>
consteval bool accepts_terms(TermTypes<Terms...>) {
    return WantedSignature<void(typename Term<Terms>::Argument...), std::remove_reference_t<F>>::fits;
}
// The same for a callable that gets one more argument, behind those of the terms.
template <class F, class Last, class... Terms>
consteval bool accepts_terms_and(TermTypes<Terms...>) {
    return WantedSignature<void(typename Term<Terms>::Argument..., Last), std::remove_reference_t<F>>::fits;
}

// Inlined in debug builds too, and with casts instead of std::forward, so that a row costs one call: that of f.
template <class F, class... Args>
[[gnu::always_inline]] inline decltype(auto) call(F& f, Store& store, Entity entity, Args&&... args) {
    if constexpr (takes_entity<F, Args...>) {
        return f(entity, static_cast<Args&&>(args)...);
    } else if constexpr (takes_ref<F, Args...>) {
        return f(EntityRefAccess::make(store, entity), static_cast<Args&&>(args)...);
    } else {
        return f(static_cast<Args&&>(args)...);
    }
}

// Columns that are arrays are parameters of a separate function, so that the compiler may assume that they do not
// overlap, and vectorise. The function is not inlined: g++ would hoist constants of the loop into the surrounding walk,
// where calls leave no register for them, and reload them for each row.
template <class F, class... Ts>
[[gnu::noinline]] void call_columns(F& f, Store& store, const Entity* ids, std::size_t count,
                                    Ts* __restrict... columns) {
    for (std::size_t i = 0; i < count; ++i) call(f, store, ids[i], columns[i]...);
}

template <class F, class... Terms>
void call_mixed(F& f, Store& store, const RowSpan& rows, TermTypes<Terms...>,
                const typename Term<Terms>::Values&... from) {
    const Entity* ids = rows.ids();
    for (std::uint32_t i = 0; i < rows.count; ++i) call(f, store, ids[i], Term<Terms>::at(from, ids[i], i)...);
}

// If a walk inside the callback has looked for changes, rows that were handed out after it count as changed after it,
// even if the callback throws. `now` is the tick that the walk writes with, a variable outside the loop over row spans.
template <class... Terms>
struct StampAgain {
    const Store& store;
    const RowSpan& rows;
    const Sources<Terms...>& sources;
    Tick& now;

    [[gnu::always_inline]] ~StampAgain() {
        if (store.clock().thread_tick() == now) [[likely]]
            return;
        now = store.clock().thread_tick();
        if constexpr ((Term<Terms>::writes || ...))
            (static_cast<void>(sources.template open<Terms>(store, rows, now)), ...);
    }
};

template <class F, class... Terms>
[[gnu::always_inline]] inline void call_rows(F& f, Store& store, const RowSpan& rows, const Sources<Terms...>& sources,
                                             Tick& now) {
    const StampAgain<Terms...> again{store, rows, sources, now};
    if constexpr ((Term<Terms>::is_array && ...)) {
        call_columns(f, store, rows.ids(), rows.count, sources.template open<Terms>(store, rows, now)...);
    } else {
        call_mixed(f, store, rows, TermTypes<Terms...>{}, sources.template open<Terms>(store, rows, now)...);
    }
}

// Picked rows of a row span, for terms that only read columns. Rows that are further ahead are prefetched.
template <class... Terms>
consteval bool can_pick(TermTypes<Terms...>) {
    return ((Term<Terms>::is_array && !Term<Terms>::writes) && ...);
}

template <class F, class... Ts>
void call_picked(F& f, Store& store, const Entity* ids, std::span<const std::uint16_t> picks, Ts*... columns) {
    constexpr std::size_t ahead = 8;
    for (std::size_t i = 0; i < picks.size(); ++i) {
        [[maybe_unused]] const std::size_t later = picks[i + ahead < picks.size() ? i + ahead : i];
        (__builtin_prefetch(columns + later), ...);
        call(f, store, ids[picks[i]], columns[picks[i]]...);
    }
}

template <class F, class... Terms>
void call_picks(F& f, Store& store, const RowSpan& rows, std::span<const std::uint16_t> picks,
                const Sources<Terms...>& sources, Tick& now) {
    if (picks.empty()) return call_rows(f, store, rows, sources, now);
    call_picked(f, store, rows.ids(), picks, sources.template open<Terms>(store, rows, now)...);
}

template <class F, class... Terms>
void call_rows(F& f, Store& store, const LocatedRow<Terms...>& found) {
    Tick now = store.clock().thread_tick();
    call_rows(f, store, found.rows, found.sources, now);
}

// True as soon as one call returns true.
template <class F, class... Terms>
bool call_until(F& f, Store& store, const RowSpan& rows, const Sources<Terms...>& sources) {
    const Columns<Terms...> columns(sources, *rows.table);
    RowSpan row = rows.row(0);
    const auto call_row = [&](Entity entity) -> decltype(auto) {
        return call(f, store, entity,
                    columns.template value<Terms>(store, row, entity, store.clock().thread_tick())...);
    };
    static_assert(std::is_convertible_v<decltype(call_row(Entity{})), bool>,
                  "the callable of each_until returns bool: true stops the walk");
    for (std::uint32_t left = rows.count; left != 0; --left, ++row.first) {
        if (call_row(row.ids()[0])) return true;
    }
    return false;
}

// The values that a term gives for a row span.
template <class T>
auto span_of(const typename Term<T>::Values& from, const RowSpan& rows) {
    using Argument = typename Term<T>::Argument;
    static_assert(std::is_reference_v<Argument> || std::is_pointer_v<Argument>,
                  "each_chunk hands out whole columns, where Mut cannot note single rows: name T or const T");
    if constexpr (std::is_pointer_v<Argument>) {
        Argument value = Term<T>::at(from, rows.ids()[0], 0);
        return std::span<std::remove_pointer_t<Argument>>(value, value != nullptr ? rows.count : 0);
    } else {
        return std::span<std::remove_reference_t<Argument>>(detail::address_of(Term<T>::at(from, rows.ids()[0], 0)),
                                                            rows.count);
    }
}

template <class Signature, class F>
struct WantedChunkSignature;
template <class... Spans, class F>
struct WantedChunkSignature<void(Spans...), F> {
    static constexpr bool fits = std::is_invocable_v<F&, Spans...>;
    static_assert(
        fits,
        "the callable does not take what the terms give: a span of T for T, of const T for const T, as in "
        "WantedChunkSignature<void(...)> in the lines around this one; a span of const Entity may come first");
};

template <class F, class... Terms>
[[gnu::always_inline]] inline void call_spans(F& f, const Store& store, const RowSpan& rows,
                                              const Sources<Terms...>& sources, Tick& now) {
    const std::span<const Entity> ids(rows.ids(), rows.count);
    const auto pass = [&](auto... spans) {
        if constexpr (std::is_invocable_v<F&, std::span<const Entity>, decltype(spans)...>) {
            f(ids, spans...);
        } else {
            static_assert(WantedChunkSignature<void(decltype(spans)...), F>::fits);
            f(spans...);
        }
    };
    const StampAgain<Terms...> again{store, rows, sources, now};
    pass(span_of<Terms>(sources.template open<Terms>(store, rows, now), rows)...);
}

template <class T>
inline constexpr bool gives_sparse = Term<T>::gives && is_sparse<typename Term<T>::Component>;

// A row span as spans of values. Sparse values are not in columns, so there each row is a span of its own.
template <class F, class... Terms>
[[gnu::always_inline]] inline void call_chunk(F& f, const Store& store, const RowSpan& rows,
                                              const Sources<Terms...>& sources, Tick& now) {
    if constexpr ((gives_sparse<Terms> || ...)) {
        for (std::uint32_t i = 0; i < rows.count; ++i) call_spans(f, store, rows.row(i), sources, now);
    } else {
        call_spans(f, store, rows, sources, now);
    }
}

}  // namespace stoa::detail

// The parallel walks of a handle on entities: par_each and par_reduce, written once for all handles that match like a
// query. The walk is cut into pieces (par_walk.hpp); what a piece computes or records is kept for itself, and joined in
// the order of the walk.
//
// Invariant: what par_reduce returns, and what par_each records, depends on the rows alone, never on threads.
//
// Beside what Walkable asks for, the `Source` supplies:
//
//     Store& require_store() const                 throws Errc::world_gone
//     Order order() const                          Order::none while it is not active
//     static constexpr bool walks_tables           whether it may match whole tables; then also
//     bool matches_whole_tables() const            whether every row of each matching table matches
//     const QueryState& state() const              the matching tables
#pragma once

#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/query/par_walk.hpp"
#include "stoa/detail/query/piece_recorder.hpp"
#include "stoa/detail/query/walkable.hpp"

namespace stoa::detail {

// A callable with the last argument filled in.
template <class F, class Last>
struct WithLast {
    F& f;
    Last& last;

    template <class... Args>
        requires(std::is_invocable_v<F&, Args..., Last&>)
    [[gnu::always_inline]] decltype(auto) operator()(Args&&... args) const {
        return f(static_cast<Args&&>(args)..., last);
    }
};

// Appends the value of a row to those before it.
template <class T, class Map, class Combine>
struct FoldRow {
    Map& map;
    Combine& combine;
    T& sum;

    template <class... Args>
        requires(std::is_invocable_v<Map&, Args...>)
    [[gnu::always_inline]] void operator()(Args&&... args) const {
        static_assert(std::is_convertible_v<std::invoke_result_t<Map&, Args...>, T>,
                      "par_reduce: the first callable gives a value that converts to the type of the initial one");
        static_assert(std::is_invocable_r_v<T, Combine&, T, T>,
                      "par_reduce: the last callable combines two values of the type of the initial one to a third");
        sum = static_cast<T>(combine(std::move(sum), static_cast<T>(map(static_cast<Args&&>(args)...))));
    }
};
template <class T, class Map>
struct FirstRow {
    Map& map;
    std::optional<T>& sum;

    template <class... Args>
        requires(std::is_invocable_v<Map&, Args...>)
    void operator()(Args&&... args) const {
        sum.emplace(static_cast<T>(map(static_cast<Args&&>(args)...)));
    }
};

// The sum of a piece; none before its first row. In a cache line of its own, since each thread writes others.
template <class T>
struct alignas(64) PieceSum {
    std::optional<T> value;
};

template <class Source, class... Terms>
class ParWalkable : public Walkable<Source, Terms...> {
    using Given = GivenBy<Terms...>;
    using Sources = typename Given::Sources;

  protected:
    using Walkable<Source, Terms...>::Walkable;
    using Walkable<Source, Terms...>::source_;

  public:
    template <class F>
    void par_each(Executor& executor, F&& f) const {
        static_assert(Walkable<Source, Terms...>::template accepts<F>());
        static_assert(is_walked_whole());
        constexpr std::size_t pieces_a_thread = 8;  // so that other threads can help a slow one
        Store& store = source_.require_store();
        if (executor.threads() < 2 || source_.order() != Order::tables) {
            const ParEachScope inside;
            return this->each(f);
        }
        ParWalk walk = cut(store, executor.threads() * pieces_a_thread);
        const Sources sources(store);
        run(walk, executor, [&](std::size_t, const RowSpan& rows) { call_piece(f, store, rows, sources); });
        walk.rethrow();
    }

    template <class Into, class F>
    void par_each(Executor& executor, Into&& into, F&& f) const {
        using Recorder = PieceRecorder<std::remove_cvref_t<Into>>;
        using Recording = std::remove_cvref_t<Into>;
        static_assert(accepts_terms_and<F, Recording&>(Given{}));
        static_assert(Walkable<Source, Terms...>::template hands_out_no_ref<F, Recording&>(Given{}));
        static_assert(is_walked_whole());
        Store& store = source_.require_store();
        ParWalk walk = cut(store, ParWalk::most_pieces);
        Recorder recorder(into, walk.count(), walk.first_number());
        const Sources sources(store);
        SerialExecutor serial;
        run(walk, recorder.needs_one_thread() ? serial : chosen(executor, serial),
            [&](std::size_t piece, const RowSpan& rows) {
                auto&& given = recorder[piece];
                WithLast<std::remove_reference_t<F>, Recording> with{f, given};
                call_piece(with, store, rows, sources);
            });
        recorder.end(walk.reached());
        walk.rethrow();
    }

    template <class T, class Map, class Combine>
    T par_reduce(Executor& executor, T init, Map&& map, Combine&& combine) const {
        static_assert(Walkable<Source, Terms...>::template accepts<Map>());
        static_assert(is_walked_whole());
        static_assert(std::is_move_constructible_v<T> && std::is_move_assignable_v<T>,
                      "par_reduce moves the values that it combines, so they must be movable and assignable");
        using Fold = FoldRow<T, std::remove_reference_t<Map>, std::remove_reference_t<Combine>>;
        using First = FirstRow<T, std::remove_reference_t<Map>>;
        Store& store = source_.require_store();
        ParWalk walk = cut(store, ParWalk::most_pieces);
        std::vector<PieceSum<T>> sums(walk.count());
        const Sources sources(store);
        SerialExecutor serial;
        run(walk, chosen(executor, serial), [&](std::size_t piece, const RowSpan& rows) {
            std::optional<T>& sum = sums[piece].value;
            RowSpan rest = rows;
            if (!sum) {
                First first{map, sum};
                call_piece(first, store, rows.row(0), sources);
                ++rest.first;
                --rest.count;
            }
            Fold fold{map, combine, *sum};
            call_piece(fold, store, rest, sources);
        });
        walk.rethrow();
        const ParEachScope inside;
        for (PieceSum<T>& sum : sums) {
            if (sum.value) init = static_cast<T>(combine(std::move(init), std::move(*sum.value)));
        }
        return init;
    }

  private:
    static consteval bool is_walked_whole() {
        static_assert(!(Term<Terms>::tracks || ...), "a walk over what has changed is short: use each");
        return true;
    }

    // Rows in another order than that of the tables: words of 64 rows are torn apart.
    Executor& chosen(Executor& executor, SerialExecutor& serial) const {
        return source_.order() != Order::tables && (Term<Terms>::may_write || ...) ? serial : executor;
    }

    ParWalk cut(Store& store, std::size_t most) const {
        if constexpr (Source::walks_tables) {
            if (source_.order() == Order::tables && source_.matches_whole_tables())
                return ParWalk(store, source_.state(), most);
        }
        std::vector<RowSpan> rows;
        typename Source::Selector selector;
        for (auto walk = source_.start_walk(store, selector); walk.next();) rows.push_back(walk.rows());
        return ParWalk(store, rows, most);
    }

    template <class Call>
    static void run(ParWalk& walk, Executor& executor, const Call& call) {
        const auto call_it = [](const void* of, std::size_t piece, const RowSpan& rows) {
            (*object_at<Call>(of))(piece, rows);  // Safe: it is the call below
        };
        walk.run(executor, call_it, &call);
    }
    template <class F>
    static void call_piece(F& f, Store& store, const RowSpan& rows, const Sources& sources) {
        Tick now = store.clock().thread_tick();
        call_rows(f, store, rows, sources, now);
    }
};

}  // namespace stoa::detail

// The walks of a handle on entities: each, each_until, each_chunk and collect, written once for Query, Filtered, Cache
// and TableRef.
//
// The handle has a `Source`, which supplies where the rows come from:
//
//     Store* store_to_walk() const             null where there is nothing to walk; throws Errc::world_gone
//     using Selector data of a walk outside of it; default-constructed for each walk
//     auto start_walk(Store&, Selector&) const a walk, which locks the structure while it lives
//     static constexpr bool picks_rows         whether the walk has next_picks() and picks()
//     static constexpr bool only_reads         optional, true: callbacks get no EntityRef
//
// A walk has next(), which goes to the next row span and is false when there is none; rows(), the row span; and ids(),
// its entities.
#pragma once

#include <type_traits>
#include <utility>

#include "stoa/detail/query/calls.hpp"
#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {

// The selector of walks that need none.
struct NoSelector {};

template <class Source, class... Terms>
class Walkable {
    using Given = GivenBy<Terms...>;
    using Sources = typename Given::Sources;

  public:
    template <class F>
    void each(F&& f) const {
        static_assert(accepts<F>());
        Store* const store = source_.store_to_walk();
        if (store == nullptr) return;
        const Sources sources(*store);
        typename Source::Selector selector;
        auto walk = source_.start_walk(*store, selector);
        Tick now = store->clock().thread_tick();
        if constexpr (Source::picks_rows && can_pick(Given{})) {
            while (walk.next_picks()) call_picks(f, *store, walk.rows(), walk.picks(), sources, now);
        } else {
            while (walk.next()) call_rows(f, *store, walk.rows(), sources, now);
        }
    }

    template <class F>
    bool each_until(F&& f) const {
        static_assert(accepts<F>());
        Store* const store = source_.store_to_walk();
        if (store == nullptr) return false;
        const Sources sources(*store);
        typename Source::Selector selector;
        for (auto walk = source_.start_walk(*store, selector); walk.next();) {
            if (call_until(f, *store, walk.rows(), sources)) return true;
        }
        return false;
    }

    template <class F>
    void each_chunk(F&& f) const {
        Store* const store = source_.store_to_walk();
        if (store == nullptr) return;
        const Sources sources(*store);
        typename Source::Selector selector;
        auto walk = source_.start_walk(*store, selector);
        Tick now = store->clock().thread_tick();
        while (walk.next()) call_chunk(f, *store, walk.rows(), sources, now);
    }

    template <class Container>
    void collect(Container& out) const {
        Store* const store = source_.store_to_walk();
        if (store == nullptr) return;
        typename Source::Selector selector;
        for (auto walk = source_.start_walk(*store, selector); walk.next();) {
            append(out, walk.ids().begin(), walk.ids().end());
        }
    }

  private:
    // To a sequence, to a set, or to what has only push_back.
    template <class Container, class Iterator>
    static void append(Container& out, Iterator first, Iterator last) {
        if constexpr (requires { out.insert(out.end(), first, last); }) {
            out.insert(out.end(), first, last);
        } else if constexpr (requires { out.insert(first, last); }) {
            out.insert(first, last);
        } else {
            for (; first != last; ++first) out.push_back(*first);
        }
    }

  protected:
    template <class F>
    static consteval bool accepts() {
        return accepts_terms<F>(Given{}) && hands_out_no_ref<F>(Given{});
    }
    // Whether F does without an EntityRef, where it must. `Last` are arguments behind what the terms give.
    template <class F, class... Last, class... Ts>
    static consteval bool hands_out_no_ref(TermTypes<Ts...>) {
        if constexpr (requires { Source::only_reads; }) {
            static_assert(
                !takes_ref<std::remove_reference_t<F>, typename Term<Ts>::Argument..., Last...>,
                "a query of a const World hands out no EntityRef, which could change the world: take an Entity");
        }
        return true;
    }

    explicit Walkable(Source source) noexcept : source_(std::move(source)) {}

    Source source_;
};

// Where the rows of a TableRef come from.
struct TableSource {
    static constexpr bool picks_rows = false;
    using Selector = NoSelector;

    Store* store_to_walk() const { return store; }
    TableWalk start_walk(Store& at, Selector&) const { return {at, at.find_table(*list)}; }

    Store* store;
    TypeList* list;
};

}  // namespace stoa::detail

// The iterator behind `for (auto [entity, …] : query)`. It keeps the structure locked as long as it lives.
#pragma once

#include "stoa/query.hpp"

namespace stoa {

template <class... Terms>
class Query<Terms...>::Iterator {
    template <class... Ts>
    static detail::Row<Entity, typename detail::Term<Ts>::Argument...> row_for(detail::TermTypes<Ts...>);

  public:
    using value_type = decltype(row_for(Given{}));
    using difference_type = std::ptrdiff_t;

    template <class From>
    [[gnu::always_inline]] Iterator(detail::Store& store, const detail::QueryState& state, detail::Order order, From&& from)
        : store_(store), sources_(store), walk_(store, state, order, from, sieve_) {
        next_run();
    }

    [[gnu::always_inline]] value_type operator*() const { return row(Given{}); }
    [[gnu::always_inline]] Iterator& operator++() {
        ++row_.first;
        if (--left_ == 0) next_run();
        return *this;
    }
    [[gnu::always_inline]] friend bool operator==(const Iterator& at, detail::WalkEnd) { return at.left_ == 0; }

  private:
    [[gnu::always_inline]] void next_run() {
        if (!walk_.next()) return;
        row_ = walk_.rows().row(0);
        left_ = walk_.rows().count;
        columns_ = typename Given::Columns(sources_, *row_.table);
    }
    template <class... Ts>
    [[gnu::always_inline]] value_type row(detail::TermTypes<Ts...>) const {
        const Entity entity = row_.ids()[0];
        [[maybe_unused]] const detail::Tick now = store_.walking_tick();
        return {{{entity}, {columns_.template value<Ts>(store_, row_, entity, now)}...}};
    }

    detail::Store& store_;
    Sources sources_;
    // Most walks test nothing; that one is `reversed` is not known here.
    std::conditional_t<tracks || has_sparse_terms(), detail::Sieve, detail::RareSieve> sieve_;
    detail::Walk walk_;
    typename Given::Columns columns_;  // in the table of the run
    detail::Rows row_;
    std::uint32_t left_ = 0;  // of the run, with this row
};

}  // namespace stoa

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
    Iterator(detail::Store& store, const detail::QueryState& state, detail::Order order, From&& from)
        : store_(store), walk_(store, state, order, from), done_(!walk_.next()) {}

    value_type operator*() const { return row(Given{}); }
    Iterator& operator++() {
        if (++at_ == walk_.rows().count) {
            at_ = 0;
            done_ = !walk_.next();
        }
        return *this;
    }
    friend bool operator==(const Iterator& at, detail::WalkEnd) { return at.done_; }

  private:
    // Each turn opens its row anew, so that only rows that were handed out count as written.
    template <class... Ts>
    value_type row(detail::TermTypes<Ts...>) const {
        const detail::Rows rows{walk_.rows().chunk, walk_.rows().first + at_, 1};
        const Entity entity = rows.ids()[0];
        return {{{entity}, {detail::Term<Ts>::at(detail::Term<Ts>::open(store_, rows), entity, 0)}...}};
    }

    detail::Store& store_;
    detail::Walk walk_;
    std::uint32_t at_ = 0;
    bool done_;
};

}  // namespace stoa

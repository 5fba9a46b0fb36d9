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

    Iterator(detail::Store& store, const detail::QueryState& state, detail::Order order) : store_(store), lock_(store) {
        detail::walk(store, state, order, [&](const detail::Chunk& chunk, std::uint32_t first, std::uint32_t count) {
            runs_.push_back({&chunk, first, count});
            return false;
        });
    }

    value_type operator*() const { return row_at(runs_[run_], Given{}); }
    Iterator& operator++() {
        if (++row_ == runs_[run_].count) {
            row_ = 0;
            ++run_;
        }
        return *this;
    }
    friend bool operator==(const Iterator& at, detail::WalkEnd) { return at.run_ == at.runs_.size(); }

  private:
    struct Piece {
        const detail::Chunk* chunk;
        std::uint32_t first;
        std::uint32_t count;
    };

    template <class... Ts>
    value_type row_at(const Piece& piece, detail::TermTypes<Ts...>) const {
        const std::uint32_t row = piece.first + row_;
        const Entity entity = detail::entities(piece.chunk->base)[row];
        return {{{entity}, {detail::argument_at<Ts>(detail::Term<Ts>::column_of(store_, *piece.chunk), entity, row)}...}};
    }

    detail::Store& store_;
    detail::Store::Lock lock_;
    std::vector<Piece> runs_;
    std::size_t run_ = 0;
    std::uint32_t row_ = 0;
};

}  // namespace stoa

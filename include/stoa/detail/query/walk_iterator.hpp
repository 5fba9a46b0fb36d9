// The iterator behind `for (auto [entity, …] : query)`, of queries and of filtered queries: a std::input_iterator. It
// locks the structure while it lives. It can be moved, not copied, because a walk has one place; one that was moved
// from holds nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/query/calls.hpp"
#include "stoa/detail/query/result_row.hpp"
#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {

// The source makes the walk, with an IteratorSelector beside it.
template <class Given, class Source>
class WalkIterator {
    template <class... Ts>
    static ResultRow<Entity, typename Term<Ts>::Argument...> row_for(TermTypes<Ts...>);

  public:
    using value_type = decltype(row_for(Given{}));
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    [[gnu::always_inline]] explicit WalkIterator(const Source& source)
        : store_(&source.require_store()), sources_(*store_), walk_(source.start_walk(*store_, selector_)) {
        next_rows();
    }
    WalkIterator(WalkIterator&& other) noexcept
        : store_(other.store_),
          sources_(other.sources_),
          selector_(std::move(other.selector_)),
          walk_(std::move(other.walk_)) {
        take_row(other);
    }
    WalkIterator& operator=(WalkIterator&& other) noexcept {
        store_ = other.store_;
        sources_ = other.sources_;
        selector_ = std::move(other.selector_);
        walk_ = std::move(other.walk_);
        take_row(other);
        return *this;
    }
    [[gnu::always_inline]] ~WalkIterator() = default;

    [[gnu::always_inline]] value_type operator*() const { return row(Given{}); }
    [[gnu::always_inline]] WalkIterator& operator++() {
        ++row_.first;
        if (--left_ == 0) next_rows();
        return *this;
    }
    [[gnu::always_inline]] void operator++(int) { ++*this; }
    [[gnu::always_inline]] friend bool operator==(const WalkIterator& at, WalkEnd) { return at.left_ == 0; }

  private:
    using Selector = typename Source::IteratorSelector;

    void take_row(WalkIterator& other) noexcept {
        if constexpr (std::is_same_v<Selector, RowSelector>) walk_.move_to(selector_);
        left_ = std::exchange(other.left_, 0);
        if (left_ == 0) return;  // there is none
        columns_ = other.columns_;
        row_ = other.row_;
    }
    [[gnu::always_inline]] void next_rows() {
        if (!walk_.next()) return;
        row_ = walk_.rows().row(0);
        left_ = walk_.rows().count;
        columns_ = typename Given::Columns(sources_, *row_.table);
    }
    // Each iteration opens its row separately, so that only rows that were handed out count as written.
    template <class... Ts>
    [[gnu::always_inline]] value_type row(TermTypes<Ts...>) const {
        const Entity entity = row_.ids()[0];
        [[maybe_unused]] const Tick now = store_->clock().thread_tick();
        return {{{entity}, {columns_.template value<Ts>(*store_, row_, entity, now)}...}};
    }

    Store* store_;
    typename Given::Sources sources_;
    Selector selector_;
    typename Source::RowWalk walk_;
    typename Given::Columns columns_;  // in the table of row_
    RowSpan row_;
    std::uint32_t left_ = 0;  // rows of the row span, row_ included
};

}  // namespace stoa::detail

/// Filters: conditions on the fields of components, for Query::where.
///
/// Comparing an index with a key makes a filter, and `&&`, `||` and `!` combine filters:
///
///     const Filter strong_reds = by_team == red && !(by_level < 3);
///
/// A filter is a value with a copy of its keys. It shares what the index knows, so it still works when the index handle
/// is gone. It may outlive its world; Query::where of another world then throws Errc::conflict.
///
/// Threads: filters that share parts or an index, as copies and combinations do, are made, copied, walked with and
/// destroyed on one thread at a time.
#pragma once

#include <cstddef>
#include <utility>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/ref.hpp"

namespace stoa {

namespace detail {
class FieldIndex;
struct FilterAccess;
struct FilterNode;
struct LookupKey;

STOA_API void add_ref(FilterNode& node) noexcept;
STOA_API void release_ref(FilterNode& node) noexcept;
}  // namespace detail

/// Copies share their contents. A filter that was moved from may only be assigned to or destroyed.
class STOA_API [[nodiscard]] Filter {
    friend struct detail::FilterAccess;
    explicit Filter(detail::Ref<detail::FilterNode> node) noexcept : node_(std::move(node)) {}

    detail::Ref<detail::FilterNode> node_;
};

/// Passes what both pass. Throws: std::bad_alloc.
STOA_API Filter operator&&(const Filter& a, const Filter& b);
/// Passes what one of them passes. Throws: std::bad_alloc.
STOA_API Filter operator||(const Filter& a, const Filter& b);
/// Passes entities that have the component and do not pass `filter`. An entity without it passes neither, as with !=.
/// Throws: std::bad_alloc, and what copying a key throws.
STOA_API Filter operator!(const Filter& filter);

namespace detail {

// The door for indexes and walks, which make filters and read them.
struct FilterAccess {
    // An empty reference makes a filter that every entity passes.
    static Filter make(Ref<FilterNode> node) noexcept { return Filter(std::move(node)); }
    static const FilterNode* node(const Filter& filter) noexcept { return filter.node_.get(); }
};

// A null index belongs to a handle that was moved from; Query::where refuses such a filter. These throw std::bad_alloc,
// and what copying a key throws.

// Passes entities with one of these keys.
STOA_API Filter filter_in(FieldIndex* index, const LookupKey* keys, std::size_t count);

// Whether a bound belongs to its range.
enum class Border : bool { excluded, included };
struct Bound {
    const LookupKey* key = nullptr;  // null: the range has no end on this side
    Border border = Border::included;
};
struct Bounds {
    Bound lower;
    Bound upper;
};
// Passes entities with a key inside the bounds. Requires: an ordered index.
STOA_API Filter filter_between(FieldIndex* index, const Bounds& bounds);

}  // namespace detail
}  // namespace stoa

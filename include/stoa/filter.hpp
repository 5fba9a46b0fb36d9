// Filters: what the value of a field must be, for Query::where. Made by comparing an index with a key, combined with &&, || and !.
// A filter is a value; it keeps what it needs of its index, which may be gone before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "stoa/detail/config.hpp"

namespace stoa {

namespace detail {
class FieldIndex;
struct FilterNode;
struct Probe;

STOA_API void hold_filter(FilterNode* node) noexcept;
STOA_API void drop_filter(FilterNode* node) noexcept;
}  // namespace detail

class STOA_API [[nodiscard]] Filter {
  public:
    Filter(const Filter& other) noexcept : node_(other.node_) { detail::hold_filter(node_); }
    Filter(Filter&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    Filter& operator=(Filter other) noexcept {
        std::swap(node_, other.node_);
        return *this;
    }
    ~Filter() { detail::drop_filter(node_); }

    // For the library.
    explicit Filter(detail::FilterNode* node) noexcept : node_(node) {}  // takes it over; null lets everything pass
    const detail::FilterNode* node() const { return node_; }

  private:
    detail::FilterNode* node_;
};

STOA_API Filter operator&&(const Filter& a, const Filter& b);
STOA_API Filter operator||(const Filter& a, const Filter& b);
// Matches no entity that lacks the component, as != does not.
STOA_API Filter operator!(const Filter& filter);

namespace detail {

// One of these keys. Null: an index whose world is gone. Throws std::bad_alloc, and what copying a key throws.
STOA_API Filter filter_in(FieldIndex* index, const Probe* keys, std::size_t count);
struct Bounds {
    const Probe* lower = nullptr;
    const Probe* upper = nullptr;
    bool with_lower = true;
    bool with_upper = true;
};
STOA_API Filter filter_between(FieldIndex* index, const Bounds& bounds);

}  // namespace detail
}  // namespace stoa

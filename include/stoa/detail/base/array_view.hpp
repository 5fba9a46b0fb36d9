// ArrayView: a pointer and a length. Where every user of the library would compile it, this is returned instead of a
// std::span, whose constructors cost a compiler more than the rest of such a header. Used by tables and sparse sets.
#pragma once

#include <cstddef>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

template <class T>
class ArrayView {
  public:
    using value_type = T;

    constexpr ArrayView(T* data, std::size_t size) : data_(data), size_(size) {}

    constexpr T* data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr bool empty() const { return size_ == 0; }
    constexpr T* begin() const { return data_; }
    constexpr T* end() const { return data_ + size_; }
    constexpr T& operator[](std::size_t i) const { return data_[i]; }

  private:
    T* data_;
    std::size_t size_;
};

}  // namespace stoa::detail

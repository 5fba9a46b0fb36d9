// Recycled objects of one pooled component: constructed, reset, waiting to be added again. Called by the store.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/component_ops.hpp"

namespace stoa::detail {

class ObjectPool {
  public:
    explicit ObjectPool(const ComponentType& type) : type_(type) {}
    ~ObjectPool();
    ObjectPool(const ObjectPool&) = delete;
    ObjectPool& operator=(const ObjectPool&) = delete;

    // Resets the object and takes it over; destroys it when there is no memory to keep it.
    void stash(void* object) noexcept;
    // Moves an object to `to`; false when there is none.
    bool take(void* to) noexcept;
    void clear() noexcept;

    std::size_t bytes() const { return std::size_t{capacity_} * type_.size; }

  private:
    void relocate(void* to, void* from, std::size_t count) noexcept;
    bool grow() noexcept;

    const ComponentType& type_;
    std::byte* objects_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint32_t capacity_ = 0;
};

}  // namespace stoa::detail

// ValueExchange: swaps two values of one component without copying or assigning them. The room for the third place is
// reserved beforehand, so that a swap cannot fail. Used by row drafts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/block_pool.hpp"
#include "base/pod_array.hpp"
#include "stoa/detail/component/component_ops.hpp"

namespace stoa::detail {

class ValueExchange {
  public:
    explicit ValueExchange(BlockPool& pool) noexcept : pool_(pool) {}
    ~ValueExchange() { between_.free(pool_); }
    ValueExchange(const ValueExchange&) = delete;
    ValueExchange& operator=(const ValueExchange&) = delete;

    // Throws std::bad_alloc.
    void reserve(const ComponentType& type) {
        if (type.relocate != nullptr) between_.reserve(pool_, type.size + type.alignment);
    }
    // Requires: reserve() for this type.
    void swap(const ComponentType& type, void* a, void* b) noexcept {
        if (type.relocate == nullptr) {
            auto* bytes = static_cast<std::byte*>(a);
            std::swap_ranges(bytes, bytes + type.size, static_cast<std::byte*>(b));
            return;
        }
        const std::size_t beyond = reinterpret_cast<std::uintptr_t>(between_.data) % type.alignment;
        void* between = between_.data + (beyond == 0 ? 0 : type.alignment - beyond);
        type.relocate(between, a, 1);
        type.relocate(a, b, 1);
        type.relocate(b, between, 1);
    }

  private:
    BlockPool& pool_;
    PodArray<std::byte> between_;
};

}  // namespace stoa::detail

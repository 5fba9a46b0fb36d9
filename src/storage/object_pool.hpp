// Recycled objects of pooled components: constructed and reset, ready to be added again. ObjectPools has one pool for
// each pooled component of a world, and destroys or recycles all values that leave the world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/block_pool.hpp"
#include "base/pod_array.hpp"
#include "stoa/detail/component/component_ops.hpp"

namespace stoa::detail {

class ObjectPool {
  public:
    explicit ObjectPool(const ComponentType& type) : type_(type) {}
    ~ObjectPool();
    ObjectPool(const ObjectPool&) = delete;
    ObjectPool& operator=(const ObjectPool&) = delete;

    // Resets the object and stores it; destroys it if there is no memory.
    void stash(void* object) noexcept;
    // Moves an object to `to`; false when there is none.
    bool take(void* to) noexcept;
    void clear() noexcept;
    bool empty() const { return count_ == 0; }

    std::size_t bytes() const { return std::size_t{capacity_} * type_.size; }

  private:
    bool grow() noexcept;

    const ComponentType& type_;
    std::byte* objects_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint32_t capacity_ = 0;
};

class ObjectPools {
  public:
    explicit ObjectPools(BlockPool& memory) noexcept : memory_(memory) {}
    ~ObjectPools();
    ObjectPools(const ObjectPools&) = delete;
    ObjectPools& operator=(const ObjectPools&) = delete;

    // Makes the pool of a pooled component, before its first value exists. Throws std::bad_alloc.
    void prepare(ComponentId id, const ComponentType& type);
    // Puts a recycled object at `to`; false when there is none.
    bool take(ComponentId id, void* to) noexcept {
        ObjectPool* pool = find(id);
        return pool != nullptr && pool->take(to);
    }
    // Recycles a value of a pooled component, and destroys any other.
    void recycle_or_destroy(const ComponentType& type, ComponentId id, void* value) noexcept {
        if (type.traits.pooled) {
            find(id)->stash(value);
        } else {
            type.destroy_values(value);
        }
    }
    void clear() noexcept;
    // Destroys the pools of the components that `which(id)` selects. Returns: whether one had objects.
    template <class Which>
    bool remove_if(Which&& which) noexcept {
        bool any = false;
        for (std::uint32_t number = 0; number < pools_.size; ++number) {
            if (pools_[number] == nullptr || !which(ComponentId{number})) continue;
            any |= !pools_[number]->empty();
            delete std::exchange(pools_[number], nullptr);
        }
        return any;
    }

    std::size_t bytes() const noexcept;

  private:
    ObjectPool* find(ComponentId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        return number < pools_.size ? pools_[number] : nullptr;
    }

    BlockPool& memory_;
    PodArray<ObjectPool*> pools_;  // by component id; null where a type is not pooled
};

}  // namespace stoa::detail

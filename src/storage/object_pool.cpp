// Recycling of pooled components. Nothing here fails: without memory an object is destroyed instead of recycled.
#include "storage/object_pool.hpp"
#include "stoa/detail/storage/build.hpp"
#include "storage/store_state.hpp"

#include <algorithm>
#include <new>

namespace stoa::detail {

ObjectPool::~ObjectPool() { clear(); }

void ObjectPool::stash(void* object) noexcept {
    type_.reset(object);
    if (count_ == capacity_ && !grow()) {
        type_.destroy_values(object);
        return;
    }
    type_.relocate_values(objects_ + std::size_t{count_} * type_.size, object);
    ++count_;
}

bool ObjectPool::take(void* to) noexcept {
    if (count_ == 0) return false;
    --count_;
    type_.relocate_values(to, objects_ + std::size_t{count_} * type_.size);
    return true;
}

void ObjectPool::clear() noexcept {
    type_.destroy_values(objects_, count_);
    ::operator delete(objects_, std::align_val_t{type_.alignment});
    objects_ = nullptr;
    count_ = capacity_ = 0;
}

bool ObjectPool::grow() noexcept {
    const std::uint32_t larger = std::max<std::uint32_t>(8, capacity_ * 2);
    void* block = ::operator new(std::size_t{larger} * type_.size, std::align_val_t{type_.alignment}, std::nothrow);
    if (block == nullptr) return false;
    if (count_ != 0) type_.relocate_values(block, objects_, count_);
    ::operator delete(objects_, std::align_val_t{type_.alignment});
    objects_ = static_cast<std::byte*>(block);
    capacity_ = larger;
    return true;
}

ObjectPools::~ObjectPools() {
    for (ObjectPool* pool : pools_) delete pool;
    pools_.free(memory_);
}

void ObjectPools::prepare(ComponentId id, const ComponentType& type) {
    if (find(id) != nullptr) return;
    const auto number = static_cast<std::uint32_t>(id);
    pools_.reserve(memory_, number + 1);
    while (pools_.size <= number) pools_.push(nullptr);
    pools_[number] = new ObjectPool(type);
}

void ObjectPools::clear() noexcept {
    for (ObjectPool* pool : pools_) {
        if (pool != nullptr) pool->clear();
    }
}

std::size_t ObjectPools::bytes() const noexcept {
    std::size_t bytes = 0;
    for (const ObjectPool* pool : pools_) {
        if (pool != nullptr) bytes += pool->bytes();
    }
    return bytes;
}

bool take_pooled(Store& store, ComponentId id, void* to) noexcept { return store.state().object_pools.take(id, to); }

}  // namespace stoa::detail

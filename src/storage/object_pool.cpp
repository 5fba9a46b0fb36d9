// Recycling of pooled components. Nothing here fails: without memory an object is destroyed instead of kept.
#include "storage/object_pool.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace stoa::detail {

ObjectPool::~ObjectPool() { clear(); }

void ObjectPool::stash(void* object) noexcept {
    type_.reset(object);
    if (count_ == capacity_ && !grow()) {
        if (type_.destroy != nullptr) type_.destroy(object, 1);
        return;
    }
    relocate(objects_ + std::size_t{count_} * type_.size, object, 1);
    ++count_;
}

bool ObjectPool::take(void* to) noexcept {
    if (count_ == 0) return false;
    --count_;
    relocate(to, objects_ + std::size_t{count_} * type_.size, 1);
    return true;
}

void ObjectPool::clear() noexcept {
    if (type_.destroy != nullptr && count_ != 0) type_.destroy(objects_, count_);
    ::operator delete(objects_, std::align_val_t{type_.alignment});
    objects_ = nullptr;
    count_ = capacity_ = 0;
}

void ObjectPool::relocate(void* to, void* from, std::size_t count) noexcept {
    if (type_.relocate != nullptr) {
        type_.relocate(to, from, count);
    } else {
        std::memcpy(to, from, count * type_.size);
    }
}

bool ObjectPool::grow() noexcept {
    const std::uint32_t larger = std::max<std::uint32_t>(8, capacity_ * 2);
    void* block = ::operator new(std::size_t{larger} * type_.size, std::align_val_t{type_.alignment}, std::nothrow);
    if (block == nullptr) return false;
    if (count_ != 0) relocate(block, objects_, count_);
    ::operator delete(objects_, std::align_val_t{type_.alignment});
    objects_ = static_cast<std::byte*>(block);
    capacity_ = larger;
    return true;
}

}  // namespace stoa::detail

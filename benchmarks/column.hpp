// A growable array for the hand-written twin: resizing leaves new elements uninitialised, so that filling them is the
// only pass over the memory. Used by raw_world.hpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>

namespace bench {

template <class T>
class Column {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

  public:
    Column() = default;
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    ~Column() {
        if (block_ != nullptr) {
            ::operator delete(block_, std::align_val_t{64});
        }
    }

    void resize(std::size_t size) {
        if (size > capacity_) {
            grow(size);
        }
        size_ = size;
    }

    /// Makes room for at least `size` elements.
    void ensure(std::size_t size) {
        if (size > size_) {
            resize(size);
        }
    }

    T* data() const { return data_; }
    std::size_t size() const { return size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T* begin() const { return data_; }
    T* end() const { return data_ + size_; }

  private:
    /// Long columns start at staggered offsets: equally long ones would else meet in the same cache sets.
    void grow(std::size_t capacity) {
        static unsigned columns = 0;
        const std::size_t bytes = capacity * sizeof(T);
        const std::size_t offset = bytes < 65536 ? 0 : (columns++ % 16) * std::size_t{192};
        auto* block = static_cast<std::byte*>(::operator new(bytes + offset, std::align_val_t{64}));
        // Safe: T is trivial, so storage of its size and alignment is all it needs to live.
        T* data = reinterpret_cast<T*>(block + offset);
        if (size_ != 0) {
            std::memcpy(static_cast<void*>(data), data_, size_ * sizeof(T));
        }
        if (block_ != nullptr) {
            ::operator delete(block_, std::align_val_t{64});
        }
        block_ = block;
        data_ = data;
        capacity_ = capacity;
    }

    std::byte* block_ = nullptr;
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace bench

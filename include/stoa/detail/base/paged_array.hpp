// Arrays in pages: an element never moves, growing copies no elements, and ranges that are not used take no memory.
// PagedArray holds values of one type at any index; PagedCells holds values of a size that is known at run time,
// without gaps.
//
// Threads: several threads may read at the same time; pages are made by one thread while no other reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

namespace paged {

// Throws std::bad_alloc; then nothing has changed.
template <class Page>
void grow_pages(Page**& pages, std::uint32_t& count, std::uint32_t wanted) {
    auto** const larger = new Page* [wanted] {};
    for (std::uint32_t page = 0; page < count; ++page) larger[page] = pages[page];
    delete[] pages;
    pages = larger;
    count = wanted;
}

}  // namespace paged

template <class T, std::uint32_t PageBits = 12>
class PagedArray {
  public:
    static constexpr std::uint32_t page_size = 1u << PageBits;

    PagedArray() noexcept = default;
    PagedArray(PagedArray&& other) noexcept { swap(other); }
    PagedArray& operator=(PagedArray&& other) noexcept {
        PagedArray(std::move(other)).swap(*this);
        return *this;
    }
    ~PagedArray() { reset(); }

    // Whether there is an element with this index.
    bool contains(std::uint32_t index) const noexcept {
        const std::uint32_t page = index >> PageBits;
        return page < page_count_ && pages_[page] != nullptr;
    }
    // Returns: the element, or null.
    T* find(std::uint32_t index) const noexcept { return contains(index) ? &(*this)[index] : nullptr; }
    // Requires: contains(index).
    T& operator[](std::uint32_t index) const noexcept { return pages_[index >> PageBits][index & (page_size - 1)]; }

    // Effects: makes the element and the others of its page, value-initialised; nothing when it is there already.
    // Throws std::bad_alloc; then no element has changed.
    T& prepare(std::uint32_t index) {
        const std::uint32_t page = index >> PageBits;
        if (page >= page_count_) paged::grow_pages(pages_, page_count_, page + 1);
        if (pages_[page] == nullptr) pages_[page] = new T[page_size]{};
        return (*this)[index];
    }

    // Calls f(first index, elements) for each page; there are page_size elements.
    template <class F>
    void for_each_page(F&& f) const {
        for (std::uint32_t page = 0; page < page_count_; ++page) {
            if (pages_[page] != nullptr) f(page << PageBits, pages_[page]);
        }
    }
    std::size_t bytes() const noexcept {
        std::size_t total = page_count_ * sizeof(T*);
        for_each_page([&](std::uint32_t, const T*) { total += sizeof(T) * page_size; });
        return total;
    }

    // Destroys all elements.
    void reset() noexcept {
        for (std::uint32_t page = 0; page < page_count_; ++page) delete[] pages_[page];
        delete[] std::exchange(pages_, nullptr);
        page_count_ = 0;
    }
    void swap(PagedArray& other) noexcept {
        std::swap(pages_, other.pages_);
        std::swap(page_count_, other.page_count_);
    }

  private:
    T** pages_ = nullptr;
    std::uint32_t page_count_ = 0;
};

// Raw storage: the user of a PagedCells constructs and destroys the values.
class PagedCells {
  public:
    // A cell has `size` bytes at a multiple of `alignment`, a page 2^page_bits cells.
    PagedCells(std::size_t size, std::size_t alignment, std::uint32_t page_bits) noexcept
        : size_(size), alignment_(alignment), page_bits_(page_bits) {}
    ~PagedCells() {
        for (std::uint32_t page = 0; page < page_count_; ++page) {
            ::operator delete(pages_[page], std::align_val_t{alignment_});
        }
        delete[] pages_;
    }
    PagedCells(const PagedCells&) = delete;
    PagedCells& operator=(const PagedCells&) = delete;

    // Requires: index < capacity().
    std::byte* operator[](std::uint32_t index) const noexcept { return cell(index, size_, page_bits_); }
    // The same where the caller knows the size and the bits as constants.
    std::byte* cell(std::uint32_t index, std::size_t size, std::uint32_t page_bits) const noexcept {
        return pages_[index >> page_bits] + (index & ((1u << page_bits) - 1)) * size;
    }
    std::uint32_t capacity() const noexcept { return page_count_ << page_bits_; }
    std::size_t bytes() const noexcept { return std::size_t{capacity()} * size_; }

    // Effects: capacity() >= count. Throws std::bad_alloc; then the capacity may have grown by some pages.
    void reserve(std::uint32_t count) {
        while (capacity() < count) add_page();
    }

  private:
    void add_page() {
        if (page_count_ == page_capacity_) {
            std::uint32_t slots = page_count_;
            paged::grow_pages(pages_, slots, page_count_ == 0 ? 8 : 2 * page_count_);
            page_capacity_ = slots;
        }
        // Safe: bytes need no construction, and values are constructed by the user of the cells.
        pages_[page_count_] =
            static_cast<std::byte*>(::operator new(size_ << page_bits_, std::align_val_t{alignment_}));
        ++page_count_;
    }

    std::byte** pages_ = nullptr;
    std::uint32_t page_count_ = 0;
    std::uint32_t page_capacity_ = 0;
    std::size_t size_;
    std::size_t alignment_;
    std::uint32_t page_bits_;
};

}  // namespace stoa::detail

// The slow half of the directory: pages, bulk ids, limits and the check of its invariants.
#include "stoa/detail/directory.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "base/block_pool.hpp"
#include "base/raise.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t page_alignment = 64;
constexpr std::uint32_t first_page_records = 64;

}  // namespace

Directory::Directory(std::uint64_t max_entities, std::uint32_t first_generation) noexcept
    : first_generation_(std::max<std::uint32_t>(first_generation, 1)), max_entities_(max_entities) {}

Directory::~Directory() {
    for (std::uint32_t page = 0; page < page_count_; ++page) delete_block(pages_[page], page_alignment);
    ::operator delete(pages_);
}

void Directory::prepare(std::uint64_t count) {
    if (count <= free_count_) return;
    const std::uint64_t fresh = count - free_count_;
    if (fresh > limit() - size_) {
        raise(Errc::capacity, "spawn: " + std::to_string(count) + " more entities do not fit into the world, its limit is " +
                                  std::to_string(limit() - retired_) +
                                  "; despawn some or raise WorldOptions::max_entities");
    }
    const std::uint64_t wanted = size_ + fresh;
    while (allocated_ < wanted) {
        if (allocated_ < page_size) {
            const std::uint64_t larger = std::max<std::uint64_t>({wanted, allocated_ * 2, first_page_records});
            grow_first_page(static_cast<std::uint32_t>(std::min<std::uint64_t>(larger, page_size)));
        } else {
            add_page();
        }
    }
    update_ready();
}

void Directory::update_ready() noexcept {
    ready_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(limit(), allocated_));
}

// How many indices may be in use. The last one of all would be the end mark of the free list.
std::uint64_t Directory::limit() const noexcept {
    return max_entities_ == 0 || max_entities_ > nil - retired_ ? nil : max_entities_ + retired_;
}

void Directory::grow_first_page(std::uint32_t records) {
    if (pages_ == nullptr) pages_ = static_cast<std::uint64_t**>(::operator new(sizeof(std::uint64_t*)));
    auto* page = static_cast<std::uint64_t*>(new_block(sizeof(std::uint64_t) * records, page_alignment));
    if (page_count_ != 0) {
        std::memcpy(page, pages_[0], sizeof(std::uint64_t) * allocated_);
        delete_block(pages_[0], page_alignment);
    }
    pages_[0] = page;
    page_count_ = 1;
    allocated_ = records;
}

void Directory::add_page() {
    auto* page = static_cast<std::uint64_t*>(new_block(sizeof(std::uint64_t) * page_size, page_alignment));
    // The list of pages is short (40 for ten million entities), so it grows by one. Its block is replaced first: if that
    // fails the new page is given back.
    struct Return {
        std::uint64_t* page;
        ~Return() {
            if (page != nullptr) delete_block(page, page_alignment);
        }
    } unused{page};
    auto** list = static_cast<std::uint64_t**>(::operator new(sizeof(std::uint64_t*) * (page_count_ + 1)));
    unused.page = nullptr;
    std::memcpy(list, pages_, sizeof(std::uint64_t*) * page_count_);
    ::operator delete(pages_);
    pages_ = list;
    pages_[page_count_++] = page;
    allocated_ += page_size;
}

void Directory::take_many(Location first, std::uint32_t count, Entity* out) noexcept {
    std::uint32_t done = 0;
    for (; done < count && free_head_ != nil; ++done) out[done] = take({first.bits + done});
    const std::uint64_t generation = std::uint64_t{first_generation_} << 32;
    while (done < count) {
        // Page by page, so that the inner loop is plain stores.
        const std::uint32_t in_page = std::min(count - done, page_size - (size_ & (page_size - 1)));
        std::uint64_t* records = &record(size_);
        for (std::uint32_t i = 0; i < in_page; ++i) {
            records[i] = generation | (first.bits + done + i);
            out[done + i] = Entity::from_bits(generation | (size_ + i));
        }
        size_ += in_page;
        done += in_page;
    }
}

void Directory::retire(std::uint64_t& slot) noexcept {
    slot = (std::uint64_t{0xffffffff} << 32) | dead_bit | nil;
    ++retired_;
    update_ready();
}

std::uint64_t Directory::bytes() const noexcept {
    return std::uint64_t{allocated_} * sizeof(std::uint64_t) + page_count_ * sizeof(std::uint64_t*);
}

const char* Directory::check() const noexcept {
    std::uint32_t free = 0;
    std::uint32_t last = nil;
    for (std::uint32_t index = free_head_; index != nil; index = static_cast<std::uint32_t>(record(index)) & link_mask) {
        if (index >= size_) return "the free list leads to an index that was never handed out";
        if ((record(index) & dead_bit) == 0) return "the free list leads to a living entity";
        if (++free > size_) return "the free list runs in a circle";
        last = index;
    }
    if (free != free_count_) return "the free list has another length than its counter";
    if (free != 0 && last != free_tail_) return "the free list does not end at its tail";
    std::uint64_t dead = 0;
    for (std::uint32_t index = 0; index < size_; ++index) dead += (record(index) & dead_bit) != 0;
    if (dead != std::uint64_t{free_count_} + retired_ + ghosts_) return "free, retired and ghost slots do not add up";
    return nullptr;
}

}  // namespace stoa::detail

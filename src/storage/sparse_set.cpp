// The slow half of sparse storage: pages, growth and the check of its invariants.
#include "stoa/detail/storage/sparse_set.hpp"

#include <algorithm>
#include <new>

namespace stoa::detail {
namespace {

template <class T>
void grow(T*& data, std::uint32_t count, std::uint32_t& capacity, std::uint32_t wanted) {
    if (wanted <= capacity) return;
    const std::uint32_t larger = std::max<std::uint32_t>({wanted, capacity * 2, 8});
    // Safe: trivial values, written before they are read.
    auto* block = static_cast<T*>(::operator new(sizeof(T) * larger));
    std::copy_n(data, count, block);
    ::operator delete(data);
    data = block;
    capacity = larger;
}

}  // namespace

SparseSet::SparseSet(ComponentId id, const ComponentType& type, std::uint32_t ordinal) noexcept
    : type_(type),
      mask_bit_(mask_bit_of(ordinal)),
      id_(id),
      page_bits_(page_bits(type.size)),
      page_mask_((1u << page_bits_) - 1),
      ends_values_(type.destroy != nullptr || type.traits.pooled) {}

SparseSet::~SparseSet() {
    for (std::uint32_t page = 0; page < page_count_; ++page)
        ::operator delete(pages_[page], std::align_val_t{type_.alignment});
    for (std::uint32_t page = 0; page < index_page_count_; ++page) ::operator delete(index_pages_[page]);
    ::operator delete(pages_);
    ::operator delete(index_pages_);
    ::operator delete(owners_);
    ::operator delete(ticks_);
}

// Safe: the pages are arrays of numbers and of their addresses, written before they are read.
void SparseSet::prepare_index(std::uint32_t index) {
    const std::uint32_t page = index >> index_bits;
    if (page >= index_page_count_) {
        auto** larger = static_cast<std::uint32_t**>(::operator new(sizeof(std::uint32_t*) * (page + 1)));
        std::fill_n(std::copy_n(index_pages_, index_page_count_, larger), page + 1 - index_page_count_, nullptr);
        ::operator delete(index_pages_);
        index_pages_ = larger;
        index_page_count_ = page + 1;
    }
    if (index_pages_[page] == nullptr) {
        index_pages_[page] = static_cast<std::uint32_t*>(::operator new(sizeof(std::uint32_t) * index_size));
        std::fill_n(index_pages_[page], index_size, 0u);
    }
}

void SparseSet::prepare_slots(std::uint32_t count) {
    const std::uint32_t free = used_ - size_ - parked_;
    if (count <= free) return;
    const std::uint32_t wanted = used_ + (count - free);
    if (tracked_ && (ticks_ == nullptr || ticks_->rows < wanted)) grow_ticks(std::max(wanted, 2 * used_), last_change_);
    grow(owners_, used_, owner_capacity_, wanted);
    std::uint32_t capacity = owner_capacity_;
    if (type_.size != 0) {
        while ((page_count_ << page_bits_) < wanted) add_page();
        capacity = std::min(capacity, page_count_ << page_bits_);
    }
    if (tracked_) capacity = std::min(capacity, ticks_->rows);
    capacity_ = capacity;
    update_quick();
}

// Safe: the block has room for the ticks and the arrays behind them.
void SparseSet::grow_ticks(std::uint32_t slots, Tick now) {
    const std::uint32_t rows = (slots + 63) / 64 * 64;
    auto* larger = ::new (::operator new(RowTicks::bytes(rows))) RowTicks{rows, now - static_cast<Tick>(oldest_age)};
    larger->last = &larger->own_last;
    std::fill_n(larger->changed(), 2 * rows, now);
    std::fill_n(larger->touched(), RowTicks::words(rows), ~std::uint64_t{0});
    if (ticks_ != nullptr) {
        std::copy_n(ticks_->changed(), used_, larger->changed());
        std::copy_n(ticks_->added(), used_, larger->added());
    }
    ::operator delete(ticks_);
    ticks_ = larger;
}

void SparseSet::track(Tick now) {
    if (tracked_) return;
    if (capacity_ != 0) grow_ticks(capacity_, now);
    tracked_ = true;
    last_change_ = now;
    update_quick();
}

void SparseSet::add_page() {
    grow(pages_, page_count_, page_capacity_, page_count_ + 1);
    const std::size_t bytes = std::size_t{type_.size} << page_bits_;
    pages_[page_count_] = static_cast<std::byte*>(::operator new(bytes, std::align_val_t{type_.alignment}));
    ++page_count_;
}

void SparseSet::replace(Entity entity, SparseSlot old_slot, Tick now) noexcept {
    const SparseSlot slot = next_free_slot();
    insert(entity, now);
    if (ticks_ != nullptr) ticks_->added()[index_of(slot)] = ticks_->added()[index_of(old_slot)];
    owners_[index_of(old_slot)] = (std::uint64_t{none} << 32) | free_mark;
    --size_;
    ++parked_;
}

void SparseSet::park(Entity entity, SparseSlot slot) noexcept {
    if (indexed_ != nullptr) indexed_->note(entity);
    index_pages_[entity.index() >> index_bits][entity.index() & (index_size - 1)] = 0;
    owners_[index_of(slot)] = (std::uint64_t{none} << 32) | free_mark;
    --size_;
    ++parked_;
}

void SparseSet::release(SparseSlot slot) noexcept {
    owners_[index_of(slot)] = (std::uint64_t{free_head_} << 32) | free_mark;
    free_head_ = index_of(slot);
    --parked_;
    if (size_ == 0) start_over();
}

std::size_t SparseSet::bytes() const {
    std::size_t index_pages = 0;
    for (std::uint32_t page = 0; page < index_page_count_; ++page) index_pages += index_pages_[page] != nullptr;
    return index_pages * index_size * sizeof(std::uint32_t) + index_page_count_ * sizeof(std::uint32_t*) +
           (ticks_ != nullptr ? RowTicks::bytes(ticks_->rows) : 0) + owner_capacity_ * sizeof(std::uint64_t) +
           ((std::size_t{page_count_} << page_bits_) * type_.size);
}

const char* SparseSet::check() const {
    std::uint32_t owned = 0;
    for (std::uint32_t slot = 0; slot < used_; ++slot) {
        if (is_free(slot)) continue;
        ++owned;
        if (slot_of(owner(SparseSlot{slot})) != SparseSlot{slot})
            return "a sparse slot names an owner whose index entry leads elsewhere";
    }
    if (owned != size_) return "a sparse set has another number of owners than its counter";
    std::uint32_t free = 0;
    for (std::uint32_t slot = free_head_; slot != none; slot = free_link(slot)) {
        if (slot >= used_ || !is_free(slot)) return "the free list of a sparse set leads to a slot in use";
        if (++free > used_) return "the free list of a sparse set runs in a circle";
    }
    if (free + owned + parked_ != used_) return "slots of a sparse set are lost";
    return nullptr;
}

}  // namespace stoa::detail

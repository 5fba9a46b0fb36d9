// The blocks and the hash index of a removal log.
#include "storage/removed_log.hpp"

#include <algorithm>
#include <bit>

namespace stoa::detail {
namespace {

constexpr std::size_t first_block_target = 2048;  // bytes of cells
constexpr std::uint32_t most_first_bits = 6;
constexpr std::uint32_t least_slot_bits = 4;

std::size_t round_up(std::size_t value, std::size_t to) { return (value + to - 1) / to * to; }

RemovedLog::How how_to_keep(const ComponentType& type) {
    if (type.size == 0) return RemovedLog::How::copied;
    if (!type.relocatable) return RemovedLog::How::parked;
    return type.is_bytes() ? RemovedLog::How::copied : RemovedLog::How::moved;
}

}  // namespace

RemovedLog::RemovedLog(BlockPool& pool, ComponentId id, const ComponentType& type) noexcept
    : pool_(pool), type_(type), id_(id), how_(how_to_keep(type)) {
    const bool parked = how_ == How::parked;
    cell_size_ = parked ? static_cast<std::uint32_t>(sizeof(std::uint32_t)) : type.size;
    alignment_ = std::max<std::uint32_t>(alignof(std::uint64_t), parked ? 1 : type.alignment);
    const std::size_t fitting = first_block_target / std::max<std::uint32_t>(1, cell_size_);
    first_bits_ =
        std::min(most_first_bits, static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(1, fitting)) - 1));
}

RemovedLog::~RemovedLog() { shrink(); }

RemovedLog::At RemovedLog::locate(std::uint32_t entry) const {
    const auto block = static_cast<std::uint32_t>(std::bit_width((entry >> first_bits_) + 1) - 1);
    return {block, entry - (((1u << block) - 1) << first_bits_)};
}

std::size_t RemovedLog::cells_offset(std::uint32_t block) const {
    return round_up(sizeof(std::uint64_t) << (block + first_bits_), alignment_);
}

std::size_t RemovedLog::block_bytes(std::uint32_t block) const {
    return cells_offset(block) + (std::size_t{cell_size_} << (block + first_bits_));
}

// Safe: the owners are first in a block, and are written before they are read.
std::uint64_t& RemovedLog::owner(std::uint32_t entry) const {
    const At at = locate(entry);
    return reinterpret_cast<std::uint64_t*>(blocks_[at.block])[at.row];
}

std::byte* RemovedLog::cell(At at) const {
    return blocks_[at.block] + cells_offset(at.block) + std::size_t{at.row} * cell_size_;
}

std::uint32_t RemovedLog::home_of(std::uint64_t owner) const {
    return static_cast<std::uint32_t>((owner * 0x9e3779b97f4a7c15u) >> (64 - slot_bits_));
}

// The slot of an owner, or the free slot for it. The index is at most half full.
std::uint32_t RemovedLog::slot_for(std::uint64_t wanted) const {
    const std::uint32_t mask = (1u << slot_bits_) - 1;
    std::uint32_t at = home_of(wanted);
    while (slots_[at] != 0 && owner(slots_[at] - 1) != wanted) at = (at + 1) & mask;
    return at;
}

bool RemovedLog::grow_index() noexcept {
    const std::uint32_t old_bits = slot_bits_;
    const std::uint32_t bits = std::max(least_slot_bits, old_bits + 1);
    void* block = pool_.try_take(sizeof(std::uint32_t) << bits, alignof(std::uint32_t));
    if (block == nullptr) return false;
    // Safe: numbers, written before they are read.
    auto* larger = static_cast<std::uint32_t*>(block);
    std::fill_n(larger, std::size_t{1} << bits, 0u);
    if (slots_ != nullptr) pool_.give(slots_, sizeof(std::uint32_t) << old_bits, alignof(std::uint32_t));
    slots_ = larger;
    slot_bits_ = bits;
    for (std::uint32_t entry = 0; entry < size_; ++entry) slots_[slot_for(owner(entry))] = entry + 1;
    return true;
}

void* RemovedLog::open() noexcept {
    if (size_ == most) return nullptr;
    if (slots_ == nullptr || size_ + 1 > (1u << slot_bits_) / 2) {
        if (!grow_index()) return nullptr;
    }
    const At at = locate(size_);
    std::byte*& block = blocks_[at.block];
    if (block == nullptr) block = static_cast<std::byte*>(pool_.try_take(block_bytes(at.block), alignment_));
    return block != nullptr ? cell(at) : nullptr;
}

void RemovedLog::commit(Entity of) noexcept {
    owner(size_) = of.bits();
    slots_[slot_for(of.bits())] = size_ + 1;
    ++size_;
}

const void* RemovedLog::find(Entity of) const noexcept {
    if (size_ == 0) return nullptr;
    const std::uint32_t entry = slots_[slot_for(of.bits())];
    return entry != 0 ? cell(locate(entry - 1)) : nullptr;
}

void RemovedLog::forget() noexcept {
    forgotten_ = size_;
    size_ = 0;
    const std::uint32_t slots = 1u << slot_bits_;
    if (forgotten_ > slots / 16) {
        std::fill_n(slots_, slots, 0u);
        return;
    }
    // A large index with few entries. All entries are removed, so each clears its home slot and the occupied slots
    // after it.
    for (std::uint32_t entry = 0; entry < forgotten_; ++entry) {
        for (std::uint32_t at = home_of(owner(entry)); slots_[at] != 0; at = (at + 1) & (slots - 1)) slots_[at] = 0;
    }
}

void RemovedLog::shrink() noexcept {
    const std::uint32_t used = size_ == 0 ? 0 : locate(size_ - 1).block + 1;
    for (std::uint32_t block = used; block < most_blocks; ++block) {
        if (blocks_[block] == nullptr) continue;
        pool_.give(blocks_[block], block_bytes(block), alignment_);
        blocks_[block] = nullptr;
    }
    if (size_ != 0 || slots_ == nullptr) return;
    pool_.give(slots_, sizeof(std::uint32_t) << slot_bits_, alignof(std::uint32_t));
    slots_ = nullptr;
    slot_bits_ = 0;
}

const char* RemovedLog::check() const noexcept {
    std::uint32_t newest = 0;
    for (std::uint32_t entry = 0; entry < size_; ++entry) {
        const std::uint32_t found = slots_[slot_for(owner(entry))];
        if (found <= entry) return "a removed value hides a newer one of its entity";
        if (found > size_ || owner(found - 1) != owner(entry)) return "the index of removed values leads astray";
        newest += found == entry + 1;
    }
    const std::size_t slots = slots_ == nullptr ? 0 : std::size_t{1} << slot_bits_;
    const auto taken =
        static_cast<std::uint32_t>(slots) - static_cast<std::uint32_t>(std::count(slots_, slots_ + slots, 0u));
    return taken == newest ? nullptr : "the index of removed values knows one that is gone";
}

}  // namespace stoa::detail

// The memory of the directory: a block that is replaced while it is small, address space that grows in place later.
#include "stoa/detail/entity/directory_entry.hpp"

#include <algorithm>
#include <cstring>

#include "base/address_space.hpp"
#include "base/block_pool.hpp"
#include "stoa/detail/base/round_up.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t block_alignment = alignof(std::max_align_t);
constexpr std::uint32_t first_capacity = 512;
constexpr std::uint32_t own_space_from = 1 << 15;
constexpr std::uint32_t unit_entries = address_unit / sizeof(DirectoryEntry);
static_assert(sizeof(DirectoryEntry) << 31 <= address_range, "indices have 31 bits");

}  // namespace

void DirectoryEntries::reserve(std::uint64_t count, std::uint32_t kept) {
    if (count <= capacity_) return;
    if (!in_own_space_ && (count < own_space_from || !move_to_own_space(kept))) return replace_block(count, kept);
    const std::uint64_t needed = round_up(count, unit_entries);
    if (needed <= capacity_) return;
    if (!back_addresses(data_ + capacity_, (needed - capacity_) * sizeof(DirectoryEntry)))
        return replace_block(count, kept);
    capacity_ = static_cast<std::uint32_t>(needed);
}

void DirectoryEntries::replace_block(std::uint64_t count, std::uint32_t kept) {
    const std::uint64_t larger = std::clamp<std::uint64_t>(
        std::uint64_t{capacity_} * 2, std::max<std::uint64_t>(count, first_capacity), DirectoryEntry::no_link);
    void* const block = new_block(sizeof(DirectoryEntry) * larger, block_alignment);
    replace(block, larger, false, kept);
}

// The address space has room for the largest possible number of entries.
bool DirectoryEntries::move_to_own_space(std::uint32_t kept) noexcept {
    void* const space = reserve_range();
    if (space == nullptr) return false;
    replace(space, unit_entries, true, kept);
    return true;
}

void DirectoryEntries::replace(void* with, std::uint64_t capacity, bool in_own_space, std::uint32_t kept) noexcept {
    if (kept != 0) std::memcpy(with, data_, sizeof(DirectoryEntry) * kept);
    free();
    data_ = static_cast<DirectoryEntry*>(with);  // Safe: entries are trivial, and written before they are read
    capacity_ = static_cast<std::uint32_t>(capacity);
    in_own_space_ = in_own_space;
}

void DirectoryEntries::free() noexcept {
    if (in_own_space_) {
        release_range(data_, bytes());
    } else if (data_ != nullptr) {
        delete_block(data_, block_alignment);
    }
}

std::uint64_t DirectoryEntries::bytes_huge() const noexcept { return huge_bytes(data_, bytes()); }

}  // namespace stoa::detail

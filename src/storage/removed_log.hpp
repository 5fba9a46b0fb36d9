// The removal log of one component: its removed values and their owners, until end_frame. Values are in blocks that
// double in size and never move, so a pointer to a value is valid until then. The newest value of an entity is found
// through a hash of handles.
//
//     block   | owners … | cells … |          entry i is in block log2(i / first + 1)
//     index   [hash of a handle] → number of its newest entry + 1, or 0
//
// Invariant: the index maps each owner to the newest of its entries. Used by RemovedValues.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/block_pool.hpp"
#include "stoa/detail/component/component_ops.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class SparseSet;

class RemovedLog {
  public:
    // How a value enters the log. Bytes are copied before their row is overwritten; other values are moved instead of
    // being destroyed. Values that cannot be moved stay parked in their slot of the sparse set, and the log stores the
    // slot.
    enum class How : std::uint8_t { copied, moved, parked };

    RemovedLog(BlockPool& pool, ComponentId id, const ComponentType& type) noexcept;
    ~RemovedLog();  // requires: empty
    RemovedLog(const RemovedLog&) = delete;
    RemovedLog& operator=(const RemovedLog&) = delete;

    const ComponentType& type() const { return type_; }
    ComponentId id() const { return id_; }
    How how() const { return how_; }
    std::uint32_t size() const { return size_; }
    bool in_use() const { return in_use_; }  // a log may be made before it is certain that it will be used
    void use() { in_use_ = true; }
    SparseSet* set() const { return set_; }  // where parked values are; null before the first one
    void park_in(SparseSet& set) { set_ = &set; }

    // The raw cell of the next entry, or null when there is no memory for it. Nothing has changed before commit().
    void* open() noexcept;
    void commit(Entity owner) noexcept;

    // The cell of the newest entry of this handle, or null.
    const void* find(Entity owner) const noexcept;

    // Empties the log; the values in the cells still exist until take_out(). Requires: nothing is added in between.
    void forget() noexcept;
    // Calls end(first cell, count) for runs of cells of forgotten entries, oldest first.
    template <class End>
    void take_out(End&& end) noexcept {
        const std::uint32_t count = forgotten_;
        forgotten_ = 0;
        for (std::uint32_t entry = 0; entry < count;) {
            const At at = locate(entry);
            const std::uint32_t run = (1u << (at.block + first_bits_)) - at.row;
            const std::uint32_t some = run < count - entry ? run : count - entry;
            end(cell(at), some);
            entry += some;
        }
    }

    // Frees blocks without values.
    void shrink() noexcept;

    const char* check() const noexcept;

  private:
    static constexpr std::uint32_t most = 1u << 30;
    static constexpr std::uint32_t most_blocks = 32;

    struct At {
        std::uint32_t block;
        std::uint32_t row;
    };
    At locate(std::uint32_t entry) const;
    std::uint64_t& owner(std::uint32_t entry) const;
    std::byte* cell(At at) const;
    std::size_t cells_offset(std::uint32_t block) const;
    std::size_t block_bytes(std::uint32_t block) const;
    std::uint32_t slot_for(std::uint64_t owner) const;
    std::uint32_t home_of(std::uint64_t owner) const;
    bool grow_index() noexcept;

    BlockPool& pool_;
    const ComponentType& type_;
    ComponentId id_;
    How how_;
    bool in_use_ = false;
    SparseSet* set_ = nullptr;
    std::uint32_t cell_size_;
    std::uint32_t alignment_;
    std::uint32_t first_bits_;  // entries of the first block, as a power of two
    std::uint32_t size_ = 0;
    std::uint32_t forgotten_ = 0;
    std::uint32_t slot_bits_ = 0;
    std::uint32_t* slots_ = nullptr;
    std::byte* blocks_[most_blocks] = {};
};

}  // namespace stoa::detail

// The removed values of a world: a log for each component whose removed values stay readable until the end of a frame.
// Whoever takes a value out of the world passes it here; it is kept in its log, or destroyed, or recycled. A removal
// needs no memory to succeed: a value that finds no place in its log is destroyed at once, as it would be without one.
//
// Invariant: a log is in use exactly when the tables and the sparse set of its component are logged.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/block_pool.hpp"
#include "base/pod_array.hpp"
#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/storage/sparse_set.hpp"
#include "stoa/detail/storage/table.hpp"
#include "stoa/entity.hpp"
#include "storage/object_pool.hpp"
#include "storage/removed_log.hpp"

namespace stoa::detail {

class RemovedValues {
  public:
    RemovedValues(BlockPool& memory, ObjectPools& pools) noexcept : memory_(memory), pools_(pools) {}
    ~RemovedValues();
    RemovedValues(const RemovedValues&) = delete;
    RemovedValues& operator=(const RemovedValues&) = delete;

    // Makes a log that use() will switch on, so that several components are logged together or not at all. Throws
    // std::bad_alloc.
    void prepare(ComponentId id, const ComponentType& type);
    void use(ComponentId id) noexcept { logs_[static_cast<std::uint32_t>(id)]->use(); }
    bool is_logged(ComponentId id) const noexcept { return log_of(id) != nullptr; }
    bool any() const noexcept { return any_; }    // some component may be logged
    void stop() noexcept { is_stopped_ = true; }  // keeps nothing from now on

    // The newest value that the entity lost, or null; of a tag, any address.
    const void* find(ComponentId id, Entity owner) const noexcept;

    // Copies the values that are bytes out of a row that leaves for `to`, or the world when that is null, before the
    // row is overwritten. The others come to keep_or_destroy.
    void keep_copies(Entity owner, const Chunk& chunk, std::uint32_t row, const Table* to) noexcept;
    // A value that has left its row.
    void keep_or_destroy(Entity owner, const ComponentType& type, ComponentId id, void* value) noexcept;
    // A value that has left its sparse set: its slot is free, and still holds it.
    void keep_or_destroy(Entity owner, const SparseSet& set, SparseSlot slot) noexcept;
    // Keeps a value that cannot be moved where it is. Returns: whether it is kept; then the caller parks its slot.
    bool keep_in_slot(Entity owner, SparseSet& set, SparseSlot slot) noexcept;

    // Destroys or recycles all values. None is found any more when the first one ends. Requires: the structure is
    // locked.
    void forget() noexcept;
    void shrink() noexcept;  // gives back memory that holds nothing

    std::size_t bytes_used() const noexcept;
    const char* check() const noexcept;  // the broken invariant, or null

  private:
    RemovedLog* log_of(ComponentId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        if (number >= logs_.size || is_stopped_) return nullptr;
        return logs_[number] != nullptr && logs_[number]->in_use() ? logs_[number] : nullptr;
    }
    void destroy_forgotten(RemovedLog& log) noexcept;

    BlockPool& memory_;
    ObjectPools& pools_;
    PodArray<RemovedLog*> logs_;  // by component id; null where no log was ever wanted
    bool any_ = false;
    bool is_stopped_ = false;
};

}  // namespace stoa::detail

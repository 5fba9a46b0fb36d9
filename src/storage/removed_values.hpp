// The removed values of a world: a log for each component whose removed values stay readable until end_frame. All code
// that takes a value out of the world passes it to this class, which logs, destroys or recycles it. A removal succeeds
// without memory: a value for which the log has no room is destroyed at once.
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

    // Makes a log for a later call of use(), so that several components are logged together or not at all. Throws
    // std::bad_alloc.
    void prepare(ComponentId id, const ComponentType& type);
    void use(ComponentId id) noexcept { logs_[static_cast<std::uint32_t>(id)]->use(); }
    bool is_logged(ComponentId id) const noexcept { return log_of(id) != nullptr; }
    bool any() const noexcept { return any_; }    // some component may be logged
    void stop() noexcept { is_stopped_ = true; }  // logs nothing from now on

    // The newest value that the entity lost, or null; of a tag, any address.
    const void* find(ComponentId id, Entity owner) const noexcept;

    // Copies the values that are bytes, before the row is overwritten. The row moves to `to`, or leaves the world when
    // that is null. All other values are passed to keep_or_destroy.
    void keep_copies(Entity owner, const Chunk& chunk, std::uint32_t row, const Table* to) noexcept;
    // Logs, recycles or destroys a value that has left its row.
    void keep_or_destroy(Entity owner, const ComponentType& type, ComponentId id, void* value) noexcept;
    // The same for a value that has left its sparse set: its slot is free, and still contains it.
    void keep_or_destroy(Entity owner, const SparseSet& set, SparseSlot slot) noexcept;
    // Logs a value that cannot be moved, in its place. Returns: whether it is logged; then the caller parks its slot.
    bool keep_in_slot(Entity owner, SparseSet& set, SparseSlot slot) noexcept;

    // Destroys or recycles all values. No lookup finds one when the first is destroyed. Requires: the structure is
    // locked.
    void forget() noexcept;
    void shrink() noexcept;  // frees memory without values
    // How many values of the component are logged.
    std::uint32_t count(ComponentId id) const noexcept {
        const RemovedLog* log = log_of(id);
        return log != nullptr ? log->size() : 0;
    }
    // Ends the logs that `which(id)` selects, which are empty: their components are no longer logged.
    template <class Which>
    void remove_if(Which&& which) noexcept {
        for (std::uint32_t number = 0; number < logs_.size; ++number) {
            if (logs_[number] != nullptr && which(ComponentId{number})) destroy(logs_[number]);
        }
    }

    std::size_t bytes_used() const noexcept;
    const char* check() const noexcept;  // the broken invariant, or null

  private:
    RemovedLog* log_of(ComponentId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        if (number >= logs_.size || is_stopped_) return nullptr;
        return logs_[number] != nullptr && logs_[number]->in_use() ? logs_[number] : nullptr;
    }
    void destroy_forgotten(RemovedLog& log) noexcept;
    void destroy(RemovedLog*& log) noexcept;

    BlockPool& memory_;
    ObjectPools& pools_;
    PodArray<RemovedLog*> logs_;  // by component id; null where no log was made
    bool any_ = false;
    bool is_stopped_ = false;
};

}  // namespace stoa::detail

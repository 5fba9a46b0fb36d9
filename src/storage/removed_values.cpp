// Logs removed values, and forgets them.
#include "storage/removed_values.hpp"

#include <cstring>

namespace stoa::detail {
namespace {

SparseSlot parked_slot(const void* cell) {
    SparseSlot slot{};
    std::memcpy(&slot, cell, sizeof slot);
    return slot;
}

}  // namespace

RemovedValues::~RemovedValues() {
    for (RemovedLog*& log : logs_) {
        if (log != nullptr) destroy(log);
    }
    logs_.free(memory_);
}

void RemovedValues::destroy(RemovedLog*& log) noexcept {
    log->~RemovedLog();
    memory_.give(log, sizeof(RemovedLog), alignof(RemovedLog));
    log = nullptr;
}

void RemovedValues::prepare(ComponentId id, const ComponentType& type) {
    any_ = true;
    const auto number = static_cast<std::uint32_t>(id);
    logs_.reserve(memory_, number + 1);
    while (logs_.size <= number) logs_.push(nullptr);
    if (logs_[number] != nullptr) return;
    // Safe: the block has the size and the alignment of a log.
    logs_[number] = ::new (memory_.take(sizeof(RemovedLog), alignof(RemovedLog))) RemovedLog(memory_, id, type);
}

const void* RemovedValues::find(ComponentId id, Entity owner) const noexcept {
    const RemovedLog* log = log_of(id);
    const void* cell = log != nullptr ? log->find(owner) : nullptr;
    if (cell == nullptr || log->how() != RemovedLog::How::parked) return cell;
    return log->set()->value(parked_slot(cell));
}

void RemovedValues::keep_copies(Entity owner, const Chunk& chunk, std::uint32_t row, const Table* to) noexcept {
    const Table& from = chunk.table();
    for (std::uint32_t i = 0; i < from.id_count(); ++i) {
        const ComponentId id = from.ids()[i];
        RemovedLog* log = log_of(id);
        if (log == nullptr || log->how() != RemovedLog::How::copied) continue;
        if (to != nullptr && to->has(id)) continue;
        void* cell = log->open();
        if (cell == nullptr) continue;
        const std::size_t size = log->type().size;
        if (size != 0) std::memcpy(cell, chunk.base + from.find(id).offset + row * size, size);
        log->commit(owner);
    }
}

void RemovedValues::keep_or_destroy(Entity owner, const ComponentType& type, ComponentId id, void* value) noexcept {
    RemovedLog* log = log_of(id);
    if (log != nullptr && log->how() == RemovedLog::How::copied) return;
    void* cell = log != nullptr ? log->open() : nullptr;
    if (cell == nullptr) return pools_.recycle_or_destroy(type, id, value);
    type.relocate_values(cell, value);
    log->commit(owner);
}

void RemovedValues::keep_or_destroy(Entity owner, const SparseSet& set, SparseSlot slot) noexcept {
    const ComponentType& type = set.type();
    RemovedLog* log = log_of(set.id());
    void* cell = log != nullptr && log->how() != RemovedLog::How::parked ? log->open() : nullptr;
    if (type.size != 0) {
        if (cell == nullptr) return pools_.recycle_or_destroy(type, set.id(), set.value(slot));
        type.relocate_values(cell, set.value(slot));
    }
    if (cell != nullptr) log->commit(owner);
}

bool RemovedValues::keep_in_slot(Entity owner, SparseSet& set, SparseSlot slot) noexcept {
    RemovedLog* log = log_of(set.id());
    if (log == nullptr || log->how() != RemovedLog::How::parked) return false;
    void* cell = log->open();
    if (cell == nullptr) return false;
    log->park_in(set);
    std::memcpy(cell, &slot, sizeof slot);
    log->commit(owner);
    return true;
}

void RemovedValues::destroy_forgotten(RemovedLog& log) noexcept {
    const ComponentType& type = log.type();
    log.take_out([&](std::byte* cells, std::uint32_t count) {
        if (log.how() == RemovedLog::How::parked) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const SparseSlot slot = parked_slot(cells + i * sizeof slot);
                pools_.recycle_or_destroy(type, log.id(), log.set()->value(slot));
                log.set()->release(slot);
            }
        } else if (type.traits.pooled) {
            for (std::uint32_t i = 0; i < count; ++i)
                pools_.recycle_or_destroy(type, log.id(), cells + std::size_t{i} * type.size);
        } else {
            type.destroy_values(cells, count);
        }
    });
}

void RemovedValues::forget() noexcept {
    // First all values become unreachable, then they are destroyed: a destructor that looks up another value must not
    // find a destroyed one.
    for (RemovedLog* log : logs_) {
        if (log != nullptr && log->size() != 0) log->forget();
    }
    // By position: a destructor may start logging further components.
    for (std::uint32_t i = 0; i < logs_.size; ++i) {
        if (logs_[i] != nullptr) destroy_forgotten(*logs_[i]);
    }
}

void RemovedValues::shrink() noexcept {
    for (RemovedLog* log : logs_) {
        if (log != nullptr) log->shrink();
    }
}

std::size_t RemovedValues::bytes_used() const noexcept {
    std::size_t bytes = 0;
    for (const RemovedLog* log : logs_) {
        if (log != nullptr) bytes += std::size_t{log->size()} * (log->type().size + sizeof(std::uint64_t));
    }
    return bytes;
}

const char* RemovedValues::check() const noexcept {
    for (const RemovedLog* log : logs_) {
        if (const char* fault = log != nullptr ? log->check() : nullptr) return fault;
    }
    return nullptr;
}

}  // namespace stoa::detail

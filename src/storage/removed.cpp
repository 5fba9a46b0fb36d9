// Removed values: the log of one component, and the verbs of the store that fill, read and empty the logs. A removal needs no
// memory to succeed: a value that finds no place here ends at once, as it would without a log.
#include "storage/removed.hpp"

#include <algorithm>
#include <bit>

#include "storage/rows.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t first_block_target = 2048;  // bytes of cells
constexpr std::uint32_t most_first_bits = 6;
constexpr std::uint32_t least_slot_bits = 4;

RemovedLog::How how_to_keep(const ComponentType& type) {
    if (type.size == 0) return RemovedLog::How::copied;
    if (!type.relocatable) return RemovedLog::How::parked;
    const bool is_bytes = type.relocate == nullptr && type.destroy == nullptr && !type.traits.pooled;
    return is_bytes ? RemovedLog::How::copied : RemovedLog::How::moved;
}

void move_value(const ComponentType& type, void* to, void* from) noexcept {
    if (type.relocate != nullptr) {
        type.relocate(to, from, 1);
    } else if (type.size != 0) {
        std::memcpy(to, from, type.size);
    }
}

}  // namespace

RemovedLog::RemovedLog(BlockPool& pool, ComponentId id, const ComponentType& type) noexcept
    : pool_(pool), type_(type), id_(id), how_(how_to_keep(type)) {
    const bool parked = how_ == How::parked;
    cell_size_ = parked ? static_cast<std::uint32_t>(sizeof(std::uint32_t)) : type.size;
    alignment_ = std::max<std::uint32_t>(alignof(std::uint64_t), parked ? 1 : type.alignment);
    const std::size_t fitting = first_block_target / std::max<std::uint32_t>(1, cell_size_);
    first_bits_ = std::min(most_first_bits, static_cast<std::uint32_t>(std::bit_width(std::max<std::size_t>(1, fitting)) - 1));
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

// Safe: the owners stand first in a block, and are written before they are read.
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

// The slot of an owner, or the free one where it belongs. The index is at most half full.
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
    // A large index of few entries. All of them go, so each takes everything behind its home with it.
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
    const auto taken = static_cast<std::uint32_t>(slots) - static_cast<std::uint32_t>(std::count(slots_, slots_ + slots, 0u));
    return taken == newest ? nullptr : "the index of removed values knows one that is gone";
}

void Store::State::make_removed_log(ComponentId id, const ComponentType& type) {
    store.keeps_removed_ = true;
    const auto number = static_cast<std::uint32_t>(id);
    removed_logs.reserve(pool, number + 1);
    while (removed_logs.size <= number) removed_logs.push(nullptr);
    if (removed_logs[number] != nullptr) return;
    removed_logs[number] = ::new (pool.take(sizeof(RemovedLog), alignof(RemovedLog))) RemovedLog(pool, id, type);
}

void Store::State::free_removed_logs() noexcept {
    for (RemovedLog* log : removed_logs) {
        if (log == nullptr) continue;
        log->~RemovedLog();
        pool.give(log, sizeof(RemovedLog), alignof(RemovedLog));
    }
    removed_logs.free(pool);
}

void Store::State::keep_copies(const Change& change) noexcept {
    const Table& from = *change.from;
    const Location at = store.directory_.location(change.entity.index());
    for (std::uint32_t i = 0; i < from.id_count; ++i) {
        const ComponentId id = from.ids[i];
        RemovedLog* log = removed_log(id);
        if (log == nullptr || log->how() != RemovedLog::How::copied) continue;
        if (change.to != nullptr && change.to->has(id)) continue;
        void* cell = log->open();
        if (cell == nullptr) continue;
        const std::size_t size = log->type().size;
        if (size != 0) std::memcpy(cell, store.chunks_[at.chunk()].base + from.find(id).offset + at.row() * size, size);
        log->commit(change.entity);
    }
}

void Store::State::keep_or_drop(Entity owner, const ComponentType& type, ComponentId id, void* value) noexcept {
    RemovedLog* log = removed_log(id);
    if (log != nullptr && log->how() == RemovedLog::How::copied) return;
    void* cell = log != nullptr ? log->open() : nullptr;
    if (cell == nullptr) return drop_value(type, id, value);
    move_value(type, cell, value);
    log->commit(owner);
}

void Store::State::erase_kept(SparseSet& set, Entity entity, std::uint32_t slot) noexcept {
    const Store::Lock lock(store);
    RemovedLog* log = removed_log(set.id());
    void* cell = log != nullptr ? log->open() : nullptr;
    if (cell != nullptr && log->how() == RemovedLog::How::parked) {
        store.clear_mask(set, entity);
        set.park(entity, slot);
        std::memcpy(cell, &slot, sizeof slot);
        log->commit(entity);
        return;
    }
    store.unlink_sparse(set, entity, slot);
    if (cell == nullptr) {
        if (set.type().size != 0) drop_value(set.type(), set.id(), set.value(slot));
        return;
    }
    if (set.type().size != 0) move_value(set.type(), cell, set.value(slot));
    log->commit(entity);
}

void Store::State::use_removed_log(ComponentId id) noexcept {
    removed_logs[static_cast<std::uint32_t>(id)]->use();
    for (Table* table : tables) {
        if (table->has(id)) table->watch(Table::keeps);
    }
    if (SparseSet* set = store.find_sparse(id)) set->watch(SparseSet::keeps);
}

void Store::keep_removed(ComponentId id) {
    state_->make_removed_log(id, registry_->type(id));
    state_->use_removed_log(id);
}

void Store::keep_removed(TypeList& list) {
    require_world("keep_removed");
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const ComponentId id = resolve(*registry_, *list.types[i]);
        state_->make_removed_log(id, registry_->type(id));
    }
    for (std::uint32_t i = 0; i < list.count; ++i) state_->use_removed_log(id_of(*list.types[i]));
}

const void* Store::find_removed(ComponentId id, Entity entity) const noexcept {
    const RemovedLog* log = state_->removed_log(id);
    const void* cell = log != nullptr ? log->find(entity) : nullptr;
    if (cell == nullptr || log->how() != RemovedLog::How::parked) return cell;
    std::uint32_t slot = 0;
    std::memcpy(&slot, cell, sizeof slot);
    return find_sparse(id)->value(slot);
}

void Store::State::end_removed(RemovedLog& log) noexcept {
    const ComponentType& type = log.type();
    log.take_out([&](std::byte* cells, std::uint32_t count) {
        if (log.how() == RemovedLog::How::parked) {
            SparseSet& set = *store.find_sparse(log.id());
            for (std::uint32_t i = 0; i < count; ++i) {
                std::uint32_t slot = 0;
                std::memcpy(&slot, cells + i * sizeof slot, sizeof slot);
                drop_value(type, log.id(), set.value(slot));
                set.release(slot);
            }
        } else if (type.traits.pooled) {
            for (std::uint32_t i = 0; i < count; ++i) drop_value(type, log.id(), cells + std::size_t{i} * type.size);
        } else if (type.destroy != nullptr) {
            type.destroy(cells, count);
        }
    });
}

void Store::forget_removed() noexcept {
    const Lock lock(*this);
    State& state = *state_;
    // First none is found any more, then they end: a destructor that asks for another one must not see it half gone.
    for (RemovedLog* log : state.removed_logs) {
        if (log != nullptr && log->size() != 0) log->forget();
    }
    // By position: a destructor may have the values of further components kept.
    for (std::uint32_t i = 0; i < state.removed_logs.size; ++i) {
        if (state.removed_logs[i] != nullptr) state.end_removed(*state.removed_logs[i]);
    }
}

void Store::changing(const Change& change) noexcept {
    if (listener_ != nullptr) listener_->changing(change);
    // After the listener, whose callbacks may still write to what goes.
    if (change.from != nullptr && change.from->is_watched(Table::keeps)) state_->keep_copies(change);
}

void Store::changed() {
    if (listener_ != nullptr) listener_->changed();
}

}  // namespace stoa::detail

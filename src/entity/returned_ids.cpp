// Returning ids pushes onto a lock-free stack; taking an id is guarded by a flag.
#include "stoa/detail/entity/returned_ids.hpp"

#include "base/block_pool.hpp"
#include "stoa/detail/entity/directory_entry.hpp"

namespace stoa::detail {

ReturnedIds::~ReturnedIds() {
    for (IdBlock* list : {returned_, claimed_, exhausted_}) {
        while (list != nullptr) free_block(std::exchange(list, list->next));
    }
}

void ReturnedIds::free_block(IdBlock* block) noexcept { delete_block(block, IdBlock::alignment); }

std::uint64_t ReturnedIds::count() const noexcept {
    std::uint64_t ids = 0;
    for (IdBlock* list : {returned_, claimed_, exhausted_}) {
        for (; list != nullptr; list = list->next) ids += list->count - list->first;
    }
    return ids;
}

void ReturnedIds::give(IdBlock* first, IdBlock* last) noexcept {
    last->next = __atomic_load_n(&returned_, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&returned_, &last->next, first, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    }
}

Entity ReturnedIds::take(When when) noexcept {
    const bool none = __atomic_load_n(&returned_, __ATOMIC_RELAXED) == nullptr &&
                      __atomic_load_n(&claimed_, __ATOMIC_RELAXED) == nullptr;
    if (none) return {};
    while (__atomic_exchange_n(&claiming_, true, __ATOMIC_ACQUIRE)) {
        if (when == When::unless_busy) return {};
    }
    Entity found;
    if (find_next()) {
        IdBlock* const block = claimed_;
        const Entity old = block->ids()[block->first++];
        found = entity_of(old.index(), old.generation() + 1);
        if (block->first == block->count) {
            __atomic_store_n(&claimed_, block->next, __ATOMIC_RELAXED);
            free_block(block);
        }
    }
    __atomic_store_n(&claiming_, false, __ATOMIC_RELEASE);
    return found;
}

// Makes the next id of claimed_ one that has a further generation. Returns: false when there is none. Requires:
// claiming_ is held, or no other thread takes.
bool ReturnedIds::find_next() noexcept {
    while (true) {
        if (claimed_ == nullptr) {
            IdBlock* last_first = __atomic_exchange_n(&returned_, nullptr, __ATOMIC_ACQUIRE);
            IdBlock* in_order = nullptr;
            while (last_first != nullptr) {
                IdBlock* const block = std::exchange(last_first, last_first->next);
                block->next = std::exchange(in_order, block);
            }
            __atomic_store_n(&claimed_, in_order, __ATOMIC_RELAXED);
        }
        IdBlock* const block = claimed_;
        if (block == nullptr) return false;
        if (block->ids()[block->first].generation() != last_generation_) return true;
        __atomic_store_n(&claimed_, block->next, __ATOMIC_RELAXED);
        block->next = std::exchange(exhausted_, block);
    }
}

}  // namespace stoa::detail

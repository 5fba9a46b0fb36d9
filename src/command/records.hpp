// The memory of recorded commands: blocks of records, the round that a flush takes, and the walk over its records. A
// discarded block with spawns in it is passed to the directory as a list of their ids. Used by the sources of this
// room.
#pragma once

#include <cstddef>
#include <utility>

#include "base/block_pool.hpp"
#include "stoa/detail/command/command_buffer.hpp"

namespace stoa::detail {

// The records start after IdBlock::header bytes. Invariant: `end` is the end of the last record, except in the block
// that is being filled.
struct CommandBlock : IdBlock {
    std::byte* end = nullptr;
    std::size_t bytes = 0;

    std::byte* begin() { return reinterpret_cast<std::byte*>(this) + header; }
    std::byte* limit() { return reinterpret_cast<std::byte*>(this) + bytes; }
    // Safe: a buffer links its own blocks only.
    CommandBlock* after() const { return static_cast<CommandBlock*>(next); }
};
static_assert(sizeof(CommandBlock) <= IdBlock::header);

// What a flush takes at once: everything that was recorded before.
struct CommandRound {
    CommandBlock* first = nullptr;
    std::size_t count = 0;
    bool mixed = false;  // there are different operations
};

// A place among the records of a round. Invariant: `block` is null at the end, else a record begins at `at`.
struct RecordCursor {
    CommandBlock* block = nullptr;
    std::byte* at = nullptr;

    RecordCursor() = default;
    explicit RecordCursor(CommandBlock* first) { enter(first); }

    explicit operator bool() const { return block != nullptr; }
    CommandRecord& operator*() const { return record_at(at); }
    CommandRecord* operator->() const { return &**this; }
    void next() {
        at += (*this)->size();
        if (at == block->end) [[unlikely]]
            enter(block->after());
    }
    void enter(CommandBlock* first) {
        block = first;
        while (block != nullptr && block->begin() == block->end) block = block->after();
        at = block != nullptr ? block->begin() : nullptr;
    }
};

// Edits are not folded across a barrier: it runs user code that may look at any entity, or reads another one itself.
inline bool is_barrier(Verb verb) {
    return verb == Verb::run || verb == Verb::spawn_with || verb == Verb::clone || verb == Verb::copy;
}

// The list of an operation and what it requires; null if it has no list.
inline TypeList* full_list(const Operation& operation) {
    return operation.full_list != nullptr ? operation.full_list : operation.list;
}

// Appends a list of blocks to another one.
inline void append(CommandBlock*& list, CommandBlock* blocks) noexcept {
    if (list == nullptr) {
        list = blocks;
        return;
    }
    IdBlock* last = list;
    while (last->next != nullptr) last = last->next;
    last->next = blocks;
}

// Destroys the payloads from `from` on in the list of blocks that begins with `first`, and gives the ids of spawns back
// to `store` unless that is null. Requires: no record is linked. Returns: the blocks that are left, for reuse.
CommandBlock* discard_records(CommandBlock* first, RecordCursor from, Store* store) noexcept;

void delete_blocks(CommandBlock* first) noexcept;

}  // namespace stoa::detail

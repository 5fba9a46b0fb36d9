// The buffer itself: blocks, moving, dropping. Blocks are kept and used again in the order they were used in, so that a
// program that records about the same in each frame allocates nothing.
#include "stoa/commands.hpp"

#include <algorithm>
#include <string>

#include "base/raise.hpp"
#include "command/records.hpp"
#include "command/replay.hpp"

namespace stoa {

using detail::CommandBatch;
using detail::CommandBlock;
using detail::RecordCursor;

namespace {

constexpr std::size_t first_block_bytes = 4096;
constexpr std::size_t largest_block_bytes = std::size_t{1} << 20;  // except for a record that needs more

std::size_t gap_before(const std::byte* at, std::size_t alignment) {
    const std::uintptr_t payload = reinterpret_cast<std::uintptr_t>(at) + sizeof(detail::Record);
    return (alignment - payload % alignment) % alignment;
}

}  // namespace

Commands::Commands(detail::Store& store) : link_(&store.link()) { link_->hold(); }

Commands::~Commands() {
    if (replay_ != nullptr) replay_->buffer_moved(nullptr);
    drop();
    detail::delete_blocks(spare_);
    link_->drop();
}

Commands::Commands(Commands&& other) noexcept : link_(other.link_) {
    link_->hold();
    take(other);
}

Commands& Commands::operator=(Commands&& other) noexcept {
    if (this == &other) return *this;
    drop();
    detail::delete_blocks(std::exchange(spare_, nullptr));
    other.link_->hold();
    std::exchange(link_, other.link_)->drop();
    take(other);
    return *this;
}

// Requires: empty.
void Commands::take(Commands& other) noexcept {
    cursor_ = std::exchange(other.cursor_, nullptr);
    end_ = std::exchange(other.end_, nullptr);
    count_ = std::exchange(other.count_, 0);
    last_ = std::exchange(other.last_, nullptr);
    kinds_ = std::exchange(other.kinds_, 0);
    first_ = std::exchange(other.first_, nullptr);
    current_ = std::exchange(other.current_, nullptr);
    spare_ = std::exchange(other.spare_, nullptr);
}

std::byte* Commands::make_room(std::size_t bytes, std::size_t alignment) {
    std::size_t gap = gap_before(cursor_, alignment);
    if (static_cast<std::size_t>(end_ - cursor_) < gap + bytes) {
        open_block(bytes + alignment);
        gap = gap_before(cursor_, alignment);
    }
    if (gap != 0) {
        reinterpret_cast<detail::Record*>(cursor_)->set(gap, detail::skip_operation);  // Safe: as in finish
        cursor_ += gap;
    }
    return cursor_;
}

// Continues in a block with room for `bytes`. Throws std::bad_alloc; changes nothing then.
void Commands::open_block(std::size_t bytes) {
    const std::size_t wanted = detail::IdBlock::header + bytes;
    detail::IdBlock* fitting = spare_;
    detail::IdBlock* before = nullptr;
    while (fitting != nullptr && static_cast<CommandBlock*>(fitting)->bytes < wanted)
        fitting = (before = fitting)->next;
    CommandBlock* block = static_cast<CommandBlock*>(fitting);
    if (block == nullptr) {
        const std::size_t grown = current_ != nullptr ? current_->bytes * 2 : first_block_bytes;
        const std::size_t size = std::max(wanted, std::min(grown, largest_block_bytes));
        block = ::new (detail::new_block(size, detail::IdBlock::alignment)) CommandBlock;
        block->bytes = size;
    } else if (before == nullptr) {
        spare_ = block->after();
    } else {
        before->next = block->next;
    }
    block->next = nullptr;
    block->first = block->count = 0;
    if (current_ != nullptr) {
        current_->end = cursor_;
        current_->next = block;
    } else {
        first_ = block;
    }
    current_ = block;
    cursor_ = block->begin();
    end_ = block->limit();
}

CommandBatch Commands::detach() noexcept {
    if (current_ != nullptr) current_->end = cursor_;
    const CommandBatch batch{first_, count_, kinds_ > 1};
    first_ = current_ = nullptr;
    cursor_ = end_ = nullptr;
    count_ = 0;
    last_ = nullptr;
    kinds_ = 0;
    return batch;
}

void Commands::drop() noexcept {
    // A destructor may record once more.
    while (first_ != nullptr) {
        CommandBlock* const blocks = detach().first;
        detail::append(spare_, detail::drop_records(blocks, RecordCursor(blocks), link_->store()));
    }
}

void Commands::clear() {
    require_world();
    if (building_ != 0) {
        detail::raise(Errc::locked,
                      "commands().clear: a value that is being recorded calls it; clear after the recording");
    }
    drop();
}

detail::Store& Commands::living() const {
    require_world();
    return *link_->store();
}

void Commands::fail_gone() const {
    detail::raise(Errc::world_gone, "commands: the world of this buffer is gone; make a buffer from a living world");
}

FlushReport Commands::flush() {
    detail::Store& store = living();
    if (replay_ != nullptr || building_ != 0) {
        detail::raise(Errc::locked,
                      "flush: this buffer is being flushed or recorded into; what is recorded now runs in the flush "
                      "that is under way");
    }
    if (store.locked()) {
        detail::raise(
            Errc::locked,
            "flush: the structure of the world is locked while it is walked or while code of a component runs; the "
            "commands stay recorded, flush after the walk");
    }
    return detail::Replay(*this, store).run();
}

namespace detail {

namespace {

// Ends the payloads of one block and writes the ids of its spawns to the front of it. Returns: how many.
std::uint32_t drop_block(CommandBlock& block, std::byte* at) noexcept {
    Entity* const ids = block.ids();
    std::uint32_t count = 0;
    while (at != block.end) {
        Record& record = *reinterpret_cast<Record*>(at);  // Safe: blocks are made of records
        const Verb verb = record.operation().verb;
        const Entity entity = record.entity();
        at += record.size();
        if ((record.word & Record::done) != 0) continue;
        if (record.operation().destroy != nullptr) record.operation().destroy(record.bytes());
        // Safe: an id is shorter than a record, so it is written where records have been dropped.
        if (verb == Verb::spawn || verb == Verb::spawn_with || verb == Verb::give_back)
            ::new (&ids[count++]) Entity(entity);
    }
    return count;
}

}  // namespace

CommandBlock* drop_records(CommandBlock* first, RecordCursor from, Store* store) noexcept {
    CommandBlock* left = nullptr;
    IdBlock* returned = nullptr;
    IdBlock* first_returned = nullptr;
    bool reached = false;
    while (first != nullptr) {
        CommandBlock* const block = std::exchange(first, first->after());
        const bool here = block == from.block;
        reached |= here;
        block->first = 0;
        block->count = reached ? drop_block(*block, here ? from.at : block->begin()) : 0;
        block->next = nullptr;
        if (block->count == 0 || store == nullptr) {
            append(left, block);
            continue;
        }
        if (returned == nullptr) first_returned = block;
        block->next = returned;  // the directory wants the last one first
        returned = block;
    }
    if (returned != nullptr) store->ids().give_back_later(returned, first_returned);
    return left;
}

void delete_blocks(CommandBlock* first) noexcept {
    while (first != nullptr) delete_block(std::exchange(first, first->after()), IdBlock::alignment);
}

}  // namespace detail

}  // namespace stoa

// The memory of a command buffer: blocks, moving, discarding. Blocks are reused in the order in which they were used
// before, so that a program that records about the same in each frame allocates nothing.
#include "stoa/detail/command/command_buffer.hpp"

#include <algorithm>

#include "base/raise.hpp"
#include "command/command_pieces.hpp"
#include "command/records.hpp"
#include "command/replay.hpp"
#include "component/library_types.hpp"

namespace stoa::detail {
namespace {

constexpr std::size_t first_block_bytes = 4096;
constexpr std::size_t largest_block_bytes = std::size_t{1} << 20;        // except for a record that needs more
constexpr std::size_t largest_piece_block_bytes = std::size_t{1} << 16;  // there are many pieces

std::size_t gap_before(const std::byte* at, std::size_t alignment) {
    const std::uintptr_t payload = reinterpret_cast<std::uintptr_t>(at) + sizeof(CommandRecord);
    return (alignment - payload % alignment) % alignment;
}

// Destroys the payloads of one block and writes the ids of its spawns to its beginning. Returns: how many.
std::uint32_t discard_block(CommandBlock& block, std::byte* at) noexcept {
    Entity* const ids = block.ids();
    std::uint32_t count = 0;
    while (at != block.end) {
        CommandRecord& record = record_at(at);
        const Verb verb = record.operation().verb;
        const Entity entity = record.entity();
        at += record.size();
        if ((record.word & CommandRecord::done) != 0) continue;
        if (record.operation().destroy != nullptr) record.operation().destroy(record.bytes());
        // Safe: an id is shorter than a record, so it is written where records have been discarded.
        if (reserves_id(verb) || verb == Verb::give_back) ::new (&ids[count++]) Entity(entity);
    }
    return count;
}

bool is_use(const Operation& operation, const LibraryTypes& types, const Store& store) {
    if (types.contains(&operation)) return true;
    const TypeList* list = operation.list;
    return list != nullptr && std::any_of(list->types, list->types + list->count,
                                          [&](TypeHandle* type) { return types.has(store.id_of(*type)); });
}

}  // namespace

CommandBuffer::~CommandBuffer() {
    if (replay_ != nullptr) replay_->buffer_destroyed();
    discard_all();
    delete pieces_;
    delete_blocks(spare_blocks_);
}

// NOLINTNEXTLINE(performance-move-constructor-init): a moved-from buffer still belongs to its world.
CommandBuffer::CommandBuffer(CommandBuffer&& other) noexcept : link_(other.link_) { move_from(other); }

CommandBuffer& CommandBuffer::operator=(CommandBuffer&& other) noexcept {
    if (this == &other) return *this;
    discard_all();
    delete std::exchange(pieces_, nullptr);
    delete_blocks(std::exchange(spare_blocks_, nullptr));
    link_ = other.link_;
    move_from(other);
    return *this;
}

// Requires: empty.
void CommandBuffer::move_from(CommandBuffer& other) noexcept {
    cursor_ = std::exchange(other.cursor_, nullptr);
    limit_ = std::exchange(other.limit_, nullptr);
    count_ = std::exchange(other.count_, 0);
    last_operation_ = std::exchange(other.last_operation_, nullptr);
    operation_changes_ = std::exchange(other.operation_changes_, 0);
    first_block_ = std::exchange(other.first_block_, nullptr);
    current_block_ = std::exchange(other.current_block_, nullptr);
    spare_blocks_ = std::exchange(other.spare_blocks_, nullptr);
}

std::byte* CommandBuffer::make_room(std::size_t bytes, std::size_t alignment) {
    std::size_t gap = gap_before(cursor_, alignment);
    if (static_cast<std::size_t>(limit_ - cursor_) < gap + bytes) {
        start_block(bytes + alignment);
        gap = gap_before(cursor_, alignment);
    }
    if (gap != 0) {
        record_at(cursor_).set(gap, skip_operation);
        cursor_ += gap;
    }
    return cursor_;
}

// Continues in a block with room for `bytes`. Throws std::bad_alloc; then nothing has changed.
void CommandBuffer::start_block(std::size_t bytes) {
    const std::size_t wanted = IdBlock::header + bytes;
    CommandBlock* block = take_spare(wanted);
    if (block == nullptr && shared_ != nullptr) block = shared_->take_spare(wanted);
    if (block == nullptr) {
        const std::size_t most = shared_ != nullptr ? largest_piece_block_bytes : largest_block_bytes;
        const std::size_t grown = current_block_ != nullptr ? current_block_->bytes * 2 : first_block_bytes;
        const std::size_t size = std::max(wanted, std::min(grown, most));
        // Safe: room for the block and more, aligned for it.
        block = ::new (new_block(size, IdBlock::alignment)) CommandBlock;
        block->bytes = size;
    }
    block->next = nullptr;
    block->first = block->count = 0;
    if (current_block_ != nullptr) {
        current_block_->end = cursor_;
        current_block_->next = block;
    } else {
        first_block_ = block;
    }
    current_block_ = block;
    cursor_ = block->begin();
    limit_ = block->limit();
}

CommandBlock* CommandBuffer::take_spare(std::size_t bytes) noexcept {
    CommandBlock* before = nullptr;
    CommandBlock* block = spare_blocks_;
    while (block != nullptr && block->bytes < bytes) block = (before = block)->after();
    if (block == nullptr) return nullptr;
    if (before == nullptr) {
        spare_blocks_ = block->after();
    } else {
        before->next = block->next;
    }
    return block;
}

CommandRound CommandBuffer::detach() noexcept {
    if (current_block_ != nullptr) current_block_->end = cursor_;
    const CommandRound round{first_block_, count_, operation_changes_ > 1};
    first_block_ = current_block_ = nullptr;
    cursor_ = limit_ = nullptr;
    count_ = 0;
    last_operation_ = nullptr;
    operation_changes_ = 0;
    return round;
}

std::size_t CommandBuffer::count_uses(const LibraryTypes& types) const {
    const Store* store = link_->store();
    std::size_t count = 0;
    for (CommandBlock* block = first_block_; block != nullptr && store != nullptr; block = block->after()) {
        const std::byte* const end = block == current_block_ ? cursor_ : block->end;
        for (const std::byte* at = block->begin(); at != end; at += record_at(at).size())
            count += is_use(record_at(at).operation(), types, *store);
    }
    return count;
}

void CommandBuffer::discard_all() noexcept {
    // A destructor may record again.
    while (first_block_ != nullptr) {
        CommandBlock* const blocks = detach().first;
        reuse(discard_records(blocks, RecordCursor(blocks), link_->store()));
    }
}

void CommandBuffer::reuse(CommandBlock* blocks) noexcept { append(spare_blocks_, blocks); }

void CommandBuffer::take_over(CommandBuffer& other) noexcept {
    if (other.first_block_ == nullptr) return;
    if (current_block_ != nullptr) {
        current_block_->end = cursor_;
        current_block_->next = other.first_block_;
    } else {
        first_block_ = other.first_block_;
    }
    current_block_ = other.current_block_;
    cursor_ = other.cursor_;
    limit_ = other.limit_;
    count_ += other.count_;
    const bool continues = other.operation_changes_ == 1 && other.last_operation_ == last_operation_;
    if (!continues) operation_changes_ += other.operation_changes_;
    if (other.last_operation_ != nullptr) last_operation_ = other.last_operation_;
    static_cast<void>(other.detach());
}

void CommandBuffer::return_pieces(CommandPieces* pieces) noexcept { delete std::exchange(pieces_, pieces); }

void CommandBuffer::fail_in_other_piece() const {
    raise(Errc::conflict,
          "commands: inside par_each and par_reduce nothing is recorded into a buffer that was made outside, because "
          "the order of commands would depend on threads; hand the buffer to the walk, as in query.par_each(executor, "
          "later, f), where the last parameter of f is a Commands&");
}

void CommandBuffer::fail_gone() const {
    raise(Errc::world_gone, "commands: the world of this buffer is gone; make a buffer from a living world");
}

CommandBlock* discard_records(CommandBlock* first, RecordCursor from, Store* store) noexcept {
    CommandBlock* left = nullptr;
    IdBlock* returned = nullptr;
    IdBlock* first_returned = nullptr;
    bool reached = false;
    while (first != nullptr) {
        CommandBlock* const block = std::exchange(first, first->after());
        const bool here = block == from.block;
        reached |= here;
        block->first = 0;
        block->count = reached ? discard_block(*block, here ? from.at : block->begin()) : 0;
        block->next = nullptr;
        if (block->count == 0 || store == nullptr) {
            append(left, block);
            continue;
        }
        if (returned == nullptr) first_returned = block;
        block->next = returned;  // the directory expects the last block first
        returned = block;
    }
    if (returned != nullptr) store->directory().give_back_later(returned, first_returned);
    return left;
}

void delete_blocks(CommandBlock* first) noexcept {
    while (first != nullptr) delete_block(std::exchange(first, first->after()), IdBlock::alignment);
}

}  // namespace stoa::detail

// One flush of one buffer: rounds of commands, each taken from the buffer as a whole, so that commands can be recorded
// during the flush. Invariants: commands that have not been applied when a flush ends, also by an exception, are
// destroyed exactly once; observers are notified of a command after its record is finished, so that a callback that
// throws does not undo it. Called by Commands::flush.
#pragma once

#include "command/fold.hpp"
#include "command/records.hpp"
#include "stoa/commands.hpp"

namespace stoa::detail {

// The slot of a store for commands: the buffer of the world, and the memory of folding.
struct WorldCommands {
    explicit WorldCommands(Store& store) : buffer(CommandsAccess::make(store)) {}

    Commands buffer;
    Folding folding;
};

class Replay {
  public:
    Replay(CommandBuffer& buffer, Store& store);
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    FlushReport run();
    void buffer_destroyed() noexcept { buffer_ = nullptr; }

  private:
    bool next_round();
    void apply_round();
    bool apply_to_barrier();
    void apply_chain(CommandRecord& head);
    PendingNotification apply(CommandRecord& record);
    enum class Outcome : std::uint8_t { skipped, done, took_values };  // the values have left the record
    Outcome perform(CommandRecord& record, PendingNotification& pending);
    PendingNotification apply_spawn(CommandRecord& record);
    bool apply_batch(CommandRecord& first);
    TypeList& list_for(Entity entity, const Operation& operation) const;
    bool apply_put(CommandRecord& record, PendingNotification& pending);
    bool apply_clone(CommandRecord& record, PendingNotification& pending);
    bool apply_copy(CommandRecord& record);
    bool apply_replace(CommandRecord& record, PendingNotification& pending);
    void destroy_payload(CommandRecord& record) noexcept;
    void advance();
    void return_blocks(CommandBlock* until) noexcept;
    [[noreturn]] void fail_runaway() const;

    CommandBuffer* buffer_;  // null if it was destroyed during the flush
    Store* store_;           // null if the world was destroyed during the flush
    Ref<StoreLink> link_;
    Folding& folding_;
    FlushReport report_;
    CommandBlock* first_block_ = nullptr;  // the blocks of this round that have not been returned
    RecordCursor cursor_;
    bool mixed_ = false;
    bool finished_ = false;  // nothing was thrown
    std::uint32_t round_ = 0;
    std::uint64_t budget_ = 0;
};

}  // namespace stoa::detail

// One flush of one buffer: rounds of commands, each taken from the buffer as a whole, so that recording goes on
// meanwhile. Invariants: what has not been applied when a flush ends, however it ends, is destroyed once; observers are
// notified of a command after its record is finished, so that a callback that throws does not undo it. Called by
// Commands::flush.
#pragma once

#include "command/fold.hpp"
#include "command/records.hpp"

namespace stoa::detail {

// What a store keeps for its commands: the buffer of the world, and the memory of folding.
class WorldCommands final : public Attachment {
  public:
    explicit WorldCommands(Store& store) : buffer(store) {}

    Commands buffer;
    Folding folding;
};

class Replay {
  public:
    Replay(Commands& buffer, Store& store);
    ~Replay();
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    FlushReport run();
    void buffer_moved(Commands* to) noexcept { buffer_ = to; }  // null: destroyed

  private:
    bool next_round();
    void play();
    bool play_to_barrier();
    void play_chain(Record& head);
    PendingNotification apply(Record& record);
    PendingNotification apply_spawn(Record& record);
    bool apply_run(Record& first);
    bool apply_put(Record& record, PendingNotification& pending);
    void destroy(Record& record) noexcept;
    void advance();
    void give_blocks(CommandBlock* until) noexcept;
    [[noreturn]] void fail_runaway() const;

    Commands* buffer_;
    Store* store_;  // null when the world has ended in the middle
    StoreLink* link_;
    Folding& folding_;
    FlushReport report_;
    CommandBlock* first_ = nullptr;  // the blocks of this round that have not been given back
    RecordCursor at_;
    bool mixed_ = false;
    bool finished_ = false;  // nothing was thrown
    std::uint32_t round_ = 0;
    std::uint64_t budget_ = 0;
};

}  // namespace stoa::detail

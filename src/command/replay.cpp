// Replay: in recorded order, straight through the store; chains of edits go through folding.
#include "command/replay.hpp"

#include <string>

#include "base/raise.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t longest_run = 128;  // at a time
constexpr std::uint32_t shortest_run = 4;    // that is worth the two passes

}  // namespace

Replay::Replay(Commands& buffer, Store& store)
    : buffer_(&buffer),
      store_(&store),
      link_(&store.link()),
      folding_(static_cast<WorldCommands&>(*store.attachment()).folding) {
    link_->hold();
    buffer.replay_ = this;
}

Replay::~Replay() {
    if (at_) {
        Folding::unlink(at_);
        // Values end under the lock, as they do everywhere.
        if (store_ != nullptr) {
            const Store::Lock lock(*store_);
            first_ = drop_records(first_, at_, store_);
        } else {
            first_ = drop_records(first_, at_, nullptr);
        }
        at_ = {};
    }
    // What was recorded meanwhile belongs to this flush, unless the buffer is another world's by now.
    if (!finished_ && buffer_ != nullptr && buffer_->link_ == link_) buffer_->drop();
    give_blocks(nullptr);
    if (buffer_ != nullptr) buffer_->replay_ = nullptr;
    link_->drop();
}

FlushReport Replay::run() {
    while (next_round()) play();
    finished_ = store_ != nullptr;
    return report_;
}

// Takes over what was recorded since the last round. False when there is nothing more.
bool Replay::next_round() {
    if (buffer_ == nullptr || store_ == nullptr || buffer_->link_ != link_) return false;  // it may be another world's now
    const CommandBatch batch = buffer_->detach();
    first_ = batch.first;
    at_ = RecordCursor(batch.first);
    mixed_ = batch.mixed;
    if (round_ > Commands::max_rounds && batch.count != 0) fail_runaway();
    if (round_ < 2) {
        budget_ +=
            (round_ == 0 ? Commands::max_follow_ups : 0) + std::uint64_t{Commands::max_follow_ups_each} * batch.count;
    } else if (batch.count > budget_) {
        fail_runaway();
    } else {
        budget_ -= batch.count;
    }
    ++round_;
    return batch.first != nullptr;
}

void Replay::fail_runaway() const {
    raise(Errc::runaway, "flush: commands have recorded commands " + std::to_string(round_) +
                             " times in a row, or too many of them; look for a command, an initializer or a signal "
                             "that records itself again");
}

void Replay::play() {
    while (at_) {
        store_->ids().settle();
        store_->require_unlocked("flush");
        // Where someone is told of changes, each one is made, so that each one is told.
        if (mixed_ && !store_->is_watched()) folding_.link(*store_, at_);
        if (!play_to_barrier()) return;
    }
    give_blocks(nullptr);
}

// False when the world has ended.
bool Replay::play_to_barrier() {
    while (at_) {
        Record& record = *at_;
        if ((record.word & Record::marks) != 0) {
            if ((record.word & Record::done) == 0) play_chain(record);
            if ((record.word & Record::done) != 0) advance();
            continue;
        }
        if (apply_run(record)) continue;
        const bool barrier = is_barrier(record.operation().verb);
        const PendingNotification pending = apply(record);
        advance();
        if (pending.kind != PendingNotification::Kind::none) store_->notify(pending);
        if (barrier) {
            if (link_->store() == nullptr) store_ = nullptr;
            // One command may record as many as it likes. Those that were recorded by such a command may not.
            if (round_ > 1 && buffer_ != nullptr && buffer_->count_ > budget_) fail_runaway();
            return store_ != nullptr;
        }
    }
    return true;
}

// Applies the commands that begin here and are the same, as many as go the same way. False when none does.
bool Replay::apply_run(Record& first) {
    const Operation& how = first.operation();
    const bool spawns = how.verb == Verb::spawn && how.values != nullptr;
    if (!spawns && how.verb != Verb::remove && how.verb != Verb::despawn) return false;
    std::uint32_t count = 1;
    // Safe: records stand side by side up to the end of their block.
    const auto is_same = [&](const std::byte* at) { return reinterpret_cast<const Record*>(at)->word == first.word; };
    for (const std::byte* at = at_.at + how.size; count < longest_run && at != at_.block->end && is_same(at); at += how.size) ++count;
    if (count < shortest_run) return false;
    const std::uint32_t applied = spawns                      ? store_->spawn_run({at_.at, how.size, count, how.values}, *how.list)
                                  : how.verb == Verb::remove ? store_->remove_run({&first.subject, count}, *how.list)
                                                             : store_->despawn_run({&first.subject, count});
    report_.applied += applied;
    at_.at += std::size_t{applied} * how.size;
    if (at_.at == at_.block->end) {
        at_.enter(at_.block->after());
        give_blocks(at_.block);
    }
    return applied != 0;
}

// Applies a chain, or leaves its records to be applied one by one.
void Replay::play_chain(Record& head) {
    if (store_->is_watched()) return Folding::unlink(at_);  // by a constructor, since the records were linked
    PendingNotification pending;
#if defined(__cpp_exceptions)
    try {
        pending = folding_.fold(*store_, head, report_);
    } catch (...) {
        // Only the first record of a chain can fail to be built, so the order is kept. Without the memory for one large
        // move, small ones may still succeed.
        Folding::unlink(at_);
        if (folding_.failed_to_build()) throw;
    }
#else
    pending = folding_.fold(*store_, head, report_);
#endif
    store_->notify(pending);
}

void Replay::advance() {
    CommandBlock* const block = at_.block;
    at_.next();
    if (at_.block != block) [[unlikely]]
        give_blocks(at_.block);
}

// Gives the blocks before `until` back to the buffer.
void Replay::give_blocks(CommandBlock* until) noexcept {
    CommandBlock* const blocks = first_;
    if (blocks == until) return;
    first_ = until;
    IdBlock* last = blocks;
    while (last->next != until) last = last->next;
    last->next = nullptr;
    if (buffer_ != nullptr) {
        append(buffer_->spare_, blocks);
    } else {
        delete_blocks(blocks);
    }
}

PendingNotification Replay::apply(Record& record) {
    const Operation& how = record.operation();
    const Entity entity = record.entity();
    bool applied = true;
    PendingNotification pending;
    switch (how.verb) {
        case Verb::skip:
            return pending;
        case Verb::despawn:
            applied = store_->despawn(entity);
            break;
        // A ghost has what is left to remove; otherwise it is dead.
        case Verb::remove:
            applied = store_->remove(entity, *how.list) || store_->alive(entity);
            break;
        case Verb::add:
        case Verb::set:
            applied = apply_put(record, pending);
            break;
        case Verb::spawn:
        case Verb::spawn_with:
            pending = apply_spawn(record);
            break;
        case Verb::run:
            how.run(record.bytes(), *store_->world());
            break;
        case Verb::give_back:
            store_->ids().give_back(entity);
            break;
    }
    ++(applied ? report_.applied : report_.skipped);
    // Values that were applied have left the record; a callable, and the values of a command that was skipped, end
    // here.
    const bool left = applied && (how.verb == Verb::spawn || how.verb == Verb::set);
    if (how.destroy != nullptr && !left) destroy(record);
    return pending;
}

void Replay::destroy(Record& record) noexcept {
    const Operation& how = record.operation();
    if (link_->store() == nullptr) return how.destroy(record.bytes());  // a run has ended the world
    const Store::Lock lock(*store_);
    how.destroy(record.bytes());
}

namespace {

// Calls the initializer of a record with the places of the components.
class RecordedInitializer final : public Initializer {
  public:
    RecordedInitializer(Store& store, Record& record, std::vector<void*>& cells)
        : store_(store), record_(record), cells_(cells) {}

    void operator()(Entity entity, std::span<Incoming> parts) override {
        cells_.clear();
        for (const Incoming& part : parts) cells_.push_back(part.cell);
        record_.operation().initialize(record_.bytes(), store_, entity, cells_.data());
    }

  private:
    Store& store_;
    Record& record_;
    std::vector<void*>& cells_;
};

// True when a value in a table is just bytes, and one of it is all that the edit brings.
bool is_bytes(const Operation& how) {
    if (how.list->count != 1 || how.list->has_sparse) return false;
    const ComponentType& type = *how.list->types[0]->type;
    return type.relocate == nullptr && type.destroy == nullptr && !type.traits.pooled;
}

}  // namespace

PendingNotification Replay::apply_spawn(Record& record) {
    const Operation& how = record.operation();
    Table& table = store_->table_of(*how.list);
    const std::span<Incoming> parts = folding_.parts_of(record);
    if (how.initialize == nullptr) return store_->spawn_reserved(record.entity(), table, parts);
    RecordedInitializer initialize(*store_, record, folding_.cells);
    return store_->spawn_reserved(record.entity(), table, parts, &initialize);
}

// False when the entity is dead.
bool Replay::apply_put(Record& record, PendingNotification& pending) {
    const Operation& how = record.operation();
    if (how.verb == Verb::set && is_bytes(how)) {
        const bool tag = how.list->types[0]->type->size == 0;
        const void* value = tag ? nullptr : record.bytes() + how.values[0].offset;
        return store_->put_bytes(record.entity(), *how.list, value, true, "set") != Store::Outcome::dead;
    }
    if (!store_->alive(record.entity())) return false;
    pending = store_->put(record.entity(), *how.list, folding_.parts_of(record));
    return true;
}

}  // namespace stoa::detail

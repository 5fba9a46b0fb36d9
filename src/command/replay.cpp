// Replay. A record is applied in one of three ways: as part of a batch of equal commands (apply_batch), as part of a
// chain of edits of one entity (apply_chain), or alone (apply). All three have the same effect.
#include "command/replay.hpp"

#include <algorithm>
#include <string>

#include "base/raise.hpp"
#include "stoa/detail/query/observer.hpp"
#include "stoa/detail/storage/copy_entity.hpp"
#include "stoa/detail/storage/replace.hpp"
#include "storage/batches.hpp"
#include "storage/command_edits.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint32_t largest_batch = 128;
constexpr std::uint32_t smallest_batch = 4;  // for fewer, two passes do not pay off

}  // namespace

Replay::Replay(CommandBuffer& buffer, Store& store)
    : buffer_(&buffer), store_(&store), link_(store.link()), folding_(store.rooms().commands.get()->folding) {
    buffer.set_replay(this);
}

Replay::~Replay() {
    if (cursor_) {
        Folding::unlink_chains(cursor_);
        // Destructors run under the lock, as everywhere.
        if (store_ != nullptr) {
            const Store::Lock lock(*store_);
            first_block_ = discard_records(first_block_, cursor_, store_);
        } else {
            first_block_ = discard_records(first_block_, cursor_, nullptr);
        }
        cursor_ = {};
    }
    // What was recorded during the flush belongs to it, unless the buffer has become one of another world.
    if (!finished_ && buffer_ != nullptr && buffer_->belongs_to(*link_)) buffer_->discard_all();
    return_blocks(nullptr);
    if (buffer_ != nullptr) buffer_->set_replay(nullptr);
}

FlushReport Replay::run() {
    if (store_->notifier().notifies_writes()) [[unlikely]]
        notify_of_writes(*store_);
    while (next_round()) apply_round();
    finished_ = store_ != nullptr;
    return report_;
}

// Takes what was recorded since the last round. False if there is nothing.
bool Replay::next_round() {
    if (buffer_ == nullptr || store_ == nullptr || !buffer_->belongs_to(*link_))
        return false;  // it may belong to another world now
    const CommandRound round = buffer_->detach();
    first_block_ = round.first;
    cursor_ = RecordCursor(round.first);
    mixed_ = round.mixed;
    if (round_ > Commands::max_rounds && round.count != 0) fail_runaway();
    if (round_ < 2) {
        budget_ +=
            (round_ == 0 ? Commands::max_follow_ups : 0) + std::uint64_t{Commands::max_follow_ups_each} * round.count;
    } else if (round.count > budget_) {
        fail_runaway();
    } else {
        budget_ -= round.count;
    }
    ++round_;
    return round.first != nullptr;
}

void Replay::fail_runaway() const {
    raise(Errc::runaway, "flush: commands have recorded commands " + std::to_string(round_) +
                             " times in a row, or too many of them; look for a command, an initializer or a signal "
                             "that records itself again");
}

void Replay::apply_round() {
    while (cursor_) {
        store_->directory().settle();
        store_->require_unlocked("flush");
        // If observers must be notified of each single change, commands are applied one by one.
        if (mixed_ && !store_->notifier().may_notify()) folding_.link_chains(*store_, cursor_);
        if (!apply_to_barrier()) return;
    }
    return_blocks(nullptr);
}

// False when the world was destroyed.
bool Replay::apply_to_barrier() {
    while (cursor_) {
        CommandRecord& record = *cursor_;
        if ((record.word & CommandRecord::marks) != 0) {
            if ((record.word & CommandRecord::done) == 0) apply_chain(record);
            if ((record.word & CommandRecord::done) != 0) advance();
            continue;
        }
        if (apply_batch(record)) continue;
        const bool barrier = is_barrier(record.operation().verb);
        const PendingNotification pending = apply(record);
        advance();
        if (pending.kind != PendingNotification::Kind::none) store_->notifier().notify(pending);
        if (barrier) {
            if (link_->store() == nullptr) store_ = nullptr;
            // One command may record any number of commands. Commands that were recorded in a flush are limited.
            if (round_ > 1 && buffer_ != nullptr && buffer_->size() > budget_) fail_runaway();
            return store_ != nullptr;
        }
    }
    return true;
}

// Applies a batch: equal commands that begin here, as many as the store can handle together. False when it can handle
// none.
bool Replay::apply_batch(CommandRecord& first) {
    const Operation& operation = first.operation();
    const bool spawns = operation.verb == Verb::spawn && operation.values != nullptr && operation.full_list == nullptr;
    if (!spawns && operation.verb != Verb::remove && operation.verb != Verb::despawn) return false;
    if (spawns && operation.destroy != nullptr) return false;  // not bytes: asked before all of them are counted
    std::uint32_t count = 1;
    const auto is_same = [&](const std::byte* at) { return record_at(at).word == first.word; };
    for (const std::byte* at = cursor_.at + operation.size;
         count < largest_batch && at != cursor_.block->end && is_same(at); at += operation.size)
        ++count;
    if (count < smallest_batch) return false;
    const EntityBatch subjects{&first.subject, count, sizeof(CommandRecord) / sizeof first.subject};
    const std::uint32_t applied =
        spawns ? spawn_batch(*store_, {cursor_.at, operation.size, count, operation.values}, *operation.list)
        : operation.verb == Verb::remove ? remove_batch(*store_, subjects, *operation.list)
                                         : despawn_batch(*store_, subjects);
    report_.applied += applied;
    cursor_.at += std::size_t{applied} * operation.size;
    if (cursor_.at == cursor_.block->end) {
        cursor_.enter(cursor_.block->after());
        return_blocks(cursor_.block);
    }
    return applied != 0;
}

// Applies a chain, or leaves its records to be applied one by one.
void Replay::apply_chain(CommandRecord& head) {
    if (store_->notifier().may_notify())
        return Folding::unlink_chains(cursor_);  // by a constructor, since the records were linked
    PendingNotification pending;
#if defined(__cpp_exceptions)
    try {
        pending = folding_.fold(*store_, head, report_);
    } catch (...) {
        // Only the first record of a chain can throw while it is built, so the order of commands is preserved. If there
        // was no memory for one large move, small ones may still succeed.
        Folding::unlink_chains(cursor_);
        if (folding_.failed_to_build()) throw;
    }
#else
    pending = folding_.fold(*store_, head, report_);
#endif
    store_->notifier().notify(pending);
}

void Replay::advance() {
    CommandBlock* const block = cursor_.block;
    cursor_.next();
    if (cursor_.block != block) [[unlikely]]
        return_blocks(cursor_.block);
}

// Returns the blocks before `until` to the buffer.
void Replay::return_blocks(CommandBlock* until) noexcept {
    CommandBlock* const blocks = first_block_;
    if (blocks == until) return;
    first_block_ = until;
    IdBlock* last = blocks;
    while (last->next != until) last = last->next;
    last->next = nullptr;
    if (buffer_ != nullptr) {
        buffer_->reuse(blocks);
    } else {
        delete_blocks(blocks);
    }
}

// Inline, because most commands do little else.
[[gnu::always_inline]] inline Replay::Outcome Replay::perform(CommandRecord& record, PendingNotification& pending) {
    const Operation& operation = record.operation();
    const Entity entity = record.entity();
    const auto done_if = [](bool done) { return done ? Outcome::done : Outcome::skipped; };
    switch (operation.verb) {
        case Verb::skip:
            break;
        case Verb::despawn:
            return done_if(store_->despawn(entity));
        // A ghost still has cleanup components to remove; for all other verbs it is dead.
        case Verb::remove:
            return done_if(store_->remove(entity, *operation.list) || store_->alive(entity));
        case Verb::add:
        case Verb::set:
            return apply_put(record, pending) ? Outcome::took_values : Outcome::skipped;
        case Verb::replace:
            if (apply_replace(record, pending)) return Outcome::took_values;
            return done_if(store_->alive(entity));
        case Verb::remove_all:
            return done_if(store_->remove_all(entity) || store_->alive(entity));
        case Verb::clone:
            return done_if(apply_clone(record, pending));
        case Verb::copy:
            return done_if(apply_copy(record));
        case Verb::spawn:
            pending = apply_spawn(record);
            return Outcome::took_values;
        case Verb::spawn_with:
            pending = apply_spawn(record);
            break;
        case Verb::run:
            operation.run(record.bytes(), *store_->world());
            break;
        case Verb::give_back:
            store_->directory().give_back(entity);
            break;
    }
    return Outcome::done;
}

PendingNotification Replay::apply(CommandRecord& record) {
    const Operation& operation = record.operation();
    PendingNotification pending;
    if (operation.verb == Verb::skip) return pending;
    const Outcome outcome = perform(record, pending);
    ++(outcome == Outcome::skipped ? report_.skipped : report_.applied);
    // A callable, and the values of a command that had no use for them, are destroyed here.
    if (operation.destroy != nullptr && outcome != Outcome::took_values) destroy_payload(record);
    return pending;
}

void Replay::destroy_payload(CommandRecord& record) noexcept {
    const Operation& operation = record.operation();
    if (link_->store() == nullptr)
        return operation.destroy(record.bytes());  // a recorded callable has destroyed the world
    const Store::Lock lock(*store_);
    operation.destroy(record.bytes());
}

namespace {

// Calls the initializer of a record with the cells of the components.
class RecordedInitializer final : public Initializer {
  public:
    RecordedInitializer(Store& store, CommandRecord& record, std::vector<void*>& cells)
        : store_(store), record_(record), cells_(cells) {}

    void operator()(Entity entity, std::span<RowPart> parts) override {
        cells_.clear();
        for (const RowPart& part : parts) cells_.push_back(part.cell);
        record_.operation().initialize(record_.bytes(), store_, entity, cells_.data());
    }

  private:
    Store& store_;
    CommandRecord& record_;
    std::vector<void*>& cells_;
};

// The entity in the payload.
Entity other_of(CommandRecord& record) {
    return *object_at<Entity>(record.bytes() + sizeof(CommandRecord));  // Safe: built there by Commands
}

// True if the edit has exactly one value, which is plain bytes in a table.
bool is_bytes(const Operation& operation) {
    if (operation.list->count != 1 || operation.list->has_sparse) return false;
    const ComponentType& type = *operation.list->types[0]->type;
    return type.is_bytes();
}

}  // namespace

PendingNotification Replay::apply_spawn(CommandRecord& record) {
    const Operation& operation = record.operation();
    TypeList& list = *full_list(operation);
    Table& table = store_->table_of(list);
    const std::span<RowPart> parts = folding_.parts_of(record, list);
    if (operation.initialize == nullptr) return spawn_reserved(*store_, record.entity(), table, parts);
    RecordedInitializer initialize(*store_, record, folding_.cells());
    return spawn_reserved(*store_, record.entity(), table, parts, &initialize);
}

// The list of an operation; the full one if the entity lacks a component that requires others. Requires: it has one.
[[gnu::noinline]] TypeList& Replay::list_for(Entity entity, const Operation& operation) const {
    const auto lacks = [&](TypeHandle* slot) {
        return slot->type->required != nullptr && !has_component(*store_, entity, store_->id_of(*slot));
    };
    TypeHandle* const* const end = operation.list->types + operation.list->count;
    return std::any_of(operation.list->types, end, lacks) ? *operation.full_list : *operation.list;
}

// False when the entity is dead.
bool Replay::apply_put(CommandRecord& record, PendingNotification& pending) {
    const Operation& operation = record.operation();
    if (operation.verb == Verb::set && operation.full_list == nullptr && is_bytes(operation)) {
        const bool tag = operation.list->types[0]->type->size == 0;
        const void* value = tag ? nullptr : record.bytes() + operation.values[0].offset;
        return store_->put_bytes(record.entity(), *operation.list, value, true, "set") != Store::Outcome::dead;
    }
    if (!store_->alive(record.entity())) return false;
    TypeList& list = operation.full_list == nullptr ? *operation.list : list_for(record.entity(), operation);
    pending = put_parts(*store_, record.entity(), list, folding_.parts_of(record, list));
    return true;
}

// False when the model is dead: the id is given back.
bool Replay::apply_clone(CommandRecord& record, PendingNotification& pending) {
    if (store_->alive(other_of(record))) {
        pending = clone_reserved(*store_, other_of(record), record.entity());
        return true;
    }
    store_->directory().give_back(record.entity());
    return false;
}

// False when one of the two is dead.
bool Replay::apply_copy(CommandRecord& record) {
    if (!store_->alive(other_of(record)) || !store_->alive(record.entity())) return false;
    copy_components(*store_, other_of(record), record.entity());
    return true;
}

// False when nothing has changed: the entity is dead, or lacks the first component.
bool Replay::apply_replace(CommandRecord& record, PendingNotification& pending) {
    const Operation& operation = record.operation();
    const ComponentType& type = *operation.list->types[1]->type;
    if (!operation.list->has_sparse && operation.full_list == nullptr && type.is_bytes()) {
        const void* const value = type.size != 0 ? record.bytes() + operation.values[0].offset : nullptr;
        return replace_bytes(*store_, record.entity(), *operation.list, value);
    }
    if (!store_->alive(record.entity())) return false;
    TypeList& list = operation.full_list == nullptr ? *operation.list : list_for(record.entity(), operation);
    return replace_and_defer(*store_, record.entity(), list, folding_.parts_of_replacement(record, list), pending);
}

}  // namespace stoa::detail

// Chains and folded edits. A folded edit describes, for a table and a sequence of operations, which values are added,
// which no lookup can see, and along which migration the row moves. It is computed once and used for every entity with
// the same chain.
#include "command/fold.hpp"

#include <algorithm>

#include "base/attempt.hpp"
#include "storage/command_edits.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint64_t epoch_shift = 48;  // pointers have at most 48 significant bits
constexpr std::uint64_t sparse_mark = 1;

// True when a recorded value may be dropped without a visible effect. A pooled value would be recycled.
bool may_vanish_unseen(const ComponentType& type) { return !type.traits.pooled; }

// How an edit stands to the chain of its entity. Edits of sparse components move no row: they are applied at their own
// position, beside the chain, and a despawn after them divides it. So does an edit that names both kinds, and one whose
// effect depends on what the entity has by then.
enum class LinkKind : std::uint8_t { chained, beside, divides };

LinkKind link_kind(const Operation& operation) {
    if (operation.verb == Verb::replace || operation.verb == Verb::remove_all) return LinkKind::divides;
    const TypeList* const list = full_list(operation);
    if (list == nullptr || !list->has_sparse) return LinkKind::chained;
    return list->has_table ? LinkKind::divides : LinkKind::beside;
}

// Requires: it is linked. Safe: the subject of a linked record is the address of the next one.
CommandRecord* next_of(const CommandRecord& record) { return reinterpret_cast<CommandRecord*>(record.subject); }

void unlink_chain(CommandRecord& head) noexcept {
    CommandRecord* last = &head;
    while ((last->word & CommandRecord::linked) != 0) last = next_of(*last);
    for (CommandRecord* record = &head; record != last;) {
        CommandRecord* const next = next_of(*record);
        record->subject = last->subject;
        record->word &= ~CommandRecord::linked;
        record = next;
    }
}

}  // namespace

// Forgets all chains.
void Folding::next_epoch() noexcept {
    if (++epoch_ == std::uint64_t{1} << (64 - epoch_shift)) {
        last_.for_each_page(
            [](std::uint32_t, std::uint64_t* page) { std::fill_n(page, decltype(last_)::page_size, 0); });
        epoch_ = 1;
    }
}

// Null if there is no memory.
std::uint64_t* Folding::last_of(std::uint32_t index) noexcept {
    if (!last_.contains(index) && !attempt([&] { last_.prepare(index); })) [[unlikely]]
        return nullptr;
    return &last_[index];
}

void Folding::link_chains(Store& store, RecordCursor from) noexcept {
    const std::uint32_t limit = store.directory().size();
    next_epoch();
    constexpr std::uint64_t address = ((std::uint64_t{1} << epoch_shift) - 1) & ~std::uint64_t{CommandRecord::marks};
    for (; from; from.next()) {
        CommandRecord& record = *from;
        const Operation& operation = record.operation();
        if (operation.verb == Verb::skip) continue;
        if (is_barrier(operation.verb)) return;
        if (operation.may_throw) next_epoch();
        const std::uint32_t index = record.entity().index();
        if (index >= limit) continue;
        std::uint64_t* const known = last_of(index);
        if (known == nullptr) return;
        std::uint64_t& entry = *known;
        // Safe: an entry of this epoch is the address of a record of this segment.
        auto* last = (entry >> epoch_shift) == epoch_ ? reinterpret_cast<CommandRecord*>(entry & address) : nullptr;
        if (last != nullptr && last->subject != record.subject) last = nullptr;  // another generation
        const std::uint64_t sparse_since = last != nullptr ? entry & sparse_mark : 0;
        const LinkKind kind = link_kind(operation);
        if (kind != LinkKind::chained) {
            entry = kind == LinkKind::beside && last != nullptr ? entry | sparse_mark : 0;
            continue;
        }
        if (last != nullptr && (operation.verb != Verb::despawn || sparse_since == 0)) {
            last->subject = reinterpret_cast<std::uintptr_t>(&record);
            last->word |= CommandRecord::linked;
        }
        entry = operation.verb == Verb::despawn
                    ? 0
                    : (epoch_ << epoch_shift) | reinterpret_cast<std::uintptr_t>(&record) | sparse_since;
    }
}

void Folding::unlink_chains(RecordCursor from) noexcept {
    for (; from; from.next()) {
        CommandRecord& record = *from;
        if (is_barrier(record.operation().verb)) return;
        if ((record.word & CommandRecord::done) == 0 && (record.word & CommandRecord::linked) != 0)
            unlink_chain(record);
    }
}

void Folding::collect_chain(CommandRecord& head) {
    chain_.clear();
    CommandRecord* record = &head;
    chain_.push_back(record);
    while ((record->word & CommandRecord::linked) != 0) chain_.push_back(record = next_of(*record));
    entity_ = record->entity();
}

PendingNotification Folding::fold(Store& store, CommandRecord& head, FlushReport& report) {
    parts_.clear();
    collect_chain(head);
    const bool spawned = head.operation().verb == Verb::spawn;
    const EntityRow place = store.locate(entity_);
    bool folds = spawned || place;
    if (folds && chain_.back()->operation().verb == Verb::despawn) {
        if (fold_despawn(store, report)) return {};
        folds = false;
    }
    Table& source = place ? place.chunk->table() : *store.tables().front();
    const FoldedEdit* folded = folds ? &folded_edit_for(store, source) : nullptr;
    if (folded == nullptr || !folded->possible) {
        unlink_chain(head);
        return {};
    }
    for (const ValueUse& use : folded->parts) {
        RowPart& part = parts_.emplace_back();
        part.handle = use.slot;
        if (use.value < 0) continue;
        part.source = RowPart::Source::hand_over;
        part.value = value_of(use);
        part.build = chain_[use.record]->operation().values[use.value].move;
    }
    Migration* migration = folded->migration_key != 0 ? source.migrations().find(folded->migration_key) : nullptr;
    if (migration == nullptr && folded->migration_key != 0)
        migration = migration_for(store, source, folded->effects);  // collected since
    const PendingNotification pending =
        spawned ? spawn_reserved(store, entity_, migration != nullptr ? *migration->target : source, parts_)
                : edit(store, entity_, migration, parts_);
    report.applied += chain_.size();
    for (CommandRecord* record : chain_) record->word = (record->word & ~CommandRecord::linked) | CommandRecord::done;
    for (const ValueUse& use : folded->unused) destroy_value(store, use);
    return pending;
}

bool Folding::failed_to_build() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const RowPart& part) { return part.begun && !part.built; });
}

// A chain that ends in a despawn: no lookup can see its values. The despawn stays at its position; if the spawn is left
// out, the id is given back there.
bool Folding::fold_despawn(Store& store, FlushReport& report) {
    const std::size_t edits = chain_.size() - 1;
    for (std::size_t i = 0; i < edits; ++i) {
        const Operation& operation = chain_[i]->operation();
        const TypeList& list = *full_list(operation);
        for (std::uint32_t k = 0; k < list.count; ++k) {
            const ComponentType& type = *list.types[k]->type;
            if (type.traits.cleanup || (operation.verb != Verb::remove && !may_vanish_unseen(type))) return false;
        }
    }
    if (chain_[0]->operation().verb == Verb::spawn) {
        static constexpr Operation give_back{Verb::give_back, false, sizeof(CommandRecord), 16};
        chain_.back()->set(entity_.bits(), give_back);
    }
    report.applied += edits;
    for (std::size_t i = 0; i < edits; ++i) {
        CommandRecord& record = *chain_[i];
        record.word = (record.word & ~CommandRecord::linked) | CommandRecord::done;
    }
    const Store::Lock lock(store);
    for (std::size_t i = 0; i < edits; ++i) {
        const Operation& operation = chain_[i]->operation();
        if (operation.destroy != nullptr) operation.destroy(chain_[i]->bytes());
    }
    return true;
}

Folding::FoldedEdit& Folding::folded_edit_for(Store& store, Table& source) {
    for (FoldedEdit& known : folded_edits_) {
        if (known.source != source.serial() || known.operations.size() != chain_.size()) continue;
        const auto same = [](const Operation* operation, const CommandRecord* record) {
            return operation == &record->operation();
        };
        if (std::equal(known.operations.begin(), known.operations.end(), chain_.begin(), same)) return known;
    }
    FoldedEdit& folded = folded_edits_[next_folded_edit_];
    next_folded_edit_ = (next_folded_edit_ + 1) % folded_edit_count;
    folded.operations.clear();  // matches no chain until it is written
    folded.operations.reserve(chain_.size());
    compute_folded_edit(store, source, folded);
    folded.source = source.serial();
    for (const CommandRecord* record : chain_) folded.operations.push_back(&record->operation());
    return folded;
}

void Folding::compute_folded_edit(Store& store, Table& source, FoldedEdit& folded) {
    changes_.clear();
    folded.possible = true;
    folded.migration_key = 0;
    folded.effects.clear();
    folded.parts.clear();
    folded.unused.clear();
    for (std::uint32_t i = 0; i < chain_.size() && folded.possible; ++i)
        folded.possible = fold_record(store, source, i, folded);
    if (!folded.possible) return;
    for (const ComponentChange& change : changes_) {
        if (change.present_after != change.present_before)
            folded.effects.push_back({change.slot, change.id, change.present_after});
        if (change.present_after && change.record >= 0)
            folded.parts.push_back({static_cast<std::uint32_t>(change.record), change.value, change.slot});
    }
    // In recorded order, so that of several that would throw the first one does.
    std::sort(folded.parts.begin(), folded.parts.end(), [](const ValueUse& a, const ValueUse& b) {
        return a.record != b.record ? a.record < b.record : a.value < b.value;
    });
    if (Migration* migration = migration_for(store, source, folded.effects)) folded.migration_key = migration->key;
}

bool Folding::fold_record(Store& store, const Table& source, std::uint32_t record, FoldedEdit& folded) {
    const Operation& operation = chain_[record]->operation();
    bool adds_requirer = false;
    for (std::uint32_t i = 0; i < operation.list->count; ++i) {
        ComponentChange& change = change_of(store, source, *operation.list->types[i]);
        adds_requirer |= change.slot->type->required != nullptr && !change.present_after;
        const std::int32_t value = operation.values != nullptr ? static_cast<std::int32_t>(i) : -1;
        if (!fold_component(change, operation.verb, record, value, folded)) return false;
    }
    if (operation.full_list == nullptr || !adds_requirer) return true;
    for (std::uint32_t i = operation.list->count; i < operation.full_list->count; ++i) {
        ComponentChange& change = change_of(store, source, *operation.full_list->types[i]);
        if (!fold_component(change, Verb::add, record, -1, folded)) return false;
    }
    return true;
}

// False when single edits would have an effect that one move does not have: a component that is removed and added again
// counts as added, and a pooled value is recycled.
bool Folding::fold_component(ComponentChange& change, Verb verb, std::uint32_t record, std::int32_t value,
                             FoldedEdit& folded) {
    const bool puts = verb != Verb::remove;
    if (change.removed && puts) return false;
    if (!puts && !change.present_after) return true;
    if (verb == Verb::add && change.present_after) return true;
    if (change.present_after && change.record >= 0) {
        // The value of an earlier record is replaced or removed before a lookup could see it.
        if (!puts && !may_vanish_unseen(*change.slot->type)) return false;
        if (change.value >= 0)
            folded.unused.push_back({static_cast<std::uint32_t>(change.record), change.value, change.slot});
    }
    change.present_after = puts;
    change.removed = change.present_before && !puts;
    change.record = puts ? static_cast<std::int32_t>(record) : -1;
    change.value = value;
    return true;
}

Folding::ComponentChange& Folding::change_of(Store& store, const Table& source, TypeHandle& slot) {
    const ComponentId id = resolve(store.types().registry(), slot);
    for (ComponentChange& known : changes_) {
        if (known.id == id) return known;
    }
    const bool was = source.has(id);
    return changes_.emplace_back(ComponentChange{&slot, id, was, was, false, -1, -1});
}

void* Folding::value_of(const ValueUse& use) const {
    if (use.value < 0) return nullptr;
    CommandRecord& record = *chain_[use.record];
    return record.bytes() + record.operation().values[use.value].offset;
}

void Folding::destroy_value(Store& store, const ValueUse& use) noexcept {
    const ComponentType& type = *use.slot->type;
    if (type.destroy == nullptr) return;
    const Store::Lock lock(store);
    type.destroy(value_of(use), 1);
}

std::span<RowPart> Folding::parts_of(CommandRecord& record, const TypeList& list) {
    const Operation& operation = record.operation();
    parts_.clear();
    for (std::uint32_t i = 0; i < operation.list->count; ++i) {
        RowPart& part = parts_.emplace_back();
        part.handle = operation.list->types[i];
        if (operation.values == nullptr) continue;
        part.source = RowPart::Source::hand_over;
        part.value = record.bytes() + operation.values[i].offset;
        part.build = operation.values[i].move;
    }
    if (&list != operation.list) [[unlikely]]
        append_required(operation, list);
    return parts_;
}

std::span<RowPart> Folding::parts_of_replacement(CommandRecord& record, const TypeList& list) {
    const Operation& operation = record.operation();
    parts_.clear();
    RowPart& part = parts_.emplace_back();
    part.handle = list.types[1];
    part.source = RowPart::Source::hand_over;
    part.value = record.bytes() + operation.values[0].offset;
    part.build = operation.values[0].move;
    append_required(operation, list);
    return parts_;
}

void Folding::append_required(const Operation& operation, const TypeList& list) {
    for (std::uint32_t i = operation.list->count; i < list.count; ++i) parts_.emplace_back().handle = list.types[i];
}

}  // namespace stoa::detail

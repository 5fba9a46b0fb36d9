// Chains and recipes. A recipe says, for a table and a sequence of operations, which values arrive, which are never
// seen, and which plan the row takes; it is written once and used for every entity whose chain is the same.
#include "command/fold.hpp"

#include <algorithm>

#include "query/attempt.hpp"

namespace stoa::detail {
namespace {

constexpr std::uint64_t epoch_shift = 48;  // pointers have at most 48 significant bits
constexpr std::uint64_t sparse_mark = 1;

// True when a value may come and go without a trace: a pooled one would be recycled.
bool vanishes(const ComponentType& type) { return !type.traits.pooled; }

Record* next_of(const Record& record) {
    return reinterpret_cast<Record*>(record.subject);
}  // Safe: linked records only

void unlink_chain(Record& head) noexcept {
    Record* last = &head;
    while ((last->word & Record::linked) != 0) last = next_of(*last);
    for (Record* record = &head; record != last;) {
        Record* const next = next_of(*record);
        record->subject = last->subject;
        record->word &= ~Record::linked;
        record = next;
    }
}

}  // namespace

// Forgets all chains.
void Folding::next_epoch() noexcept {
    if (++epoch_ == std::uint64_t{1} << (64 - epoch_shift)) {
        for (const auto& page : last_) {
            if (page) std::fill_n(page.get(), page_size, 0);
        }
        epoch_ = 1;
    }
}

// Null without memory.
std::uint64_t* Folding::last_of(std::uint32_t index) noexcept {
    const std::size_t page = index / page_size;
    if (page >= last_.size() || !last_[page]) [[unlikely]] {
        const bool done = attempt([&] {
            if (page >= last_.size()) last_.resize(page + 1);
            last_[page] = std::make_unique<std::uint64_t[]>(page_size);
        });
        if (!done) return nullptr;
    }
    return &last_[page][index % page_size];
}

void Folding::link(Store& store, RecordCursor from) noexcept {
    const std::uint32_t limit = store.directory().size();
    next_epoch();
    constexpr std::uint64_t address = ((std::uint64_t{1} << epoch_shift) - 1) & ~std::uint64_t{Record::marks};
    for (; from; from.next()) {
        Record& record = *from;
        const Operation& how = record.operation();
        if (how.verb == Verb::skip) continue;
        if (is_barrier(how.verb)) return;
        if (how.may_throw) next_epoch();
        const std::uint32_t index = record.entity().index();
        if (index >= limit) continue;
        std::uint64_t* const known = last_of(index);
        if (known == nullptr) return;
        std::uint64_t& entry = *known;
        // Safe: an entry of this epoch is the address of a record of this segment.
        auto* last = (entry >> epoch_shift) == epoch_ ? reinterpret_cast<Record*>(entry & address) : nullptr;
        if (last != nullptr && last->subject != record.subject) last = nullptr;  // another generation
        const std::uint64_t sparse_since = last != nullptr ? entry & sparse_mark : 0;
        if (how.list != nullptr && how.list->has_sparse) {
            // Sparse components move no row, so such an edit stays where it is. One that names both kinds, or a despawn
            // after one, divides the chain.
            if (how.list->has_table || last == nullptr) {
                entry = 0;
            } else {
                entry |= sparse_mark;
            }
            continue;
        }
        if (last != nullptr && (how.verb != Verb::despawn || sparse_since == 0)) {
            last->subject = reinterpret_cast<std::uintptr_t>(&record);
            last->word |= Record::linked;
        }
        entry = how.verb == Verb::despawn
                    ? 0
                    : (epoch_ << epoch_shift) | reinterpret_cast<std::uintptr_t>(&record) | sparse_since;
    }
}

void Folding::unlink(RecordCursor from) noexcept {
    for (; from; from.next()) {
        Record& record = *from;
        if (is_barrier(record.operation().verb)) return;
        if ((record.word & Record::done) == 0 && (record.word & Record::linked) != 0) unlink_chain(record);
    }
}

void Folding::collect(Record& head) {
    chain_.clear();
    Record* record = &head;
    chain_.push_back(record);
    while ((record->word & Record::linked) != 0) chain_.push_back(record = next_of(*record));
    entity_ = record->entity();
}

PendingNotification Folding::fold(Store& store, Record& head, FlushReport& report) {
    parts_.clear();
    collect(head);
    const bool spawned = head.operation().verb == Verb::spawn;
    const Place place = store.locate(entity_);
    bool folds = spawned || place;
    if (folds && chain_.back()->operation().verb == Verb::despawn) {
        if (fold_despawn(store, report)) return {};
        folds = false;
    }
    Table& source = place ? place.chunk->table() : store.empty_table();
    const Recipe* recipe = folds ? &recipe_for(store, source) : nullptr;
    if (recipe == nullptr || !recipe->possible) {
        unlink_chain(head);
        return {};
    }
    for (const Use& use : recipe->parts) {
        Incoming& part = parts_.emplace_back();
        part.slot = use.slot;
        part.value = value_of(use);
        if (use.value >= 0) part.move = chain_[use.record]->operation().values[use.value].move;
    }
    Plan* plan = recipe->edge != 0 ? source.edges.find(recipe->edge) : nullptr;
    if (plan == nullptr && recipe->edge != 0) plan = store.plan_for(source, recipe->effects);  // collected since
    const PendingNotification pending =
        spawned ? store.spawn_reserved(entity_, plan != nullptr ? *plan->target : source, parts_)
                : store.edit(entity_, plan, parts_);
    report.applied += chain_.size();
    for (Record* record : chain_) record->word = (record->word & ~Record::linked) | Record::done;
    for (const Use& use : recipe->unused) destroy(store, use);
    return pending;
}

bool Folding::failed_to_build() const {
    return std::any_of(parts_.begin(), parts_.end(), [](const Incoming& part) { return part.tried && !part.built; });
}

// Edits that end in a despawn: their values are never seen. The despawn stays in its place; where the spawn is left
// out, the id is given back there.
bool Folding::fold_despawn(Store& store, FlushReport& report) {
    const std::size_t edits = chain_.size() - 1;
    for (std::size_t i = 0; i < edits; ++i) {
        const Operation& how = chain_[i]->operation();
        for (std::uint32_t k = 0; k < how.list->count; ++k) {
            const ComponentType& type = *how.list->types[k]->type;
            if (type.traits.cleanup || (how.verb != Verb::remove && !vanishes(type))) return false;
        }
    }
    if (chain_[0]->operation().verb == Verb::spawn) {
        static constexpr Operation give_back{Verb::give_back, false, sizeof(Record), 16};
        chain_.back()->set(entity_.bits(), give_back);
    }
    report.applied += edits;
    for (std::size_t i = 0; i < edits; ++i) {
        Record& record = *chain_[i];
        record.word = (record.word & ~Record::linked) | Record::done;
    }
    const Store::Lock lock(store);
    for (std::size_t i = 0; i < edits; ++i) {
        const Operation& how = chain_[i]->operation();
        if (how.destroy != nullptr) how.destroy(chain_[i]->bytes());
    }
    return true;
}

Folding::Recipe& Folding::recipe_for(Store& store, Table& source) {
    for (Recipe& known : recipes_) {
        if (known.source != source.serial || known.operations.size() != chain_.size()) continue;
        const auto same = [](const Operation* how, const Record* record) { return how == &record->operation(); };
        if (std::equal(known.operations.begin(), known.operations.end(), chain_.begin(), same)) return known;
    }
    Recipe& recipe = recipes_[next_recipe_];
    next_recipe_ = (next_recipe_ + 1) % recipe_count;
    recipe.operations.clear();  // matches no chain until it is written
    recipe.operations.reserve(chain_.size());
    write_recipe(store, source, recipe);
    recipe.source = source.serial;
    for (const Record* record : chain_) recipe.operations.push_back(&record->operation());
    return recipe;
}

void Folding::write_recipe(Store& store, Table& source, Recipe& recipe) {
    items_.clear();
    recipe.possible = true;
    recipe.edge = 0;
    recipe.effects.clear();
    recipe.parts.clear();
    recipe.unused.clear();
    for (std::uint32_t i = 0; i < chain_.size() && recipe.possible; ++i)
        recipe.possible = note(store, source, i, recipe);
    if (!recipe.possible) return;
    for (const Item& item : items_) {
        if (item.now != item.was) recipe.effects.push_back({item.slot, item.id, item.now});
        if (item.now && item.record >= 0)
            recipe.parts.push_back({static_cast<std::uint32_t>(item.record), item.value, item.slot});
    }
    // In recorded order, so that of several that would throw the first one does.
    std::sort(recipe.parts.begin(), recipe.parts.end(), [](const Use& a, const Use& b) {
        return a.record != b.record ? a.record < b.record : a.value < b.value;
    });
    if (Plan* plan = store.plan_for(source, recipe.effects)) recipe.edge = plan->key;
}

bool Folding::note(Store& store, const Table& source, std::uint32_t record, Recipe& recipe) {
    const Operation& how = chain_[record]->operation();
    for (std::uint32_t i = 0; i < how.list->count; ++i) {
        Item& item = item_for(store, source, *how.list->types[i]);
        const std::int32_t value = how.values != nullptr ? static_cast<std::int32_t>(i) : -1;
        if (!note_one(item, how.verb, record, value, recipe)) return false;
    }
    return true;
}

// False when one by one something could be seen that cannot be seen after a single move: a component that goes and
// comes again has arrived anew, and a pooled value is recycled.
bool Folding::note_one(Item& item, Verb verb, std::uint32_t record, std::int32_t value, Recipe& recipe) {
    const bool puts = verb != Verb::remove;
    if (item.left && puts) return false;
    if (!puts && !item.now) return true;
    if (verb == Verb::add && item.now) return true;
    if (item.now && item.record >= 0) {
        // The value that was to come is replaced or removed before anyone has seen it.
        if (!puts && !vanishes(*item.slot->type)) return false;
        if (item.value >= 0) recipe.unused.push_back({static_cast<std::uint32_t>(item.record), item.value, item.slot});
    }
    item.now = puts;
    item.left = item.was && !puts;
    item.record = puts ? static_cast<std::int32_t>(record) : -1;
    item.value = value;
    return true;
}

Folding::Item& Folding::item_for(Store& store, const Table& source, TypeSlot& slot) {
    const ComponentId id = resolve(store.registry(), slot);
    for (Item& known : items_) {
        if (known.id == id) return known;
    }
    const bool was = source.has(id);
    return items_.emplace_back(Item{&slot, id, was, was, false, -1, -1});
}

void* Folding::value_of(const Use& use) const {
    if (use.value < 0) return nullptr;
    Record& record = *chain_[use.record];
    return record.bytes() + record.operation().values[use.value].offset;
}

void Folding::destroy(Store& store, const Use& use) noexcept {
    const ComponentType& type = *use.slot->type;
    if (type.destroy == nullptr) return;
    const Store::Lock lock(store);
    type.destroy(value_of(use), 1);
}

std::span<Incoming> Folding::parts_of(Record& record) {
    const Operation& how = record.operation();
    parts_.clear();
    for (std::uint32_t i = 0; i < how.list->count; ++i) {
        Incoming& part = parts_.emplace_back();
        part.slot = how.list->types[i];
        if (how.values == nullptr) continue;
        part.value = record.bytes() + how.values[i].offset;
        part.move = how.values[i].move;
    }
    return parts_;
}

}  // namespace stoa::detail

// Catching up: which entities come into which group. See the header for the invariant.
#include "stoa/detail/field_index.hpp"

#include <algorithm>
#include <utility>

#include "index/groups.hpp"
#include "index/key_tree.hpp"
#include "stoa/detail/walk.hpp"

namespace stoa::detail {

FieldIndex* FieldIndex::make(Store& store, TypeSlot& component, TermList& tracking, const KeyOps& ops) {
    const QueryState& state = query_state(store, tracking);
    struct Unfinished {
        FieldIndex* index;
        ~Unfinished() {
            if (index != nullptr) index->drop();
        }
    } made{new FieldIndex(store, ops, *component.type)};
    FieldIndex& index = *made.index;
    index.tracking_ = &state;
    index.reserve_slot();
    index.free_group();  // that of odd keys
    if (ops.ordered) index.tree_ = new KeyTree(index);
    index.followed_ = &store.follow(component);
    index.id_ = store.id_of(component);
    ++index.followed_->readers;
    index.departures_seen_ = index.followed_->departures.end();
    index.last_seen_ = ~*index.followed_->last;
    return std::exchange(made.index, nullptr);
}

FieldIndex::FieldIndex(Store& store, const KeyOps& ops, const ComponentType& type)
    : link_(&store.link()), ops_(ops), name_(type.name()), sparse_(type.is_sparse()) {
    link_->hold();
}

bool FieldIndex::catch_up() {
    Store* store = link_->store();
    if (store == nullptr) return false;
    if (pins_ != 0) return true;
    if (store->listener()->wants_care()) care_for_queries(*store);
    const bool locked = store->locked();
    const Store::SharedLock lock(*store);
    const Pin pin(*this);
    if (open_ || __atomic_load_n(followed_->last, __ATOMIC_RELAXED) != last_seen_) take_in_changes(*store, locked);
    take_out_departed(*store);
    return true;
}

std::uint32_t FieldIndex::look_up(const Probe& key) {
    if (!refresh()) return none;
    if (ops_.kind != KeyKind::object) return find_group(key);
    const Store::SharedLock lock(*link_->store());
    const Pin pin(*this);
    return find_group(key);
}

// Rows that are written from now on count as written later, also those that code of the user writes meanwhile.
void FieldIndex::take_in_changes(Store& store, bool locked) {
    const Tick last = __atomic_load_n(followed_->last, __ATOMIC_RELAXED);
    const Since since = store.since(open_ ? (locked ? seen_ - 1 : open_since_) : seen_);
    if (!open_) open_since_ = seen_;
    const std::uint64_t past = store.pass_moment();
    noted_count_ = 0;
    end_emptied();
    if (sparse_) {
        take_in_slots(store, since);
    } else {
        Sieve sieve;
        for (Walk walk(store, *tracking_, Order::tables, since, sieve); walk.next_picks();) {
            const std::span<const std::uint16_t> picks = walk.picks();
            const bool run = picks.empty();
            take_in_rows(walk.rows(), run ? nullptr : picks.data(), run ? walk.rows().count : static_cast<std::uint32_t>(picks.size()));
        }
    }
    take_in_noted();
    end_emptied();
    seen_ = past;
    // Whoever may still write at the moment of the last write would not be told from it: a system may, see pass_moment, and who
    // writes in a system by other ways than a query.
    const bool final = age_of(last, store.tick()) > 0 && age_of(last, store.walking_tick()) > 0;
    last_seen_ = final ? last : ~last;
    // A row is stamped when it is handed out, and may be written after this moment; runs of rows are stamped again when
    // they end, single ones are not. So all that was read since the first lookup inside a walk is read once more when
    // all walks have ended.
    open_ = locked;
}

void FieldIndex::take_in_rows(Rows rows, const std::uint16_t* picks, std::uint32_t count) {
    const std::byte* from = rows.base + rows.table->find(id_).offset + std::size_t{rows.first} * ops_.component_size;
    if (ops_.kind == KeyKind::word) return take_in_words(rows.ids(), from, picks, count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t row = picks != nullptr ? picks[i] : i;
        take_in_value(rows.ids()[row], from + row * ops_.component_size);
    }
}

void FieldIndex::take_in_slots(Store& store, Since since) {
    const SparseSet& set = *store.find_sparse(id_);
    store.note_reader(since);
    if (set.ticks() == nullptr) return;
    set.ticks()->each_changed(since, store.oldest_asked_for(since), set.bound(), [&](std::uint32_t slot) {
        const Entity owner = set.owner(slot);
        if (!owner) return;
        if (ops_.kind == KeyKind::word) {
            take_in_words(&owner, set.value(slot), nullptr, 1);
        } else {
            take_in_value(owner, set.value(slot));
        }
    });
}

void FieldIndex::take_in_value(Entity entity, const void* value) {
    struct Context {
        FieldIndex& index;
        Entity entity;
    } context{*this, entity};
    ops_.project(value, &context, [](void* to, const Probe& key) {
        const Context& here = *static_cast<Context*>(to);
        here.index.take_in(here.entity, here.index.finished(key));
    });
}

void FieldIndex::take_in_words(const Entity* ids, const std::byte* values, const std::uint16_t* picks, std::uint32_t count) {
    std::uint64_t words[batch];
    for (std::uint32_t first = 0; first < count;) {
        const std::uint32_t some = std::min(batch - noted_count_, count - first);
        if (picks != nullptr) {
            ops_.words(values, picks + first, some, words);
        } else {
            ops_.words(values + std::size_t{first} * ops_.component_size, nullptr, some, words);
        }
        for (std::uint32_t i = 0; i < some; ++i) {
            const Entity entity = ids[picks != nullptr ? picks[first + i] : first + i];
            // Of neighbours the records are neighbours too, mostly. Else they are only asked for, and looked at later.
            if (picks != nullptr || some < 4) {
                if (entity.index() < record_count_) __builtin_prefetch(&records_[entity.index()], 1);
            } else if (has_word(entity, words[i])) {
                continue;
            }
            noted_[noted_count_++] = {entity, words[i]};
        }
        first += some;
        if (noted_count_ == batch) take_in_noted();
    }
}

// Keys come in no order, so each step of the way to a group waits for memory; here a hundred wait together.
void FieldIndex::fetch_noted() const {
    for (std::uint32_t i = 0; i < noted_count_; ++i) {
        const std::uint32_t known = group_of(noted_[i].entity);
        if (known != none) __builtin_prefetch(&groups_[known], 1);
    }
    for (std::uint32_t i = 0; !ops_.ordered && i < noted_count_; ++i) {
        __builtin_prefetch(&slots_[tag_of(noted_[i].word, ops_.narrow) & mask_], 1);
        const std::uint32_t known = group_of(noted_[i].entity);
        if (known != none) __builtin_prefetch(&slots_[tag_of(groups_[known].word, ops_.narrow) & mask_], 1);
    }
    for (std::uint32_t i = 0; !ops_.ordered && i < noted_count_; ++i) {
        const std::uint32_t tag = tag_of(noted_[i].word, ops_.narrow);
        const Slot& slot = slots_[tag & mask_];
        if (slot.tag == tag && slot.group != none) __builtin_prefetch(&groups_[slot.group], 1);
    }
}

void FieldIndex::take_in_noted() {
    if (noted_count_ > 4) fetch_noted();
    struct Emptied {
        std::uint32_t& count;
        ~Emptied() { count = 0; }
    } emptied{noted_count_};
    for (std::uint32_t i = 0; i < noted_count_; ++i) {
        if (!has_word(noted_[i].entity, noted_[i].word)) take_in_word(noted_[i].entity, noted_[i].word);
    }
}

void FieldIndex::take_in_word(Entity entity, std::uint64_t word) {
    const bool odd = ops_.has_odd_word && word == odd_word;
    const std::uint32_t known = group_of(entity);
    if (ops_.ordered || odd || entity.index() >= record_count_ || emptied_.size() == emptied_.capacity()) [[unlikely]] {
        return take_in(entity, {word, nullptr, 0, odd, Side::within});
    }
    const std::uint32_t group = ops_.narrow ? find_word<true>(word) : find_word<false>(word);
    if (group == none && known != none && known != odd_group && groups_[known].count == 1) return rename(known, word);
    if (group != none && groups_[group].count < groups_[group].capacity) return move_in(entity, group);
    take_in(entity, {word, nullptr, 0, false, Side::within});
}

// The only member of a group has a key that nobody has: the group goes with it.
void FieldIndex::rename(std::uint32_t group, std::uint64_t word) noexcept {
    erase_slot(group);
    groups_[group].word = word;
    insert_slot({tag_of(word, ops_.narrow), group, groups_[group].members()[0].bits()});
}

void FieldIndex::take_in(Entity entity, const Probe& key) {
    const std::uint32_t known = group_of(entity);
    if (!key.odd && known != none && known != odd_group && is_key(key, known)) return;
    std::uint32_t group = key.odd ? odd_group : find_group(key);
    if (group != none && group == known) return;
    reserve_record(entity.index());
    if (emptied_.size() == emptied_.capacity()) emptied_.reserve(2 * emptied_.size() + 64);
    if (group == none) {
        group = new_group(key);  // has room for members
    } else {
        reserve_member(groups_[group]);
    }
    move_in(entity, group);
}

void FieldIndex::reserve_record(std::uint32_t index) {
    if (index < record_count_) return;
    const std::uint32_t larger = std::max({index + 1, record_count_ + record_count_ / 2, 64u});
    records_ = grown(records_, record_count_, larger, Record{0, none, 0});
    record_count_ = larger;
}

// The new place first, so that an entity is never nowhere. A group that is empty now ends later: keys that change often come back.
void FieldIndex::move_in(Entity entity, std::uint32_t group) noexcept {
    Record& record = records_[entity.index()];
    const Record old = record;
    Group& to = groups_[group];
    to.members()[to.count] = entity;
    record = {entity.generation(), group, to.count++};
    if (to.count == 1) set_first(group);
    if (tree_ != nullptr && group != odd_group) tree_->recount(group, true);
    if (old.generation != 0) {
        take_member(old.group, old.position);
        if (groups_[old.group].count == 0 && old.group != odd_group) emptied_.push_back(old.group);
    } else {
        ++size_;
    }
}

void FieldIndex::set_first(std::uint32_t group) noexcept {
    if (tree_ != nullptr || group == odd_group) return;
    slots_[slot_of(group)].first = groups_[group].count != 0 ? groups_[group].members()[0].bits() : 0;
}

// The last member takes the place of one that is gone.
void FieldIndex::take_member(std::uint32_t group, std::uint32_t position) noexcept {
    Group& from = groups_[group];
    const Entity moved = from.members()[--from.count];
    if (position != from.count) {
        from.members()[position] = moved;
        records_[moved.index()].position = position;
    }
    if (position == 0) set_first(group);
    if (tree_ != nullptr && group != odd_group) tree_->recount(group, false);
}

void FieldIndex::forget(Record& record) noexcept {
    const Record old = record;
    record.generation = 0;
    --size_;
    take_member(old.group, old.position);
    if (groups_[old.group].count == 0 && old.group != odd_group) end_group(old.group);
}

std::uint64_t FieldIndex::living(const Store& store) const {
    if (sparse_) return store.find_sparse(id_)->size();
    std::uint64_t rows = 0;
    for (const Table* table : tracking_->tables()) rows += table->rows();
    return rows;
}

// Everyone who has the component has been taken in, so what is too many is gone.
void FieldIndex::take_out_departed(Store& store) {
    const Departures& log = followed_->departures;
    const std::uint64_t end = log.end();
    if (departures_seen_ < log.begin()) {
        sweep(store);
    } else {
        for (; departures_seen_ != end; ++departures_seen_) {
            const Entity entity = log[departures_seen_];
            if (group_of(entity) != none && !tracking_->find(store, entity, Since{})) forget(records_[entity.index()]);
        }
    }
    departures_seen_ = end;
    if (size_ != living(store)) [[unlikely]] repair(store);
}

// Never expected. A way to go that nobody noted must not make an index wrong for ever.
void FieldIndex::repair(Store& store) {
    ++repairs_;
    sweep(store);
    if (size_ == living(store)) return;
    seen_ = 0 - (std::uint64_t{1} << 40);
    take_in_changes(store, true);
}

void FieldIndex::sweep(const Store& store) noexcept {
    for (std::uint32_t index = 0; index < record_count_; ++index) {
        Record& record = records_[index];
        if (record.generation == 0) continue;
        const Entity entity = Entity::from_bits((std::uint64_t{record.generation} << 32) | index);
        if (!tracking_->find(store, entity, Since{})) forget(record);
    }
}

const char* FieldIndex::check() const {
    std::uint64_t members_count = 0;
    for (std::uint32_t group = 0; group < group_count_; ++group) {
        if (groups_[group].capacity == none) continue;  // free
        for (std::uint32_t i = 0; i < groups_[group].count; ++i) {
            const Entity entity = members(group)[i];
            if (group_of(entity) != group || records_[entity.index()].position != i) return "a member of a group has another record";
            ++members_count;
        }
        if (group == odd_group || groups_[group].count == 0) continue;  // what threw may have left a group without members
        const Probe key = key_of(group);
        if (find_group(key) != group) return "a group is not found by its key";
        if (tree_ == nullptr && slots_[slot_of(group)].first != members(group)[0].bits()) return "a slot names another first member";
    }
    if (members_count != size_) return "an index counts wrongly";
    std::uint64_t in_use = 0;
    for (std::uint32_t i = 0; i < record_count_; ++i) in_use += records_[i].generation != 0;
    if (in_use != size_) return "records of an index are lost";
    return tree_ != nullptr ? tree_->check() : nullptr;
}

}  // namespace stoa::detail

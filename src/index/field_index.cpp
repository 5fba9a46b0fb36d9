// Catching up: reading the keys that were written, and removing the entities that lost the component.
#include "stoa/detail/index/field_index.hpp"

#include <algorithm>
#include <utility>

#include "stoa/detail/query/walk.hpp"
#include "stoa/detail/storage/track.hpp"

namespace stoa::detail {

Ref<FieldIndex> FieldIndex::make(Store& store, TypeHandle& component, TermList& tracking, const KeyOps& ops) {
    const QueryState& state = query_state(store, tracking);
    auto index = Ref<FieldIndex>::adopt(new FieldIndex(store, ops, *component.type, state));
    index->indexed_ = &index_component(store, component);
    index->id_ = store.id_of(component);
    ++index->indexed_->readers;
    index->departures_seen_ = index->indexed_->departures.end();
    index->last_seen_ = ~*index->indexed_->last;
    return index;
}

FieldIndex::FieldIndex(Store& store, const KeyOps& ops, const ComponentType& type, const QueryState& tracking)
    : link_(&store.link()), entities_(ops), sparse_(type.is_sparse()), name_(type.name()), tracking_(tracking) {
    link_->add_ref();
}

FieldIndex::~FieldIndex() {
    if (link_->store() != nullptr && indexed_ != nullptr) --indexed_->readers;
    link_->release();
}

bool FieldIndex::catch_up() {
    Store* store = link_->store();
    if (store == nullptr) return false;
    if (pins_ != 0) return true;
    if (store->notifier().listener()->wants_care()) care_for_reader(*store);
    const bool locked = store->locked();
    const Store::SharedLock lock(*store);
    const Pin pin(*this);
    if (open_ || __atomic_load_n(indexed_->last, __ATOMIC_RELAXED) != last_seen_) read_changes(*store, locked);
    remove_departed(*store);
    return true;
}

KeyGroupId FieldIndex::look_up(const LookupKey& key) {
    if (!refresh()) return no_group;
    if (ops().kind != KeyKind::object) return entities_.find_group(key);
    const Store::SharedLock lock(*link_->store());
    const Pin pin(*this);
    return entities_.find_group(key);
}

// Rows that are written from now on, also by user code that runs here, count as written later.
void FieldIndex::read_changes(Store& store, bool locked) {
    const Tick last = __atomic_load_n(indexed_->last, __ATOMIC_RELAXED);
    const Since since = store.clock().since(open_ ? (locked ? seen_ - 1 : open_since_) : seen_);
    if (!open_) open_since_ = seen_;
    const std::uint64_t past = store.clock().pass_moment();
    pending_count_ = 0;
    entities_.release_empty_groups();
    if (sparse_) {
        read_sparse_values(store, since);
    } else {
        RowSelector selector;
        for (Walk walk(store, tracking_, Order::tables, since, selector); walk.next_picks();) {
            const std::span<const std::uint16_t> picks = walk.picks();
            const bool run = picks.empty();
            read_rows(walk.rows(), run ? nullptr : picks.data(),
                      run ? walk.rows().count : static_cast<std::uint32_t>(picks.size()));
        }
    }
    assign_pending();
    entities_.release_empty_groups();
    seen_ = past;
    // A later write at the same moment as the last one could not be distinguished from it. Systems can make one, see
    // pass_moment, and so can a write in a system that does not go through a query.
    const bool final = age_of(last, store.tick()) > 0 && age_of(last, store.clock().thread_tick()) > 0;
    last_seen_ = final ? last : ~last;
    // A row is stamped when a walk hands it out, and may be written after this moment; row spans are stamped again when
    // they end, single rows are not. So everything that was read since the first lookup inside a walk is read again
    // when all walks have ended.
    open_ = locked;
}

void FieldIndex::read_rows(RowSpan rows, const std::uint16_t* picks, std::uint32_t count) {
    const std::byte* from = rows.base + rows.table->find(id_).offset + std::size_t{rows.first} * ops().component_size;
    if (ops().kind == KeyKind::word) return read_words(rows.ids(), from, picks, count);
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::size_t row = picks != nullptr ? picks[i] : i;
        read_value(rows.ids()[row], from + row * ops().component_size);
    }
}

void FieldIndex::read_sparse_values(Store& store, Since since) {
    const SparseSet& set = *store.find_sparse(id_);
    store.clock().note_reader(since);
    if (set.ticks() == nullptr) return;
    set.ticks()->each_changed(since, store.clock().oldest_asked_for(since), set.bound(), [&](std::uint32_t i) {
        const SparseSlot slot{i};
        const Entity owner = set.owner(slot);
        if (!owner) return;
        if (ops().kind == KeyKind::word) {
            read_words(&owner, set.value(slot), nullptr, 1);
        } else {
            read_value(owner, set.value(slot));
        }
    });
}

void FieldIndex::read_value(Entity entity, const void* value) {
    struct Context {
        FieldIndex& index;
        Entity entity;
    } context{*this, entity};
    ops().project(value, &context, [](void* to, const LookupKey& key) {
        const Context& here = *object_at<Context>(to);  // Safe: project passes on what it is given
        FieldIndex& index = here.index;
        const KeyGroupId before = index.entities_.group_of(here.entity);
        index.entities_.assign(here.entity, with_search_word(index.ops(), key));
        if (index.followers_ != 0 && index.entities_.group_of(here.entity) != before)
            index.key_changes_.note(here.entity);
    });
}

void FieldIndex::read_words(const Entity* ids, const std::byte* values, const std::uint16_t* picks,
                            std::uint32_t count) {
    std::uint64_t words[batch];
    for (std::uint32_t first = 0; first < count;) {
        const std::uint32_t some = std::min(batch - pending_count_, count - first);
        if (picks != nullptr) {
            ops().words(values, picks + first, some, words);
        } else {
            ops().words(values + std::size_t{first} * ops().component_size, nullptr, some, words);
        }
        for (std::uint32_t i = 0; i < some; ++i) {
            const Entity entity = ids[picks != nullptr ? picks[first + i] : first + i];
            // Neighbours mostly have neighbouring memberships, which are tested at once. Others are fetched first.
            if (picks != nullptr || some < 4) {
                entities_.prefetch_membership(entity);
            } else if (entities_.has_word(entity, words[i])) {
                continue;
            }
            pending_[pending_count_++] = {entity, words[i]};
        }
        first += some;
        if (pending_count_ == batch) assign_pending();
    }
}

void FieldIndex::assign_pending() {
    // Before they are assigned: after an exception they are read again.
    const std::span<const EntityWord> words(pending_, std::exchange(pending_count_, 0));
    if (followers_ != 0) [[unlikely]]
        log_changes(words);
    entities_.assign_words(words);
}

// Before they are assigned: if that throws, some are logged too early, which does no harm.
void FieldIndex::log_changes(std::span<const EntityWord> words) noexcept {
    for (const EntityWord& one : words) {
        if (!entities_.has_word(one.entity, one.word)) key_changes_.note(one.entity);
    }
}

void FieldIndex::follow(Store& store) {
    if (sparse_) store.sparse_set(id_).set_observed();
    ++followers_;
}

const void* FieldIndex::value_of(Entity entity) const {
    const Store& store = *link_->store();
    const EntityRow place = tracking_.find(store, entity, Since{});
    if (!place) return nullptr;
    if (sparse_) {
        const SparseSet& set = *store.find_sparse(id_);
        return set.value(set.slot_of(entity));
    }
    const std::size_t offset = place.chunk->columns->find(id_).offset;
    return place.chunk->base + offset + std::size_t{place.row()} * ops().component_size;
}

std::uint64_t FieldIndex::live_count(const Store& store) const {
    if (sparse_) return store.find_sparse(id_)->size();
    std::uint64_t rows = 0;
    for (const Table* table : tracking_.tables()) rows += table->row_count();
    return rows;
}

// Every entity that has the component is in the index by now, so a surplus consists of entities that lost it.
void FieldIndex::remove_departed(Store& store) {
    const EntityLog& log = indexed_->departures;
    const std::uint64_t end = log.end();
    if (departures_seen_ < log.begin()) {
        remove_missing(store);
    } else {
        for (; departures_seen_ != end; ++departures_seen_) {
            const Entity entity = log[departures_seen_];
            if (entities_.group_of(entity) != no_group && !tracking_.find(store, entity, Since{}))
                entities_.remove(entity);
        }
    }
    departures_seen_ = end;
    if (entities_.size() != live_count(store)) [[unlikely]]
        repair(store);
}

// Never expected: a departure that was not logged must not make an index wrong permanently.
void FieldIndex::repair(Store& store) {
    ++repairs_;
    remove_missing(store);
    if (entities_.size() == live_count(store)) return;
    seen_ = never;
    read_changes(store, true);
}

void FieldIndex::remove_missing(const Store& store) noexcept {
    entities_.remove_if([&](Entity entity) { return !tracking_.find(store, entity, Since{}); });
}

}  // namespace stoa::detail

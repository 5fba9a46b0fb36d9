// Keeping the lists of a watch.
#include "stoa/detail/watch_lists.hpp"

#include <algorithm>
#include <functional>
#include <new>

#include "query/attempt.hpp"
#include "stoa/detail/walk.hpp"

namespace stoa::detail {
namespace {

unsigned wanted(unsigned lists) {
    unsigned wants = 0;
    if ((lists & (WatchLists::added | WatchLists::changed)) != 0) wants |= Observer::enters;
    if ((lists & (WatchLists::removed | WatchLists::changed)) != 0) wants |= Observer::leaves;
    return wants;
}

}  // namespace

WatchLists::WatchLists(Store& store, unsigned lists) : Observer(wanted(lists), Kind::keeper), store_(store), lists_(lists) {
    if (!reserve(fewest)) throw_no_memory();
}

void WatchLists::follow(QueryState& tracking, bool optional) {
    followed_.push_back(&tracking);
    if (!optional) return;
    farewells_.reserve(farewells_.size() + 1);  // first, so that what is made has an owner
    farewells_.emplace_back(store_, tracking, new Farewell(*this, tracking));
}

// Rows of components that were not tracked before count as changed now; while the structure is locked, in the next moment.
void WatchLists::begin() noexcept {
    store_.advance_tick();
    seen_ = store_.pass_moment();
}

bool WatchLists::reserve(std::size_t records) noexcept {
    return attempt([&] {
        std::vector<Record> larger(records);
        if (keeps(added)) added_.reserve(records);
        if (keeps(removed)) removed_.reserve(records);
        if (keeps(changed)) changed_.reserve(records);
        for (const Record& old : records_) {
            if (old.epoch != epoch_) continue;
            std::size_t at = std::hash<Entity>{}(old.entity) & (records - 1);
            while (larger[at].epoch == epoch_) at = (at + 1) & (records - 1);
            larger[at] = old;
        }
        records_ = std::move(larger);
    });
}

WatchLists::Record& WatchLists::record(Entity entity) {
    const std::size_t mask = records_.size() - 1;
    std::size_t at = std::hash<Entity>{}(entity) & mask;
    for (; records_[at].epoch == epoch_; at = (at + 1) & mask) {
        if (records_[at].entity == entity) return records_[at];
    }
    if (2 * (used_ + 1) > records_.size()) {
        if (reserve(2 * records_.size())) return record(entity);
        if (used_ + 1 == records_.size()) throw_no_memory();
    }
    ++used_;
    return records_[at] = {entity, 0, epoch_, 0};
}

void WatchLists::note(Record& at, List list) {
    if (!keeps(list) || (at.lists & list) != 0) return;
    at.lists |= list;
    (list == added ? added_ : list == removed ? removed_ : changed_).push_back(at.entity);
}

bool WatchLists::has_changed(const QueryState& tracking, const Record& at) const {
    return static_cast<bool>(tracking.find(store_, at.entity, store_.since(std::max(seen_, at.entered))));
}

// What is written from now on is told from the addition.
void WatchLists::entered(Entity entity) {
    Record& at = record(entity);
    at.entered = store_.moment();
    if (keeps(changed)) store_.advance_tick();
    note(at, added);
}

void WatchLists::left(Entity entity) {
    note(record(entity), removed);
    for (const QueryState* tracking : followed_) note_change(*tracking, entity);
}

void WatchLists::note_change(const QueryState& tracking, Entity entity) {
    Record& at = record(entity);
    if ((at.lists & changed) == 0 && has_changed(tracking, at)) note(at, changed);
}

void WatchLists::expect(std::size_t count) {
    std::size_t records = records_.size();
    while (records < 2 * (used_ + count)) records *= 2;
    if (records != records_.size() && !reserve(records)) throw_no_memory();
}

void WatchLists::look() {
    if (store_.listener()->wants_care()) care_for_queries(store_);
    for (const QueryState* tracking : followed_) {
        Sieve sieve;
        for (Walk walk(store_, *tracking, Order::tables, store_.since(seen_), sieve); walk.next();) {
            for (std::uint32_t i = 0; i < walk.rows().count; ++i) {
                Record& at = record(walk.rows().ids()[i]);
                if (at.entered <= seen_ || has_changed(*tracking, at)) note(at, changed);
            }
        }
    }
    if (followed_.empty()) return;
    seen_ = store_.pass_moment();
}

void WatchLists::clear() noexcept {
    added_.clear();
    removed_.clear();
    changed_.clear();
    used_ = 0;
    if (++epoch_ == 0) {
        std::fill(records_.begin(), records_.end(), Record{});
        epoch_ = 1;
    }
    if (followed_.empty()) return;
    seen_ = store_.pass_moment();
}

}  // namespace stoa::detail

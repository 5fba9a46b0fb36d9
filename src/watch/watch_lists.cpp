// Keeps the lists of a watch current.
#include "stoa/detail/watch/watch_lists.hpp"

#include <algorithm>
#include <utility>

#include "base/attempt.hpp"
#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {
namespace {

unsigned wanted(unsigned lists) {
    unsigned wants = 0;
    if ((lists & (WatchLists::added | WatchLists::changed)) != 0) wants |= Observer::enters;
    if ((lists & (WatchLists::removed | WatchLists::changed)) != 0) wants |= Observer::leaves;
    return wants;
}

// The lists of a filtered query. A base class, so that the members exist before the lists that know them.
struct OwnMembers {
    FilteredMembers members;
};
class FilteredWatchLists final : private OwnMembers, public WatchLists {
  public:
    FilteredWatchLists(Store& store, const QueryState& state, unsigned lists, Ref<ValueFilter> filter)
        : OwnMembers{FilteredMembers(store, state, std::move(filter))},
          WatchLists(store, enters | leaves | values, lists, &members) {}

    void entered(Entity entity) override {
        if (members.enter(entity)) WatchLists::entered(entity);
    }
    void left(Entity entity) override {
        if (members.leave(entity)) WatchLists::left(entity);
    }
    void moving(const Change& change) override {
        if (members.leave_by(change)) WatchLists::left(change.entity);
    }
    bool follows(const Change& change) const noexcept override { return members.concerns(change); }
    void expect(std::size_t count) override {
        members.expect(count);
        WatchLists::expect(count);
    }
};

}  // namespace

WatchLists* WatchLists::make(Store& store, const QueryState& state, unsigned lists, Ref<ValueFilter> filter) {
    if (filter) return new FilteredWatchLists(store, state, lists, std::move(filter));
    return new WatchLists(store, wanted(lists), lists, nullptr);
}

WatchLists::WatchLists(Store& store, unsigned wants, unsigned lists, FilteredMembers* members)
    : ListObserver(wants), store_(store), lists_(lists), members_(members) {
    reserve_lists(entries_.capacity());
}

void WatchLists::follow(QueryState& tracking, bool optional) {
    followed_.push_back(&tracking);
    if (!optional) return;
    departure_observers_.reserve(departure_observers_.size() + 1);  // first, so that the new observer has an owner
    departure_observers_.emplace_back(store_, tracking, new DepartureObserver(*this, tracking));
}

// Rows of components that were not tracked before count as changed now; while the structure is locked, in the next
// moment.
void WatchLists::start() noexcept {
    store_.clock().advance();
    seen_ = store_.clock().pass_moment();
}

void WatchLists::reserve_lists(std::size_t count) {
    if (keeps(added)) added_.reserve(count);
    if (keeps(removed)) removed_.reserve(count);
    if (keeps(changed)) changed_.reserve(count);
}

bool WatchLists::try_reserve(std::size_t capacity) noexcept {
    return attempt([&] {
        reserve_lists(capacity);
        entries_.reserve(capacity);
    });
}

WatchEntry& WatchLists::entry_of(Entity entity) {
    WatchEntry& entry = entries_.find(entity);
    if (entries_.is_used(entry)) return entry;
    if (entries_.is_half_full()) [[unlikely]] {
        if (try_reserve(2 * entries_.capacity())) return entries_.use(entries_.find(entity), entity);
        if (!entries_.has_room()) throw_no_memory();
    }
    return entries_.use(entry, entity);
}

void WatchLists::add_to_list(WatchEntry& at, List list) {
    if (!keeps(list) || (at.lists & list) != 0) return;
    at.lists |= list;
    (list == added ? added_ : list == removed ? removed_ : changed_).push_back(at.entity);
}

bool WatchLists::has_changed(const QueryState& tracking, const WatchEntry& at) const {
    return static_cast<bool>(tracking.find(store_, at.entity, store_.clock().since(std::max(seen_, at.entered))));
}

// Advances the tick, so that later writes are distinguished from the addition.
void WatchLists::entered(Entity entity) {
    WatchEntry& at = entry_of(entity);
    at.entered = store_.clock().moment();
    if (keeps(changed)) store_.clock().advance();
    add_to_list(at, added);
}

void WatchLists::left(Entity entity) {
    add_to_list(entry_of(entity), removed);
    for (const QueryState* tracking : followed_) add_if_changed(*tracking, entity);
}

void WatchLists::add_if_changed(const QueryState& tracking, Entity entity) {
    WatchEntry& at = entry_of(entity);
    if ((at.lists & changed) == 0 && has_changed(tracking, at)) add_to_list(at, changed);
}

void WatchLists::expect(std::size_t count) {
    const std::size_t capacity = entries_.capacity_for(count);
    if (capacity != entries_.capacity() && !try_reserve(capacity)) throw_no_memory();
}

void WatchLists::find_changes() {
    if (store_.notifier().listener()->wants_care()) care_for_queries(store_);
    for (const QueryState* tracking : followed_) {
        RowSelector selector;
        for (Walk walk(store_, *tracking, Order::tables, store_.clock().since(seen_), selector); walk.next();) {
            for (std::uint32_t i = 0; i < walk.rows().count; ++i) {
                if (!has_member(walk.rows().ids()[i])) continue;
                WatchEntry& at = entry_of(walk.rows().ids()[i]);
                if (at.entered <= seen_ || has_changed(*tracking, at)) add_to_list(at, changed);
            }
        }
    }
    if (followed_.empty()) return;
    seen_ = store_.clock().pass_moment();
}

void WatchLists::list_writes() {
    if (!members_->find_writes()) return;
    WatchLists::expect(members_->leaving().size() + members_->entering().size());
    // Nothing fails from here on.
    for (const Entity entity : members_->leaving()) add_to_list(entry_of(entity), removed);
    for (const Entity entity : members_->entering()) WatchLists::entered(entity);
    members_->accept_writes();
}

void WatchLists::clear() noexcept {
    added_.clear();
    removed_.clear();
    changed_.clear();
    entries_.clear();
    if (followed_.empty()) return;
    seen_ = store_.clock().pass_moment();
}

}  // namespace stoa::detail

// Keeps the members of a filtered query current. What a structural change shows of a value may be overwritten before
// the index reads it, and the index may then find nothing changed; so whoever was tested then is tested again with the
// writes.
#include "stoa/detail/query/filtered_members.hpp"

#include <algorithm>
#include <utility>

#include "base/attempt.hpp"
#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/query/observer.hpp"
#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {
namespace {

// Calls test(); an exception, also of user code, counts as false.
template <class Test>
bool holds(Test&& test) noexcept {
#if defined(__cpp_exceptions)
    try {
        return test();
    } catch (...) {
        return false;
    }
#else
    return test();
#endif
}

}  // namespace

// Inside a change, entities that were announced to leave still match, and an observer is not notified of the change in
// which it was made. Its first notification belongs to a later one.
FilteredMembers::FilteredMembers(Store& store, const QueryState& state, Ref<ValueFilter> filter)
    : store_(store), state_(state), filter_(std::move(filter)) {
    if (!change_under_way(store)) settle({});
}

void FilteredMembers::set_bits(Entity entity, unsigned bits) noexcept {
    const std::size_t word = entity.index() / per_word;
    if (word >= words_.size()) return;
    const std::uint32_t shift = 2 * (entity.index() % per_word);
    words_[word] = (words_[word] & ~(std::uint64_t{3} << shift)) | (std::uint64_t{bits} << shift);
}

void FilteredMembers::make_room(std::uint32_t index) {
    const std::size_t needed = std::size_t{index} / per_word + 1;
    if (needed > words_.size()) words_.resize(std::max(needed, words_.size() + words_.size() / 2));
}

void FilteredMembers::note(Entity entity) noexcept {
    if (stale_) return;
    // With more, testing all matches costs less.
    const bool many = pending_.size() > words_.size() * per_word + 1024;
    if (!many && attempt([&] { pending_.push_back(entity); })) return;
    stale_ = true;
    pending_.clear();
}

// The candidates: all matches, or those that may have changed; by index.
void FilteredMembers::list_all() {
    candidates_.clear();
    RowSelector selector;
    for (Walk walk(store_, state_, Order::tables, Since{}, selector); walk.next();)
        candidates_.insert(candidates_.end(), walk.ids().begin(), walk.ids().end());
    std::sort(candidates_.begin(), candidates_.end());
}

void FilteredMembers::list_pending() {
    std::sort(pending_.begin(), pending_.end());
    pending_.erase(std::unique(pending_.begin(), pending_.end()), pending_.end());
    candidates_.clear();
    for (const Entity entity : pending_) {
        if (state_.find(store_, entity, Since{})) candidates_.push_back(entity);
    }
}

// Makes the present matches that pass members, except one.
void FilteredMembers::settle(Entity except) {
    if (store_.notifier().listener()->wants_care()) care_for_queries(store_);
    const Store::SharedLock lock(store_);
    filter_->take_changes(pending_);
    list_all();
    filter_->test(candidates_, passing_);
    if (!candidates_.empty()) make_room(candidates_.back().index());
    // Nothing fails from here on.
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (passing_[i] && candidates_[i] != except) set_bits(candidates_[i], inside);
    }
    pending_.clear();
    settled_ = true;
}

bool FilteredMembers::is_settled(Entity except) noexcept {
    return settled_ || holds([&] {
               settle(except);
               return true;
           });
}

bool FilteredMembers::passes(Entity entity) noexcept {
    return holds([&] {
        make_room(entity.index());
        return filter_->passes(entity);
    });
}

bool FilteredMembers::enter(Entity entity) noexcept {
    if (!is_settled(entity)) return false;
    note(entity);
    const bool known = contains(entity);
    const bool now = known || passes(entity);
    set_bits(entity, known ? inside : now ? inside | is_new : 0u);
    return now && !known;
}

bool FilteredMembers::take_new(Entity entity) noexcept {
    if ((bits_of(entity.index()) & is_new) == 0) return false;
    set_bits(entity, inside);
    return true;
}

bool FilteredMembers::leave(Entity entity) noexcept {
    if (!is_settled({}) || !contains(entity)) return false;
    set_bits(entity, 0);
    return true;
}

bool FilteredMembers::leave_by(const Change& change) noexcept {
    if (!is_settled({}) || !contains(change.entity)) return false;
    note(change.entity);
    bool known = false;
    const bool stays = holds([&] {
        const bool passes = filter_->passes_after(change);
        known = true;
        return passes;
    });
    if (stays || !known) return false;
    set_bits(change.entity, 0);
    return true;
}

void FilteredMembers::expect(std::size_t count) {
    make_room(static_cast<std::uint32_t>(store_.directory().size() + count));
}

bool FilteredMembers::find_writes() {
    if (finding_ || change_under_way(store_)) return false;
    finding_ = true;
    const ScopeGuard end_finding([this]() noexcept { finding_ = false; });
    if (!settled_) settle({});
    if (store_.notifier().listener()->wants_care()) care_for_queries(store_);
    if (!filter_->take_changes(pending_)) stale_ = true;
    if (!stale_ && pending_.empty()) return false;
    const Store::SharedLock lock(store_);
    stale_ ? list_all() : list_pending();
    filter_->test(candidates_, passing_);
    leaving_.clear();
    entering_.clear();
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        const Entity entity = candidates_[i];
        if (passing_[i] == contains(entity)) continue;
        (passing_[i] ? entering_ : leaving_).push_back(entity);
    }
    if (!entering_.empty()) make_room(entering_.back().index());
    if (!leaving_.empty() || !entering_.empty()) return true;
    accept_writes();
    return false;
}

void FilteredMembers::accept_writes() noexcept {
    for (const Entity entity : leaving_) set_bits(entity, 0);
    for (const Entity entity : entering_) set_bits(entity, inside);
    pending_.clear();
    stale_ = false;
}

}  // namespace stoa::detail

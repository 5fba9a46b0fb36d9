// Telling observers. A change is told in two steps: those that will be left are told before it, while everything is still
// readable; those that are entered are found out before it, and told after it.
#include "query/signals.hpp"

#include <algorithm>
#include <utility>

#include "query/attempt.hpp"
#include "query/query_index.hpp"
#include "stoa/detail/walk.hpp"

namespace stoa::detail {

Signals::~Signals() {
    for (Observer* observer : graves_) delete observer;
}

template <class Visit>
void Signals::each_watcher(const Table& table, Visit&& visit) {
    // By position: a callback may add states.
    const std::vector<QueryState*>& states = incomplete_ || table.watchers == nullptr ? observed_ : table.watchers->states;
    for (std::size_t i = 0; i < states.size(); ++i) visit(*states[i]);
}

void Signals::watch(Table& table, QueryState& state) noexcept {
    if (!state.matches(table)) return;
    table.watch(Table::observed);
    incomplete_ |= !attempt([&] {
        Watchers& watchers = tables_[&table];
        table.watchers = &watchers;
        watchers.states.push_back(&state);
    });
}

// Once watched, a sparse set stays so: it costs a removal a look at the table.
void Signals::mark_sets(const QueryState& state) {
    for (const auto* conditions : {&state.required_, &state.excluded_, &state.any_}) {
        for (const QueryState::Condition& condition : *conditions) {
            if (condition.sparse) store_.sparse_set(condition.id).watch(SparseSet::observed);
        }
    }
}

void Signals::observe(QueryState& state, Observer& observer) {
    state.observers_.reserve(state.observers_.size() + 1);
    const bool first = std::find(observed_.begin(), observed_.end(), &state) == observed_.end();
    if (first) {
        observed_.reserve(observed_.size() + 1);
        entering_.reserve(observed_.size() + 1);
        graves_.reserve(graves_.capacity() + 1);
        mark_sets(state);
        store_.resources().set_listener(this);
        observed_.push_back(&state);
        store_.set_observed(true);
        for (Table* table : store_.tables()) watch(*table, state);
    }
    state.observers_.push_back(&observer);
}

void Signals::retire(QueryState& state, Observer* observer) noexcept {
    const auto at = std::find(state.observers_.begin(), state.observers_.end(), observer);
    if (telling_ != 0) {
        *at = nullptr;
        if (attempt([&] { graves_.push_back(observer); })) return;
        return;  // rather a leak than an end in the middle of its own call
    }
    state.observers_.erase(at);
    delete observer;
    if (state.observers_.empty()) {
        std::erase(observed_, &state);
        rebuild();
    }
}

void Signals::table_added(Table& table) noexcept {
    for (QueryState* state : observed_) watch(table, *state);
}

void Signals::rebuild() noexcept {
    incomplete_ = false;
    store_.set_observed(!observed_.empty());
    tables_.clear();
    for (Table* table : store_.tables()) {
        table->unwatch(Table::observed);
        table->watchers = nullptr;
        for (QueryState* state : observed_) watch(*table, *state);
    }
}

template <class Call>
void Signals::tell(QueryState& state, Call&& call) noexcept {
    const Store::SharedLock lock(store_);
    ++telling_;
    // Those who come during the calls are not called for this event.
    const std::size_t count = state.observers_.size();
    for (std::size_t i = 0; i < count; ++i) {
        Observer* observer = state.observers_[i];
        if (observer == nullptr) continue;
#if defined(__cpp_exceptions)
        if (thrown_) break;
        try {
            call(*observer);
        } catch (...) {
            thrown_ = std::current_exception();
        }
#else
        call(*observer);
#endif
    }
    if (--telling_ == 0) bury();
}

// What was retired during calls.
void Signals::bury() noexcept {
    if (graves_.empty()) return;
    bool emptied = false;
    for (QueryState* state : observed_) {
        std::erase(state->observers_, nullptr);
        emptied |= state->observers_.empty();
    }
    // The destructor of a callback may retire others.
    const std::vector<Observer*> graves = std::exchange(graves_, {});
    for (Observer* observer : graves) delete observer;
    if (emptied) {
        std::erase_if(observed_, [](const QueryState* state) { return state->observers_.empty(); });
        rebuild();
    }
}

void Signals::changing(const Change& change) noexcept {
    entity_ = change.entity;
    if (change.to != nullptr && change.to->is_watched(Table::observed)) {
        each_watcher(*change.to, [&](QueryState& state) {
            if (!state.active(store_) || !state.matches_after(store_, change)) return;
            if (!state.matched_before(store_, change)) entering_.push_back(&state);
        });
    }
    if (change.from == nullptr || !change.from->is_watched(Table::observed)) return;
    each_watcher(*change.from, [&](QueryState& state) {
        if (!state.active(store_) || !state.matched_before(store_, change) || state.matches_after(store_, change)) return;
        tell(state, [&](Observer& observer) { observer.left(change.entity); });
    });
}

void Signals::changed() {
    for (QueryState* state : entering_) tell(*state, [&](Observer& observer) { observer.entered(entity_); });
    entering_.clear();
    throw_caught();
}

void Signals::throw_caught() {
#if defined(__cpp_exceptions)
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
#endif
}

// All members of a family. A callback may take the resource away again: then the rest are not told.
void Signals::tell_all(QueryState& state, void (Observer::*event)(Entity)) noexcept {
    Filter filter;
    for (Walk walk(store_, state, Order::tables, Since{}, filter); walk.next();) {
        for (std::uint32_t i = 0; i < walk.rows().count && state.active(store_); ++i) {
            const Entity entity = walk.rows().ids()[i];
            tell(state, [&](Observer& observer) { (observer.*event)(entity); });
        }
    }
}

void Signals::resource_added(ResourceId id) {
    for (std::size_t i = 0; i < observed_.size(); ++i) {
        QueryState& state = *observed_[i];
        if (!std::binary_search(state.needs_.begin(), state.needs_.end(), id) || !state.active(store_)) continue;
        tell(state, [](Observer& observer) { observer.activated(); });
        tell_all(state, &Observer::entered);
    }
    throw_caught();
}

void Signals::resource_removing(ResourceId id) {
    for (std::size_t i = 0; i < observed_.size(); ++i) {
        QueryState& state = *observed_[i];
        if (!std::binary_search(state.needs_.begin(), state.needs_.end(), id) || !state.active(store_)) continue;
        tell_all(state, &Observer::left);
        tell(state, [](Observer& observer) { observer.deactivated(); });
    }
    throw_caught();
}

void observe(Store& store, QueryState& state, Observer& observer) { QueryIndex::of(store).signals().observe(state, observer); }

void retire(Store& store, QueryState& state, Observer* observer) noexcept {
    static_cast<QueryIndex*>(store.listener())->signals().retire(state, observer);
}

}  // namespace stoa::detail

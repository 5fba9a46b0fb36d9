// Telling observers. A change is told in two steps: those that are left are told before it, while everything is still readable;
// those that are entered are found out before it, and told after it. Of what has just come into the world there is no before, so
// it is told at once. Keepers hear of an arrival before all callbacks, and of a departure after them.
#include "query/signals.hpp"

#include <algorithm>
#include <utility>

#include "query/attempt.hpp"
#include "query/query_index.hpp"
#include "stoa/detail/walk.hpp"

namespace stoa::detail {

// Handles that live on have been cut off from the store, and delete what is theirs.
Signals::~Signals() {
    for (const std::vector<Observer*>* list : {&all_.keepers, &all_.callbacks}) {
        for (Observer* observer : *list) {
            if (!observer->released_) continue;
            observer->next_ = graves_;
            graves_ = observer;
        }
    }
    while (graves_ != nullptr) delete std::exchange(graves_, graves_->next_);
}

void Signals::Caught::raise() {
#if defined(__cpp_exceptions)
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
#endif
}

const Watchers& Signals::watchers_of(const Table& table) const {
    return incomplete_ || table.watchers == nullptr ? all_ : *table.watchers;
}

void Signals::watch(Table& table, Observer& observer) noexcept {
    if (!observer.state_->matches(table)) return;
    table.watch(Table::observed);
    incomplete_ |= !attempt([&] {
        Watchers& watchers = tables_[&table];
        table.watchers = &watchers;
        (observer.kind_ == Observer::Kind::keeper ? watchers.keepers : watchers.callbacks).push_back(&observer);
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
    entering_.reserve(all_.keepers.size() + all_.callbacks.size() + 1);
    std::vector<Observer*>& list = observer.kind_ == Observer::Kind::keeper ? all_.keepers : all_.callbacks;
    list.reserve(list.size() + 1);
    mark_sets(state);
    store_.resources().set_listener(this);

    // Nothing fails from here on.
    observer.state_ = &state;
    observer.born_ = next_born_++;
    observer.asks_ = state.tests_entities_ || !state.needs_.empty();
    list.push_back(&observer);
    store_.set_observed(true);
    if (incomplete_ && rounds_ == 0 && !changing_) return rebuild();
    for (Table* table : store_.tables()) watch(*table, observer);
}

void Signals::retire(Observer* observer) noexcept {
    observer->retired_ = true;
    observer->next_ = graves_;
    graves_ = observer;
    if (rounds_ == 0 && !changing_) bury();
}

void Signals::take_out(Observer& observer) noexcept {
    std::erase(all_.keepers, &observer);
    std::erase(all_.callbacks, &observer);
    store_.set_observed(!all_.keepers.empty() || !all_.callbacks.empty());
    if (incomplete_) return rebuild();
    for (auto at = tables_.begin(); at != tables_.end();) {
        auto& [table, watchers] = *at;
        std::erase(watchers.keepers, &observer);
        std::erase(watchers.callbacks, &observer);
        if (watchers.keepers.empty() && watchers.callbacks.empty()) {
            table->unwatch(Table::observed);
            table->watchers = nullptr;
            at = tables_.erase(at);
        } else {
            ++at;
        }
    }
}

// What was dropped ends now. The end of a callback is code of the user, and may drop others.
void Signals::bury() noexcept {
    if (graves_ == nullptr) return;
    ++rounds_;
    while (graves_ != nullptr) {
        Observer* observer = std::exchange(graves_, graves_->next_);
        take_out(*observer);
        delete observer;
    }
    --rounds_;
}

void Signals::table_added(Table& table) noexcept {
    if (table.is_watched(Table::observed)) return;  // it has only woken up
    for (const std::vector<Observer*>* list : {&all_.keepers, &all_.callbacks}) {
        for (Observer* observer : *list) watch(table, *observer);
    }
}

void Signals::rebuild() noexcept {
    incomplete_ = false;
    tables_.clear();
    for (Table* table : store_.tables()) {
        table->unwatch(Table::observed);
        table->watchers = nullptr;
        table_added(*table);
    }
}

template <class Call>
void Signals::tell(Observer& observer, std::uint64_t limit, Caught& caught, Call&& call) noexcept {
    if (observer.retired_ || observer.born_ >= limit) return;
    if (caught && observer.kind_ == Observer::Kind::callback) return;
#if defined(__cpp_exceptions)
    try {
        call(observer);
    } catch (...) {
        if (!caught) caught.thrown = std::current_exception();
    }
#else
    call(observer);
#endif
}

// Callbacks hear nothing of a family that is not active. Keepers follow membership, which does not depend on that.
bool Signals::may_hear(const Observer& observer) const {
    return !observer.asks_ || observer.kind_ == Observer::Kind::keeper || observer.state_->active(store_);
}

bool Signals::is_member(const Observer& observer, Entity entity, const Table& table) const {
    if (!observer.asks_ && !incomplete_) return true;
    return observer.state_->matches_after(store_, {entity, nullptr, &table});
}

void Signals::expect(const Table& table, std::uint64_t count) {
    for (Observer* keeper : watchers_of(table).keepers) keeper->expect(static_cast<std::size_t>(count));
}

void Signals::spawned(std::span<const Entity> entities, const Table& table, StoreListener::Round round) {
    using Round = StoreListener::Round;
    begin_change();
    {
        const Store::Lock lock(store_);
        const Watchers& watchers = watchers_of(table);
        const auto enter = [&](Observer& observer, Entity entity) {
            if ((observer.wants_ & Observer::enters) == 0 || !is_member(observer, entity, table) || !may_hear(observer)) return;
            tell(observer, change_limit_, caught_, [&](Observer& told) { told.entered(entity); });
        };
        if (round == Round::all || round == Round::lists) {
            for (const Entity entity : entities) {
                for (Observer* keeper : watchers.keepers) enter(*keeper, entity);
            }
        }
        for (std::size_t at = 0; round != Round::lists && at < entities.size(); ++at) {
            // By position: a callback may add some.
            for (std::size_t i = 0; i < watchers.callbacks.size(); ++i) enter(*watchers.callbacks[i], entities[at]);
        }
    }
    if (round == Round::all || round == Round::last_callbacks) end_change();
}

void Signals::changing(const Change& change) noexcept {
    begin_change();
    const Store::Lock lock(store_);
    entity_ = change.entity;
    // Observers of one query often stand side by side.
    const QueryState* asked = nullptr;
    bool before = false;
    bool after = false;
    const auto ask = [&](const Observer& observer) {
        if (observer.state_ == asked) return;
        asked = observer.state_;
        before = asked->matched_before(store_, change);
        after = asked->matches_after(store_, change);
    };
    if (change.to != nullptr && change.to->is_watched(Table::observed)) {
        const Watchers& watchers = watchers_of(*change.to);
        const auto note = [&](Observer& observer) {
            ask(observer);
            if (!after || before || observer.retired_) return;
            observer.entering(change.entity);
            if ((observer.wants_ & Observer::enters) != 0) entering_.push_back(&observer);
        };
        for (Observer* keeper : watchers.keepers) note(*keeper);
        for (Observer* callback : watchers.callbacks) note(*callback);
    }
    if (change.from == nullptr || !change.from->is_watched(Table::observed)) return;
    const Watchers& watchers = watchers_of(*change.from);
    const auto leave = [&](Observer& observer) {
        if ((observer.wants_ & Observer::leaves) == 0) return;
        ask(observer);
        if (!before || after || !may_hear(observer)) return;
        tell(observer, change_limit_, caught_, [&](Observer& told) { told.left(change.entity); });
    };
    for (std::size_t i = 0; i < watchers.callbacks.size(); ++i) leave(*watchers.callbacks[i]);
    for (std::size_t i = 0; i < watchers.keepers.size(); ++i) leave(*watchers.keepers[i]);
}

void Signals::changed() {
    {
        const Store::Lock lock(store_);
        for (std::size_t i = 0; i < entering_.size(); ++i) {
            Observer& observer = *entering_[i];
            if (may_hear(observer)) tell(observer, change_limit_, caught_, [&](Observer& told) { told.entered(entity_); });
        }
    }
    entering_.clear();
    end_change();
}

void Signals::bury_locked() noexcept {
    const Store::Lock lock(store_);
    if (rounds_ == 0) bury();
}

template <class Call>
void Signals::tell_family(const QueryState& state, std::uint64_t limit, Caught& caught, Call&& call) noexcept {
    for (std::size_t i = 0; i < all_.callbacks.size(); ++i) {
        if (all_.callbacks[i]->state_ == &state) tell(*all_.callbacks[i], limit, caught, call);
    }
}

// A callback may take the resource away again: then the rest are not told.
template <class Call>
void Signals::tell_members(const QueryState& state, std::uint64_t limit, Caught& caught, Call&& call) noexcept {
    const auto walk_all = [&] {
        if (store_.listener()->wants_care()) care_for_queries(store_);
        Sieve sieve;
        for (Walk walk(store_, state, Order::tables, Since{}, sieve); walk.next();) {
            for (std::uint32_t i = 0; i < walk.rows().count && state.active(store_); ++i) {
                const Entity entity = walk.rows().ids()[i];
                tell_family(state, limit, caught, [&](Observer& observer) { call(observer, entity); });
            }
        }
    };
#if defined(__cpp_exceptions)
    try {
        walk_all();
    } catch (...) {
        if (!caught) caught.thrown = std::current_exception();
    }
#else
    walk_all();
#endif
}

// The families that need a resource, in order of subscription.
template <class Visit>
void Signals::each_family(ResourceId id, std::uint64_t limit, Visit&& visit) {
    const Store::Lock lock(store_);
    ++rounds_;
    for (std::size_t i = 0; i < all_.callbacks.size() && all_.callbacks[i]->born_ < limit; ++i) {
        const QueryState& state = *all_.callbacks[i]->state_;
        const auto end = all_.callbacks.begin() + static_cast<std::ptrdiff_t>(i);
        const bool again = std::any_of(all_.callbacks.begin(), end, [&](const Observer* other) { return other->state_ == &state; });
        if (again || !std::binary_search(state.needs_.begin(), state.needs_.end(), id) || !state.active(store_)) continue;
        visit(state);
    }
    --rounds_;
    if (rounds_ == 0 && !changing_) bury();
}

void Signals::resource_added(ResourceId id) {
    Caught caught;
    const std::uint64_t limit = next_born_;
    each_family(id, limit, [&](const QueryState& state) {
        tell_family(state, limit, caught, [](Observer& observer) {
            if ((observer.wants_ & Observer::activity) != 0) observer.activated();
        });
        tell_members(state, limit, caught, [](Observer& observer, Entity entity) {
            if ((observer.wants_ & Observer::enters) != 0) observer.entered(entity);
        });
    });
    caught.raise();
}

void Signals::resource_removing(ResourceId id) {
    Caught caught;
    const std::uint64_t limit = next_born_;
    each_family(id, limit, [&](const QueryState& state) {
        tell_members(state, limit, caught, [](Observer& observer, Entity entity) {
            if ((observer.wants_ & Observer::leaves) != 0) observer.left(entity);
        });
        tell_family(state, limit, caught, [](Observer& observer) {
            if ((observer.wants_ & Observer::activity) != 0) observer.deactivated();
        });
    });
    caught.raise();
}

ObserverHold::ObserverHold(Store& store, QueryState& state, Observer* observer) {
    struct Owner {
        Observer* observer;
        ~Owner() { delete observer; }
    } owner{observer};
    QueryIndex::of(store).signals().observe(state, *observer);
    owner.observer = nullptr;
    observer_ = observer;
    link_ = &store.link();
    link_->hold();
}

void ObserverHold::release() noexcept {
    if (link_ == nullptr) return;
    if (link_->store() == nullptr) return drop();
    observer_->released_ = true;
    observer_ = nullptr;
    std::exchange(link_, nullptr)->drop();
}

void ObserverHold::drop() noexcept {
    StoreLink* link = std::exchange(link_, nullptr);
    Observer* observer = std::exchange(observer_, nullptr);
    if (Store* store = link->store()) {
        static_cast<QueryIndex*>(store->listener())->signals().retire(observer);
    } else {
        delete observer;
    }
    link->drop();
}

SharedObserver::SharedObserver(Store& store, QueryState& state, Observer* observer) {
    ObserverHold hold(store, state, observer);
    share_ = new Share{std::move(hold)};
}

bool change_under_way(const Store& store) noexcept {
    const StoreListener* listener = store.listener();
    return listener != nullptr && static_cast<const QueryIndex*>(listener)->signals().change_under_way();
}

}  // namespace stoa::detail

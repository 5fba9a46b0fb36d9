// Notifies observers. A change is announced in two steps. Before it, while all values are still readable, the observers
// that lose the entity are notified, and those that gain it are collected; after it, the latter are notified. A spawned
// entity matched nothing before, so its observers are notified at once. List observers are notified of an arrival
// before all callbacks, and of a departure after them.
#include "query/signals.hpp"

#include <algorithm>
#include <utility>

#include "base/attempt.hpp"
#include "component/library_types.hpp"
#include "query/query_index.hpp"
#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/query/walk.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

template <class Visit>
void Signals::each_observer(Visit&& visit) const {
    for (ListObserver* list : all_.lists) visit(*list);
    for (Observer* callback : all_.callbacks) visit(*callback);
}

void Signals::name_uses(const LibraryTypes& types, UsesLeft& uses) const {
    each_observer([&](const Observer& observer) {
        const std::string_view name = observer.state_->name_of(types, store_);
        const std::string what(observer.list_ != nullptr ? "a watch or cache" : "a subscription");
        if (!name.empty()) {
            uses.add(what + " of " + std::string(name));
        } else if (types.contains(functions_of(observer))) {
            uses.add(what + " with code of the library");
        }
    });
}

// Handles that outlive the world delete their observers themselves.
Signals::~Signals() {
    each_observer([this](Observer& observer) {
        if (!observer.released_) return;
        observer.next_retired_ = retired_list_;
        retired_list_ = &observer;
    });
    while (retired_list_ != nullptr) delete std::exchange(retired_list_, retired_list_->next_retired_);
}

void Signals::FirstException::raise() {
#if defined(__cpp_exceptions)
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
#endif
}

const TableObservers& Signals::observers_of(const Table& table) const {
    return incomplete_ || table.observers() == nullptr ? all_ : *table.observers();
}

void Signals::list_in(Table& table, Observer& observer) noexcept {
    if (!observer.state_->matches(table)) return;
    table.set_observed(true);
    incomplete_ |= !attempt([&] {
        TableObservers& observers = tables_[&table];
        table.set_observers(&observers);
        observers.add(observer, observer.list_);
    });
}

// A sparse set stays observed: it costs each removal one test of the table.
void Signals::observe_sparse_sets(const QueryState& state) {
    state.each_sparse([&](ComponentId id) { store_.sparse_set(id).set_observed(); });
}

void Signals::observe(QueryState& state, Observer& observer) {
    entering_.reserve(all_.lists.size() + all_.callbacks.size() + 1);
    all_.lists.reserve(all_.lists.size() + 1);
    all_.callbacks.reserve(all_.callbacks.size() + 1);
    observe_sparse_sets(state);
    store_.state().libraries.use_code(functions_of(observer));
    store_.resources().set_listener(this);

    // Nothing fails from here on.
    observer.state_ = &state;
    observer.serial_ = next_serial_++;
    observer.tests_entities_ = state.tests_entities_ || !state.needs_.empty();
    all_.add(observer, observer.list_);
    store_.notifier().set_observed(true);
    count_follower(observer, 1);
    if (incomplete_ && rounds_ == 0 && !changing_) return rebuild();
    for (Table* table : store_.tables()) list_in(*table, observer);
}

void Signals::retire(Observer* observer) noexcept {
    observer->silent_ = true;
    observer->next_retired_ = retired_list_;
    retired_list_ = observer;
    if (rounds_ == 0 && !changing_) delete_retired();
}

void Signals::erase(Observer& observer) noexcept {
    all_.erase(observer);
    store_.notifier().set_observed(!all_.empty());
    count_follower(observer, -1);
    if (incomplete_) return rebuild();
    for (auto at = tables_.begin(); at != tables_.end();) {
        auto& [table, observers] = *at;
        observers.erase(observer);
        if (observers.empty()) {
            table->set_observed(false);
            table->set_observers(nullptr);
            at = tables_.erase(at);
        } else {
            ++at;
        }
    }
}

// The destructor of a callback is user code, and may drop other observers.
void Signals::delete_retired() noexcept {
    if (retired_list_ == nullptr) return;
    ++rounds_;
    while (retired_list_ != nullptr) {
        Observer* observer = std::exchange(retired_list_, retired_list_->next_retired_);
        erase(*observer);
        delete observer;
    }
    --rounds_;
}

void Signals::table_added(Table& table) noexcept {
    if (table.is_observed()) return;  // a table that was dormant is listed already
    each_observer([&](Observer& observer) { list_in(table, observer); });
}

void Signals::rebuild() noexcept {
    incomplete_ = false;
    tables_.clear();
    for (Table* table : store_.tables()) {
        table->set_observed(false);
        table->set_observers(nullptr);
        table_added(*table);
    }
}

template <class Call>
void Signals::notify(Observer& observer, std::uint64_t limit, FirstException& exception, Call&& call) noexcept {
    if (observer.silent_ || observer.serial_ >= limit) return;
    if (exception && observer.list_ == nullptr) return;
#if defined(__cpp_exceptions)
    try {
        call(observer);
    } catch (...) {
        if (!exception) exception.thrown = std::current_exception();
    }
#else
    call(observer);
#endif
}

// Callbacks are not called for an inactive family. List observers follow membership, which does not depend on activity.
bool Signals::may_call(const Observer& observer) const {
    return !observer.tests_entities_ || observer.list_ != nullptr || observer.state_->active(store_);
}

bool Signals::is_member(const Observer& observer, Entity entity, const Table& table) const {
    if (!observer.tests_entities_ && !incomplete_) return true;
    return observer.state_->matches_after(store_, {entity, nullptr, &table});
}

void Signals::expect(const Table& table, std::uint64_t count) {
    for (ListObserver* list : observers_of(table).lists) list->expect(static_cast<std::size_t>(count));
}

void Signals::spawned(std::span<const Entity> entities, const Table& table, StoreListener::Round round) {
    using Round = StoreListener::Round;
    begin_change();
    {
        const Store::Lock lock(store_);
        const TableObservers& observers = observers_of(table);
        const auto enter = [&](Observer& observer, Entity entity) {
            if ((observer.wants_ & Observer::enters) == 0 || !is_member(observer, entity, table) || !may_call(observer))
                return;
            notify(observer, serial_limit_, exception_, [&](Observer& notified) { notified.entered(entity); });
        };
        if (round == Round::all || round == Round::lists) {
            for (const Entity entity : entities) {
                for (ListObserver* list : observers.lists) enter(*list, entity);
            }
        }
        for (std::size_t at = 0; round != Round::lists && at < entities.size(); ++at) {
            // By position: a callback may subscribe others.
            for (std::size_t i = 0; i < observers.callbacks.size(); ++i) enter(*observers.callbacks[i], entities[at]);
        }
    }
    if (round == Round::all || round == Round::last_callbacks) end_change();
}

// Whether it is notified of a change although the entity stays in its query.
bool Signals::follows(const Observer& observer, const Change& change) {
    return (observer.wants_ & Observer::values) != 0 && observer.follows(change);
}

void Signals::changing(const Change& change) noexcept {
    begin_change();
    const Store::Lock lock(store_);
    entity_ = change.entity;
    // Observers of one query are often neighbours in the list.
    const QueryState* asked = nullptr;
    bool before = false;
    bool after = false;
    const auto ask = [&](const Observer& observer) {
        if (observer.state_ == asked) return;
        asked = observer.state_;
        before = asked->matched_before(store_, change);
        after = asked->matches_after(store_, change);
    };
    if (change.to != nullptr && change.to->is_observed()) {
        const TableObservers& observers = observers_of(*change.to);
        const auto collect = [&](Observer& observer) {
            ask(observer);
            if (!after || observer.silent_ || (before && !follows(observer, change))) return false;
            if ((observer.wants_ & Observer::enters) != 0) entering_.push_back(&observer);
            return true;
        };
        for (ListObserver* list : observers.lists) {
            if (collect(*list)) list->entering(change.entity);
        }
        for (Observer* callback : observers.callbacks) collect(*callback);
    }
    if (change.from == nullptr || !change.from->is_observed()) return;
    const TableObservers& observers = observers_of(*change.from);
    const auto leave = [&](Observer& observer) {
        if ((observer.wants_ & Observer::leaves) == 0) return;
        ask(observer);
        if (!before || (after && !follows(observer, change)) || !may_call(observer)) return;
        notify(observer, serial_limit_, exception_,
               [&](Observer& notified) { after ? notified.moving(change) : notified.left(change.entity); });
    };
    for (std::size_t i = 0; i < observers.callbacks.size(); ++i) leave(*observers.callbacks[i]);
    for (std::size_t i = 0; i < observers.lists.size(); ++i) leave(*observers.lists[i]);
}

void Signals::changed() {
    {
        const Store::Lock lock(store_);
        for (std::size_t i = 0; i < entering_.size(); ++i) {
            Observer& observer = *entering_[i];
            if (may_call(observer))
                notify(observer, serial_limit_, exception_, [&](Observer& notified) { notified.entered(entity_); });
        }
    }
    entering_.clear();
    end_change();
}

void Signals::delete_retired_locked() noexcept {
    const Store::Lock lock(store_);
    if (rounds_ == 0) delete_retired();
}

template <class Call>
void Signals::notify_family(const QueryState& state, std::uint64_t limit, FirstException& exception,
                            Call&& call) noexcept {
    for (std::size_t i = 0; i < all_.callbacks.size(); ++i) {
        if (all_.callbacks[i]->state_ == &state) notify(*all_.callbacks[i], limit, exception, call);
    }
}

// A callback may remove the resource again: then the rest are not called.
template <class Call>
void Signals::notify_members(const QueryState& state, std::uint64_t limit, FirstException& exception,
                             Call&& call) noexcept {
    const auto walk_all = [&] {
        if (store_.notifier().listener()->wants_care()) care_for_queries(store_);
        RowSelector selector;
        for (Walk walk(store_, state, Order::tables, Since{}, selector); walk.next();) {
            for (std::uint32_t i = 0; i < walk.rows().count && state.active(store_); ++i) {
                const Entity entity = walk.rows().ids()[i];
                notify_family(state, limit, exception, [&](Observer& observer) { call(observer, entity); });
            }
        }
    };
#if defined(__cpp_exceptions)
    try {
        walk_all();
    } catch (...) {
        if (!exception) exception.thrown = std::current_exception();
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
    for (std::size_t i = 0; i < all_.callbacks.size() && all_.callbacks[i]->serial_ < limit; ++i) {
        const QueryState& state = *all_.callbacks[i]->state_;
        const auto end = all_.callbacks.begin() + static_cast<std::ptrdiff_t>(i);
        const bool again =
            std::any_of(all_.callbacks.begin(), end, [&](const Observer* other) { return other->state_ == &state; });
        if (again || !std::binary_search(state.needs_.begin(), state.needs_.end(), id) || !state.active(store_))
            continue;
        visit(state);
    }
    --rounds_;
    if (rounds_ == 0 && !changing_) delete_retired();
}

void Signals::resource_added(ResourceId id) {
    FirstException exception;
    const std::uint64_t limit = next_serial_;
    each_family(id, limit, [&](const QueryState& state) {
        notify_family(state, limit, exception, [](Observer& observer) {
            if ((observer.wants_ & Observer::activity) != 0) observer.activated();
        });
        notify_members(state, limit, exception, [](Observer& observer, Entity entity) {
            if ((observer.wants_ & Observer::enters) != 0) observer.entered_family(entity);
        });
    });
    exception.raise();
}

void Signals::resource_removing(ResourceId id) {
    FirstException exception;
    const std::uint64_t limit = next_serial_;
    each_family(id, limit, [&](const QueryState& state) {
        notify_members(state, limit, exception, [](Observer& observer, Entity entity) {
            if ((observer.wants_ & Observer::leaves) != 0) observer.left_family(entity);
        });
        notify_family(state, limit, exception, [](Observer& observer) {
            if ((observer.wants_ & Observer::activity) != 0) observer.deactivated();
        });
    });
    exception.raise();
}

void Signals::count_follower(const Observer& observer, int change) noexcept {
    if ((observer.wants_ & Observer::values) == 0 || observer.list_ != nullptr) return;
    followers_ += change;
    store_.notifier().set_notifies_writes(followers_ != 0);
}

// Everything that may fail comes first; then the members of all callbacks change, and then the callbacks run.
std::vector<Signals::Written> Signals::find_writes() {
    std::vector<FilteredCallback*> callbacks;
    std::size_t count = 0;
    // By position: the code of a filter may subscribe others.
    for (std::size_t i = 0; i < all_.callbacks.size(); ++i) {
        FilteredCallback* callback = all_.callbacks[i]->filtered();
        if (callback == nullptr || callback->silent_ || !callback->members().find_writes()) continue;
        callbacks.push_back(callback);
        count += callback->members().leaving().size() + callback->members().entering().size();
    }
    std::vector<Written> found;
    found.reserve(count);
    for (FilteredCallback* callback : callbacks) {
        FilteredMembers& members = callback->members();
        const bool enters = (callback->wants_ & Observer::enters) != 0;
        for (const Entity entity : enters ? members.entering() : members.leaving())
            found.push_back({enters, entity, callback});
        members.accept_writes();
    }
    std::sort(found.begin(), found.end(), [](const Written& a, const Written& b) {
        if (a.enters != b.enters) return b.enters;
        return a.entity != b.entity ? a.entity < b.entity : a.callback->serial_ < b.callback->serial_;
    });
    return found;
}

void Signals::notify_of_writes() {
    FirstException exception;
    {
        const Store::Lock lock(store_);
        ++rounds_;
        const ScopeGuard end_round([this]() noexcept {
            if (--rounds_ == 0) delete_retired();
        });
        for (const Written& written : find_writes()) {
            if (!may_call(*written.callback)) continue;
            notify(*written.callback, next_serial_, exception,
                   [&](Observer&) { written.callback->call(written.entity); });
        }
    }
    exception.raise();
}

ObserverHold::ObserverHold(Store& store, QueryState& state, Observer* observer) {
    ScopeGuard delete_observer([observer]() noexcept { delete observer; });
    QueryIndex::of(store).signals().observe(state, *observer);
    delete_observer.dismiss();
    observer_ = observer;
    link_ = &store.link();
    link_->add_ref();
}

void ObserverHold::release() noexcept {
    if (link_ == nullptr) return;
    if (link_->store() == nullptr) return drop();
    observer_->released_ = true;
    observer_ = nullptr;
    std::exchange(link_, nullptr)->release();
}

void ObserverHold::drop() noexcept {
    StoreLink* link = std::exchange(link_, nullptr);
    Observer* observer = std::exchange(observer_, nullptr);
    if (Store* store = link->store()) {
        store->rooms().queries.get()->signals().retire(observer);
    } else {
        delete observer;
    }
    link->release();
}

SharedObserver::SharedObserver(Store& store, QueryState& state, Observer* observer) {
    ObserverHold hold(store, state, observer);
    share_ = Ref<Share>::adopt(new Share(std::move(hold)));
}

FilteredCallback::FilteredCallback(Wants when, Store& store, QueryState& state, Ref<ValueFilter> filter)
    : Observer(when | values), list_(new MemberList(store, state, std::move(filter))), hold_(store, state, list_) {}

void notify_of_writes(Store& store) { QueryIndex::of(store).signals().notify_of_writes(); }

bool change_under_way(const Store& store) noexcept {
    const QueryIndex* queries = store.rooms().queries.get();
    return queries != nullptr && queries->signals().change_under_way();
}

}  // namespace stoa::detail

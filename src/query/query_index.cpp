// Matching. A new query tests all tables. Then it is listed under one of its required components, the one that the
// fewest tables have, so that a new table is tested only by queries that may match it. Adding a table must not fail,
// because a removal may have made it: without memory the index is marked stale and rebuilt by the next use of a query.
#include "query/query_index.hpp"

#include <algorithm>
#include <mutex>

#include "base/attempt.hpp"
#include "stoa/detail/storage/track.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {
namespace {

template <class T>
void make_unique(std::vector<T>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

QueryIndex& QueryIndex::of(Store& store) {
    if (store.rooms().queries.get() == nullptr) {
        require_world(store, "query");
        store.rooms().queries.set(new QueryIndex(store));
        store.notifier().set_listener(store.rooms().queries.get());
    }
    return *store.rooms().queries.get();
}

QueryIndex::QueryIndex(Store& store) : store_(store), signals_(store) {}

QueryIndex::~QueryIndex() {
    for (QueryState* state : states_) delete state;
}

void QueryIndex::table_added(Table& table) noexcept {
    signals_.table_added(table);
    if (stale_) return;
    stale_ = !attempt([&] {
        const bool told_by_digest =
            !table.is_ghost() && (table.id_count() == 0 || is_digest_exact(table.ids()[table.id_count() - 1]));
        const auto offer = [&, lacks = ~table.digest()](const Waiting& waiting) {
            if ((waiting.digest & lacks) != 0) return;
            if ((waiting.wants_digest_only && told_by_digest) || waiting.state->matches(table))
                waiting.state->add(table);
        };
        for (const ComponentId component : table.ids()) {
            const auto id = static_cast<std::size_t>(component);
            if (id >= waiting_.size()) continue;
            for (const Waiting& waiting : waiting_[id]) offer(waiting);
        }
        for (const Waiting& waiting : open_) offer(waiting);
    });
    if (stale_) want_care(true);
}

void QueryIndex::tables_removed() noexcept {
    signals_.rebuild();
    want_care(!attempt([&] { rebuild(); }));
}

void QueryIndex::care() {
    if (store_.clock().is_on_thread_clock())
        return;  // other threads may be walking; the schedule has updated the lists before
    if (stale_) rebuild();
    if (!store_.locked()) {
        tidy();
        want_care(false);
    }
}

// No reader walks a stale list: since the change that made it stale, none has begun a walk before this.
void QueryIndex::care_for_reader() {
    if (stale_) rebuild();
}

// Tables that were found empty, and had no row since, become dormant. A table that is filled and emptied in each frame
// keeps its chunks.
void QueryIndex::tidy() {
    bool any = false;
    for (QueryState* state : states_) {
        if (state->empties_ < QueryState::many_empties) continue;
        state->empties_ = 0;
        for (Table* table : state->tables_) {
            if (table->row_count() == 0) any |= store_.state().growth.make_dormant(*table);
        }
    }
    if (!any) return;
    for (QueryState* state : states_) state->drop_dormant();
}

void QueryIndex::rebuild() {
    stale_ = true;
    for (QueryState* state : states_) fill(*state);
    stale_ = false;
}

void QueryIndex::fill(QueryState& state) {
    state.tables_.clear();
    const std::span<Table* const> tables = store_.tables();
    const std::uint64_t* digests = store_.state().catalog.digests();
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if ((state.digest_ & ~digests[i]) == 0 && !tables[i]->is_dormant() && state.matches(*tables[i]))
            state.add(*tables[i]);
    }
}

// The list in which a query waits for new tables: that of the required component that the fewest tables have now.
std::vector<QueryIndex::Waiting>& QueryIndex::place_to_wait(const QueryState& state) {
    const ComponentId* rarest = nullptr;
    std::ptrdiff_t fewest = 0;
    const std::uint64_t* digests = store_.state().catalog.digests();
    for (const ComponentId& id : state.columns_) {
        const auto has = [&](std::uint64_t digest) { return (digest & digest_of(id)) != 0; };
        const std::ptrdiff_t tables = std::count_if(digests, digests + store_.tables().size(), has);
        if (rarest != nullptr && tables >= fewest) continue;
        rarest = &id;
        fewest = tables;
    }
    if (rarest == nullptr) return open_;
    const auto id = static_cast<std::size_t>(*rarest);
    if (id >= waiting_.size()) waiting_.resize(id + 1);
    return waiting_[id];
}

QueryState& QueryIndex::state(TermList& terms) {
    if (wants_care()) [[unlikely]]
        care();
    return find_or_make(terms);
}

QueryState& QueryIndex::state_for_reader(TermList& terms) {
    care_for_reader();
    return find_or_make(terms);
}

QueryState& QueryIndex::find_or_make(TermList& terms) {
    const std::uint32_t number = store_.types().number_of(terms.cached_number);
    if (number < by_number_.size() && by_number_[number] != nullptr) [[likely]]
        return *by_number_[number];
    if (number >= by_number_.size()) by_number_.resize(number + 1);
    by_number_[number] = &make_state(terms);
    return *by_number_[number];
}

void QueryIndex::add_condition(QueryState& state, std::span<const Alternative> alternatives) {
    std::vector<QueryState::Choice> choices;
    bool tracks = false;
    for (const Alternative& alternative : alternatives) {
        const ComponentType& type = *alternative.type->type;
        const ComponentId id = resolve(store_.types().registry(), *alternative.type);
        store_.state().libraries.use(id);
        choices.push_back({id, alternative.present, type.is_sparse(), alternative.tracking});
        state.names_sparse_ |= type.is_sparse();
        state.sees_ghosts_ |= alternative.present && type.traits.cleanup;
        if (alternative.tracking == Tracking::none) continue;
        track(store_, *alternative.type);
        tracks = true;
    }
    make_unique(choices);
    if (tracks) add_tracking(state, choices);
    if (choices.size() == 1) {
        const QueryState::Choice& only = choices.front();
        (only.present ? state.required_ : state.excluded_).push_back({only.id, only.sparse});
    } else {
        state.choices_.push_back(std::move(choices));
    }
}

// Records what must have changed, and leaves what must be there.
void QueryIndex::add_tracking(QueryState& state, std::vector<QueryState::Choice>& choices) {
    if (choices.size() == 1) {
        const QueryState::Choice& only = choices.front();
        state.tracked_.push_back({only.id, only.tracking == Tracking::added, only.sparse});
    } else {
        state.changes_.push_back(choices);
    }
    for (QueryState::Choice& choice : choices) choice.tracking = Tracking::none;
    make_unique(choices);
}

// Sorts the conditions, so that equal sets of terms compare equal.
void QueryIndex::add_conditions(QueryState& state, const TermList& terms) {
    const std::span<const Alternative> all(terms.alternatives, terms.count);
    for (std::size_t first = 0, end = 0; first < all.size(); first = end) {
        while (end < all.size() && all[end].condition == all[first].condition) ++end;
        add_condition(state, all.subspan(first, end - first));
    }
    for (std::uint32_t i = 0; i < terms.need_count; ++i) {
        const ResourceId id = store_.resources().id_of(*terms.needs[i]);
        store_.resources().use(id);
        state.needs_.push_back(id);
    }
    std::sort(state.needs_.begin(), state.needs_.end());
    make_unique(state.required_);
    make_unique(state.excluded_);
    make_unique(state.choices_);
    make_unique(state.changes_);
    std::sort(state.tracked_.begin(), state.tracked_.end());
    state.tests_entities_ = state.names_sparse_ || !state.changes_.empty();
    state.tracks_ = !state.tracked_.empty() || !state.changes_.empty();
    state.plain_ = !state.tests_entities_ && !state.tracks_;
}

QueryState& QueryIndex::make_state(const TermList& terms) {
    auto* made = new QueryState;
    struct Owner {
        QueryState* state;
        ~Owner() { delete state; }
    } owner{made};

    add_conditions(*made, terms);
    for (QueryState* known : states_) {
        if (known->required_ == made->required_ && known->excluded_ == made->excluded_ &&
            known->choices_ == made->choices_ && known->tracked_ == made->tracked_ &&
            known->changes_ == made->changes_ && known->needs_ == made->needs_) {
            return *known;
        }
    }
    for (const QueryState::Single& condition : made->required_) {
        if (condition.sparse) continue;
        made->columns_.push_back(condition.id);
        made->digest_ |= digest_of(condition.id);
    }
    made->link_ = new StoreLink(store_);
    fill(*made);
    states_.reserve(states_.size() + 1);
    const bool wants_digest_only = made->excluded_.empty() && made->choices_.empty() &&
                                   std::all_of(made->columns_.begin(), made->columns_.end(), is_digest_exact);
    place_to_wait(*made).push_back({made->digest_, made, wants_digest_only});
    states_.push_back(made);
    owner.state = nullptr;
    return *made;
}

QueryState& query_state(Store& store, TermList& terms) { return QueryIndex::of(store).state(terms); }

QueryState& query_state_for_reader(Store& store, TermList& terms) {
    require_world(store, "query");  // the error handler, which may ask for stats, runs without the mutex
    const std::lock_guard lock(store.state().readers);
    return QueryIndex::of(store).state_for_reader(terms);
}

void care_for_queries(Store& store) { QueryIndex::of(store).care(); }

void care_for_reader(Store& store) {
    const std::lock_guard lock(store.state().readers);
    QueryIndex::of(store).care_for_reader();
}

std::size_t query_count(const Store& store) {
    const std::lock_guard lock(store.state().readers);
    const QueryIndex* queries = store.rooms().queries.get();
    return queries != nullptr ? queries->size() : 0;
}

}  // namespace stoa::detail

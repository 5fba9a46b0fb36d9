// Matching. A new query looks at all tables. Then it waits at one of its required components, the one that fewest tables had;
// so a new table is tested only by queries that may want it. Nothing here may fail when a table comes, because a removal may have
// made it: without memory the index is marked stale and built anew by the next use of a query.
#include "query/query_index.hpp"

#include <algorithm>

#include "query/attempt.hpp"

namespace stoa::detail {

QueryIndex& QueryIndex::of(Store& store) {
    if (store.listener() == nullptr) {
        store.require_world("query");
        store.set_listener(new QueryIndex(store));
    }
    return *static_cast<QueryIndex*>(store.listener());
}

QueryIndex::QueryIndex(Store& store) : store_(store), signals_(store) {}

QueryIndex::~QueryIndex() {
    for (QueryState* state : states_) delete state;
}

void QueryIndex::table_added(Table& table) noexcept {
    signals_.table_added(table);
    if (stale_) return;
    stale_ = !attempt([&] {
        const bool told_by_digest = !table.ghost && (table.id_count == 0 || is_digest_exact(table.ids[table.id_count - 1]));
        const auto offer = [&](const Waiting& waiting) {
            if ((waiting.digest & ~table.digest) != 0) return;
            if ((waiting.wants_digest_only && told_by_digest) || waiting.state->matches(table)) waiting.state->add(table);
        };
        for (std::uint32_t i = 0; i < table.id_count; ++i) {
            const auto id = static_cast<std::size_t>(table.ids[i]);
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
    if (writing.store == &store_) return;  // others may be walking; the schedule has seen to it
    if (stale_) rebuild();
    if (!store_.locked()) {
        tidy();
        want_care(false);
    }
}

// Tables that were found empty, and had no row since, go to sleep. A table that is filled and emptied in each frame keeps its
// memory.
void QueryIndex::tidy() {
    bool any = false;
    for (QueryState* state : states_) {
        if (state->empties_ < QueryState::many_empties) continue;
        state->empties_ = 0;
        for (Table* table : state->tables_) {
            if (table->rows() == 0) any |= store_.put_to_sleep(*table);
        }
    }
    if (!any) return;
    for (QueryState* state : states_) state->drop_sleeping();
}

void QueryIndex::rebuild() {
    stale_ = true;
    for (QueryState* state : states_) fill(*state);
    stale_ = false;
}

void QueryIndex::fill(QueryState& state) {
    state.tables_.clear();
    const std::span<Table* const> tables = store_.tables();
    const std::uint64_t* digests = store_.digests();
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if ((state.digest_ & ~digests[i]) == 0 && !tables[i]->asleep && state.matches(*tables[i])) state.add(*tables[i]);
    }
}

// Where a query waits for new tables: at the required component that fewest tables have now.
std::vector<QueryIndex::Waiting>& QueryIndex::place_to_wait(const QueryState& state) {
    const ComponentId* rarest = nullptr;
    std::ptrdiff_t fewest = 0;
    const std::uint64_t* digests = store_.digests();
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
    if (wants_care()) [[unlikely]] care();
    const std::uint32_t number = store_.number_of(terms.ticket);
    if (number < by_number_.size() && by_number_[number] != nullptr) [[likely]] return *by_number_[number];
    if (number >= by_number_.size()) by_number_.resize(number + 1);
    by_number_[number] = &make_state(terms);
    return *by_number_[number];
}

void QueryIndex::add_term(QueryState& state, const TermSpec& spec) {
    using Role = TermSpec::Role;
    const ComponentId id = resolve(store_.registry(), *spec.slot);
    const ComponentType& type = *spec.slot->type;
    const QueryState::Condition condition{id, spec.role == Role::any ? spec.group + 1 : 0, type.is_sparse(), type.traits.cleanup};
    auto& conditions = spec.role == Role::any        ? state.any_
                       : spec.role == Role::excluded ? state.excluded_
                                                     : state.required_;
    conditions.push_back(condition);
    state.groups_ = std::max(state.groups_, condition.group);
    state.tests_entities_ |= condition.sparse;
    state.sees_ghosts_ |= condition.cleanup && spec.role != Role::excluded;
    if (spec.role == Role::changed || spec.role == Role::added) {
        store_.track(*spec.slot);
        state.tracked_.push_back({id, spec.role == Role::added, condition.sparse});
    }
    state.plain_ = !state.tests_entities_ && state.tracked_.empty();
}

QueryState& QueryIndex::make_state(const TermList& terms) {
    auto* made = new QueryState;
    struct Owner {
        QueryState* state;
        ~Owner() { delete state; }
    } owner{made};

    for (std::uint32_t i = 0; i < terms.count; ++i) add_term(*made, terms.specs[i]);
    for (std::uint32_t i = 0; i < terms.need_count; ++i) made->needs_.push_back(store_.resources().id_of(*terms.needs[i]));
    std::sort(made->needs_.begin(), made->needs_.end());
    // One order for equal sets of terms, so that they are found to be equal.
    const auto normalise = [](std::vector<QueryState::Condition>& conditions) {
        const auto less = [](const QueryState::Condition& a, const QueryState::Condition& b) {
            return a.group != b.group ? a.group < b.group : a.id < b.id;
        };
        std::sort(conditions.begin(), conditions.end(), less);
        conditions.erase(std::unique(conditions.begin(), conditions.end()), conditions.end());
    };
    normalise(made->required_);
    normalise(made->excluded_);
    normalise(made->any_);
    const auto less = [](const QueryState::Tracked& a, const QueryState::Tracked& b) {
        return a.id != b.id ? a.id < b.id : a.added < b.added;
    };
    std::sort(made->tracked_.begin(), made->tracked_.end(), less);
    for (QueryState* known : states_) {
        if (known->required_ == made->required_ && known->excluded_ == made->excluded_ && known->any_ == made->any_ &&
            known->tracked_ == made->tracked_ && known->needs_ == made->needs_) {
            return *known;
        }
    }
    for (const QueryState::Condition& condition : made->required_) {
        if (condition.sparse) continue;
        made->columns_.push_back(condition.id);
        made->digest_ |= digest_of(condition.id);
    }
    fill(*made);
    states_.reserve(states_.size() + 1);
    const bool wants_digest_only = made->excluded_.empty() && made->any_.empty() &&
                                   std::all_of(made->columns_.begin(), made->columns_.end(), is_digest_exact);
    place_to_wait(*made).push_back({made->digest_, made, wants_digest_only});
    states_.push_back(made);
    owner.state = nullptr;
    return *made;
}

QueryState& query_state(Store& store, TermList& terms) { return QueryIndex::of(store).state(terms); }

void care_for_queries(Store& store) { QueryIndex::of(store).care(); }

std::size_t query_count(const Store& store) {
    const StoreListener* listener = store.listener();
    return listener != nullptr ? static_cast<const QueryIndex*>(listener)->size() : 0;
}

}  // namespace stoa::detail

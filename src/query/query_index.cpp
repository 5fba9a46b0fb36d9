// Matching. A query waits at one of its required components, the one that fewest tables had when it was made; so a new
// table is tested only by queries that may want it. Nothing here may fail when a table comes, because a removal may have
// made it: without memory the index is marked stale and built anew by the next use of a query.
#include "query/query_index.hpp"

#include <algorithm>
#include <new>

namespace stoa::detail {
namespace {

// Runs what may throw std::bad_alloc; false when it did.
template <class Work>
bool attempt(Work&& work) noexcept {
#if defined(__cpp_exceptions)
    try {
        work();
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
#else
    work();
    return true;
#endif
}

}  // namespace

QueryIndex& QueryIndex::of(Store& store) {
    if (store.listener() == nullptr) {
        store.require_world("query");
        store.set_listener(new QueryIndex(store));
    }
    return *static_cast<QueryIndex*>(store.listener());
}

QueryIndex::QueryIndex(Store& store) : store_(store) { stale = true; }

QueryIndex::~QueryIndex() {
    for (QueryState* state : states_) delete state;
}

void QueryIndex::note_table(Table& table) {
    for (std::uint32_t i = 0; i < table.id_count; ++i) {
        const auto id = static_cast<std::size_t>(table.ids[i]);
        if (id >= tables_with_.size()) tables_with_.resize(id + 1);
        tables_with_[id].push_back(&table);
    }
}

void QueryIndex::table_added(Table& table) noexcept {
    if (stale) return;
    stale = !attempt([&] {
        note_table(table);
        const auto offer = [&](QueryState& state) {
            if (state.matches(table)) state.tables_.push_back(&table);
        };
        for (std::uint32_t i = 0; i < table.id_count; ++i) {
            const auto id = static_cast<std::size_t>(table.ids[i]);
            if (id >= waiting_.size()) continue;
            for (QueryState* state : waiting_[id]) offer(*state);
        }
        for (QueryState* state : open_) offer(*state);
    });
}

void QueryIndex::tables_removed() noexcept {
    stale = !attempt([&] { rebuild(); });
}

void QueryIndex::rebuild() {
    stale = true;
    for (auto& tables : tables_with_) tables.clear();
    for (Table* table : store_.tables()) note_table(*table);
    for (QueryState* state : states_) fill(*state);
    stale = false;
}

void QueryIndex::fill(QueryState& state) {
    state.tables_.clear();
    // The shortest list of tables that can hold all matches; lists are in order of creation, and so are the matches.
    std::span<Table* const> candidates = store_.tables();
    for (const QueryState::Condition& condition : state.required_) {
        if (condition.sparse) continue;
        const auto id = static_cast<std::size_t>(condition.id);
        const std::span<Table* const> with = id < tables_with_.size() ? tables_with_[id] : std::span<Table* const>{};
        if (with.size() < candidates.size()) candidates = with;
    }
    for (Table* table : candidates) {
        if (state.matches(*table)) state.tables_.push_back(table);
    }
}

QueryState& QueryIndex::state(TermList& terms) {
    if (stale) [[unlikely]] rebuild();
    const std::uint32_t number = store_.number_of(terms.ticket);
    if (number < by_number_.size() && by_number_[number] != nullptr) [[likely]] return *by_number_[number];
    if (number >= by_number_.size()) by_number_.resize(number + 1);
    by_number_[number] = &make_state(terms);
    return *by_number_[number];
}

QueryState& QueryIndex::make_state(const TermList& terms) {
    auto* made = new QueryState;
    struct Owner {
        QueryState* state;
        ~Owner() { delete state; }
    } owner{made};

    for (std::uint32_t i = 0; i < terms.count; ++i) {
        const TermSpec& spec = terms.specs[i];
        const ComponentId id = resolve(store_.registry(), *spec.slot);
        const QueryState::Condition condition{id, spec.role == TermSpec::Role::any ? spec.group + 1 : 0, spec.slot->type->is_sparse(),
                                              spec.slot->type->traits.cleanup};
        auto& conditions = spec.role == TermSpec::Role::required   ? made->required_
                           : spec.role == TermSpec::Role::excluded ? made->excluded_
                                                                   : made->any_;
        conditions.push_back(condition);
        made->groups_ = std::max(made->groups_, condition.group);
        made->plain_ &= !condition.sparse;
        made->sees_ghosts_ |= condition.cleanup && spec.role != TermSpec::Role::excluded;
    }
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
    for (QueryState* known : states_) {
        if (known->required_ == made->required_ && known->excluded_ == made->excluded_ && known->any_ == made->any_) return *known;
    }

    fill(*made);
    // Where the query waits for new tables: at the required component that fewest tables have now.
    const QueryState::Condition* rarest = nullptr;
    std::size_t fewest = 0;
    for (const QueryState::Condition& condition : made->required_) {
        if (condition.sparse) continue;
        const auto id = static_cast<std::size_t>(condition.id);
        const std::size_t tables = id < tables_with_.size() ? tables_with_[id].size() : 0;
        if (rarest == nullptr || tables < fewest) {
            rarest = &condition;
            fewest = tables;
        }
    }
    if (rarest != nullptr && static_cast<std::size_t>(rarest->id) >= waiting_.size()) {
        waiting_.resize(static_cast<std::size_t>(rarest->id) + 1);
    }
    states_.reserve(states_.size() + 1);
    (rarest != nullptr ? waiting_[static_cast<std::size_t>(rarest->id)] : open_).push_back(made);
    states_.push_back(made);
    owner.state = nullptr;
    return *made;
}

QueryState& query_state(Store& store, TermList& terms) { return QueryIndex::of(store).state(terms); }

void refresh_queries(Store& store) { QueryIndex::of(store).rebuild(); }

std::size_t query_count(const Store& store) {
    const TableListener* listener = store.listener();
    return listener != nullptr ? static_cast<const QueryIndex*>(listener)->size() : 0;
}

}  // namespace stoa::detail

// All query states of a world, and the data that keeps them current: which queries may match a table that has a
// component. One per store, made by the first query.
//
// Invariant: after each change of the set of tables, each state lists exactly the tables that match it, or the index is
// stale.
#pragma once

#include <unordered_map>
#include <vector>

#include "query/signals.hpp"
#include "stoa/detail/query/query_state.hpp"

namespace stoa::detail {

class UsesLeft;

class QueryIndex final : public StoreListener {
  public:
    static QueryIndex& of(Store& store);
    ~QueryIndex();

    QueryState& state(TermList& terms);
    QueryState& state_for_reader(TermList& terms);  // requires: the mutex of readers
    std::size_t size() const { return states_.size(); }

    void table_added(Table& table) noexcept override;
    void tables_removed() noexcept override;
    void expect(const Table& table, std::uint64_t count) override { signals_.expect(table, count); }
    void spawned(std::span<const Entity> entities, const Table& table, Round round) override {
        signals_.spawned(entities, table, round);
    }
    void before_move(const Change& change) noexcept override { signals_.changing(change); }
    void after_move() override { signals_.changed(); }
    Signals& signals() { return signals_; }
    const Signals& signals() const { return signals_; }
    void care();             // throws std::bad_alloc
    void care_for_reader();  // the same; requires: the mutex of readers

    // Names handles and observers of queries that name these types. Throws std::bad_alloc.
    void name_uses(const LibraryTypes& types, UsesLeft& uses) const;
    // Destroys the states that name these types. Requires: name_uses names nothing.
    void forget_types(const LibraryTypes& types) noexcept;

  private:
    // A copy of the facts that decide for most tables: there may be a thousand queries, and reading each state would
    // miss the cache.
    struct Waiting {
        std::uint64_t digest;
        QueryState* state;
        bool wants_digest_only;  // a table matches if it has these bits and no component shares a bit with another
    };

    explicit QueryIndex(Store& store);

    QueryState& find_or_make(TermList& terms);
    QueryState& make_state(const TermList& terms);
    void add_condition(QueryState& state, std::span<const Alternative> alternatives);
    static void add_tracking(QueryState& state, std::vector<QueryState::Choice>& choices);
    void add_conditions(QueryState& state, const TermList& terms);
    void rebuild();
    void tidy();
    void fill(QueryState& state);
    std::vector<Waiting>& place_to_wait(const QueryState& state);

    Store& store_;
    Signals signals_;
    bool stale_ = false;  // a change could not be recorded for lack of memory: the lists must be rebuilt
    std::vector<QueryState*> states_;
    std::vector<QueryState*> by_number_;         // of a term list
    std::vector<std::vector<Waiting>> waiting_;  // by component id: the queries that wait for tables that have it
    std::vector<Waiting> open_;                  // queries that require no component of a table
};

}  // namespace stoa::detail

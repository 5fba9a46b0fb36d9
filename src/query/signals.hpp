// Who is told when an entity begins or ceases to match a query: the observers of each state, and for each watched table the
// states that have some. One per index of queries.
//
// Invariant: `Table::watchers` lists exactly the observed states that match the table, unless `incomplete`; then all observed
// states are asked.
#pragma once

#include <exception>
#include <unordered_map>
#include <vector>

#include "stoa/detail/observer.hpp"

namespace stoa::detail {

struct Watchers {
    std::vector<QueryState*> states;
};

class Signals final : public ResourceListener {
  public:
    explicit Signals(Store& store) : store_(store) {}
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    void observe(QueryState& state, Observer& observer);
    void retire(QueryState& state, Observer* observer) noexcept;
    bool any() const { return !observed_.empty(); }

    void table_added(Table& table) noexcept;
    void rebuild() noexcept;  // after tables went

    void resource_added(ResourceId id) override;
    void resource_removing(ResourceId id) override;

    void changing(const Change& change) noexcept;
    void changed();

  private:
    // Calls `call(observer)` for the observers of a state, in order. After a throw no one is called until changed() has thrown it.
    template <class Call>
    void tell(QueryState& state, Call&& call) noexcept;
    void tell_all(QueryState& state, void (Observer::*event)(Entity)) noexcept;
    void throw_caught();
    void watch(Table& table, QueryState& state) noexcept;
    void mark_sets(const QueryState& state);
    void bury() noexcept;
    template <class Visit>
    void each_watcher(const Table& table, Visit&& visit);

    Store& store_;
    std::vector<QueryState*> observed_;
    std::unordered_map<const Table*, Watchers> tables_;
    bool incomplete_ = false;  // there was no memory to note all

    std::vector<QueryState*> entering_;  // those that the changing entity will match; room for all is kept
    Entity entity_;
    int telling_ = 0;
    std::vector<Observer*> graves_;
#if defined(__cpp_exceptions)
    std::exception_ptr thrown_;
#endif
};

}  // namespace stoa::detail

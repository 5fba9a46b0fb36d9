// Who is told when an entity begins or ceases to match a query, or a family becomes active: for each watched table the observers
// of the queries that match it, in order of subscription. One per index of queries.
//
// Invariants: `Table::watchers` lists exactly the observers whose queries match the table, unless `incomplete_`; then all
// observers are asked. While someone is told, lists only grow: who leaves is marked, and taken out afterwards.
#pragma once

#include <exception>
#include <span>
#include <unordered_map>
#include <vector>

#include "stoa/detail/observer.hpp"

namespace stoa::detail {

struct Watchers {
    std::vector<Observer*> keepers;
    std::vector<Observer*> callbacks;
};

class Signals final : public ResourceListener {
  public:
    explicit Signals(Store& store) : store_(store) {}
    ~Signals();
    Signals(const Signals&) = delete;
    Signals& operator=(const Signals&) = delete;

    void observe(QueryState& state, Observer& observer);  // throws std::bad_alloc
    void retire(Observer* observer) noexcept;
    bool change_under_way() const { return changing_; }

    void table_added(Table& table) noexcept;
    void rebuild() noexcept;  // after tables went

    void expect(const Table& table, std::uint64_t count);
    void spawned(std::span<const Entity> entities, const Table& table, StoreListener::Round round);
    void changing(const Change& change) noexcept;
    void changed();

    void resource_added(ResourceId id) override;
    void resource_removing(ResourceId id) override;

  private:
    // What one round of calls has thrown.
    struct Caught {
#if defined(__cpp_exceptions)
        std::exception_ptr thrown;
        explicit operator bool() const { return thrown != nullptr; }
#else
        explicit operator bool() const { return false; }
#endif
        void raise();  // if there is something
    };

    void begin_change() noexcept {
        if (changing_) return;
        changing_ = true;
        change_limit_ = next_born_;
    }
    void end_change() {
        if (graves_ != nullptr) bury_locked();
        changing_ = false;
        if (caught_) caught_.raise();
    }
    // Calls it, unless it has left, came after `limit`, or is a callback after a throw.
    template <class Call>
    void tell(Observer& observer, std::uint64_t limit, Caught& caught, Call&& call) noexcept;
    template <class Call>
    void tell_family(const QueryState& state, std::uint64_t limit, Caught& caught, Call&& call) noexcept;
    template <class Call>
    void tell_members(const QueryState& state, std::uint64_t limit, Caught& caught, Call&& call) noexcept;
    template <class Visit>
    void each_family(ResourceId id, std::uint64_t limit, Visit&& visit);
    bool may_hear(const Observer& observer) const;
    bool is_member(const Observer& observer, Entity entity, const Table& table) const;

    const Watchers& watchers_of(const Table& table) const;
    void watch(Table& table, Observer& observer) noexcept;
    void mark_sets(const QueryState& state);
    void take_out(Observer& observer) noexcept;
    void bury() noexcept;
    void bury_locked() noexcept;

    Store& store_;
    Watchers all_;
    std::unordered_map<Table*, Watchers> tables_;
    bool incomplete_ = false;  // there was no memory to note all
    bool changing_ = false;    // between changing() and the end of changed()
    int rounds_ = 0;           // calls that are under way
    std::uint64_t next_born_ = 1;
    std::uint64_t change_limit_ = 0;
    std::vector<Observer*> entering_;  // those whose query the changing entity will match; room for all is kept
    Entity entity_;
    Caught caught_;            // in this change
    Observer* graves_ = nullptr;
};

}  // namespace stoa::detail

// Signals: the observers of all queries of a world. For each observed table it lists the observers whose queries match
// the table, in order of subscription, and notifies them of changes. One per query index.
//
// Invariants: `Table::observers` lists exactly the observers whose queries match the table, unless `incomplete_`; then
// all observers are tested. While observers are being notified, lists only grow: an observer that is dropped is
// retired: silent from then on, and erased afterwards.
#pragma once

#include <exception>
#include <span>
#include <unordered_map>
#include <vector>

#include "stoa/detail/query/filtered_callback.hpp"

namespace stoa::detail {

class UsesLeft;

struct TableObservers {
    std::vector<ListObserver*> lists;
    std::vector<Observer*> callbacks;

    bool empty() const { return lists.empty() && callbacks.empty(); }
    // `list` is the observer itself if it is a ListObserver, else null.
    void add(Observer& observer, ListObserver* list) {
        if (list != nullptr) return lists.push_back(list);
        callbacks.push_back(&observer);
    }
    void erase(const Observer& observer) noexcept {
        std::erase(lists, &observer);
        std::erase(callbacks, &observer);
    }
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
    // Names observers of queries with these types, and those whose code is in their library. Throws std::bad_alloc.
    void name_uses(const LibraryTypes& types, UsesLeft& uses) const;

    void table_added(Table& table) noexcept;
    void rebuild() noexcept;  // after tables were removed

    void expect(const Table& table, std::uint64_t count);
    void spawned(std::span<const Entity> entities, const Table& table, StoreListener::Round round);
    void changing(const Change& change) noexcept;
    void changed();
    void notify_of_writes();

    void resource_added(ResourceId id) override;
    void resource_removing(ResourceId id) override;

  private:
    // The first exception of one round of callbacks.
    struct FirstException {
#if defined(__cpp_exceptions)
        std::exception_ptr thrown;
        explicit operator bool() const { return thrown != nullptr; }
#else
        explicit operator bool() const { return false; }
#endif
        void raise();  // rethrows it, if there is one
    };

    void begin_change() noexcept {
        if (changing_) return;
        changing_ = true;
        serial_limit_ = next_serial_;
    }
    void end_change() {
        if (retired_list_ != nullptr) delete_retired_locked();
        changing_ = false;
        if (exception_) exception_.raise();
    }
    // Calls `call(observer)`, unless the observer is silent, was subscribed after `limit`, or is a callback and
    // another one has thrown.
    template <class Call>
    void notify(Observer& observer, std::uint64_t limit, FirstException& exception, Call&& call) noexcept;
    template <class Call>
    void notify_family(const QueryState& state, std::uint64_t limit, FirstException& exception, Call&& call) noexcept;
    template <class Call>
    void notify_members(const QueryState& state, std::uint64_t limit, FirstException& exception, Call&& call) noexcept;
    template <class Visit>
    void each_family(ResourceId id, std::uint64_t limit, Visit&& visit);
    static bool follows(const Observer& observer, const Change& change);
    bool may_call(const Observer& observer) const;
    bool is_member(const Observer& observer, Entity entity, const Table& table) const;

    const TableObservers& observers_of(const Table& table) const;
    void list_in(Table& table, Observer& observer) noexcept;
    template <class Visit>
    void each_observer(Visit&& visit) const;
    void observe_sparse_sets(const QueryState& state);
    void erase(Observer& observer) noexcept;
    void delete_retired() noexcept;
    void delete_retired_locked() noexcept;

    // A write made the entity a member, or left it none.
    struct Written {
        bool enters;
        Entity entity;
        FilteredCallback* callback;
    };
    std::vector<Written> find_writes();
    void count_follower(const Observer& observer, int change) noexcept;

    Store& store_;
    TableObservers all_;
    std::unordered_map<Table*, TableObservers> tables_;
    int followers_ = 0;        // callbacks of filtered queries
    bool incomplete_ = false;  // memory ran out while observers were listed by table
    bool changing_ = false;    // between changing() and the end of changed()
    int rounds_ = 0;           // nested rounds of calls in progress
    std::uint64_t next_serial_ = 1;
    std::uint64_t serial_limit_ = 0;
    std::vector<Observer*> entering_;  // their queries will match the changing entity; has capacity for all observers
    Entity entity_;
    FirstException exception_;  // of this change
    Observer* retired_list_ = nullptr;
};

}  // namespace stoa::detail

// The lists behind a Watch: which entities entered a query, left it, or changed in it since the last clear. Arrivals
// and departures are pushed; changes are pulled from the ticks when they are asked for, and before an entity leaves.
//
// Invariants: an entity is in each list at most once; every list has capacity for as many entities as `entries_` has
// entries, so that only a new entry needs memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/detail/query/filtered_members.hpp"
#include "stoa/detail/query/observer.hpp"
#include "stoa/detail/watch/watch_entries.hpp"

namespace stoa::detail {

class STOA_API WatchLists : public ListObserver {
  public:
    enum List : std::uint8_t { added = 1, removed = 2, changed = 4 };

    // `lists`: bits of List, for the lists to keep. `filter` is that of a filtered query, or null. Throws
    // std::bad_alloc and what a filter throws.
    static WatchLists* make(Store& store, const QueryState& state, unsigned lists, Ref<ValueFilter> filter);

    // Lists the changes that this state matches: it has the terms of the query, and one Changed. `optional`: an entity
    // may lose the component and still match. Throws std::bad_alloc.
    void follow(QueryState& tracking, bool optional);
    // Changes from now on are listed.
    void start() noexcept;

    std::span<const Entity> list_of(List list) const {
        return list == added ? added_ : list == removed ? removed_ : changed_;
    }
    // Lists what writes did to a filter since the last call. Throws std::bad_alloc and what a filter throws: then
    // nothing has changed.
    void find_writes() {
        if (members_ != nullptr) list_writes();
    }
    // Brings `changed` up to date. Throws std::bad_alloc: then changes found so far are listed, and the next call finds
    // the rest.
    void find_changes();
    void clear() noexcept;

    void entered(Entity entity) override;
    void left(Entity entity) override;
    void expect(std::size_t count) override;

  protected:
    // `members`: those of a filtered query, or null.
    WatchLists(Store& store, unsigned wants, unsigned lists, FilteredMembers* members);

  private:
    // Tests an optional component for a change before it is removed.
    class DepartureObserver final : public ListObserver {
      public:
        DepartureObserver(WatchLists& lists, const QueryState& tracking)
            : ListObserver(leaves), lists_(lists), tracking_(tracking) {}
        void left(Entity entity) override {
            if (lists_.has_member(entity)) lists_.add_if_changed(tracking_, entity);
        }

      private:
        WatchLists& lists_;
        const QueryState& tracking_;
    };

    WatchEntry& entry_of(Entity entity);
    void reserve_lists(std::size_t count);
    bool try_reserve(std::size_t capacity) noexcept;
    void add_to_list(WatchEntry& at, List list);
    bool keeps(List list) const { return (lists_ & list) != 0; }
    // Whether an entity that matches the query is one whose changes are listed.
    bool has_member(Entity entity) const { return members_ == nullptr || members_->contains(entity); }
    void list_writes();
    bool has_changed(const QueryState& tracking, const WatchEntry& at) const;
    void add_if_changed(const QueryState& tracking, Entity entity);

    Store& store_;
    unsigned lists_;
    FilteredMembers* members_;
    std::vector<const QueryState*> followed_;
    std::vector<ObserverHold> departure_observers_;
    std::uint64_t seen_ = 0;  // the moment of the last find_changes()
    std::vector<Entity> added_;
    std::vector<Entity> removed_;
    std::vector<Entity> changed_;
    WatchEntries entries_;
};

}  // namespace stoa::detail

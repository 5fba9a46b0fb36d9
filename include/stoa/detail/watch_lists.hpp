// The lists behind a Watch: which entities entered a query, left it, or changed in it since the last clear. Entries and
// departures are pushed; changes are pulled from the ticks when someone asks, and before an entity leaves. Called by Watch.
//
// Invariants: an entity is in each list at most once; every list has room for as many entities as there are records, so a
// record is all that needs memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/detail/observer.hpp"

namespace stoa::detail {

class STOA_API WatchLists final : public Observer {
  public:
    enum List : std::uint8_t { added = 1, removed = 2, changed = 4 };

    // `lists` are those that are kept. Throws std::bad_alloc.
    WatchLists(Store& store, unsigned lists);

    // Counts the changes that this state sees: it has the terms of the query, and one Changed. `optional`: an entity may lose
    // the component and go on matching. Throws std::bad_alloc.
    void follow(QueryState& tracking, bool optional);
    // What happens from now on counts.
    void begin() noexcept;

    std::span<const Entity> list_of(List list) const { return list == added ? added_ : list == removed ? removed_ : changed_; }
    // Brings `changed` up to date. Throws std::bad_alloc: then what was found so far stands, and the rest is found next time.
    void look();
    void clear() noexcept;

    void entered(Entity entity) override;
    void left(Entity entity) override;
    void expect(std::size_t count) override;

  private:
    // Looks at an optional component before it goes.
    class Farewell final : public Observer {
      public:
        Farewell(WatchLists& lists, const QueryState& tracking) : Observer(leaves, Kind::keeper), lists_(lists), tracking_(tracking) {}
        void left(Entity entity) override { lists_.note_change(tracking_, entity); }

      private:
        WatchLists& lists_;
        const QueryState& tracking_;
    };

    static constexpr std::uint32_t fewest = 64;

    // What is known of one entity.
    struct Record {
        Entity entity;
        std::uint64_t entered;  // the moment; what was written up to then belongs to the addition
        std::uint32_t epoch;    // a record of another epoch is free
        std::uint32_t lists;
    };

    Record& record(Entity entity);
    bool reserve(std::size_t records) noexcept;
    void note(Record& at, List list);
    bool keeps(List list) const { return (lists_ & list) != 0; }
    bool has_changed(const QueryState& tracking, const Record& at) const;
    void note_change(const QueryState& tracking, Entity entity);

    Store& store_;
    unsigned lists_;
    std::vector<const QueryState*> followed_;
    std::vector<ObserverHold> farewells_;
    std::uint64_t seen_ = 0;  // the moment of the last look
    std::vector<Entity> added_;
    std::vector<Entity> removed_;
    std::vector<Entity> changed_;
    // Open addressing by entity. It grows when it is half full, and works on until it is full when there is no memory.
    std::vector<Record> records_;
    std::size_t used_ = 0;
    std::uint32_t epoch_ = 1;
};

}  // namespace stoa::detail

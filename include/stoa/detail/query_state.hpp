// The compiled half of a query: which tables match, and what else an entity must pass. Equal queries share one state; it
// is kept current by push, when tables come and go, and lives as long as its world. Filled by src/query.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/detail/terms.hpp"

namespace stoa::detail {

class STOA_API QueryState {
  public:
    // Matching tables, in order of creation. Tables that have been empty for long are left out.
    std::span<Table* const> tables() const { return tables_; }

    // True when every row of a matching table matches.
    bool is_plain() const { return plain_; }
    bool tracks() const { return !tracked_.empty(); }
    // Whether all resources that it needs exist.
    bool active(const Store& store) const {
        for (const ResourceId id : needs_) {
            if (!store.resources().has(id)) return false;
        }
        return true;
    }

    // The entity's row when it matches.
    Place find(const Store& store, Entity entity, Since since) const;

    // A walk came across an empty table: when that happens often, the list is tidied up.
    void note_empty(const Store& store) const {
        if (__atomic_add_fetch(&empties_, 1, __ATOMIC_RELAXED) >= many_empties) store.listener()->want_care(true);
    }

  private:
    friend class QueryIndex;
    friend class Signals;
    friend class Sieve;

    static constexpr std::uint32_t many_empties = 256;

    struct Condition {
        ComponentId id;
        std::uint32_t group;
        bool sparse;
        bool cleanup;

        friend bool operator==(const Condition&, const Condition&) = default;
    };
    struct Tracked {
        ComponentId id;
        bool added;
        bool sparse;

        friend bool operator==(const Tracked&, const Tracked&) = default;
    };

    QueryState() = default;

    bool matches(const Table& table) const;
    // What sparse components ask of an entity in a matching table.
    bool passes(const Store& store, Entity entity, const Table& table, Since since) const;
    // The same without tracking terms; `has(id)` says whether it has a sparse component.
    template <class Has>
    bool has_sparse_of(const Table& table, Has&& has) const;
    // Whether it is a member before a change, and after it.
    bool matched_before(const Store& store, const Change& change) const;
    bool matches_after(const Store& store, const Change& change) const;
    // What tracking terms on table components ask of a row.
    bool changed(const Place& place, Since since) const;
    bool is_tracked(ComponentId id) const;
    // The rows that match, when sparse conditions leave few: in walk order. False when walking the tables is as good.
    bool collect_few(const Store& store, Since since, std::vector<Location>& out) const;

    void add(Table& table);
    void drop_sleeping() noexcept;

    // What a new table is tested with stands first: there may be many queries, and each test reads another one.
    std::vector<Table*> tables_;
    std::vector<ComponentId> columns_;  // the required components that are in tables
    std::uint64_t digest_ = 0;          // their bits
    std::uint32_t groups_ = 0;
    bool plain_ = true;
    bool tests_entities_ = false;  // some condition is on a sparse component
    bool sees_ghosts_ = false;
    std::vector<Condition> excluded_;
    std::vector<Condition> required_;
    std::vector<Condition> any_;
    std::vector<Tracked> tracked_;  // all of them are required too
    std::vector<ResourceId> needs_;
    mutable std::uint32_t empties_ = 0;
};

// The state for these terms in this store; made on first use. Throws std::bad_alloc, Errc::world_gone.
STOA_API QueryState& query_state(Store& store, TermList& terms);

// Brings all states up to date after a table came or went when there was no memory to note it, and takes tables that
// have been empty for long out of the lists. Throws std::bad_alloc.
STOA_API void care_for_queries(Store& store);

// How many different queries the store knows.
STOA_API std::size_t query_count(const Store& store);

// Sentences.
[[noreturn]] STOA_API void fail_query_gone();
[[noreturn]] STOA_API void fail_not_single(std::size_t count);

}  // namespace stoa::detail

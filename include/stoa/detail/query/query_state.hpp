// The compiled half of a query: which tables match, and which further conditions an entity must pass. Equal queries
// share one state. It is updated when tables are made and removed, and lives as long as its world. Filled by src/query.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "stoa/detail/query/term.hpp"

namespace stoa::detail {

struct LibraryTypes;

class STOA_API QueryState {
  public:
    QueryState(const QueryState&) = delete;
    QueryState& operator=(const QueryState&) = delete;
    ~QueryState();

    // The link of the handles of this query. A state has one of its own, so that handles are counted by query.
    StoreLink& link() const { return *link_; }

    // Matching tables, in order of creation. Dormant tables are left out.
    std::span<Table* const> tables() const { return tables_; }

    // True when every row of a matching table matches.
    bool is_plain() const { return plain_; }
    bool tracks() const { return tracks_; }
    // Whether all resources that it needs exist.
    bool active(const Store& store) const {
        for (const ResourceId id : needs_) {
            if (!store.resources().has(id)) return false;
        }
        return true;
    }

    // The entity's row when it matches.
    EntityRow find(const Store& store, Entity entity, Since since) const;

    // Whether the entity of an announced change matches before it, and after it, whatever tracking terms ask.
    bool matched_before(const Store& store, const Change& change) const;
    bool matches_after(const Store& store, const Change& change) const;

    // The smallest sparse set that it requires; of unlimited size when it requires none.
    struct SparseSize {
        std::uint64_t size = ~std::uint64_t{0};
        std::string_view name = {};
    };
    SparseSize smallest_sparse(const Store& store) const;

    // Records that a walk met an empty table; if that happens often, dormant tables are removed from the list.
    void note_empty(const Store& store) const {
        if (__atomic_add_fetch(&empties_, 1, __ATOMIC_RELAXED) >= many_empties)
            store.notifier().listener()->want_care(true);
    }

  private:
    friend class QueryIndex;
    friend class Signals;
    friend class RowSelector;

    static constexpr std::uint32_t many_empties = 256;

    // A condition with one alternative.
    struct Single {
        ComponentId id;
        bool sparse;

        friend auto operator<=>(const Single&, const Single&) = default;
    };
    // One of several alternatives.
    struct Choice {
        ComponentId id;
        bool present;
        bool sparse;
        Tracking tracking;

        friend auto operator<=>(const Choice&, const Choice&) = default;
    };
    struct Tracked {
        ComponentId id;
        bool added;
        bool sparse;

        friend auto operator<=>(const Tracked&, const Tracked&) = default;
    };

    QueryState() = default;

    bool matches(const Table& table) const;
    // The name of a type of the library that a term names; empty if there is none.
    std::string_view name_of(const LibraryTypes& types, const Store& store) const;
    // What the conditions on sparse components ask of an entity in a matching table, except changes_.
    bool passes(const Store& store, Entity entity, const Table& table, Since since) const;
    // The same without tracking terms; `has(id)` says whether it has a sparse component.
    template <class Has>
    bool passes_sparse(const Table& table, Has&& has) const;
    // What tracking terms on table components ask of a row.
    bool changed(const EntityRow& place, Since since) const;
    // What changes_ ask of an entity; and one alternative of them, if it is on a sparse component.
    bool passes_changes(const Store& store, Entity entity, const EntityRow& place, Since since) const;
    static bool holds_sparse(const Choice& choice, const Store& store, Entity entity, Since since);
    bool is_tracked(ComponentId id) const;
    // Calls visit(id) for each sparse component that a condition names.
    template <class Visit>
    void each_sparse(Visit&& visit) const {
        for (const auto* conditions : {&required_, &excluded_}) {
            for (const Single& condition : *conditions) {
                if (condition.sparse) visit(condition.id);
            }
        }
        for (const std::vector<Choice>& choices : choices_) {
            for (const Choice& choice : choices) {
                if (choice.sparse) visit(choice.id);
            }
        }
    }
    // Collects the matching rows in walk order, if sparse conditions leave few. False if walking the tables is not
    // slower.
    bool collect_few(const Store& store, Since since, std::vector<Location>& out) const;

    void add(Table& table);
    void drop_dormant() noexcept;

    // The members that test a new table come first: there may be many queries, and each test reads another state.
    std::vector<Table*> tables_;
    std::vector<ComponentId> columns_;  // the required components that are in tables
    std::uint64_t digest_ = 0;          // their bits
    bool plain_ = true;
    bool names_sparse_ = false;    // some condition is on a sparse component
    bool tests_entities_ = false;  // so, or there are changes_
    bool sees_ghosts_ = false;
    bool tracks_ = false;
    std::vector<Single> excluded_;
    std::vector<Single> required_;
    std::vector<std::vector<Choice>> choices_;  // the conditions with several alternatives; none of these tracks
    std::vector<Tracked> tracked_;              // all of them are required too
    // The conditions with several alternatives of which some track. What they ask besides is in choices_ or required_.
    std::vector<std::vector<Choice>> changes_;
    std::vector<ResourceId> needs_;
    StoreLink* link_ = nullptr;
    mutable std::uint32_t empties_ = 0;
};

// The state for these terms in this store; made on first use. Throws std::bad_alloc, Errc::world_gone.
STOA_API QueryState& query_state(Store& store, TermList& terms);

// The same for a reader of a const world: several threads may call it, while others walk what they made by it.
STOA_API QueryState& query_state_for_reader(Store& store, TermList& terms);

// Updates all states after a table was made or removed without memory to record it, and removes dormant tables from the
// lists. Throws std::bad_alloc.
STOA_API void care_for_queries(Store& store);

// The same for a reader of a const world, before its walk. It leaves dormant tables where they are.
STOA_API void care_for_reader(Store& store);

// How many different queries the store knows.
STOA_API std::size_t query_count(const Store& store);

// Errors.
[[noreturn]] STOA_API void fail_query_gone();
[[noreturn]] STOA_API void fail_not_single(std::size_t count);

}  // namespace stoa::detail

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
    // Matching tables, in order of creation; empty ones too.
    std::span<Table* const> tables() const { return tables_; }

    // True when every row of a matching table matches.
    bool is_plain() const { return plain_; }

    // What sparse components ask of an entity in a matching table.
    bool passes(const Store& store, Entity entity, const Table& table) const;

    // The entity's row when it matches.
    Place find(const Store& store, Entity entity) const;

    // The rows that match, when sparse conditions leave few: in walk order. False when walking the tables is as good.
    bool collect_few(const Store& store, std::vector<Location>& out) const;

  private:
    friend class QueryIndex;

    struct Condition {
        ComponentId id;
        std::uint32_t group;
        bool sparse;
        bool cleanup;

        friend bool operator==(const Condition&, const Condition&) = default;
    };

    QueryState() = default;

    bool matches(const Table& table) const;

    std::vector<Table*> tables_;
    bool plain_ = true;
    bool sees_ghosts_ = false;
    std::uint32_t groups_ = 0;
    std::vector<Condition> required_;
    std::vector<Condition> excluded_;
    std::vector<Condition> any_;
};

// The state for these terms in this store; made on first use. Throws std::bad_alloc, Errc::world_gone.
STOA_API QueryState& query_state(Store& store, TermList& terms);

// Brings all states up to date after a table came or went when there was no memory to note it. Throws std::bad_alloc.
STOA_API void refresh_queries(Store& store);

// How many different queries the store knows.
STOA_API std::size_t query_count(const Store& store);

// Sentences.
[[noreturn]] STOA_API void fail_query_gone();
[[noreturn]] STOA_API void fail_not_single(std::size_t count);

}  // namespace stoa::detail

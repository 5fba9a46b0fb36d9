// The components that trust tests work with: one for each way a type can be awkward (self-pointing, move-only,
// non-movable, empty, over-aligned, pooled, surviving its entity) in each kind of storage. Invariant: each of them can
// carry one number or none, and a default-constructed one carries 0 (see values.hpp). Called by the model, the fault
// loops and the limits.
#pragma once

#include "traced.hpp"

#include <stoa/stoa.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace stoa_test {

// Plain data in tables. Position has no initializers: only value-initialization makes it zero.
struct Position {
    int x;
    int y;
};
struct Velocity {
    double dx = 0;
    double dy = 0;
};

/// Holds a string in a table: short ones point into themselves, long ones allocate.
struct Name {
    std::string text;
};

/// Knows when it is built, copied, moved and destroyed, and can throw.
struct Counted : Traced<Counted> {
    using Traced::Traced;
};
struct Counted2 : Traced<Counted2> {
    using Traced::Traced;
};

/// Cannot be copied.
struct Owner {
    std::unique_ptr<int> number;
};

// Tags.
struct Red {};
struct Blue {};

/// Plain data outside the tables.
struct Burning {
    int heat = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

/// A string outside the tables.
struct Note {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

/// Can neither be copied nor moved, so it lives outside the tables.
struct Pinned : Traced<Pinned> {
    using Traced::Traced;
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

/// Counted, outside the tables.
struct SparseCounted : Traced<SparseCounted> {
    using Traced::Traced;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

/// Outside the tables, where even moving may throw.
struct Clumsy : Traced<Clumsy> {
    using Traced::Traced;
    Clumsy(const Clumsy&) = default;
    Clumsy(Clumsy&& other) noexcept(false) : Traced(spent(std::move(other))) {}
    Clumsy& operator=(const Clumsy&) = default;
    Clumsy& operator=(Clumsy&& other) noexcept(false) {
        Traced::operator=(spent(std::move(other)));
        return *this;
    }
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};

  private:
    static Traced&& spent(Traced&& other) {
        ConstructionFaults::spend();
        return std::move(other);
    }
};

/// A tag outside the tables.
struct Flag {
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

/// Recycled instead of destroyed.
struct Bag {
    std::vector<int> items;
    void reset() noexcept { items.clear(); }
    static constexpr stoa::Traits stoa_traits{.pooled = true};
};

/// Recycled, outside the tables.
struct Crate {
    std::vector<int> items;
    void reset() noexcept { items.clear(); }
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse, .pooled = true};
};

/// Recycled and counted.
struct PooledCounted : Traced<PooledCounted> {
    using Traced::Traced;
    void reset() noexcept { value = 0; }
    static constexpr stoa::Traits stoa_traits{.pooled = true};
};

/// Survives its entity, in a table.
struct Grave {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

/// Survives its entity, outside the tables.
struct Tomb : Traced<Tomb> {
    using Traced::Traced;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse, .cleanup = true};
};

/// A tag that survives its entity.
struct Haunted {
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

/// Over-aligned.
struct alignas(64) Wide {
    int number = 0;
};

/// Empty, but with a life of its own: an ordinary component, not a tag.
struct Hollow {
    Hollow() { begin(ledger().constructed); }
    Hollow(const Hollow&) { begin(ledger().copied); }
    Hollow(Hollow&&) noexcept {
        ++ledger().alive;
        ++ledger().moved;
    }
    Hollow& operator=(const Hollow&) {
        ConstructionFaults::spend();
        return *this;
    }
    Hollow& operator=(Hollow&&) noexcept { return *this; }
    ~Hollow() {
        --ledger().alive;
        ++ledger().destroyed;
    }
    static Ledger& ledger() { return ledger_of<Hollow>; }

  private:
    static void begin(std::uint64_t& how) {
        ConstructionFaults::spend();
        ++how;
        ++ledger().alive;
    }
};

using Score = stoa::Alias<int, struct ScoreTag>;

static_assert(std::is_empty_v<Red> && std::is_empty_v<Hollow>);
static_assert(!std::is_move_constructible_v<Pinned>);

}  // namespace stoa_test

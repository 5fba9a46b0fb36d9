// The naive model of a world: a map from entity to a map from component kind to number. Each verb says what the library
// must answer. Invariant: an entity is in the map exactly while it is alive or a ghost; a ghost has cleanup kinds only
// and at least one. Called by the driver.
#pragma once

#include "id_oracle.hpp"
#include "kinds.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace stoa_test {

struct ReferenceRow {
    bool ghost = false;
    std::map<std::uint32_t, int> numbers;  // by kind

    KindMask mask() const;
};

class Reference {
  public:
    Reference(std::uint32_t first_generation, std::uint32_t last_generation) : ids(first_generation, last_generation) {}

    /// Returns the row of a living entity, or null.
    ReferenceRow* living(stoa::Entity entity);
    /// Returns the row of a living entity or a ghost, or null.
    ReferenceRow* present(stoa::Entity entity);

    /// A new entity without components. Requires: the id was taken from `ids`.
    ReferenceRow& spawn(stoa::Entity entity);
    /// Returns what despawn must answer.
    bool despawn(stoa::Entity entity);
    /// Adds the kinds that are missing with number 0. Returns what add must answer.
    bool add(stoa::Entity entity, std::span<const std::uint32_t> named);
    /// Returns what remove must answer.
    bool remove(stoa::Entity entity, std::span<const std::uint32_t> named);
    bool remove_all(stoa::Entity entity);
    void clear();

    bool has(stoa::Entity entity, std::span<const std::uint32_t> named);
    bool has_any(stoa::Entity entity, std::span<const std::uint32_t> named);

    std::size_t alive_count() const { return alive_; }
    std::size_t ghost_count() const { return rows.size() - alive_; }

    std::map<stoa::Entity, ReferenceRow> rows;
    IdOracle ids;

  private:
    std::size_t alive_ = 0;
};

}  // namespace stoa_test

// The steps of moving and removing rows, of which despawn, remove and add consist. A row leaves its table in one step:
// its values are moved along a migration or destroyed, the last row of the table fills the hole, and both locations are
// written to the directory. The steps are inline in move_rows.hpp, because each verb does little else and runs a few
// instructions per column.
#pragma once

#include <cstdint>

#include "stoa/detail/entity/directory.hpp"
#include "stoa/detail/storage/change_clock.hpp"
#include "stoa/detail/storage/chunk_directory.hpp"
#include "stoa/detail/storage/lock.hpp"
#include "stoa/detail/storage/table.hpp"
#include "storage/change_tracking.hpp"
#include "storage/removed_values.hpp"
#include "storage/table_growth.hpp"

namespace stoa::detail {

class RowMover {
  public:
    RowMover(Directory& directory, ChunkDirectory& chunks, const ChangeClock& clock, StructureLock& lock,
             ChangeTracking& tracking, TableGrowth& growth, RemovedValues& removed) noexcept
        : directory_(directory),
          chunks_(chunks),
          clock_(clock),
          lock_(lock),
          tracking_(tracking),
          growth_(growth),
          removed_(removed) {}
    RowMover(const RowMover&) = delete;
    RowMover& operator=(const RowMover&) = delete;

    // Moves one row along a migration, to the row that make_room opened at the tail of the target. Values without a
    // column in the target stay in the departing row of their chunk; end_departed destroys them.
    void move(Entity entity, Table& source, Location from, Migration& migration) noexcept;
    void end_departed(Entity entity, Table& source, Location from, Migration& migration) noexcept;
    // Removes a row and destroys its values.
    void drop(Table& table, Location at) noexcept;
    // The same where values are plain bytes.
    void drop_plain(Table& table, Location at) noexcept;
    // Destroys the values of all rows of a table. Requires: the directory has released the entities.
    void drop_all(Table& table) noexcept;

  private:
    void close_last_row(Table& table) noexcept;
    void close_hole(Table& table, Location at, const Chunk& chunk) noexcept;
    void move_values(Table& source, Location from, Migration& migration) noexcept;
    void end_departed_values(Entity entity, Table& source, Location from, Migration& migration) noexcept;
    void drop_with_values(Table& table, Location at) noexcept;

    Directory& directory_;
    ChunkDirectory& chunks_;
    const ChangeClock& clock_;
    StructureLock& lock_;
    ChangeTracking& tracking_;
    TableGrowth& growth_;
    RemovedValues& removed_;
};

}  // namespace stoa::detail

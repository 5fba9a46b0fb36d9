// Changes to all rows of a table at once. Where source and target have the same columns, as with tags, whole chunks
// change hands without a value being copied: a chunk keeps its number, so not even the directory hears of it. Else
// values move column by column. All memory is taken before a table changes, so each table is changed wholly or not at
// all.
#include <algorithm>
#include <vector>

#include "stoa/detail/storage/replace.hpp"
#include "stoa/detail/storage/whole_tables.hpp"
#include "storage/move_rows.hpp"

namespace stoa::detail {
namespace {

void fill(std::byte* base, ColumnAt at, std::size_t row, std::size_t count, std::size_t size,
          const void* value) noexcept {
    std::byte* to = cell_at(base, at.offset, row, size);
    for (std::size_t i = 0; i < count && size != 0; ++i) std::memcpy(to + i * size, value, size);
}

// The move of all rows of a table along a migration.
class WholeTableMove {
  public:
    WholeTableMove(Store& store, Table& source, Migration& migration)
        : store_(store),
          state_(store.state()),
          source_(source),
          target_(*migration.target),
          migration_(migration),
          now_(store.tick()) {}
    WholeTableMove(const WholeTableMove&) = delete;
    WholeTableMove& operator=(const WholeTableMove&) = delete;
    ~WholeTableMove() {
        for (RowTicks** rows : stamps_) state_.tracking.free_row_ticks(target_, rows);
    }

    // Takes all memory. Throws std::bad_alloc, Errc::capacity.
    void prepare() {
        if (source_.tail_rows() == 0) state_.growth.retreat_tail(source_);
        const bool same_columns = migration_.kept == source_.column_count() &&
                                  source_.column_count() == target_.column_count() &&
                                  source_.tick_bytes() == target_.tick_bytes();
        adopts_ = same_columns && target_.row_count() == 0 && target_.reserved_chunks() == 0;
        if (adopts_) return prepare_stamps(source_.chunk_count());
        // Only full-size chunks can stand beside others.
        if (same_columns && source_.has_full_chunks() && target_.has_full_chunks()) {
            handed_ = source_.tail_position() + (source_.tail_rows() == source_.chunk_rows() ? 1 : 0);
            prepare_stamps(handed_);
        }
        const std::uint64_t moved = source_.row_count() - std::uint64_t{handed_} * source_.chunk_rows();
        if (moved != 0) state_.growth.reserve_rows(target_, target_.row_count() + moved);
        target_.reserve_chunk_numbers(state_.pool, target_.chunk_count() + handed_);
    }

    // `added` are the values of components that are new; nothing else is.
    void commit(TypeList* added, const void* const* values) noexcept {
        if (adopts_) return adopt();
        if (handed_ != 0) splice(handed_);
        if (source_.row_count() != 0) move_columns(added, values);
    }

  private:
    // Ticks of rows stand under other positions in the target, and what is new there may be tracked.
    void prepare_stamps(std::uint32_t chunks) {
        for (std::uint32_t c = 0; target_.is_tracked() && c < chunks; ++c) {
            stamps_.push_back(nullptr);
            stamps_.back() = state_.tracking.make_row_ticks(target_, source_.chunk_rows());
        }
    }

    // Makes a chunk of the source one of the target. The two have the same layout.
    void relabel(std::uint32_t c) noexcept {
        Chunk& chunk = store_.chunks()[source_.chunks()[c]];
        RowTicks** stamps = stamps_.empty() ? nullptr : std::exchange(stamps_[c], nullptr);
        const std::uint32_t count = target_.id_count();
        Tick* const ticks = chunk.ticks;
        const auto old_position = [&](std::uint32_t position) {
            const ColumnAt from = source_.find(target_.ids()[position - 1]);
            return from.offset != ColumnAt::absent ? index_of(from.tick_index) : 0;
        };
        // Old and new ticks share their place. Both are in the order of ids, so ticks that move to the front, moved
        // from the front on, overwrite none that is needed; nor do the others, from the back on. New ones come last.
        for (std::uint32_t position = 1; position <= count; ++position) {
            const std::uint32_t old = old_position(position);
            if (old > position) ticks[position] = ticks[old];
            if (stamps != nullptr && stamps[position] != nullptr && old != 0)
                std::swap(stamps[position], chunk.row_ticks[old]);
        }
        for (std::uint32_t position = count; position > 0; --position) {
            const std::uint32_t old = old_position(position);
            if (old != 0 && old < position) ticks[position] = ticks[old];
        }
        ticks[0] = now_;
        for (std::uint32_t position = 1; position <= count; ++position) {
            if (old_position(position) == 0) ticks[position] = now_;
        }
        state_.tracking.free_row_ticks(source_, chunk.row_ticks);
        chunk.row_ticks = stamps;
        chunk.columns = &target_.map();
    }

    void adopt() noexcept {
        state_.growth.release_all_chunks(target_);
        for (std::uint32_t c = 0; c < source_.chunk_count(); ++c) relabel(c);
        target_.adopt_chunks(source_);
        state_.growth.set_tail(target_, source_.tail_position(), source_.tail_rows());
        state_.growth.release_all_chunks(source_);
        state_.growth.reactivate(target_);
    }

    // The first chunks of the source go before the tail of the target.
    void splice(std::uint32_t count) noexcept {
        for (std::uint32_t c = 0; c < count; ++c) relabel(c);
        target_.take_chunks_before_tail(source_, count);
        state_.growth.set_tail(target_, target_.tail_position() + count, target_.tail_rows());
        if (source_.chunk_count() == 0) {
            state_.growth.release_all_chunks(source_);
        } else {
            // The tail is the first chunk now; or a spare one, when the source was full to the last row.
            state_.growth.set_tail(source_, 0, source_.tail_position() < count ? 0 : source_.tail_rows());
        }
    }

    void move_columns(TypeList* added, const void* const* values) noexcept {
        migration_.refresh(source_);

        // Values that leave are ended when everything else has arrived, and the destructors find the world whole.
        const Store::Lock lock(store_);
        const std::uint32_t last_chunk = source_.tail_position();
        const std::uint32_t last_rows = source_.tail_rows();
        for (std::uint32_t c = 0; c <= last_chunk; ++c) {
            const std::uint32_t rows = c == last_chunk ? last_rows : source_.chunk_rows();
            for (std::uint32_t row = 0; row < rows;) {
                if (!target_.has_room()) state_.growth.advance_tail(target_);
                const std::uint32_t piece = std::min(rows - row, target_.chunk_rows() - target_.tail_rows());
                move_piece(source_.chunks()[c], row, piece);
                if (added != nullptr) fill_added(*added, values, piece);
                row += piece;
            }
        }
        state_.growth.set_tail(source_, 0, 0);
        for (std::uint32_t i = migration_.kept; source_.has_objects() && i < migration_.steps_count; ++i) {
            const Column& column = source_.columns()[migration_.steps()[i].column];
            for (std::uint32_t c = 0; c <= last_chunk; ++c) {
                std::byte* base = store_.chunks()[source_.chunks()[c]].base;
                const std::uint32_t rows = c == last_chunk ? last_rows : source_.chunk_rows();
                for (std::uint32_t row = 0; row < rows; ++row)
                    state_.object_pools.recycle_or_destroy(*column.type, column.id, cell_of(base, column, row));
            }
        }
        state_.growth.release_emptied_chunks(source_);
    }

    // Rows of one chunk, to the tail of the target, which has room for them.
    void move_piece(ChunkNumber number, std::uint32_t row, std::uint32_t count) noexcept {
        const Chunk& from = store_.chunks()[number];
        const std::uint32_t to_row = target_.tail_rows();
        for (const ColumnMove *step = migration_.steps(), *end = step + migration_.kept; step != end; ++step) {
            const Column& column = source_.columns()[step->column];
            column.type->relocate_values(cell_at(target_.tail_base(), step->to, to_row, column.size),
                                         cell_of(from.base, column, row), count);
        }
        const Entity* ids = entities(from.base) + row;
        std::copy_n(ids, count, entities(target_.tail_base()) + to_row);
        const bool has_stamps = source_.is_tracked() || target_.is_tracked();
        for (std::uint32_t i = 0; i < count; ++i) {
            const Location to = Location::of(target_.tail_chunk_number(), to_row + i);
            store_.directory().move(ids[i], {to.bits | target_.dead_bit()});
            if (has_stamps) state_.tracking.carry(from, row + i, target_);
            target_.set_tail_rows(target_.tail_rows() + 1);
        }
        target_.tail_ticks()[0] = now_;
    }

    // The new components of the last rows of the target.
    void fill_added(TypeList& list, const void* const* values, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const ComponentId id = store_.id_of(*list.types[i]);
            if (source_.has(id)) continue;
            const ColumnAt at = target_.find(id);
            target_.tail_ticks()[index_of(at.tick_index)] = now_;
            fill(target_.tail_base(), at, target_.tail_rows() - count, count, list.types[i]->type->size, values[i]);
        }
    }

    Store& store_;
    Store::State& state_;
    Table& source_;
    Table& target_;
    Migration& migration_;
    const Tick now_;
    bool adopts_ = false;
    std::uint32_t handed_ = 0;        // chunks that change hands
    std::vector<RowTicks**> stamps_;  // for the chunks that change hands
};

// Replaces a component in all rows, if the table has it.
void fill_column(Store& store, const Table& table, TypeHandle& slot, const void* value) noexcept {
    const ColumnAt at = table.find(store.id_of(slot));
    if (at.offset == ColumnAt::absent || slot.type->size == 0) return;
    for (std::uint32_t c = 0; c < table.used_chunk_count(); ++c) {
        const Chunk& chunk = store.chunks()[table.chunks()[c]];
        chunk.stamp(at, 0, table.rows_at(c), store.tick());
        fill(chunk.base, at, 0, table.rows_at(c), slot.type->size, value);
    }
}

void fill_table(Store& store, const Table& table, TypeList& list, const void* const* values) noexcept {
    for (std::uint32_t i = 0; i < list.count; ++i) fill_column(store, table, *list.types[i], values[i]);
}

// One of many, where each is announced.
bool put_row(Store& store, Entity entity, TypeList& list, const void* const* values, bool replace, const char* verb) {
    const Edit edit = store.begin_add(store.locate(entity), list, verb);
    const auto put = [&](const Table& table, std::byte* base, std::uint32_t row, bool present) {
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const ComponentId id = store.id_of(*list.types[i]);
            if (edit.source->has(id) == present)
                fill(base, table.find(id), row, 1, list.types[i]->type->size, values[i]);
        }
    };
    put(*edit.target, edit.target->tail_base(), edit.row, false);
    const bool notifies = store.notifier().before_move({entity, edit.source, edit.target});
    store.state().mover.move(entity, *edit.source, edit.from, *edit.migration);
    store.state().mover.end_departed(entity, *edit.source, edit.from, *edit.migration);
    const Location at = store.directory().location(entity.index());
    const Chunk& chunk = store.chunks()[at.chunk()];
    if (replace) {
        put(*edit.target, chunk.base, at.row(), true);
        for (std::uint32_t i = 0; i < list.count; ++i)
            chunk.stamp(edit.target->find(store.id_of(*list.types[i])), at.row(), store.tick());
    }
    if (notifies) store.notifier().after_move();
    return true;
}

// Calls visit(entity) for the entities that are in the table now, and counts how often it returns true. Rows may come
// and go.
template <class Visit>
std::uint64_t each_row_of(const Store& store, const Table& table, Visit&& visit) {
    std::vector<Entity> ids;
    ids.reserve(table.row_count());
    each_entity(store, table, [&](Entity entity) { ids.push_back(entity); });
    std::uint64_t changed = 0;
    for (const Entity entity : ids) changed += visit(entity) ? 1u : 0u;
    return changed;
}

}  // namespace

std::uint64_t put_rows(Store& store, std::span<Table* const> tables, TypeList& list, const void* const* values,
                       bool replace, const char* verb) {
    store.require_unlocked(verb);
    Store::State& state = store.state();
    std::uint64_t changed = 0;
    const auto lacks = [&](const Table& table) {
        return std::any_of(list.types, list.types + list.count,
                           [&](TypeHandle* slot) { return !table.has(store.id_of(*slot)); });
    };
    // First those that have everything, so that what arrives there is not counted twice.
    for (const Table* table : tables) {
        if (!replace || table->is_ghost() || table->row_count() == 0 || lacks(*table)) continue;
        fill_table(store, *table, list, values);
        changed += table->row_count();
    }
    for (Table* table : tables) {
        if (table->is_ghost() || table->row_count() == 0 || !lacks(*table)) continue;
        Migration& migration = state.catalog.adding(*table, list);
        if (table->is_observed() || migration.target->is_observed()) {
            changed += each_row_of(store, *table,
                                   [&](Entity entity) { return put_row(store, entity, list, values, replace, verb); });
            continue;
        }
        WholeTableMove move(store, *table, migration);
        move.prepare();
        changed += table->row_count();
        if (replace) fill_table(store, *table, list, values);
        move.commit(&list, values);
    }
    return changed;
}

std::uint64_t replace_rows(Store& store, std::span<Table* const> tables, TypeList& list, const void* value) {
    store.require_unlocked("replace_all");
    Store::State& state = store.state();
    const void* const values[] = {nullptr, value};
    std::uint64_t changed = 0;
    for (Table* table : tables) {
        if (table->is_ghost() || table->row_count() == 0 || !table->has(store.id_of(*list.types[0]))) continue;
        Migration& migration = *state.catalog.replacing(*table, list);
        if ((table->reports() | migration.target->reports()) != 0) {
            changed +=
                each_row_of(store, *table, [&](Entity entity) { return replace_bytes(store, entity, list, value); });
            continue;
        }
        WholeTableMove move(store, *table, migration);
        move.prepare();
        changed += table->row_count();
        fill_column(store, *table, *list.types[1], value);
        move.commit(&list, values);
    }
    return changed;
}

std::uint64_t remove_rows(Store& store, std::span<Table* const> tables, TypeList& list) {
    store.require_unlocked("remove_all");
    Store::State& state = store.state();
    std::uint64_t changed = 0;
    for (Table* table : tables) {
        const bool has_some = std::any_of(list.types, list.types + list.count,
                                          [&](TypeHandle* slot) { return table->has(store.id_of(*slot)); });
        if (table->row_count() == 0 || !has_some) continue;
        if (table->is_ghost()) {
            changed += each_row_of(store, *table, [&](Entity entity) { return store.remove(entity, list); });
            continue;
        }
        Migration& migration = *state.catalog.removing(*table, list);
        if ((table->reports() | migration.target->reports()) != 0) {
            changed += each_row_of(store, *table, [&](Entity entity) { return store.remove(entity, list); });
            continue;
        }
        WholeTableMove move(store, *table, migration);
        move.prepare();
        changed += table->row_count();
        move.commit(nullptr, nullptr);
    }
    return changed;
}

std::uint64_t despawn_rows(Store& store, std::span<Table* const> tables) {
    store.require_unlocked("despawn_all");
    Store::State& state = store.state();
    std::uint64_t changed = 0;
    for (Table* table : tables) {
        if (table->row_count() == 0 || table->is_ghost()) continue;
        // Ghosts, sparse components, observers and logged values are handled one entity at a time.
        if (table->has_cleanup() || table->reports() != 0 || !store.sparse_sets().all().empty()) {
            changed += each_row_of(store, *table, [&](Entity entity) { return store.despawn(entity); });
            continue;
        }
        const Store::Lock lock(store);
        changed += table->row_count();
        each_entity(store, *table, [&](Entity entity) { store.directory().release(entity.index()); });
        state.tracking.note_all_depart(*table);
        state.mover.drop_all(*table);
    }
    return changed;
}

}  // namespace stoa::detail

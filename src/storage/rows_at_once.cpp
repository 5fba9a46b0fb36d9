// Changes to all rows of a table at once. Where source and target have the same columns, as with tags, whole chunks change
// hands without a value being copied: a chunk keeps its number, so not even the directory hears of it. Else values move column
// by column. All memory is taken before a table changes, so each table is changed wholly or not at all.
#include <algorithm>
#include <vector>

#include "storage/rows.hpp"

namespace stoa::detail {

// The move of all rows of a table along a plan.
class Store::State::Exodus {
  public:
    Exodus(State& state, Table& source, Plan& along)
        : state_(state), source_(source), target_(*along.target), along_(along), now_(state.store.tick()) {}
    Exodus(const Exodus&) = delete;
    Exodus& operator=(const Exodus&) = delete;
    ~Exodus() {
        for (RowTicks** rows : stamps_) state_.free_row_ticks(target_, rows);
    }

    // Takes all memory. Throws std::bad_alloc, Errc::capacity.
    void prepare() {
        if (source_.tail_rows == 0) state_.retreat_tail(source_);
        const bool same_columns = along_.kept == source_.column_count && source_.column_count == target_.column_count &&
                                  tick_bytes(source_) == tick_bytes(target_);
        adopts_ = same_columns && target_.rows() == 0 && target_.kept_chunks == 0;
        if (adopts_) return prepare_stamps(source_.chunk_count);
        // Only full-size chunks can stand beside others.
        if (same_columns && source_.chunk_rows == source_.full_rows && target_.chunk_rows == target_.full_rows) {
            handed_ = source_.tail_index + (source_.tail_rows == source_.chunk_rows ? 1 : 0);
            prepare_stamps(handed_);
        }
        const std::uint64_t moved = source_.rows() - std::uint64_t{handed_} * source_.chunk_rows;
        if (moved != 0) state_.reserve_rows(target_, target_.rows() + moved);
        grow_array(state_.pool, target_.chunks, target_.chunk_count, target_.chunk_capacity, target_.chunk_count + handed_);
    }

    // `added` are the values of components that are new; nothing else is.
    void commit(TypeList* added, const void* const* values) noexcept {
        if (adopts_) return adopt();
        if (handed_ != 0) splice(handed_);
        if (source_.rows() != 0) move_columns(added, values);
    }

  private:
    // Ticks of rows stand under other positions in the target, and what is new there may be tracked.
    void prepare_stamps(std::uint32_t chunks) {
        for (std::uint32_t c = 0; target_.tracked_count != 0 && c < chunks; ++c) {
            stamps_.push_back(nullptr);
            stamps_.back() = state_.new_row_ticks(target_, source_.chunk_rows);
        }
    }

    // Makes a chunk of the source one of the target. The two have the same layout.
    void relabel(std::uint32_t c) noexcept {
        Chunk& chunk = state_.store.chunks_[source_.chunks[c]];
        RowTicks** stamps = stamps_.empty() ? nullptr : std::exchange(stamps_[c], nullptr);
        std::uint32_t old = source_.id_count;
        Tick* const ticks = chunk.ticks;
        // From the back, or from the front when there are fewer, because old and new ticks share their place.
        const auto move_tick = [&](std::uint32_t position) {
            const ColumnAt from = source_.find(target_.ids[position - 1]);
            ticks[position] = from.offset != ColumnAt::absent ? ticks[from.tick] : now_;
            if (stamps == nullptr || stamps[position] == nullptr || from.offset == ColumnAt::absent) return;
            std::swap(stamps[position], chunk.rows[from.tick]);
        };
        if (target_.id_count > old) {
            for (std::uint32_t position = target_.id_count; position > 0; --position) move_tick(position);
        } else {
            for (std::uint32_t position = 1; position <= target_.id_count; ++position) move_tick(position);
        }
        ticks[0] = now_;
        state_.free_row_ticks(source_, chunk.rows);
        chunk.rows = stamps;
        chunk.columns = &target_.map();
    }

    void adopt() noexcept {
        state_.release_all_chunks(target_);
        for (std::uint32_t c = 0; c < source_.chunk_count; ++c) relabel(c);
        std::swap(target_.chunks, source_.chunks);
        std::swap(target_.chunk_count, source_.chunk_count);
        std::swap(target_.chunk_capacity, source_.chunk_capacity);
        target_.chunk_rows = source_.chunk_rows;
        target_.chunk_bytes = source_.chunk_bytes;
        target_.ticks_offset = source_.ticks_offset;
        for (std::uint32_t i = 0; i < target_.column_count; ++i) target_.place_column(i, source_.columns[i].offset);
        ++target_.layout;
        state_.set_tail(target_, source_.tail_index, source_.tail_rows);
        state_.release_all_chunks(source_);
        state_.wake(target_);
    }

    // The first chunks of the source go before the tail of the target.
    void splice(std::uint32_t count) noexcept {
        for (std::uint32_t c = 0; c < count; ++c) relabel(c);
        std::uint32_t* at = target_.chunks + target_.tail_index;
        std::copy_backward(at, target_.chunks + target_.chunk_count, target_.chunks + target_.chunk_count + count);
        std::copy_n(source_.chunks, count, at);
        target_.chunk_count += count;
        state_.set_tail(target_, target_.tail_index + count, target_.tail_rows);

        std::copy(source_.chunks + count, source_.chunks + source_.chunk_count, source_.chunks);
        source_.chunk_count -= count;
        if (source_.chunk_count == 0) {
            state_.release_all_chunks(source_);
        } else {
            // The tail is the first chunk now; or a spare one, when the source was full to the last row.
            state_.set_tail(source_, 0, source_.tail_index < count ? 0 : source_.tail_rows);
        }
    }

    void move_columns(TypeList* added, const void* const* values) noexcept {
        if (along_.source_layout != source_.layout || along_.target_layout != target_.layout) refresh(along_, source_);

        // Values that leave are ended when everything else has arrived, and the destructors find the world whole.
        const Store::Lock lock(state_.store);
        const std::uint32_t last_chunk = source_.tail_index;
        const std::uint32_t last_rows = source_.tail_rows;
        for (std::uint32_t c = 0; c <= last_chunk; ++c) {
            const std::uint32_t rows = c == last_chunk ? last_rows : source_.chunk_rows;
            for (std::uint32_t row = 0; row < rows;) {
                if (!target_.has_room()) state_.advance_tail(target_);
                const std::uint32_t piece = std::min(rows - row, target_.chunk_rows - target_.tail_rows);
                move_piece(source_.chunks[c], row, piece);
                if (added != nullptr) fill_added(*added, values, piece);
                row += piece;
            }
        }
        state_.set_tail(source_, 0, 0);
        for (std::uint32_t i = along_.kept; source_.has_objects && i < along_.steps_count; ++i) {
            const Column& column = source_.columns[along_.steps()[i].column];
            for (std::uint32_t c = 0; c <= last_chunk; ++c) {
                std::byte* base = state_.store.chunks_[source_.chunks[c]].base;
                const std::uint32_t rows = c == last_chunk ? last_rows : source_.chunk_rows;
                for (std::uint32_t row = 0; row < rows; ++row) state_.drop_value(*column.type, column.id, cell_of(base, column, row));
            }
        }
        state_.release_spare_chunks(source_, std::max<std::uint32_t>(1, source_.kept_chunks));
    }

    // Rows of one chunk, to the tail of the target, which has room for them.
    void move_piece(std::uint32_t number, std::uint32_t row, std::uint32_t count) noexcept {
        const Chunk& from = state_.store.chunks_[number];
        const std::uint32_t to_row = target_.tail_rows;
        for (const Step *step = along_.steps(), *end = step + along_.kept; step != end; ++step) {
            const Column& column = source_.columns[step->column];
            relocate_values(column, target_.tail_base + step->to + std::size_t{to_row} * column.size, cell_of(from.base, column, row), count);
        }
        const Entity* ids = entities(from.base) + row;
        std::copy_n(ids, count, entities(target_.tail_base) + to_row);
        const bool has_stamps = (source_.tracked_count | target_.tracked_count) != 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Location to = Location::of(target_.tail_number, to_row + i);
            state_.store.directory_.move(ids[i], {to.bits | target_.dead_bit});
            if (has_stamps) state_.carry_stamps(from, row + i, target_);
            ++target_.tail_rows;
        }
        target_.tail_ticks[0] = now_;
    }

    // The new components of the last rows of the target.
    void fill_added(TypeList& list, const void* const* values, std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const ComponentId id = state_.store.id_of(*list.types[i]);
            if (source_.has(id)) continue;
            const ColumnAt at = target_.find(id);
            target_.tail_ticks[at.tick] = now_;
            state_.fill(target_.tail_base, at, target_.tail_rows - count, count, list.types[i]->type->size, values[i]);
        }
    }

    State& state_;
    Table& source_;
    Table& target_;
    Plan& along_;
    const Tick now_;
    bool adopts_ = false;
    std::uint32_t handed_ = 0;        // chunks that change hands
    std::vector<RowTicks**> stamps_;  // for the chunks that change hands
};

void Store::State::fill(std::byte* base, ColumnAt at, std::size_t row, std::size_t count, std::size_t size, const void* value) noexcept {
    std::byte* to = base + at.offset + row * size;
    for (std::size_t i = 0; i < count && size != 0; ++i) std::memcpy(to + i * size, value, size);
}

// Replaces the components that the table has.
void Store::State::fill_table(const Table& table, TypeList& list, const void* const* values) noexcept {
    for (std::uint32_t c = 0; c <= table.tail_index; ++c) {
        const Chunk& chunk = store.chunks_[table.chunks[c]];
        const std::uint32_t rows = c == table.tail_index ? table.tail_rows : table.chunk_rows;
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const ColumnAt at = table.find(store.id_of(*list.types[i]));
            if (at.offset == ColumnAt::absent || list.types[i]->type->size == 0) continue;
            chunk.stamp(at, 0, rows, store.tick());
            fill(chunk.base, at, 0, rows, list.types[i]->type->size, values[i]);
        }
    }
}

// One of many, where each is told of.
bool Store::State::put_row(Entity entity, TypeList& list, const void* const* values, bool replace, const char* verb) {
    const Edit edit = store.begin_add(store.locate(entity), list, verb);
    const auto put = [&](const Table& table, std::byte* base, std::uint32_t row, bool present) {
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const ComponentId id = store.id_of(*list.types[i]);
            if (edit.source->has(id) == present) fill(base, table.find(id), row, 1, list.types[i]->type->size, values[i]);
        }
    };
    put(*edit.target, edit.target->tail_base, edit.row, false);
    store.changing({entity, edit.source, edit.target});
    store.finish(entity, edit);
    const Location at = store.directory_.location(entity.index());
    const Chunk& chunk = store.chunks_[at.chunk()];
    if (replace) {
        put(*edit.target, chunk.base, at.row(), true);
        for (std::uint32_t i = 0; i < list.count; ++i) chunk.stamp(edit.target->find(store.id_of(*list.types[i])), at.row(), store.tick());
    }
    store.changed();
    return true;
}

std::uint64_t Store::put_rows(std::span<Table* const> tables, TypeList& list, const void* const* values, bool replace,
                              const char* verb) {
    require_unlocked(verb);
    State& state = *state_;
    std::uint64_t changed = 0;
    const auto lacks = [&](const Table& table) {
        return std::any_of(list.types, list.types + list.count, [&](TypeSlot* slot) { return !table.has(id_of(*slot)); });
    };
    // First those that have everything, so that what arrives there is not counted twice.
    for (const Table* table : tables) {
        if (!replace || table->ghost || table->rows() == 0 || lacks(*table)) continue;
        state.fill_table(*table, list, values);
        changed += table->rows();
    }
    for (Table* table : tables) {
        if (table->ghost || table->rows() == 0 || !lacks(*table)) continue;
        const std::uint64_t key = edge_key(EdgeKind::add, number_of(list));
        Plan* plan = table->edges.find(key);
        if (plan == nullptr) {
            state.scratch_add(*table, list);
            plan = &state.plan(*table, key, false);
        }
        if (table->is_watched(Table::observed) || plan->target->is_watched(Table::observed)) {
            changed += state.each_row_of(*table, [&](Entity entity) { return state.put_row(entity, list, values, replace, verb); });
            continue;
        }
        State::Exodus exodus(state, *table, *plan);
        exodus.prepare();
        changed += table->rows();
        if (replace) state.fill_table(*table, list, values);
        exodus.commit(&list, values);
    }
    return changed;
}

std::uint64_t Store::remove_rows(std::span<Table* const> tables, TypeList& list) {
    require_unlocked("remove_all");
    State& state = *state_;
    std::uint64_t changed = 0;
    for (Table* table : tables) {
        const bool has_some = std::any_of(list.types, list.types + list.count, [&](TypeSlot* slot) { return table->has(id_of(*slot)); });
        if (table->rows() == 0 || !has_some) continue;
        if (table->ghost) {
            changed += state.each_row_of(*table, [&](Entity entity) { return remove(entity, list); });
            continue;
        }
        const std::uint64_t key = edge_key(EdgeKind::remove, number_of(list));
        Plan* plan = table->edges.find(key);
        if (plan == nullptr) {
            state.scratch_remove(*table, list);
            plan = &state.plan(*table, key, false);
        }
        if ((table->watched | plan->target->watched) != 0) {
            changed += state.each_row_of(*table, [&](Entity entity) { return remove(entity, list); });
            continue;
        }
        State::Exodus exodus(state, *table, *plan);
        exodus.prepare();
        changed += table->rows();
        exodus.commit(nullptr, nullptr);
    }
    return changed;
}

std::uint64_t Store::despawn_rows(std::span<Table* const> tables) {
    require_unlocked("despawn_all");
    State& state = *state_;
    std::uint64_t changed = 0;
    for (Table* table : tables) {
        if (table->rows() == 0 || table->ghost) continue;
        // Ghosts, sparse components, watchers and values that are kept are a matter of single entities.
        if (table->has_cleanup || table->watched != 0 || state.sparse_sets.size != 0) {
            changed += state.each_row_of(*table, [&](Entity entity) { return despawn(entity); });
            continue;
        }
        const Lock lock(*this);
        changed += table->rows();
        state.each_entity(*table, [&](Entity entity) { directory_.release(entity.index()); });
        state.note_all_depart(*table);
        state.drop_all_rows(*table);
    }
    return changed;
}

}  // namespace stoa::detail

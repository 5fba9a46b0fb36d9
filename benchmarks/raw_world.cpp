// The loops of the hand-written twin; see raw_world.hpp. Called by the workloads.
#include "raw_world.hpp"

#include "harness.hpp"

#include <algorithm>
#include <cstring>

namespace bench {

std::size_t RawWorld::grow(std::size_t count) {
    const std::size_t first = rows_.size();
    rows_.resize(first + count);
    generations_.resize(first + count);
    return first;
}

void RawWorld::fill_fresh(std::size_t first, std::span<Id> out) {
    std::memset(generations_.data() + first, 0, out.size() * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = {static_cast<std::uint32_t>(first + i), 0};
    }
}

void RawWorld::link_fresh(const Table& table, std::size_t first, std::size_t count) {
    std::uint32_t* __restrict rows = rows_.data() + first;
    std::uint32_t* __restrict ids = table.ids.data() + table.size;
    for (std::size_t i = 0; i < count; ++i) {
        rows[i] = pack(moving, table.size + i);
        ids[i] = static_cast<std::uint32_t>(first + i);
    }
}

std::size_t RawWorld::append_copy(Table& to, const Table& from, std::uint32_t index) {
    const std::size_t source = rows_[index] & row_mask;
    const std::size_t row = to.size++;
    to.ids[row] = index;
    to.positions[row] = from.positions[source];
    to.velocities[row] = from.velocities[source];
    return row;
}

void RawWorld::swap_remove(Table& table, std::uint32_t packed) {
    const std::size_t row = packed & row_mask;
    const std::size_t last = --table.size;
    const std::uint32_t moved = table.ids[last];
    table.ids[row] = moved;
    table.positions[row] = table.positions[last];
    table.velocities[row] = table.velocities[last];
    rows_[moved] = packed;
}

void RawWorld::create_empty(std::span<Id> out) {
    const std::size_t first = grow(out.size());
    fill_fresh(first, out);
    std::memset(rows_.data() + first, 0, out.size() * sizeof(std::uint32_t));
}

void RawWorld::create2(std::span<Id> out) {
    Table& table = tables_[moving];
    const std::size_t row = table.size;
    table.ensure(row + out.size());
    if (free_count_ >= out.size()) {
        create2_recycled(table, out);
    } else {
        create2_fresh(table, out);
    }
    table.size += out.size();
}

void RawWorld::create2_told(std::span<Id> out) {
    const std::size_t first = tables_[moving].size;
    create2(out);
    for (std::size_t i = 0; i < out.size(); ++i) {
        told_(*this, first + i);
        fence();
    }
}

void RawWorld::count_arrivals() {
    told_ = [](RawWorld& world, std::size_t) { ++world.arrivals_; };
}

void RawWorld::sum_arrivals() {
    told_ = [](RawWorld& world, std::size_t row) {
        world.arrivals_ += static_cast<std::uint64_t>(static_cast<int>(world.tables_[moving].positions.data()[row].x));
    };
}

void RawWorld::create2_fresh(Table& table, std::span<Id> out) {
    const std::size_t first = grow(out.size());
    fill_fresh(first, out);
    link_fresh(table, first, out.size());
    Position* __restrict positions = table.positions.data() + table.size;
    Velocity* __restrict velocities = table.velocities.data() + table.size;
    for (std::size_t i = 0; i < out.size(); ++i) {
        positions[i] = position_at(i);
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
        velocities[i] = velocity_at(i);
    }
}

void RawWorld::create2_recycled(Table& table, std::span<Id> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t index = free_[--free_count_];
        const std::size_t row = table.size + i;
        rows_[index] = pack(moving, row);
        table.ids[row] = index;
        table.positions[row] = position_at(i);
        table.velocities[row] = velocity_at(i);
        out[i] = {index, generations_[index]};
    }
}

void RawWorld::create_split(std::span<Id> out, TableNumber even, TableNumber odd) {
    const std::size_t first = grow(out.size());
    fill_fresh(first, out);
    tables_[even].ensure(out.size());
    tables_[odd].ensure(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const TableNumber number = i % 2 == 1 ? odd : even;
        Table& table = tables_[number];
        const std::size_t row = table.size++;
        table.ids[row] = out[i].index;
        table.positions[row] = position_at(i);
        if (number != still) {
            table.velocities[row] = velocity_at(i);
        }
        rows_[out[i].index] = pack(number, row);
    }
}

void RawWorld::create_half(std::span<Id> out) { create_split(out, still, moving); }

void RawWorld::create_tagged(std::span<Id> out) { create_split(out, moving, tagged); }

void RawWorld::create3(std::span<Id> out) {
    create_split(out, accelerated, accelerated);
    accelerations_.ensure(out.size());
    for (Acceleration& acceleration : accelerations_) {
        acceleration = {acceleration_x, acceleration_y};
    }
}

void RawWorld::create5(std::span<Id> out) {
    const std::size_t first = grow(out.size());
    fill_fresh(first, out);
    tables_[still].ids.resize(out.size());
    for (auto& column : five_) {
        column.resize(out.size());
    }
    std::uint32_t* __restrict rows = rows_.data() + first;
    std::uint32_t* __restrict ids = tables_[still].ids.data();
    for (std::size_t i = 0; i < out.size(); ++i) {
        rows[i] = static_cast<std::uint32_t>(i);
        ids[i] = static_cast<std::uint32_t>(first + i);
    }
    float* __restrict a = five_[0].data();
    float* __restrict b = five_[1].data();
    float* __restrict c = five_[2].data();
    float* __restrict d = five_[3].data();
    float* __restrict e = five_[4].data();
    for (std::size_t i = 0; i < out.size(); ++i) {
        a[i] = b[i] = c[i] = d[i] = e[i] = as_float(i);
    }
}

/// Rows at the end of the moving table whose values the caller fills in; the table's size still excludes them.
RawWorld::Table& RawWorld::append_fresh(std::span<Id> out) {
    Table& table = tables_[moving];
    table.ensure(table.size + out.size());
    const std::size_t first = grow(out.size());
    fill_fresh(first, out);
    link_fresh(table, first, out.size());
    return table;
}

void RawWorld::bulk_create2(std::span<Id> out, std::span<const Position> positions,
                            std::span<const Velocity> velocities) {
    Table& table = append_fresh(out);
    std::memcpy(table.positions.data() + table.size, positions.data(), positions.size_bytes());
    std::memcpy(table.velocities.data() + table.size, velocities.data(), velocities.size_bytes());
    table.size += out.size();
}

void RawWorld::make_pattern() {
    pattern_position_ = position_at(7);
    pattern_velocity_ = velocity_at(7);
}

void RawWorld::create_pattern(std::span<Id> out) {
    Table& table = append_fresh(out);
    std::fill_n(table.positions.data() + table.size, out.size(), pattern_position_);
    std::fill_n(table.velocities.data() + table.size, out.size(), pattern_velocity_);
    table.size += out.size();
}

void RawWorld::create_pattern_at(std::span<Id> out) {
    Table& table = append_fresh(out);
    Position* positions = table.positions.data() + table.size;
    for (std::size_t i = 0; i < out.size(); ++i) {
        positions[i] = position_at(i);
    }
    std::fill_n(table.velocities.data() + table.size, out.size(), pattern_velocity_);
    table.size += out.size();
}

void RawWorld::destroy(std::span<const Id> ids) {
    free_.ensure(free_count_ + ids.size());
    Table& table = tables_[moving];
    for (const Id id : ids) {
        if (generations_[id.index] != id.generation) {
            continue;
        }
        swap_remove(table, rows_[id.index]);
        ++generations_[id.index];
        free_[free_count_++] = id.index;
    }
}

Position RawWorld::position(Id id) const {
    const std::uint32_t packed = rows_[id.index];
    return tables_[packed >> 30].positions[packed & row_mask];
}

float RawWorld::sum_of_five(Id id) const {
    const std::size_t row = rows_[id.index] & row_mask;
    return five_[0][row] + five_[1][row] + five_[2][row] + five_[3][row] + five_[4][row];
}

std::uint64_t RawWorld::sum_positions(std::span<const Id> ids) const {
    std::uint64_t sum = 0;
    const Position* positions = tables_[moving].positions.data();
    for (const Id id : ids) {
        std::uint32_t packed = rows_[id.index];
        hide(packed);  // plain loads beat the gathers of a vectorised loop
        sum += static_cast<std::uint64_t>(static_cast<int>(positions[packed & row_mask].x));
    }
    return sum;
}

std::uint64_t RawWorld::count_velocities(std::span<const Id> ids) const {
    std::uint64_t sum = 0;
    for (const Id id : ids) {
        sum += (rows_[id.index] >> 30) != still ? 1U : 0U;
    }
    return sum;
}

std::uint64_t RawWorld::count_alive(std::span<const Id> ids) const {
    std::uint64_t sum = 0;
    for (const Id id : ids) {
        sum += alive(id) ? 1U : 0U;
    }
    return sum;
}

void RawWorld::add_acceleration(std::span<const Id> ids) {
    Table& from = tables_[moving];
    Table& to = tables_[accelerated];
    to.ensure(to.size + ids.size());
    accelerations_.ensure(to.size + ids.size());
    for (const Id id : ids) {
        const std::size_t row = append_copy(to, from, id.index);
        accelerations_[row] = {acceleration_x, acceleration_y};
        swap_remove(from, rows_[id.index]);
        rows_[id.index] = pack(accelerated, row);
    }
}

void RawWorld::remove_acceleration(std::span<const Id> ids) {
    Table& from = tables_[accelerated];
    Table& to = tables_[moving];
    to.ensure(to.size + ids.size());
    for (const Id id : ids) {
        const std::size_t row = append_copy(to, from, id.index);
        accelerations_[rows_[id.index] & row_mask] = accelerations_[from.size - 1];
        swap_remove(from, rows_[id.index]);
        rows_[id.index] = pack(moving, row);
    }
}

template <class Old, class New>
void RawWorld::exchange(std::span<const Id> ids, TableNumber old_table, Column<Old>& old_values, TableNumber new_table,
                        Column<New>& new_values) {
    Table& from = tables_[old_table];
    Table& to = tables_[new_table];
    to.ensure(to.size + ids.size());
    new_values.ensure(to.size + ids.size());
    for (const Id id : ids) {
        const std::size_t row = append_copy(to, from, id.index);
        new_values[row] = {acceleration_x, acceleration_y};
        old_values[rows_[id.index] & row_mask] = old_values[from.size - 1];
        swap_remove(from, rows_[id.index]);
        rows_[id.index] = pack(new_table, row);
    }
}

template void RawWorld::exchange(std::span<const Id>, TableNumber, Column<Acceleration>&, TableNumber, Column<Drag>&);
template void RawWorld::exchange(std::span<const Id>, TableNumber, Column<Drag>&, TableNumber, Column<Acceleration>&);

void RawWorld::add_sparse_acceleration(std::span<const Id> ids) {
    if (sparse_.size() < rows_.size()) {
        const std::size_t known = sparse_.size();
        sparse_.resize(rows_.size());
        std::memset(sparse_.data() + known, 0xff, (sparse_.size() - known) * sizeof(std::uint32_t));
    }
    dense_.ensure(dense_count_ + ids.size());
    dense_values_.ensure(dense_count_ + ids.size());
    for (const Id id : ids) {
        sparse_[id.index] = static_cast<std::uint32_t>(dense_count_);
        dense_[dense_count_] = id.index;
        dense_values_[dense_count_++] = {acceleration_x, acceleration_y};
    }
}

void RawWorld::remove_sparse_acceleration(std::span<const Id> ids) {
    for (const Id id : ids) {
        const std::uint32_t at = sparse_[id.index];
        const std::size_t last = --dense_count_;
        const std::uint32_t moved = dense_[last];
        dense_[at] = moved;
        dense_values_[at] = dense_values_[last];
        sparse_[moved] = at;
        sparse_[id.index] = absent;
    }
}

void RawWorld::add_tag(std::span<const Id> ids) {
    if (tags_.size() * 64 < rows_.size()) {
        tags_.resize(rows_.size() / 64 + 1);
        std::memset(tags_.data(), 0, tags_.size() * sizeof(std::uint64_t));
    }
    std::uint64_t* words = tags_.data();
    for (const Id id : ids) {
        words[id.index >> 6] |= std::uint64_t{1} << (id.index & 63);
    }
}

void RawWorld::remove_tag(std::span<const Id> ids) {
    std::uint64_t* words = tags_.data();
    for (const Id id : ids) {
        words[id.index >> 6] &= ~(std::uint64_t{1} << (id.index & 63));
    }
}

void RawWorld::queue_remove_acceleration() {
    const Table& table = tables_[accelerated];
    queue_.ensure(table.size);
    std::size_t noted = 0;
    for (std::size_t row = 1; row < table.size; row += 2) {
        const std::uint32_t index = table.ids[row];
        queue_[noted++] = {index, generations_[index]};
    }
    remove_acceleration({queue_.data(), noted});
}

void RawWorld::queue_destroy() {
    const Table& table = tables_[moving];
    queue_.ensure(table.size);
    std::size_t noted = 0;
    for (std::size_t row = 1; row < table.size; row += 2) {
        const std::uint32_t index = table.ids[row];
        queue_[noted++] = {index, generations_[index]};
    }
    destroy({queue_.data(), noted});
}

void RawWorld::queue_create2(std::span<Id> out) {
    queued_positions_.resize(out.size());
    queued_velocities_.resize(out.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        queued_positions_[i] = position_at(i);
        queued_velocities_[i] = velocity_at(i);
    }
    fence();
    bulk_create2(out, {queued_positions_.data(), out.size()}, {queued_velocities_.data(), out.size()});
}

void RawWorld::prepare_cycle(std::size_t n) {
    five_[0].resize(n);
    five_[1].resize(n);
    dense_.resize(n);
    free_.resize(n);
    const std::size_t first = grow(n);
    std::memset(generations_.data() + first, 0, n * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < n; ++i) {
        five_[0][i] = as_float(i);
        free_[i] = static_cast<std::uint32_t>(first + i);
    }
    free_count_ = n;
}

std::uint64_t RawWorld::cycle() {
    std::size_t count = 0;
    for (const float value : five_[0]) {
        const std::uint32_t index = free_[--free_count_];
        rows_[index] = static_cast<std::uint32_t>(count);
        dense_[count] = index;
        five_[1][count++] = value;
    }
    fence();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += static_cast<std::uint64_t>(static_cast<int>(five_[1][i]));
        ++generations_[dense_[i]];
        free_[free_count_++] = dense_[i];
    }
    return sum;
}

}  // namespace bench

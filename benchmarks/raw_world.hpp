// The hand-written twin: fixed tables of plain arrays and generation-checked handles, no generality at all. It does
// the least that the work allows and stands for the physical limit. Its functions are whole loops, the same ones that
// StoaWorld has; the workloads call both.
#pragma once

#include "column.hpp"
#include "components.hpp"

#include <cstdint>
#include <span>

namespace bench {

class RawWorld {
  public:
    struct Id {
        std::uint32_t index = 0;
        std::uint32_t generation = 0;
    };

    // Creation: entity i gets position_at(i) and velocity_at(i), or i in each of A to E; out[i] is its id.
    void create_empty(std::span<Id> out);
    void create2(std::span<Id> out);
    void create2_fast(std::span<Id> out) { create2(out); }
    void create_half(std::span<Id> out);    // a Velocity for odd i only
    void create3(std::span<Id> out);        // an Acceleration too
    void create_tagged(std::span<Id> out);  // Position and Velocity for all, a Tag for odd i
    void create2_told(std::span<Id> out);   // calls a callback, as set by one of the following, for each new entity
    void count_arrivals();
    void sum_arrivals();  // of positions
    std::uint64_t arrivals() const { return arrivals_; }
    void create5(std::span<Id> out);
    void bulk_create2(std::span<Id> out, std::span<const Position> positions, std::span<const Velocity> velocities);
    void make_pattern();  // the values that the following copy
    void create_pattern(std::span<Id> out);
    void create_pattern_at(std::span<Id> out);  // but a position of its own for each
    void bulk_create_pattern(std::span<Id> out) { create_pattern(out); }
    void destroy(std::span<const Id> ids);  // of entities with Position and Velocity

    // Questions about one entity, for the checksums.
    bool alive(Id id) const { return generations_[id.index] == id.generation; }
    Position position(Id id) const;
    float sum_of_five(Id id) const;
    bool has_acceleration(Id id) const { return (rows_[id.index] >> 30) == accelerated; }
    bool has_drag(Id id) const { return (rows_[id.index] >> 30) == dragged; }
    bool has_sparse_acceleration(Id id) const { return id.index < sparse_.size() && sparse_[id.index] != absent; }
    bool has_tag(Id id) const { return ((tags_[id.index >> 6] >> (id.index & 63)) & 1) != 0; }
    bool has_sparse_tag(Id id) const { return has_tag(id); }

    // Access in the order of the ids.
    std::uint64_t sum_positions(std::span<const Id> ids) const;
    std::uint64_t count_velocities(std::span<const Id> ids) const;
    std::uint64_t count_alive(std::span<const Id> ids) const;

    // Structure: entities have Position and Velocity. A tag is one bit of its entity.
    void add_acceleration(std::span<const Id> ids);
    void remove_acceleration(std::span<const Id> ids);
    void replace_acceleration(std::span<const Id> ids) { exchange(ids, accelerated, accelerations_, dragged, drags_); }
    void replace_drag(std::span<const Id> ids) { exchange(ids, dragged, drags_, accelerated, accelerations_); }
    void add_sparse_acceleration(std::span<const Id> ids);
    void remove_sparse_acceleration(std::span<const Id> ids);
    void add_tag(std::span<const Id> ids);
    void remove_tag(std::span<const Id> ids);
    void add_sparse_tag(std::span<const Id> ids) { add_tag(ids); }
    void remove_sparse_tag(std::span<const Id> ids) { remove_tag(ids); }

    // Recorded edits: every second entity is noted during a walk over all, then the notes are followed.
    void queue_remove_acceleration();
    void queue_destroy();
    void queue_create2(std::span<Id> out);

    void use_types(std::size_t) {}  // makes the world know this many other component types

    void prepare_cycle(std::size_t n);  // n entities with an A
    std::uint64_t cycle();              // for each A an entity with a B; then every B goes; the sum of the Bs

    // Walks; see systems.hpp for what they do to each entity. By hand a loop over entities is one over arrays.
    void iterate1();
    void iterate2();
    void iterate3();
    void iterate_untagged();  // the entities of create_tagged that have no Tag
    void iterate1_chunks() { iterate1(); }
    void iterate2_chunks() { iterate2(); }
    void iterate3_chunks() { iterate3(); }
    void iterate_untagged_chunks() { iterate_untagged(); }
    void double_five();  // each of A to E, one after the other
    void double_five_chunks() { double_five(); }

  private:
    static constexpr std::uint32_t row_mask = 0x3fffffff;
    static constexpr std::uint32_t absent = ~std::uint32_t{0};
    // No workload has both tagged and dragged entities.
    enum TableNumber : std::uint32_t { still = 0, moving = 1, accelerated = 2, tagged = 3, dragged = tagged };

    struct Table {
        void ensure(std::size_t rows) {
            ids.ensure(rows);
            positions.ensure(rows);
            velocities.ensure(rows);
        }

        Column<std::uint32_t> ids;
        Column<Position> positions;
        Column<Velocity> velocities;
        std::size_t size = 0;
    };

    static std::uint32_t pack(std::uint32_t table, std::size_t row) {
        return (table << 30) | static_cast<std::uint32_t>(row);
    }

    std::size_t grow(std::size_t count);
    void fill_fresh(std::size_t first, std::span<Id> out);
    void link_fresh(const Table& table, std::size_t first, std::size_t count);
    Table& append_fresh(std::span<Id> out);
    void create2_fresh(Table& table, std::span<Id> out);
    void create2_recycled(Table& table, std::span<Id> out);
    void create_split(std::span<Id> out, TableNumber even, TableNumber odd);
    using Told = void (*)(RawWorld& world, std::size_t row);

    std::size_t append_copy(Table& to, const Table& from, std::uint32_t index);
    void swap_remove(Table& table, std::uint32_t packed);
    template <class Old, class New>
    void exchange(std::span<const Id> ids, TableNumber old_table, Column<Old>& old_values, TableNumber new_table,
                  Column<New>& new_values);

    Column<std::uint32_t> rows_;  // by entity: table in the top two bits, row below
    Column<std::uint32_t> generations_;
    Column<std::uint32_t> free_;
    std::size_t free_count_ = 0;
    Table tables_[4];
    Column<Acceleration> accelerations_;  // of the third table
    Column<Drag> drags_;                  // of the fourth
    Column<float> five_[5];
    Column<std::uint32_t> sparse_;
    Column<std::uint32_t> dense_;
    Column<Acceleration> dense_values_;
    std::size_t dense_count_ = 0;
    Column<std::uint64_t> tags_;
    Told told_ = nullptr;
    std::uint64_t arrivals_ = 0;
    Column<Id> queue_;
    Column<Position> queued_positions_;
    Column<Velocity> queued_velocities_;
    Position pattern_position_{};
    Velocity pattern_velocity_{};
};

}  // namespace bench

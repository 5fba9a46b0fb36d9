// Places and edits under way: where an entity stands, rows that are being built, and what recorded commands hand to the
// store. Passed between the store, the typed verbs and replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stoa/detail/component_ops.hpp"
#include "stoa/detail/sparse_set.hpp"
#include "stoa/detail/table.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// The row of an entity; `chunk` is null when the entity is not there.
struct Place {
    const Chunk* chunk = nullptr;
    Location at;

    explicit operator bool() const { return chunk != nullptr; }
    std::uint32_t row() const { return at.row(); }
};

// A migration under way: the entity still stands in `source`; row `row` of the tail of `target` is being built.
struct Edit {
    Table* source;
    Table* target;  // equal to source when nothing is missing: then no row moves
    Plan* plan;
    Location from;
    std::uint32_t row;
};

// Rows under construction behind the last row of a table, before they have entities.
struct Bulk {
    Table* table;
    std::uint32_t chunk;  // position in table->chunks of the first row
    std::uint32_t row;
    std::uint64_t count;
};

// A piece of a Bulk that lies in one chunk.
struct Run {
    std::byte* base;
    std::uint32_t row;
    std::uint32_t count;
};

// One component that an edit brings to an entity, without its type. See Store::put and Store::edit.
struct Incoming {
    TypeSlot* slot = nullptr;
    void* value = nullptr;                         // null: default-constructed, where it is missing
    void (*move)(void* to, void* from) = nullptr;  // for a value that cannot be relocated

    // Filled in on the way.
    ComponentId id{};
    void* cell = nullptr;  // where it is built; null when it replaces a value, or is not needed
    SparseSet* set = nullptr;
    std::uint32_t old_slot = SparseSet::none;
    bool tried = false;  // its construction was begun, and
    bool built = false;  // has come to an end
};

class Store;

// One component of an entity that is spawned without its types being known together. See Store::spawn_parts.
struct SpawnPart {
    TypeSlot* slot = nullptr;
    const void* value = nullptr;
    void (*build)(Store& store, void* cell, const void* value) = nullptr;

    // Filled in on the way.
    void* cell = nullptr;
    SparseSet* set = nullptr;
};

// A component that is there after an edit, or that is not.
struct Effect {
    TypeSlot* slot;
    ComponentId id;
    bool present;
};

// Entities that the same is to be done to, in the headers of records that stand side by side.
struct RunOfEntities {
    const std::uint64_t* subjects;
    std::uint32_t count;

    Entity operator[](std::uint32_t i) const { return Entity::from_bits(subjects[2 * std::size_t{i}]); }
};

// Where one value of a record is. Tags have no place.
struct ValueAt {
    std::uint32_t offset;
    void (*move)(void* to, void* from);  // null: the type can be relocated
};

// Spawns of the same components, in records that stand side by side. A record begins with the id that was reserved for it.
struct RunOfSpawns {
    const std::byte* records;
    std::size_t size;  // of one record
    std::uint32_t count;
    const ValueAt* values;  // one for each component

    // Safe: the first word of a record is one.
    Entity operator[](std::uint32_t i) const { return Entity::from_bits(*reinterpret_cast<const std::uint64_t*>(records + i * size)); }
};

// A change that is complete and that observers have not been notified of. The caller that made the change passes this
// to Store::notify once it has nothing left to undo: a callback may throw there, and the change stands all the same.
struct PendingNotification {
    enum class Kind : std::uint8_t { none, spawn, move };

    Kind kind = Kind::none;
    Entity entity;
    const Table* table = nullptr;  // of a spawn
};

// Code of the user that finishes the components of a new entity.
class Initializer {
  public:
    virtual void operator()(Entity entity, std::span<Incoming> parts) = 0;

  protected:
    ~Initializer() = default;
};

}  // namespace stoa::detail

// Places and edits under way: where an entity stands, rows that are being built, and what recorded commands hand to the
// store. Passed between the store, the typed verbs and replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/storage/chunk_directory.hpp"
#include "stoa/detail/storage/sparse_set.hpp"
#include "stoa/detail/storage/table.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// The row of an entity; `chunk` is null when the entity is not there.
struct EntityRow {
    const Chunk* chunk = nullptr;
    Location at;

    explicit operator bool() const { return chunk != nullptr; }
    std::uint32_t row() const { return at.row(); }
};

// A migration under way: the entity still stands in `source`; row `row` of the tail of `target` is being built.
struct Edit {
    Table* source;
    Table* target;  // equal to source when nothing is missing: then no row moves
    Migration* migration;
    Location from;
    std::uint32_t row;
};

// The part of a Bulk that is in one chunk.
struct BulkPiece {
    std::byte* base;
    std::uint32_t row;
    std::uint32_t count;
};

// Rows under construction behind the last row of a table, before they have entities.
struct Bulk {
    Table* table;
    std::uint32_t position;  // in table->chunks(), of the chunk with the first row
    std::uint32_t row;
    std::uint64_t count;

    // The rows from `done` on that are in one chunk.
    STOA_API BulkPiece piece(const ChunkDirectory& chunks, std::uint64_t done) const;
};

class Store;

// One component of a row under construction, see RowDraft: where its value comes from, and where it is built. An
// aggregate without initializers, so that an array of parts costs nothing until they are filled in.
struct RowPart {
    enum class Source : std::uint8_t {
        construct,  // by default, or from a pool of objects; only where the component is missing
        build,      // by a call of `build`
        copy,       // a copy of `value`
        hand_over,  // `value` leaves its place when the draft is committed; moved by `build` if it cannot be relocated
        caller,     // the caller builds it, and replaces a present value itself
    };
    enum class Place : std::uint8_t {
        none,      // nothing to do: the component is present and keeps its value
        row,       // a cell of the new row
        slot,      // the next free slot of its sparse set
        beside,    // the same, and it takes the place of the value in `old_slot`
        buffer,    // memory of the draft, from where it replaces the present value
        in_place,  // it replaces the present value
    };

    // Given by the caller. Without a handle it gives `type`, `id` and `set` as well.
    TypeHandle* handle;
    void* value;
    void (*build)(Store& store, void* cell, void* value);
    Source source;

    // Filled in by the draft, or by callers that know the type.
    Place place;
    bool begun;  // its construction, and
    bool built;  // it has come to an end
    SparseSlot old_slot;
    ComponentId id;
    const ComponentType* type;
    void* cell;      // where it is built, of a tag any address; null when it has no place, or is in place
    SparseSet* set;  // null for a component in a table

    // One that is default-constructed, or comes from a pool.
    static RowPart constructed(TypeHandle& handle) {
        RowPart part{};
        part.handle = &handle;
        return part;
    }
    // One that a call of `build` builds.
    static RowPart built_by(void (*build)(Store& store, void* cell, void* value), TypeHandle& handle, void* value) {
        RowPart part{};
        part.handle = &handle;
        part.value = value;
        part.build = build;
        part.source = Source::build;
        return part;
    }
};

// A component that is there after an edit, or that is not.
struct Effect {
    TypeHandle* slot;
    ComponentId id;
    bool present;
};

// Entities that the same is to be done to, as bits that are `stride` words apart: recorded commands begin with theirs.
struct EntityBatch {
    const std::uint64_t* subjects;
    std::uint32_t count;
    std::uint32_t stride;

    Entity operator[](std::uint32_t i) const { return Entity::from_bits(subjects[std::size_t{stride} * i]); }
};

// Where one value of a record is. Tags have no place.
struct RecordField {
    std::uint32_t offset;
    void (*move)(Store& store, void* to, void* from);  // null: the type can be relocated
};

// Spawns of the same components, in records that stand side by side. A record begins with the id that was reserved for
// it.
struct SpawnBatch {
    const std::byte* records;
    std::size_t size;  // of one record
    std::uint32_t count;
    const RecordField* values;  // one for each component

    // Safe: the first word of a record is one.
    Entity operator[](std::uint32_t i) const {
        return Entity::from_bits(*reinterpret_cast<const std::uint64_t*>(records + i * size));
    }
};

// A change that is complete and that observers have not been notified of. The caller that made the change passes this
// to Notifier::notify once it has nothing left to undo: a callback may throw there, and the change stands all the same.
struct PendingNotification {
    enum class Kind : std::uint8_t { none, spawn, move };

    Kind kind = Kind::none;
    Entity entity;
    const Table* table = nullptr;  // of a spawn
};

// User code that finishes the components of a new entity.
class Initializer {
  public:
    virtual void operator()(Entity entity, std::span<RowPart> parts) = 0;

  protected:
    ~Initializer() = default;
};

}  // namespace stoa::detail

// Edits without types: what recorded commands hand to the store, and what a later room may leave with it. Called by
// replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "stoa/detail/component_ops.hpp"
#include "stoa/detail/sparse_set.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

// What a later room keeps with a store, for as long as the store lives.
class Attachment {
  public:
    Attachment() = default;
    Attachment(const Attachment&) = delete;
    Attachment& operator=(const Attachment&) = delete;
    virtual ~Attachment() = default;
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

// Code of the user that finishes the components of a new entity.
class Initializer {
  public:
    virtual void operator()(Entity entity, std::span<Incoming> parts) = 0;

  protected:
    ~Initializer() = default;
};

}  // namespace stoa::detail

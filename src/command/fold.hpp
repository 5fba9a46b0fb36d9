// Folding: the edits of one entity that stand between two barriers are linked into a chain, and a chain is applied in
// one move where its first record stands. Commands on other entities do not care, since no code of the user runs in
// between that could tell; a despawn stays where it is, because the order of despawns is the order in which ids are
// used again. A record whose application may run into an exception of the user is the first of its chain, and no chain
// reaches beyond it: nothing that stands behind it may have happened then.
//
// Invariant: when a chain cannot be folded, or folding it throws, nothing has happened and every value is where it was.
// One per world, and used by its flushes; called by replay.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "command/records.hpp"

namespace stoa::detail {

class Folding {
  public:
    // Links the records of each entity from `from` to the next barrier, or as far as there is memory.
    void link(Store& store, RecordCursor from) noexcept;

    // Takes the links out again, from `from` to the next barrier.
    static void unlink(RecordCursor from) noexcept;

    // Applies the chain that begins at `head` as one and marks its records as done, or unlinks it, so that its records
    // are applied one by one.
    PendingNotification fold(Store& store, Record& head, FlushReport& report);
    // After fold has thrown: whether a value could not be made. Otherwise there was no memory for the move.
    bool failed_to_build() const;

    // The parts of one record, for an edit of its own.
    std::span<Incoming> parts_of(Record& record);
    std::vector<void*> cells;  // for an initializer

  private:
    // What comes of a component in the course of a chain.
    struct Item {
        TypeSlot* slot;
        ComponentId id;
        bool was;  // before the chain
        bool now;
        bool left;            // was there, and has been removed
        std::int32_t record;  // that gives the value now; -1: it is the one from before
        std::int32_t value;   // which of its values; -1: a default
    };
    struct Use {
        std::uint32_t record;
        std::int32_t value;
        TypeSlot* slot;
    };
    // What a sequence of operations does to an entity of one table. Chains repeat, so a few are kept.
    struct Recipe {
        std::uint32_t source = 0;  // serial of the table
        std::vector<const Operation*> operations;
        bool possible = false;
        std::uint64_t edge = 0;  // key of the plan; 0: the entity stays in its table
        std::vector<Effect> effects;
        std::vector<Use> parts;
        std::vector<Use> unused;  // values that nobody will see
    };

    void next_epoch() noexcept;
    std::uint64_t* last_of(std::uint32_t index) noexcept;
    void collect(Record& head);
    bool fold_despawn(Store& store, FlushReport& report);
    Recipe& recipe_for(Store& store, Table& source);
    void write_recipe(Store& store, Table& source, Recipe& recipe);
    bool note(Store& store, const Table& source, std::uint32_t record, Recipe& recipe);
    bool note_one(Item& item, Verb verb, std::uint32_t record, std::int32_t value, Recipe& recipe);
    Item& item_for(Store& store, const Table& source, TypeSlot& slot);
    void destroy(Store& store, const Use& use) noexcept;
    void* value_of(const Use& use) const;

    static constexpr std::size_t recipe_count = 8;

    // By entity index: epoch : 16 | record : 44 | - : 3 | a sparse edit since : 1. In pages, so that no flush copies them all.
    static constexpr std::size_t page_size = 4096;
    std::vector<std::unique_ptr<std::uint64_t[]>> last_;
    std::uint64_t epoch_ = 0;
    std::vector<Record*> chain_;
    Entity entity_;
    std::vector<Item> items_;
    Recipe recipes_[recipe_count];
    std::size_t next_recipe_ = 0;
    std::vector<Incoming> parts_;
};

}  // namespace stoa::detail

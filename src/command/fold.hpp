// Folding: the edits of one entity between two barriers are linked into a chain, and a chain is applied in one move, at
// the position of its first record. Users cannot observe this, because no user code runs in between. Three rules ensure
// it:
//   - A despawn stays at its position: the order of despawns is the order in which ids are used again.
//   - A record whose application may throw begins a chain, and no chain reaches across it: when it throws, nothing that
//     was recorded after it may have happened.
//   - If observers must be notified of single changes, replay does not fold.
//
// Invariant: if a chain cannot be folded, or folding it throws, nothing has changed. There is one Folding for each
// world; replay uses it.
#pragma once

#include <cstdint>
#include <vector>

#include "command/records.hpp"
#include "stoa/commands.hpp"
#include "stoa/detail/base/paged_array.hpp"

namespace stoa::detail {

class Folding {
  public:
    // Links the records of each entity from `from` to the next barrier, or as far as there is memory.
    void link_chains(Store& store, RecordCursor from) noexcept;

    // Removes the links again, from `from` to the next barrier.
    static void unlink_chains(RecordCursor from) noexcept;

    // Applies the chain that begins at `head` as one and marks its records as done, or unlinks it, so that its records
    // are applied one by one.
    PendingNotification fold(Store& store, CommandRecord& head, FlushReport& report);
    // After fold has thrown: whether a value could not be made. Otherwise there was no memory for the move.
    bool failed_to_build() const;

    // The parts of one record, for applying it alone: those of `list`, which is the list of its operation or the full
    // one.
    std::span<RowPart> parts_of(CommandRecord& record, const TypeList& list);
    std::span<RowPart> parts_of_replacement(CommandRecord& record, const TypeList& list);  // but for what is replaced
    // Memory for the cells of an initializer, kept between flushes.
    std::vector<void*>& cells() noexcept { return cells_; }

  private:
    // What a chain does to one component.
    struct ComponentChange {
        TypeHandle* slot;
        ComponentId id;
        bool present_before;  // before the chain
        bool present_after;
        bool removed;         // present before, and not after
        std::int32_t record;  // that has the value; -1: the value from before the chain
        std::int32_t value;   // which of its values; -1: default-constructed
    };
    // A value of a record of the chain.
    struct ValueUse {
        std::uint32_t record;
        std::int32_t value;  // -1: default-constructed
        TypeHandle* slot;
    };
    // What a sequence of operations does to an entity of one table. Chains repeat, so a few are cached.
    struct FoldedEdit {
        std::uint32_t source = 0;  // serial of the table
        std::vector<const Operation*> operations;
        bool possible = false;
        std::uint64_t migration_key = 0;  // 0: the entity stays in its table
        std::vector<Effect> effects;
        std::vector<ValueUse> parts;
        std::vector<ValueUse> unused;  // values that are replaced or removed before a lookup could see them
    };

    void next_epoch() noexcept;
    std::uint64_t* last_of(std::uint32_t index) noexcept;
    void collect_chain(CommandRecord& head);
    bool fold_despawn(Store& store, FlushReport& report);
    FoldedEdit& folded_edit_for(Store& store, Table& source);
    void compute_folded_edit(Store& store, Table& source, FoldedEdit& folded);
    bool fold_record(Store& store, const Table& source, std::uint32_t record, FoldedEdit& folded);
    bool fold_component(ComponentChange& change, Verb verb, std::uint32_t record, std::int32_t value,
                        FoldedEdit& folded);
    ComponentChange& change_of(Store& store, const Table& source, TypeHandle& slot);
    void append_required(const Operation& operation, const TypeList& list);
    void destroy_value(Store& store, const ValueUse& use) noexcept;
    void* value_of(const ValueUse& use) const;

    static constexpr std::size_t folded_edit_count = 8;

    // By entity index: epoch : 16 | record : 44 | - : 3 | a sparse edit since : 1. In pages, so that no flush copies
    // them all.
    PagedArray<std::uint64_t> last_;
    std::uint64_t epoch_ = 0;
    std::vector<CommandRecord*> chain_;
    Entity entity_;
    std::vector<ComponentChange> changes_;
    FoldedEdit folded_edits_[folded_edit_count];
    std::size_t next_folded_edit_ = 0;
    std::vector<RowPart> parts_;
    std::vector<void*> cells_;
};

}  // namespace stoa::detail

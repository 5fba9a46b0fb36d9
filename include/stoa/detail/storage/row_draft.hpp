// A row under construction. Beginning one checks the lock, finds room and may throw; then values are built in the cells
// of its parts, where no lookup finds them; `commit` makes all of it visible at once and notifies observers. The
// destructor of a draft that was not committed destroys what was built, so a call that throws leaves the world as it
// was.
//
// Every verb that brings values into the world goes through a draft, except those for plain bytes, which have nothing
// to undo: spawn_bytes, Store::put_bytes, add_bytes_to_set and batches of commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "stoa/detail/storage/build.hpp"
#include "stoa/detail/storage/edits.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// Only what typed code calls is exported: the rest is inlined where it is used.
class RowDraft {
  public:
    // The first two are for callers that know the types: their parts are open, which means that each has its place.

    // A new entity in a row of `table`, which has room, with the next id. `is_linked`: a part is sparse.
    RowDraft(Store& store, Table& table, std::span<RowPart> parts, bool is_linked) noexcept
        : store_(store), parts_(parts), target_(table), adds_(true), links_(is_linked) {}
    // Adds or replaces components of `list`. `adds`: one of them is missing.
    RowDraft(Store& store, Entity entity, const Edit& edit, TypeList& list, std::span<RowPart> parts, bool is_linked,
             bool adds) noexcept
        : store_(store),
          parts_(parts),
          target_(*edit.target),
          source_(edit.source),
          migration_(edit.migration),
          entity_(entity),
          cause_{Change::Sparse::add, &list},
          adds_(adds),
          links_(is_linked) {}
    RowDraft(const RowDraft&) = delete;
    RowDraft& operator=(const RowDraft&) = delete;
    ~RowDraft() {
        if (!committed_) [[unlikely]]
            undo();
    }

    // The following open the parts. All throw std::bad_alloc, and what the store throws where there is no room.

    // A new entity with the next id. Requires: Store::prepare_spawn has chosen the table, or the caller did as it does.
    STOA_API static RowDraft spawn(Store& store, Table& table, std::span<RowPart> parts);
    // A new entity with an id that was reserved. Requires: settled ids.
    STOA_API static RowDraft spawn_reserved(Store& store, Table& table, Entity entity, std::span<RowPart> parts);
    // Adds those components of `list` that are missing, in one move, and replaces the others where the parts have
    // values. Requires: the entity is alive at `place`. Throws Errc::locked when something is missing.
    STOA_API static RowDraft add(Store& store, Entity entity, EntityRow place, TypeList& list, std::span<RowPart> parts,
                                 const char* verb);
    // Moves a living entity along `migration`, unless that is null, and adds or replaces the parts.
    STOA_API static RowDraft edit(Store& store, Entity entity, Migration* migration, std::span<RowPart> parts);
    // The same for parts that are copies of the components of `model`.
    STOA_API static RowDraft copy(Store& store, Entity entity, Migration* migration, Entity model,
                                  std::span<RowPart> parts);

    // Chooses the id of a new entity now, for code that wants to know it. Given back when the draft is not committed.
    STOA_API Entity reserve_id();

    void* cell(std::size_t part) const { return parts_[part].cell; }

    // Builds a part of a caller that knows its type, unless there is nothing to build. The caller locks the structure
    // where user code may run.
    template <class T, class V>
    void build(std::size_t at, V&& from) {
        RowPart& part = parts_[at];
        if (part.cell == nullptr) return;
        build_value<T>(store_, part.cell, std::forward<V>(from));
        part.built = true;
    }
    // Builds all parts that describe how. Values that can be relocated stay where they are until the draft is
    // committed.
    STOA_API void build_all();

    // Makes a new entity of the row. Throws std::bad_alloc when user code has taken the id that was next; and what a
    // callback throws, then the entity stays.
    [[gnu::always_inline]] Entity commit_spawn() {
        prepare_id();
        committed_ = true;
        entity_ = store_.commit_spawn(target_);
        if (links_) link_and_overwrite();
        if (target_.reports() != 0) [[unlikely]]
            return store_.notifier().spawned(entity_, target_);
        return entity_;
    }
    // Makes the change of an entity visible; `overwrite` then replaces present values for parts that belong to the
    // caller. Returns: whether the entity has gained a component. Throws what a callback throws; the change stays.
    template <class Overwrite>
    bool commit_edit(Overwrite&& overwrite) {
        committed_ = true;
        const bool notifies = move();
        if (links_) link_and_overwrite();
        overwrite();
        if (notifies) [[unlikely]]
            store_.notifier().after_move();
        return adds_;
    }
    // The whole commit, of any draft.
    void commit() { store_.notifier().notify(commit_and_defer()); }
    // The same without notifying: the caller passes the result to Notifier::notify.
    STOA_API PendingNotification commit_and_defer();

  private:
    // What observers hear beside the entity and its tables.
    struct Cause {
        Change::Sparse sparse = Change::Sparse::stay;
        TypeList* list = nullptr;
        Entity model = {};
    };
    // Opens the parts. A new entity has no source; its id may be null.
    RowDraft(Store& store, Entity entity, const Edit& edit, const Cause& cause, std::span<RowPart> parts,
             const char* verb);
    static Edit edit_along(Store& store, Entity entity, Migration* migration);

    void open(RowPart& part, const char* verb);
    void open_present(RowPart& part);
    void open_buffer();
    void build_part(RowPart& part);
    // Makes sure that the next id can be taken, after user code may have reserved the one that was next.
    void prepare_id() {
        if (!store_.directory().ready()) store_.directory().prepare(1);
        for (const RowPart& part : parts_) {
            if (!links_) break;
            if (part.set != nullptr) store_.sparse_sets().prepare(*part.set, store_.directory().next_entity().index());
        }
    }
    bool is_new() const { return source_ == nullptr; }
    void hand_over() noexcept;
    PendingNotification enter() noexcept;
    // Moves the row, if there is a migration. Returns: whether observers are to be notified.
    bool move() noexcept {
        // Asked after building: a constructor may have made a watch, a cache or a subscription.
        const bool notifies = (source_->reports() | target_.reports()) != 0 && announce();
        if (migration_ != nullptr) move_row();
        return notifies;
    }
    STOA_API void move_row() noexcept;
    STOA_API bool announce() noexcept;
    STOA_API void link_and_overwrite() noexcept;
    void overwrite(const RowPart& part, void* with) noexcept;
    void free_buffer() noexcept;
    STOA_API void undo() noexcept;

    Store& store_;
    std::span<RowPart> parts_;
    Table& target_;
    Table* source_ = nullptr;         // null for a new entity
    Migration* migration_ = nullptr;  // null when no row moves
    Entity entity_;                   // null for a new entity that gets the next id
    Cause cause_;
    std::byte* buffer_ = nullptr;  // for copies that replace a value
    bool adds_ = false;            // the entity is new or gains a component
    bool builds_ = false;          // build_all has something to do
    bool hands_over_ = false;      // values leave their places at the commit
    bool links_ = false;           // link_and_overwrite has something to do
    bool owns_id_ = false;         // entity_ was reserved by the draft
    bool committed_ = false;
};

}  // namespace stoa::detail

// A row under construction. Beginning one checks the lock, finds room and may throw; then values are built in the cells
// of its parts, where no lookup finds them; `commit` makes all of it visible at once and notifies observers. The
// destructor of a draft that was not committed destroys what was built, so a call that throws leaves the world as it
// was.
//
// Every verb that brings values into the world goes through a draft, except those for plain bytes, which have nothing
// to undo: spawn_bytes, Store::put_bytes, replace_bytes, add_bytes_to_set and batches of commands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/build.hpp"
#include "stoa/detail/storage/edits.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// Only what typed code calls is exported. Functions that are not inline take what they need of a typed draft as
// arguments, not the draft itself: so its fields stay in registers, or are constants.
class RowDraft {
  public:
    // The first two are for callers that know the types: their parts are open, which means that each has its place.

    // A new entity in a row of `table`, which has room, with the next id.
    RowDraft(Store& store, Table& table, std::span<RowPart> parts) noexcept
        : store_(store), parts_(parts), target_(table), adds_(true) {}
    // Adds or replaces components of `list`. `adds`: one of them is missing.
    RowDraft(Store& store, Entity entity, const Edit& edit, TypeList& list, std::span<RowPart> parts,
             bool adds) noexcept
        : store_(store),
          parts_(parts),
          target_(*edit.target),
          source_(edit.source),
          migration_(edit.migration),
          entity_(entity),
          cause_{Change::Sparse::add, &list, {}},
          adds_(adds) {}
    RowDraft(const RowDraft&) = delete;
    RowDraft& operator=(const RowDraft&) = delete;
    ~RowDraft() {
        if (!committed_) [[unlikely]]
            undo(store_, parts_, buffer_, owns_id_ ? entity_ : Entity());
    }

    // The following open the parts. All throw std::bad_alloc, and what the store throws where there is no room.

    // A new entity with the next id. Requires: Store::prepare_spawn has chosen the table, or the caller did as it does.
    static RowDraft spawn(Store& store, Table& table, std::span<RowPart> parts) {
        return spawn_reserved(store, table, {}, parts);
    }
    // A new entity with an id that was reserved. Requires: settled ids.
    static RowDraft spawn_reserved(Store& store, Table& table, Entity entity, std::span<RowPart> parts) {
        return RowDraft(store, entity, {nullptr, &table, nullptr, {}, 0}, {}, parts, "spawn");
    }
    // Adds those components of `list` that are missing, in one move, and replaces the others where the parts have
    // values. Requires: the entity is alive at `place`. Throws Errc::locked when something is missing.
    static RowDraft add(Store& store, Entity entity, EntityRow place, TypeList& list, std::span<RowPart> parts,
                        const char* verb) {
        Table& table = place.chunk->table();
        const Edit edit = list.has_table ? store.begin_add(place, list, verb) : Edit{&table, &table, nullptr, {}, 0};
        return RowDraft(store, entity, edit, {Change::Sparse::add, &list, {}}, parts, verb);
    }
    // Moves a living entity along `migration`, unless that is null, and adds or replaces the parts.
    static RowDraft edit(Store& store, Entity entity, Migration* migration, std::span<RowPart> parts) {
        return RowDraft(store, entity, edit_along(store, entity, migration), {}, parts, "set");
    }
    // The same for parts that are copies of the components of `model`, and for `more`, unless that is null.
    static RowDraft copy(Store& store, Entity entity, Migration* migration, Entity model, TypeList* more,
                         std::span<RowPart> parts) {
        return RowDraft(store, entity, edit_along(store, entity, migration), {Change::Sparse::copy, more, model}, parts,
                        "copy");
    }

    // The same for a change that removes the first component of `list`, which the entity has, and adds or replaces the
    // others.
    static RowDraft replace(Store& store, Entity entity, Migration* migration, TypeList& list,
                            std::span<RowPart> parts) {
        return RowDraft(store, entity, edit_along(store, entity, migration), {Change::Sparse::replace, &list, {}},
                        parts, "replace");
    }

    // Chooses the id of a new entity now, for code that wants to know it. Given back when the draft is not committed.
    STOA_API Entity reserve_id();

    void* cell(std::size_t part) const { return parts_[part].cell; }

    // Builds a part of a caller that knows its type, unless there is nothing to build. The caller locks the structure
    // where user code may run.
    template <class T, class V>
    [[gnu::always_inline]] void build(std::size_t at, V&& from) {
        RowPart& part = parts_[at];
        if (part.cell == nullptr) return;
        build_value<T>(store_, part.cell, std::forward<V>(from));
        if constexpr (!std::is_trivially_destructible_v<T>) part.built = true;
    }
    // Builds all parts that describe how. Values that can be relocated stay where they are until the draft is
    // committed.
    void build_all();

    // Makes a new entity of the row, of parts of Ts. Throws std::bad_alloc when user code has taken the id that was
    // next; and what a callback throws, then the entity stays.
    template <class... Ts>
    [[gnu::always_inline]] Entity commit_spawn() {
        if (!store_.directory().ready())
            store_.directory().prepare(1);  // user code may have reserved the one that was next
        prepare_slots<Ts...>();
        committed_ = true;
        entity_ = store_.commit_spawn(target_);
        link_parts<Ts...>();
        if (target_.reports() != 0) [[unlikely]]
            return store_.notifier().spawned(entity_, target_);
        return entity_;
    }
    // Makes the change of an entity visible, of parts of Ts; `overwrite` then replaces present values. Returns: whether
    // the entity has gained a component. Throws what a callback throws; the change stays.
    template <class... Ts, class Overwrite>
    [[gnu::always_inline]] bool commit_edit(Overwrite&& overwrite) {
        committed_ = true;
        const bool notifies = move();
        link_parts<Ts...>();
        overwrite();
        if (notifies) [[unlikely]]
            store_.notifier().after_move();
        return adds_;
    }
    // The whole commit, of a draft that has opened its parts, or whose parts are in the row. Returns: the entity.
    Entity commit() {
        const PendingNotification pending = commit_and_defer();
        if (pending.kind != PendingNotification::Kind::none) [[unlikely]]
            store_.notifier().notify(pending);
        return entity_;
    }
    // The same without notifying: the caller passes the result to Notifier::notify.
    STOA_API PendingNotification commit_and_defer();

  private:
    using Place = RowPart::Place;
    // What observers hear beside the entity and its tables.
    struct Cause {
        Change::Sparse sparse = Change::Sparse::stay;
        TypeList* list = nullptr;
        Entity model = {};
    };
    // Opens the parts. A new entity has no source; its id may be null.
    RowDraft(Store& store, Entity entity, const Edit& edit, const Cause& cause, std::span<RowPart> parts,
             const char* verb)
        : store_(store),
          parts_(parts),
          target_(*edit.target),
          source_(edit.source),
          migration_(edit.migration),
          entity_(entity),
          cause_(cause),
          adds_(edit.source == nullptr || edit.migration != nullptr) {
        open(verb);
    }
    static Edit edit_along(Store& store, Entity entity, Migration* migration) {
        Table& source = store.locate(entity).chunk->table();
        return {&source, migration != nullptr ? migration->target : &source, migration, {}, 0};
    }

    void open(const char* verb);
    void open_in_set(RowPart& part, const char* verb);
    void open_present(RowPart& part);
    void open_buffer(std::size_t most);
    void build_part(RowPart& part);
    void prepare_id();
    bool is_new() const { return source_ == nullptr; }
    // Makes sure that the next entity can get a value in the set of a part.
    void prepare_slot(const RowPart& part) {
        store_.sparse_sets().prepare(*part.set, store_.directory().next_entity().index());
    }
    template <class... Ts>
    [[gnu::always_inline]] void prepare_slots() {
        [[maybe_unused]] std::size_t at = 0;
        ((is_sparse<Ts> ? prepare_slot(parts_[at++]) : static_cast<void>(++at)), ...);
    }
    PendingNotification enter() noexcept;
    // Moves the row, if there is a migration. Returns: whether observers are to be notified.
    bool move() noexcept {
        const bool notifies = announce();
        if (migration_ != nullptr) move_row(store_, entity_, *source_, *migration_);
        return notifies;
    }
    bool replace_row() noexcept;
    STOA_API static void move_row(Store& store, Entity entity, Table& source, Migration& migration) noexcept;
    // Asked after building: a constructor may have made a watch, a cache or a subscription.
    bool announce() noexcept {
        if ((source_->reports() | target_.reports()) == 0) return false;
        const bool removes = cause_.sparse == Change::Sparse::replace;
        if (migration_ == nullptr && !removes && (!adds_ || cause_.sparse == Change::Sparse::stay)) return false;
        return store_.notifier().before_move({entity_, source_, &target_, cause_.sparse, cause_.list, cause_.model});
    }
    // Makes a sparse value the entity's own. No closure refers to the draft, which would keep it in memory.
    template <class T>
    [[gnu::always_inline]] void link(const RowPart& part) noexcept {
        if constexpr (is_sparse<T>) {
            if (part.place == Place::slot) store_.sparse_sets().insert(*part.set, entity_, store_.tick());
            if constexpr (!component_type<T>.relocatable) {
                if (part.place == Place::beside) link_beside(store_, entity_, part);
            }
        }
    }
    template <class... Ts>
    [[gnu::always_inline]] void link_parts() noexcept {
        [[maybe_unused]] std::size_t at = 0;
        (link<Ts>(parts_[at++]), ...);
    }
    STOA_API static void link_beside(Store& store, Entity entity, const RowPart& part) noexcept;
    void link_and_overwrite() noexcept;
    void overwrite(const RowPart& part, void* with) noexcept;
    // Destroys what was built and gives the id back, unless it is null.
    STOA_API static void undo(Store& store, std::span<const RowPart> parts, std::byte* buffer, Entity id) noexcept;

    Store& store_;
    std::span<RowPart> parts_;
    Table& target_;
    Table* source_ = nullptr;         // null for a new entity
    Migration* migration_ = nullptr;  // null when no row moves
    Entity entity_;                   // null for a new entity that gets the next id
    Cause cause_;
    std::byte* buffer_ = nullptr;  // for built values that replace another
    bool adds_ = false;            // the entity is new or gains a component
    bool links_ = false;           // link_and_overwrite has something to do
    bool owns_id_ = false;         // entity_ was reserved by the draft
    bool committed_ = false;
};

}  // namespace stoa::detail

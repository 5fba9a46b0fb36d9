// Replacing one component by another. Rows of plain bytes move as they do when a component is added; all other cases
// are a row draft that also removes.
#include "stoa/detail/storage/replace.hpp"

#include "storage/command_edits.hpp"
#include "storage/move_rows.hpp"

namespace stoa::detail {
namespace {

// The part of replace_bytes for observed and other special tables, and for a component that is present.
[[gnu::noinline]] bool replace_row(Store& store, Entity entity, Location at, TypeList& list, const void* value) {
    Table& source = store.chunks()[at.chunk()].table();
    if (!source.has(store.id_of(*list.types[0]))) return false;
    store.require_unlocked("replace", list.types[0]->type->name());
    Store::State& state = store.state();
    Migration& migration = *state.catalog.replacing(source, list);
    Table& target = *migration.target;
    if (!target.has_room()) state.growth.make_room(target);

    if (const Column* added = migration.added) {
        fill_hole(*added, cell_of(target.tail_base(), *added, target.tail_rows()),
                  static_cast<const std::byte*>(value));
    }
    const bool notifies = store.notifier().before_move({entity, &source, &target});
    state.mover.move(entity, source, at, migration);
    if (migration.added == nullptr && value != nullptr) {
        const Location now = store.directory().location(entity.index());
        const Chunk& chunk = store.chunks()[now.chunk()];
        const ColumnAt column = target.find(store.id_of(*list.types[1]));
        const std::uint32_t size = list.types[1]->type->size;
        std::memcpy(cell_at(chunk.base, column.offset, now.row(), size), value, size);
        chunk.stamp(column, now.row(), store.tick());
    }
    state.mover.end_departed(entity, source, at, migration);
    if (notifies) store.notifier().after_move();
    return true;
}

}  // namespace

bool replace_bytes(Store& store, Entity entity, TypeList& list, const void* value) {
    Location at;
    if (!store.directory().find(entity, at)) return false;
    Table& source = store.chunks()[at.chunk()].table();
    Migration* migration = source.migrations().recent();
    // That there is such a migration says that the entity has the first component; a column that is added, that it
    // lacks the other.
    if (!source.migrations().is_recent(MigrationKind::replace, list.cached_number.in(store.types().key())) ||
        (value != nullptr && migration->added == nullptr) || !moves_bytes(store, source, *migration)) [[unlikely]] {
        return replace_row(store, entity, at, list, value);
    }
    if (const Column* added = migration->added) {
        with_common_size(added->size, [&](auto size) {
            std::memcpy(cell_at(migration->target->tail_base(), added->offset, migration->target->tail_rows(), size()),
                        value, size());
        });
    }
    migrate_bytes({store.directory(), store.chunks(), store.tick()}, entity, source, at, *migration);
    return true;
}

bool replace_and_defer(Store& store, Entity entity, TypeList& list, std::span<RowPart> parts,
                       PendingNotification& pending) {
    TypeHandle& first = *list.types[0];
    if (!store.alive(entity) || !has_component(store, entity, store.id_of(first))) return false;
    store.require_unlocked("replace", first.type->name());
    Table& source = store.locate(entity).chunk->table();
    RowDraft draft = RowDraft::replace(store, entity, store.state().catalog.replacing(source, list), list, parts);
    draft.build_all();
    pending = draft.commit_and_defer();
    return true;
}

bool replace_parts(Store& store, Entity entity, TypeList& list, std::span<RowPart> parts) {
    PendingNotification pending;
    const bool done = replace_and_defer(store, entity, list, parts, pending);
    store.notifier().notify(pending);
    return done;
}

}  // namespace stoa::detail

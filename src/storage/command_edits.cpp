// Edits without types: each is a row draft over parts that name their types.
#include "storage/command_edits.hpp"

#include "stoa/detail/storage/row_draft.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

PendingNotification spawn_reserved(Store& store, Entity entity, Table& table, std::span<RowPart> parts,
                                   Initializer* initialize) {
    RowDraft draft = RowDraft::spawn_reserved(store, table, entity, parts);
    draft.build_all();
    if (initialize != nullptr) {
        const Store::Lock lock(store);
        (*initialize)(entity, parts);
    }
    return draft.commit_and_defer();
}

PendingNotification put_parts(Store& store, Entity entity, TypeList& list, std::span<RowPart> parts) {
    RowDraft draft = RowDraft::add(store, entity, store.locate(entity), list, parts, "set");
    draft.build_all();
    return draft.commit_and_defer();
}

PendingNotification edit(Store& store, Entity entity, Migration* migration, std::span<RowPart> parts) {
    RowDraft draft = RowDraft::edit(store, entity, migration, parts);
    draft.build_all();
    return draft.commit_and_defer();
}

bool has_component(const Store& store, Entity entity, ComponentId id) {
    const SparseSet* set = store.find_sparse(id);
    return set != nullptr ? set->contains(entity) : store.locate(entity).chunk->table().has(id);
}

Migration* migration_for(Store& store, Table& source, std::span<const Effect> effects) {
    return store.state().catalog.editing(source, effects);
}

}  // namespace stoa::detail

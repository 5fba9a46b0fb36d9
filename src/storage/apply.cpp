// Edits without types: the verbs that recorded commands are applied with.
#include <algorithm>

#include "stoa/detail/storage/row_draft.hpp"
#include "storage/move_rows.hpp"

namespace stoa::detail {

PendingNotification Store::spawn_reserved(Entity entity, Table& table, std::span<RowPart> parts,
                                          Initializer* initialize) {
    RowDraft draft = RowDraft::spawn_reserved(*this, table, entity, parts);
    draft.build_all();
    if (initialize != nullptr) {
        const Lock lock(*this);
        (*initialize)(entity, parts);
    }
    return draft.commit_and_defer();
}

PendingNotification Store::put(Entity entity, TypeList& list, std::span<RowPart> parts) {
    RowDraft draft = RowDraft::add(*this, entity, locate(entity), list, parts, "set");
    draft.build_all();
    return draft.commit_and_defer();
}

PendingNotification Store::edit(Entity entity, Migration* plan, std::span<RowPart> parts) {
    RowDraft draft = RowDraft::edit(*this, entity, plan, parts);
    draft.build_all();
    return draft.commit_and_defer();
}

Migration* Store::migration_for(Table& source, std::span<const Effect> effects) {
    return state_->catalog.editing(source, effects);
}

Table& Store::empty_table() const { return state_->catalog.empty_table(); }

}  // namespace stoa::detail

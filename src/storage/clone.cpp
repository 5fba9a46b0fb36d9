// Copies of whole entities. Copies are built where no one sees them (behind the last row, in a free sparse slot, or in
// a buffer when they replace a value), so a copy constructor that throws leaves the world as it was.
#include <vector>

#include "base/raise.hpp"
#include "stoa/detail/storage/copy_entity.hpp"
#include "stoa/detail/storage/row_draft.hpp"
#include "storage/cells.hpp"
#include "storage/describe_entity.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {
namespace {

void add_copy(std::vector<RowPart>& parts, const ComponentType& type, ComponentId id, const char* verb, Entity entity) {
    if (type.traits.cleanup) return;
    if (type.size != 0 && type.copy == nullptr) {
        raise(Errc::not_copyable, std::string(verb) + ": component " + std::string(type.name()) + " of " +
                                      describe(entity) +
                                      " cannot be copied; remove it first or give the type a copy constructor");
    }
    RowPart& part = parts.emplace_back();
    part.source = RowPart::Source::copy;
    part.type = &type;
    part.id = id;
}

// Parts for copies of the values of an entity. Throws Errc::not_copyable.
std::vector<RowPart> copies_of(const Store& store, Entity entity, const char* verb) {
    std::vector<RowPart> parts;
    const Table& table = store.locate(entity).chunk->table();
    for (const Column& column : table.columns()) add_copy(parts, *column.type, column.id, verb, entity);
    store.sparse_sets().each_of(
        entity, [&](SparseSet& set, SparseSlot) { add_copy(parts, set.type(), set.id(), verb, entity); });
    return parts;
}

// Points the parts at the values of the entity, once there is room for all: making room may have moved them.
void point_at_values(const Store& store, Entity entity, std::vector<RowPart>& parts) {
    const EntityRow place = store.locate(entity);
    for (RowPart& part : parts) {
        if (part.type->size == 0) continue;
        if (part.set != nullptr) {
            part.value = part.set->value(part.set->slot_of(entity));
        } else {
            part.value =
                cell_at(place.chunk->base, place.chunk->columns->find(part.id).offset, place.row(), part.type->size);
        }
    }
}

}  // namespace

Entity clone_entity(Store& store, Entity model) {
    const EntityRow known = store.locate(model);
    if (!known) fail_dead(store, "clone", model);
    store.require_unlocked("clone");
    Table* table = &known.chunk->table();
    std::vector<RowPart> parts = copies_of(store, model, "clone");
    if (table->has_cleanup()) table = &store.state().catalog.without_cleanup(*table);
    if (!store.directory().ready()) store.directory().prepare(1);
    RowDraft draft = RowDraft::spawn(store, *table, parts);
    point_at_values(store, model, parts);
    draft.build_all();
    return draft.commit_spawn();
}

void copy_components(Store& store, Entity from, Entity to) {
    const EntityRow known = store.locate(from);
    if (!known) fail_dead(store, "copy", from);
    const EntityRow known_target = store.locate(to);
    if (!known_target) fail_dead(store, "copy", to);
    if (from == to) return;
    const Table& source = known.chunk->table();
    Table& before = known_target.chunk->table();
    std::vector<RowPart> parts = copies_of(store, from, "copy");

    if (TableCatalog::lacks_some(before, source)) store.require_unlocked("copy");
    Migration* migration = store.state().catalog.copying(before, source);
    bool adds_sparse = false;
    store.sparse_sets().each_of(
        from, [&](SparseSet& set, SparseSlot) { adds_sparse |= !set.type().traits.cleanup && !set.contains(to); });
    if (adds_sparse || migration != nullptr) store.require_unlocked("copy");
    RowDraft draft = RowDraft::copy(store, to, migration, from, parts);
    point_at_values(store, from, parts);
    draft.build_all();
    draft.commit();
}

}  // namespace stoa::detail

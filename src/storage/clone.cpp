// Copies of whole entities. Copies are built where no one sees them (behind the last row, in a free sparse slot, or in
// a buffer when they replace a value), so a copy constructor that throws leaves the world as it was.
#include <vector>

#include "base/raise.hpp"
#include "stoa/detail/storage/copy_entity.hpp"
#include "stoa/detail/storage/row_draft.hpp"
#include "storage/cells.hpp"
#include "storage/command_edits.hpp"
#include "storage/describe_entity.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {
namespace {

void require_copyable(const ComponentType& type, const char* verb, Entity entity) {
    if (type.size == 0 || type.copy != nullptr) [[likely]]
        return;
    raise(Errc::not_copyable, std::string(verb) + ": component " + std::string(type.name()) + " of " +
                                  describe(entity) +
                                  " cannot be copied; remove it first or give the type a copy constructor");
}

// Parts for copies of the values of an entity of `table`, in one block of memory. Throws Errc::not_copyable.
std::vector<RowPart> copies_of(const Store& store, const Table& table, Entity entity, const char* verb) {
    const SparseSets& sets = store.sparse_sets();
    std::vector<RowPart> parts;
    parts.reserve(table.column_count() + (sets.may_have(entity) ? sets.all().size() : 0));
    const auto add_copy = [&](const ComponentType& type, ComponentId id, SparseSet* set, void* value) {
        if (type.traits.cleanup) return;
        require_copyable(type, verb, entity);
        RowPart& part = parts.emplace_back();
        part.source = RowPart::Source::copy;
        part.type = &type;
        part.id = id;
        part.set = set;
        part.value = value;
    };
    for (const Column& column : table.columns()) add_copy(*column.type, column.id, nullptr, nullptr);
    sets.each_of(entity, [&](SparseSet& set, SparseSlot slot) {
        add_copy(set.type(), set.id(), &set, set.type().size != 0 ? set.value(slot) : nullptr);
    });
    return parts;
}

// Points parts in tables at the values of the entity, once there is room for all: making room may have moved them.
// These parts come first, in order of columns; sparse values stay where they are.
void point_at_values(const Store& store, Entity entity, std::span<RowPart> parts) {
    const EntityRow place = store.locate(entity);
    auto part = parts.begin();
    for (const Column& column : place.chunk->table().columns()) {
        if (!column.type->traits.cleanup) (part++)->value = cell_of(place.chunk->base, column, place.row());
    }
}

// A copy of a living entity, with this id; null: with the next one. Returns what `commit` returns.
template <class Commit>
auto clone_as(Store& store, Entity model, Entity id, Commit&& commit) {
    Table* table = &store.locate(model).chunk->table();
    std::vector<RowPart> parts = copies_of(store, *table, model, "clone");
    if (table->has_cleanup()) table = &store.state().catalog.without_cleanup(*table);
    RowDraft draft = RowDraft::spawn_reserved(store, *table, id, parts);
    point_at_values(store, model, parts);
    draft.build_all();
    return commit(draft);
}

}  // namespace

Entity clone_entity(Store& store, Entity model) {
    if (!store.alive(model)) fail_dead(store, "clone", model);
    store.require_unlocked("clone");
    if (!store.directory().ready()) store.directory().prepare(1);
    return clone_as(store, model, {}, [](RowDraft& draft) { return draft.commit(); });
}

PendingNotification clone_reserved(Store& store, Entity model, Entity id) {
    return clone_as(store, model, id, [](RowDraft& draft) { return draft.commit_and_defer(); });
}

void copy_components(Store& store, Entity from, Entity to) {
    const EntityRow known = store.locate(from);
    if (!known) fail_dead(store, "copy", from);
    const EntityRow known_target = store.locate(to);
    if (!known_target) fail_dead(store, "copy", to);
    if (from == to) return;
    const Table& source = known.chunk->table();
    Table& before = known_target.chunk->table();
    std::vector<RowPart> parts = copies_of(store, source, from, "copy");

    if (store.locked() && TableCatalog::lacks_some(before, source)) fail_locked(store, "copy");
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

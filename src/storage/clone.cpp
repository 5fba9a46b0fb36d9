// Copies of whole entities. Copies are built where no one sees them (behind the last row, in a free sparse slot, or in
// a buffer when they replace a value), so a copy constructor that throws leaves the world as it was.
#include <algorithm>
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

// What copies of an entity need beyond its components: what these require, and neither it nor the target has.
struct RequiredParts {
    std::vector<TypeHandle*> handles;

    // `to`: the entity that gets the copies; null for a new one.
    RequiredParts(Store& store, const Table& table, Entity from, Entity to) {
        const auto target_has = [&](ComponentId id) { return to && has_component(store, to, id); };
        const auto add_for = [&](const ComponentType& type, ComponentId id) {
            if (type.required == nullptr || type.traits.cleanup || target_has(id)) return;
            for (TypeHandle* const* slot = type.required; *slot != nullptr; ++slot) {
                const ComponentId required = resolve(store.types().registry(), **slot);
                const bool copied = has_component(store, from, required) && !(*slot)->type->traits.cleanup;
                if (!copied && !target_has(required) &&
                    std::find(handles.begin(), handles.end(), *slot) == handles.end())
                    handles.push_back(*slot);
            }
        };
        for (std::uint32_t i = 0; i < table.id_count(); ++i) add_for(table.type(i), table.ids()[i]);
        store.sparse_sets().each_of(from, [&](SparseSet& set, SparseSlot) { add_for(set.type(), set.id()); });
    }
    // The migration from `source` that adds them, and what `model` has and `source` lacks, unless that is null.
    Migration* migration(Store& store, Table& source, const Table* model) const {
        std::vector<Effect> effects;
        for (TypeHandle* slot : handles) {
            if (!slot->type->is_sparse()) effects.push_back({slot, store.id_of(*slot), true});
        }
        for (std::uint32_t i = 0; model != nullptr && i < model->id_count(); ++i) {
            if (!model->type(i).traits.cleanup) effects.push_back({nullptr, model->ids()[i], true});
        }
        return migration_for(store, source, effects);
    }
    void append_to(std::vector<RowPart>& parts) const {
        for (TypeHandle* slot : handles) parts.push_back(RowPart::constructed(*slot));
    }
};

// Appends what the copies require. Returns: the table of a new entity that would be in `table`.
[[gnu::noinline]] Table& add_required(Store& store, Entity model, Table& table, std::vector<RowPart>& parts) {
    const RequiredParts required(store, store.locate(model).chunk->table(), model, {});
    if (required.handles.empty()) return table;
    required.append_to(parts);
    const Migration* migration = required.migration(store, table, nullptr);
    return migration != nullptr ? *migration->target : table;
}

// The end of a copy. Requires: the structure is unlocked, if something is missing.
[[gnu::always_inline]] inline void copy_along(Store& store, Entity from, Entity to, Migration* migration,
                                              TypeList* more, std::span<RowPart> parts) {
    RowDraft draft = RowDraft::copy(store, to, migration, from, more, parts);
    point_at_values(store, from, parts);
    draft.build_all();
    draft.commit();
}

// A copy that requires more than the entity has. False if nothing is required; then nothing has changed.
[[gnu::noinline]] bool copy_with_required(Store& store, Entity from, Entity to, std::vector<RowPart>& parts) {
    const Table& source = store.locate(from).chunk->table();
    RequiredParts required(store, source, from, to);
    if (required.handles.empty()) return false;
    store.require_unlocked("copy");
    required.append_to(parts);
    Migration* migration = required.migration(store, store.locate(to).chunk->table(), &source);
    TypeList more{required.handles.data(), static_cast<std::uint32_t>(required.handles.size()), true, true, {}};
    copy_along(store, from, to, migration, &more, parts);
    return true;
}

// A copy of a living entity, with this id; null: with the next one. Returns what `commit` returns.
template <class Commit>
auto clone_as(Store& store, Entity model, Entity id, Commit&& commit) {
    Table* table = &store.locate(model).chunk->table();
    std::vector<RowPart> parts = copies_of(store, *table, model, "clone");
    if (table->has_cleanup()) table = &store.state().catalog.without_cleanup(*table);
    if (store.state().has_requirers) [[unlikely]]
        table = &add_required(store, model, *table, parts);
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
    if (store.state().has_requirers && copy_with_required(store, from, to, parts)) [[unlikely]]
        return;
    Migration* migration = store.state().catalog.copying(before, source);
    bool adds_sparse = false;
    store.sparse_sets().each_of(
        from, [&](SparseSet& set, SparseSlot) { adds_sparse |= !set.type().traits.cleanup && !set.contains(to); });
    if (adds_sparse || migration != nullptr) store.require_unlocked("copy");
    copy_along(store, from, to, migration, nullptr, parts);
}

}  // namespace stoa::detail

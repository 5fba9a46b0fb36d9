// Sets of components, the tables that have them, and the migrations between those.
#include "storage/table_catalog.hpp"

#include <algorithm>
#include <vector>

#include "stoa/detail/storage/type_list_tables.hpp"

namespace stoa::detail {
namespace {

std::uint64_t hash_of(const ComponentSet& set, bool ghost) {
    std::uint64_t hash = ghost ? 0x2545f4914f6cdd1du : 0x9e3779b97f4a7c15u;
    for (const ComponentId id : set.ids) {
        hash = (hash ^ static_cast<std::uint32_t>(id)) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return hash;
}

// A read-only set that refers to ids of the caller.
ComponentSet view_of(std::span<const ComponentId> ids) {
    const auto count = static_cast<std::uint32_t>(ids.size());
    ComponentSet set;
    set.ids = {const_cast<ComponentId*>(ids.data()), count, count};  // Safe: nothing is written through a lookup
    return set;
}

}  // namespace

void TypeListTables::prepare(BlockPool& pool, ListNumber number) {
    if (index_of(number) < count_) return;
    const std::uint32_t old = count_;
    grow_array(pool, tables_, old, count_, index_of(number) + 1);
    std::fill(tables_ + old, tables_ + count_, nullptr);
}

void TypeListTables::free(BlockPool& pool) noexcept { free_array(pool, tables_, count_); }

TableCatalog::~TableCatalog() {
    for (Table* table : tables_) table->destroy(pool_);
    tables_.free(pool_);
    digests_.free(pool_);
    index_.free(pool_);
    workspace_.free(pool_);
}

// Requires: a free slot.
void TableCatalog::enter(PodArray<Table*>& index, Table* table) const noexcept {
    std::uint32_t at = static_cast<std::uint32_t>(table->hash()) & (index.size - 1);
    while (index[at] != nullptr) at = (at + 1) & (index.size - 1);
    index[at] = table;
}

void TableCatalog::rebuild(PodArray<Table*>& index) const noexcept {
    std::fill_n(index.data, index.size, nullptr);
    for (Table* table : tables_) enter(index, table);
}

Table* TableCatalog::find(const ComponentSet& set, bool ghost, std::uint64_t hash) const {
    if (index_.size == 0) return nullptr;
    for (std::uint32_t at = static_cast<std::uint32_t>(hash) & (index_.size - 1); index_[at] != nullptr;
         at = (at + 1) & (index_.size - 1)) {
        Table* table = index_[at];
        if (table->hash() == hash && table->is_ghost() == ghost &&
            std::equal(set.ids.begin(), set.ids.end(), table->ids().begin(), table->ids().end())) {
            return table;
        }
    }
    return nullptr;
}

Table* TableCatalog::find(TypeList& list) const {
    // Not in the workspace: several threads may look up at the same time.
    std::vector<ComponentId> ids;
    for (std::uint32_t i = 0; i < list.count; ++i) {
        if (!list.types[i]->type->is_sparse()) ids.push_back(registry_.id_of(*list.types[i]));
    }
    std::sort(ids.begin(), ids.end());
    const ComponentSet set = view_of(ids);
    return find(set, false, hash_of(set, false));
}

Table& TableCatalog::find_or_make(const ComponentSet& set, bool ghost) {
    const std::uint64_t hash = hash_of(set, ghost);
    if (Table* known = find(set, ghost, hash)) return *known;
    grow_index();
    Table& table = make(set, ghost, hash);
    enter(index_, &table);
    hooks_.after_table(table);
    return table;
}

// At most half full after this table and the next.
void TableCatalog::grow_index() {
    if (index_.size >= 2 * (tables_.size + 2)) return;
    // Inside a removal the old index is used while it has a free slot; the next spawn enlarges it.
    if (pool_.in_no_fail() && index_.size > tables_.size + 1) return;
    PodArray<Table*> larger;
    larger.reserve(pool_, std::max<std::uint32_t>(16, index_.size * 2));
    larger.size = larger.capacity;
    rebuild(larger);
    index_.free(pool_);
    index_ = larger;
}

Table& TableCatalog::make(const ComponentSet& set, bool ghost, std::uint64_t hash) {
    // One entry more than needed, so that a removal has room when there is no memory left.
    const std::uint32_t spare = pool_.in_no_fail() ? 1 : 2;
    tables_.reserve(pool_, tables_.size + spare);
    digests_.reserve(pool_, tables_.size + spare);
    hooks_.before_table(set);
    const Table::Block layout(set, registry_.registry().component_count());
    if (!pool_.in_no_fail()) pool_.keep_reserve(2 * layout.bytes + 4096);
    Table& table = Table::make(pool_, set, layout, {ghost, hash, next_serial_});
    ++next_serial_;
    tables_.push(&table);
    digests_.push(table.digest());
    return table;
}

void TableCatalog::unite(ComponentSet& set, const Table& source, TypeList& list) {
    set.clear();
    set.reserve(pool_, source.id_count() + list.count);
    for (std::uint32_t i = 0; i < source.id_count(); ++i) set.push(source.ids()[i], source.type(i));
    for (std::uint32_t i = 0; i < list.count; ++i) {
        TypeHandle& slot = *list.types[i];
        if (slot.type->is_sparse()) continue;
        const ComponentId id = resolve(registry_.registry(), slot);
        if (!source.has(id)) set.insert(id, libraries_.use(id));
    }
}

void TableCatalog::unite(ComponentSet& set, const Table& source, const Table& model) {
    set.clear();
    set.reserve(pool_, source.id_count() + model.id_count());
    for (std::uint32_t i = 0; i < source.id_count(); ++i) set.push(source.ids()[i], source.type(i));
    for (std::uint32_t i = 0; i < model.id_count(); ++i) {
        const ComponentId id = model.ids()[i];
        if (!model.type(i).traits.cleanup && !source.has(id)) set.insert(id, model.type(i));
    }
}

void TableCatalog::subtract(ComponentSet& set, const Table& source, TypeList& list) {
    set.clear();
    set.reserve(pool_, source.id_count());
    for (std::uint32_t i = 0; i < source.id_count(); ++i) {
        const ComponentId id = source.ids()[i];
        const bool removed = std::any_of(list.types, list.types + list.count,
                                         [&](TypeHandle* slot) { return registry_.id_of(*slot) == id; });
        if (!removed) set.push(id, source.type(i));
    }
}

bool TableCatalog::exchange(ComponentSet& set, const Table& source, TypeList& list) {
    TypeList added{list.types + 1, list.count - 1, list.has_table, list.has_sparse, {}};
    unite(set, source, added);
    const bool adds = set.size() != source.id_count();
    return set.erase(registry_.id_of(*list.types[0])) || adds;
}

void TableCatalog::keep(ComponentSet& set, const Table& source, bool cleanup) {
    set.clear();
    set.reserve(pool_, source.id_count());
    for (std::uint32_t i = 0; i < source.id_count(); ++i) {
        if (source.type(i).traits.cleanup == cleanup) set.push(source.ids()[i], source.type(i));
    }
}

bool TableCatalog::apply(ComponentSet& set, const Table& source, std::span<const Effect> effects) {
    set.clear();
    set.reserve(pool_, source.id_count() + static_cast<std::uint32_t>(effects.size()));
    bool changes = false;
    for (std::uint32_t i = 0; i < source.id_count(); ++i) {
        const ComponentId id = source.ids()[i];
        const auto effect =
            std::find_if(effects.begin(), effects.end(), [&](const Effect& each) { return each.id == id; });
        const bool stays = effect == effects.end() || effect->present;
        changes |= !stays;
        if (stays) set.push(id, source.type(i));
    }
    for (const Effect& effect : effects) {
        if (!effect.present || source.has(effect.id)) continue;
        changes = true;
        set.insert(effect.id, libraries_.use(effect.id));
    }
    return changes;
}

Table& TableCatalog::table_of(TypeList& list) {
    unite(workspace_, empty_table(), list);
    return find_or_make(workspace_, false);
}

Table& TableCatalog::without_cleanup(const Table& table) {
    keep(workspace_, table, false);
    return find_or_make(workspace_, false);
}

Migration& TableCatalog::make_migration(Table& source, std::uint64_t key, const ComponentSet& set, bool ghost) {
    constexpr std::uint32_t never = 0xffffffff;  // the layout of no table
    Table& target = find_or_make(set, ghost);
    const auto bytes = static_cast<std::uint32_t>(sizeof(Migration) + source.column_count() * sizeof(ColumnMove));
    const bool common = source.has_common_sizes() && target.has_common_sizes();
    // Safe: `bytes` are room for the migration and for its column moves behind it.
    auto* made = ::new (pool_.take(bytes, alignof(Migration)))
        Migration{&target, nullptr, key, never, never, 0, source.column_count(), bytes, common};
    for (const Column& column : source.columns()) made->kept += target.has(column.id);
    const auto added = std::find_if(target.columns().begin(), target.columns().end(),
                                    [&](const Column& column) { return !source.has(column.id); });
    if (added != target.columns().end()) made->added = &*added;
    made->refresh(source);
    struct Return {
        BlockPool& pool;
        Migration* made;
        ~Return() {
            if (made != nullptr) pool.give(made, made->bytes, alignof(Migration));
        }
    } unused{pool_, made};
    source.migrations().insert(pool_, *made);
    unused.made = nullptr;
    return *made;
}

Migration& TableCatalog::adding(Table& source, TypeList& list) {
    const std::uint64_t key = migration_key(MigrationKind::add, registry_.number_of(list));
    if (Migration* known = source.migrations().find(key)) return *known;
    unite(workspace_, source, list);
    return make_migration(source, key, workspace_, false);
}

Migration* TableCatalog::removing(Table& source, TypeList& list) {
    const std::uint64_t key = migration_key(MigrationKind::remove, registry_.number_of(list));
    if (Migration* known = source.migrations().find(key)) return known;
    subtract(workspace_, source, list);
    if (workspace_.size() == source.id_count()) return nullptr;
    return &make_migration(source, key, workspace_, source.is_ghost());
}

Migration* TableCatalog::replacing(Table& source, TypeList& list) {
    const std::uint64_t key = migration_key(MigrationKind::replace, registry_.number_of(list));
    if (Migration* known = source.migrations().find(key)) return known;
    if (!exchange(workspace_, source, list)) return nullptr;
    return &make_migration(source, key, workspace_, false);
}

Migration& TableCatalog::stripping(Table& source) {
    const std::uint64_t key = migration_key(MigrationKind::strip);
    if (Migration* known = source.migrations().find(key)) return *known;
    keep(workspace_, source, true);
    return make_migration(source, key, workspace_, false);
}

Migration& TableCatalog::to_ghost(Table& source) {
    const std::uint64_t key = migration_key(MigrationKind::ghost);
    if (Migration* known = source.migrations().find(key)) return *known;
    keep(workspace_, source, true);
    return make_migration(source, key, workspace_, true);
}

bool TableCatalog::has_ordinary(const Table& table) {
    for (std::uint32_t i = 0; i < table.id_count(); ++i) {
        if (!table.type(i).traits.cleanup) return true;
    }
    return false;
}

bool TableCatalog::lacks_some(const Table& source, const Table& model) {
    for (std::uint32_t i = 0; i < model.id_count(); ++i) {
        if (!model.type(i).traits.cleanup && !source.has(model.ids()[i])) return true;
    }
    return false;
}

Migration* TableCatalog::copying(Table& source, const Table& model) {
    const std::uint64_t key = migration_key(MigrationKind::copy, model.serial());
    if (Migration* known = source.migrations().find(key)) return known;
    if (!lacks_some(source, model)) return nullptr;
    unite(workspace_, source, model);
    return &make_migration(source, key, workspace_, false);
}

Migration* TableCatalog::editing(Table& source, std::span<const Effect> effects) {
    if (!apply(workspace_, source, effects)) return nullptr;
    const std::uint64_t key = migration_key(MigrationKind::edit, find_or_make(workspace_, false).serial());
    Migration* known = source.migrations().find(key);
    return known != nullptr ? known : &make_migration(source, key, workspace_, false);
}

void TableCatalog::release(Migration& used, Table& source) noexcept {
    if (source.migrations().search(used.key) != &used) pool_.give(&used, used.bytes, alignof(Migration));
}

const char* TableCatalog::check() const {
    const auto indexed = std::count_if(index_.begin(), index_.end(), [](Table* table) { return table != nullptr; });
    if (static_cast<std::uint32_t>(indexed) != tables_.size) return "the index of tables has another number of tables";
    if (!std::equal(tables_.begin(), tables_.end(), digests_.begin(), digests_.end(),
                    [](const Table* table, std::uint64_t digest) { return table->digest() == digest; })) {
        return "the digests of the tables are not theirs";
    }
    for (const Table* table : tables_) {
        if (find(view_of(table->ids()), table->is_ghost(), table->hash()) != table)
            return "a table cannot be found by its components";
    }
    return nullptr;
}

}  // namespace stoa::detail

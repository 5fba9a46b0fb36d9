// The graph of tables: which table holds a set of components, and the cached migrations between tables.
#include <algorithm>

#include "storage/state.hpp"

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

// Requires: a free slot.
void insert(PodArray<Table*>& index, Table* table) noexcept {
    std::uint32_t at = static_cast<std::uint32_t>(table->hash) & (index.size - 1);
    while (index[at] != nullptr) at = (at + 1) & (index.size - 1);
    index[at] = table;
}

void rebuild(PodArray<Table*>& index, const PodArray<Table*>& tables) noexcept {
    std::fill_n(index.data, index.size, nullptr);
    for (Table* table : tables) insert(index, table);
}

}  // namespace

Table* Store::State::known_table(const ComponentSet& set, bool ghost, std::uint64_t hash) const {
    if (index.size == 0) return nullptr;
    for (std::uint32_t at = static_cast<std::uint32_t>(hash) & (index.size - 1); index[at] != nullptr;
         at = (at + 1) & (index.size - 1)) {
        Table* table = index[at];
        if (table->hash == hash && table->ghost == ghost && table->id_count == set.ids.size &&
            std::equal(set.ids.begin(), set.ids.end(), table->ids)) {
            return table;
        }
    }
    return nullptr;
}

Table* Store::State::known_table(TypeList& list) const {
    // Not in scratch: a question may be asked from several threads at once.
    std::vector<ComponentId> ids;
    for (std::uint32_t i = 0; i < list.count; ++i) ids.push_back(store.id_of(*list.types[i]));
    std::sort(ids.begin(), ids.end());
    ComponentSet set;
    set.ids = {ids.data(), list.count, list.count};
    return known_table(set, false, hash_of(set, false));
}

Table& Store::State::find_table(const ComponentSet& set, bool ghost) {
    const std::uint64_t hash = hash_of(set, ghost);
    if (Table* known = known_table(set, ghost, hash)) return *known;

    // At most half full after this one and the next, so that a removal can always enter its table.
    if (index.size < 2 * (tables.size + 2)) {
        // Inside a removal the old index serves on while it has a free slot: the next spawn will enlarge it.
        if (!pool.in_no_fail() || index.size <= tables.size + 1) {
            PodArray<Table*> larger;
            larger.reserve(pool, std::max<std::uint32_t>(16, index.size * 2));
            larger.size = larger.capacity;
            rebuild(larger, tables);
            index.free(pool);
            index = larger;
        }
    }
    Table& table = create_table(set, ghost, hash);
    insert(index, &table);
    if (store.listener_ != nullptr) store.listener_->table_added(table);
    return table;
}

void Store::State::scratch_add(const Table& source, TypeList& list) {
    scratch.clear();
    scratch.reserve(pool, source.id_count + list.count);
    for (std::uint32_t i = 0; i < source.id_count; ++i) scratch.push(source.ids[i], source.types[i]);
    for (std::uint32_t i = 0; i < list.count; ++i) {
        TypeSlot& slot = *list.types[i];
        if (slot.type->is_sparse()) continue;
        const ComponentId id = resolve(*store.registry_, slot);
        if (source.has(id)) continue;
        // Insertion sort: lists are short, and the source is sorted already.
        std::uint32_t at = scratch.ids.size;
        scratch.push(id, &store.registry_->type(id));
        for (; at > 0 && scratch.ids[at - 1] > scratch.ids[at]; --at) {
            std::swap(scratch.ids[at - 1], scratch.ids[at]);
            std::swap(scratch.types[at - 1], scratch.types[at]);
        }
    }
}

void Store::State::scratch_remove(const Table& source, TypeList& list) {
    scratch.clear();
    scratch.reserve(pool, source.id_count);
    for (std::uint32_t i = 0; i < source.id_count; ++i) {
        bool removed = false;
        for (std::uint32_t k = 0; k < list.count && !removed; ++k) {
            removed = store.id_of(*list.types[k]) == source.ids[i];
        }
        if (!removed) scratch.push(source.ids[i], source.types[i]);
    }
}

void Store::State::scratch_keep(const Table& source, bool keep_cleanup) {
    scratch.clear();
    scratch.reserve(pool, source.id_count);
    for (std::uint32_t i = 0; i < source.id_count; ++i) {
        if (source.types[i]->traits.cleanup == keep_cleanup) scratch.push(source.ids[i], source.types[i]);
    }
}

void Store::State::scratch_union(const Table& source, const Table& other) {
    scratch.clear();
    scratch.reserve(pool, source.id_count + other.id_count);
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    while (a < source.id_count || b < other.id_count) {
        if (b < other.id_count && other.types[b]->traits.cleanup) {
            ++b;
        } else if (b == other.id_count || (a < source.id_count && source.ids[a] <= other.ids[b])) {
            b += b < other.id_count && source.ids[a] == other.ids[b];
            scratch.push(source.ids[a], source.types[a]);
            ++a;
        } else {
            scratch.push(other.ids[b], other.types[b]);
            ++b;
        }
    }
}

namespace {

// Adds an edge to the map of its source. In a NoFail scope without memory the plan stays uncached.
void cache_edge(BlockPool& pool, EdgeMap& edges, Plan* plan) {
    const std::uint32_t old_count = edges.mask == 0 ? 0 : edges.mask + 1;
    auto* slots = const_cast<EdgeMap::Slot*>(edges.slots);  // Safe: only the shared empty slot is constant
    const auto enter = [](EdgeMap::Slot* into, std::uint32_t mask, const EdgeMap::Slot& edge) {
        std::uint64_t at = edge.key & mask;
        while (into[at].key != 0) at = (at + 1) & mask;
        into[at] = edge;
    };
    if ((edges.size + 1) * 2 > old_count) {
        const std::uint32_t count = std::max<std::uint32_t>(4, old_count * 2);
        const std::size_t bytes = sizeof(EdgeMap::Slot) * count;
        constexpr std::size_t alignment = alignof(std::max_align_t);
        void* block = pool.in_no_fail() ? pool.try_take(bytes, alignment) : pool.take(bytes, alignment);
        if (block == nullptr) return;
        auto* larger = static_cast<EdgeMap::Slot*>(block);
        std::fill_n(larger, count, EdgeMap::none);
        for (std::uint32_t i = 0; i < old_count; ++i) {
            if (slots[i].key != 0) enter(larger, count - 1, slots[i]);
        }
        if (old_count != 0) free_array(pool, slots, old_count);
        slots = larger;
        edges.slots = larger;
        edges.mask = count - 1;
    }
    enter(slots, edges.mask, {plan->key, plan});
    ++edges.size;
}

}  // namespace

void Store::State::refresh(Plan& along, const Table& source) noexcept {
    const Table& target = *along.target;
    // Both sides are sorted by id. Steps that keep their value stand first.
    std::uint32_t kept = 0;
    std::uint32_t dropped = along.kept;
    for (std::uint32_t i = 0, k = 0; i < source.column_count; ++i) {
        const Column& column = source.columns[i];
        while (k < target.column_count && target.columns[k].id < column.id) ++k;
        const bool stays = k < target.column_count && target.columns[k].id == column.id;
        along.steps()[stays ? kept++ : dropped++] = {column.offset, stays ? target.columns[k].offset : ColumnAt::absent,
                                                     column.size, i};
    }
    along.source_layout = source.layout;
    along.target_layout = target.layout;
}

Plan& Store::State::plan(Table& source, std::uint64_t key, bool ghost) {
    Table& target = find_table(scratch, ghost);
    const auto bytes = static_cast<std::uint32_t>(sizeof(Plan) + source.column_count * sizeof(Step));
    const bool common = source.common_sizes && target.common_sizes;
    auto* edge = ::new (pool.take(bytes, alignof(Plan))) Plan{&target, nullptr, key, 0, 0, 0, source.column_count, bytes, common};
    for (std::uint32_t i = 0; i < source.column_count; ++i) edge->kept += target.has(source.columns[i].id);
    for (std::uint32_t i = target.column_count; i-- > 0;) {
        if (!source.has(target.columns[i].id)) edge->added = &target.columns[i];
    }
    refresh(*edge, source);
    struct Return {
        BlockPool& pool;
        Plan* edge;
        ~Return() {
            if (edge != nullptr) pool.give(edge, edge->bytes, alignof(Plan));
        }
    } unused{pool, edge};
    cache_edge(pool, source.edges, edge);
    unused.edge = nullptr;
    return *edge;
}

void Store::State::reindex() noexcept { rebuild(index, tables); }

void Store::State::release_plan(Plan& used, Table& source) noexcept {
    if (source.edges.search(used.key) != &used) pool.give(&used, used.bytes, alignof(Plan));
}

void Store::State::free_edges(Table& table) noexcept {
    EdgeMap& edges = table.edges;
    if (edges.mask == 0) return;
    for (std::uint32_t i = 0; i <= edges.mask; ++i) {
        if (Plan* edge = edges.slots[i].plan) pool.give(edge, edge->bytes, alignof(Plan));
    }
    free_array(pool, const_cast<EdgeMap::Slot*>(edges.slots), edges.mask + 1);
    edges = {};
}

}  // namespace stoa::detail

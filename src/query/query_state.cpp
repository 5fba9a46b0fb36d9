// What a table and an entity must have to match a query.
#include "stoa/detail/query/query_state.hpp"

#include <algorithm>
#include <string>

#include "base/raise.hpp"
#include "component/registry.hpp"

namespace stoa::detail {
namespace {

bool has_sparse(const Store& store, ComponentId id, Entity entity) {
    const SparseSet* set = store.find_sparse(id);
    return set != nullptr && set->contains(entity);
}

bool is_recent(RowTicks& stamps, std::uint32_t row, bool added, Since since) {
    return since.passes(added ? stamps.added()[row] : stamps.changed()[row]);
}
// Requires, both: the entity has the component.
bool is_recent_in_set(const Store& store, ComponentId id, Entity entity, bool added, Since since) {
    const SparseSet& set = *store.find_sparse(id);
    return is_recent(*set.ticks(), index_of(set.slot_of(entity)), added, since);
}
bool is_recent_in_row(const EntityRow& place, ComponentId id, bool added, Since since) {
    const TickIndex tick = place.chunk->columns->find(id).tick_index;
    return is_recent(*place.chunk->row_ticks[index_of(tick)], place.row(), added, since);
}

}  // namespace

void fail_query_gone() {
    raise(Errc::world_gone, "query: the world of this query is gone; make the query again from a living world");
}

void fail_not_single(std::size_t count) {
    raise(Errc::not_single, "single: the query matches " + std::to_string(count) +
                                " entities instead of exactly one; use first() or each() where that may happen");
}

QueryState::~QueryState() {
    if (link_ == nullptr) return;
    link_->cut();
    link_->release();
}

void QueryState::add(Table& table) {
    // A table that was dormant returns to its old position.
    const auto precedes = [](std::uint32_t serial, const Table* listed) { return serial < listed->serial(); };
    const bool newest = tables_.empty() || tables_.back()->serial() < table.serial();
    tables_.insert(newest ? tables_.end() : std::upper_bound(tables_.begin(), tables_.end(), table.serial(), precedes),
                   &table);
}

void QueryState::drop_dormant() noexcept {
    std::erase_if(tables_, [](const Table* table) { return table->is_dormant(); });
}

bool QueryState::matches(const Table& table) const {
    if (table.is_ghost() && !sees_ghosts_) return false;
    for (const ComponentId id : columns_) {
        if (!table.has(id)) return false;
    }
    for (const Single& condition : excluded_) {
        if (!condition.sparse && table.has(condition.id)) return false;
    }
    // A condition with a sparse alternative is decided for each entity, unless the table decides it.
    const auto is_possible = [&](const Choice& choice) {
        return choice.sparse || table.has(choice.id) == choice.present;
    };
    return std::all_of(choices_.begin(), choices_.end(), [&](const std::vector<Choice>& choices) {
        return std::any_of(choices.begin(), choices.end(), is_possible);
    });
}

template <class Has>
bool QueryState::passes_sparse(const Table& table, Has&& has) const {
    for (const Single& condition : required_) {
        if (condition.sparse && !has(condition.id)) return false;
    }
    for (const Single& condition : excluded_) {
        if (condition.sparse && has(condition.id)) return false;
    }
    const auto holds = [&](const Choice& choice) {
        return (choice.sparse ? has(choice.id) : table.has(choice.id)) == choice.present;
    };
    return std::all_of(choices_.begin(), choices_.end(), [&](const std::vector<Choice>& choices) {
        return std::any_of(choices.begin(), choices.end(), holds);
    });
}

bool QueryState::passes(const Store& store, Entity entity, const Table& table, Since since) const {
    if (!passes_sparse(table, [&](ComponentId id) { return has_sparse(store, id, entity); })) return false;
    for (const Tracked& term : tracked_) {
        if (term.sparse && !is_recent_in_set(store, term.id, entity, term.added, since)) return false;
    }
    return true;
}

bool QueryState::matched_before(const Store& store, const Change& change) const {
    if (change.from == nullptr || !matches(*change.from)) return false;
    return !tests_entities_ ||
           passes_sparse(*change.from, [&](ComponentId id) { return has_sparse(store, id, change.entity); });
}

bool QueryState::matches_after(const Store& store, const Change& change) const {
    if (change.to == nullptr || !matches(*change.to)) return false;
    if (!tests_entities_) return true;
    const auto listed = [&](ComponentId id) {
        return std::any_of(change.list->types, change.list->types + change.list->count,
                           [&](TypeHandle* slot) { return store.id_of(*slot) == id; });
    };
    return passes_sparse(*change.to, [&](ComponentId id) {
        const SparseSet* set = store.find_sparse(id);
        const bool has = set != nullptr && set->contains(change.entity);
        switch (change.sparse) {
            case Change::Sparse::add:
                return has || listed(id);
            case Change::Sparse::remove:
                return has && !listed(id);
            case Change::Sparse::replace:
                return store.id_of(*change.list->types[0]) != id && (has || listed(id));
            case Change::Sparse::keep_cleanup:
                return has && set->type().traits.cleanup;
            case Change::Sparse::copy:
                return has || (set != nullptr && set->contains(change.model) && !set->type().traits.cleanup) ||
                       (change.list != nullptr && listed(id));
            case Change::Sparse::stay:
                break;
        }
        return has;
    });
}

bool QueryState::changed(const EntityRow& place, Since since) const {
    for (const Tracked& term : tracked_) {
        if (!term.sparse && !is_recent_in_row(place, term.id, term.added, since)) return false;
    }
    return true;
}

bool QueryState::holds_sparse(const Choice& choice, const Store& store, Entity entity, Since since) {
    if (has_sparse(store, choice.id, entity) != choice.present) return false;
    return choice.tracking == Tracking::none ||
           is_recent_in_set(store, choice.id, entity, choice.tracking == Tracking::added, since);
}

bool QueryState::passes_changes(const Store& store, Entity entity, const EntityRow& place, Since since) const {
    const auto holds = [&](const Choice& choice) {
        if (choice.sparse) return holds_sparse(choice, store, entity, since);
        if (place.chunk->table().has(choice.id) != choice.present) return false;
        return choice.tracking == Tracking::none ||
               is_recent_in_row(place, choice.id, choice.tracking == Tracking::added, since);
    };
    return std::all_of(changes_.begin(), changes_.end(), [&](const std::vector<Choice>& choices) {
        return std::any_of(choices.begin(), choices.end(), holds);
    });
}

EntityRow QueryState::find(const Store& store, Entity entity, Since since) const {
    EntityRow place = store.locate(entity);
    if (!place && sees_ghosts_) place = store.locate_ghost(entity);
    if (!place || !matches(place.chunk->table())) return {};
    if (!plain_ && (!changed(place, since) || !passes(store, entity, place.chunk->table(), since) ||
                    !passes_changes(store, entity, place, since)))
        return {};
    return place;
}

bool QueryState::is_tracked(ComponentId id) const {
    return std::any_of(tracked_.begin(), tracked_.end(), [&](const Tracked& term) { return term.id == id; });
}

QueryState::SparseSize QueryState::smallest_sparse(const Store& store) const {
    SparseSize smallest;
    for (const Single& condition : required_) {
        if (!condition.sparse) continue;
        const SparseSet* set = store.find_sparse(condition.id);
        const std::uint64_t size = set != nullptr ? set->size() : 0;
        if (size < smallest.size) smallest = {size, store.types().registry().type(condition.id).name()};
    }
    return smallest;
}

bool QueryState::collect_few(const Store& store, Since since, std::vector<Location>& out) const {
    const SparseSet* smallest = nullptr;
    for (const Single& condition : required_) {
        if (!condition.sparse) continue;
        const SparseSet* set = store.find_sparse(condition.id);
        if (set == nullptr || set->size() == 0) return true;
        if (is_tracked(condition.id) && !since.passes(set->last_change())) return true;
        if (smallest == nullptr || set->size() < smallest->size()) smallest = set;
    }
    if (smallest == nullptr) return false;
    std::uint64_t rows = 0;
    for (const Table* table : tables()) rows += table->row_count();
    // Collected rows must be sorted, and each needs a lookup; a test costs less than either.
    if (std::uint64_t{smallest->bound()} > rows / 8) return false;

    struct Found {
        std::uint32_t serial;
        std::uint64_t row;
        Location at;
    };
    std::vector<Found> found;
    smallest->each_owner([&](Entity owner, SparseSlot) {
        const EntityRow place = find(store, owner, since);
        if (!place) return;
        const Table& table = place.chunk->table();
        const ArrayView<const ChunkNumber> chunks = table.chunks();
        const auto chunk =
            static_cast<std::uint64_t>(std::find(chunks.begin(), chunks.end(), place.at.chunk()) - chunks.begin());
        found.push_back({table.serial(), chunk * table.chunk_rows() + place.row(), {place.at.bits & ~Location::dead}});
    });
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
        return a.serial != b.serial ? a.serial < b.serial : a.row < b.row;
    });
    out.reserve(found.size());
    for (const Found& row : found) out.push_back(row.at);
    return true;
}

}  // namespace stoa::detail

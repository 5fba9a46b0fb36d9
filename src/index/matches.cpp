// Which rows a filtered walk visits: the plan, the candidates, and their order.
#include "stoa/detail/index/matches.hpp"

#include <algorithm>

#include "base/raise.hpp"
#include "index/filter_node.hpp"

namespace stoa::detail {
namespace {

struct WalkPlan {
    std::uint64_t rows = 0;
    std::size_t tables = 0;
    bool by_filter = false;
};

WalkPlan plan_for(const Selection& from, const FilterEvaluation* evaluation) {
    WalkPlan plan;
    for (const Table* table : from.state.tables()) {
        plan.rows += table->row_count();
        plan.tables += table->row_count() != 0;
    }
    plan.by_filter = evaluation != nullptr && evaluation->size() <= std::min(plan.rows, from.sparse_size);
    return plan;
}

// The rows of the candidates that match the query. Most candidates are in the same table as the one before.
void locate_all(const Selection& from, Since since, const std::vector<Entity>& candidates, std::vector<Location>& out) {
    const Table* recent = nullptr;
    out.reserve(candidates.size());
    for (const Entity entity : candidates) {
        EntityRow place = from.store.locate(entity);
        if (!place || &place.chunk->table() != recent) {
            place = from.state.find(from.store, entity, since);
            if (!place) continue;
            if (from.state.is_plain()) recent = &place.chunk->table();
        }
        out.push_back({place.at.bits & ~Location::dead});
    }
}

struct Piece {
    std::uint32_t serial;    // of the table
    std::uint64_t position;  // of the chunk in it
    std::size_t first;
    std::size_t last;
};

// Sorts by table, chunk and row, and removes duplicates. Locations are sorted as numbers first, so that each chunk is
// looked up once.
void put_in_order(const Store& store, std::vector<Location>& list) {
    std::sort(list.begin(), list.end(), [](Location a, Location b) { return a.bits < b.bits; });
    list.erase(std::unique(list.begin(), list.end(), [](Location a, Location b) { return a.bits == b.bits; }),
               list.end());
    if (list.empty() || list.front().chunk() == list.back().chunk()) return;
    std::vector<Piece> pieces;
    for (std::size_t first = 0, last = 0; first < list.size(); first = last) {
        const ChunkNumber number = list[first].chunk();
        while (last < list.size() && list[last].chunk() == number) ++last;
        const Table& table = store.chunks()[number].table();
        const ArrayView<const ChunkNumber> chunks = table.chunks();
        const auto position = std::find(chunks.begin(), chunks.end(), number) - chunks.begin();
        pieces.push_back({table.serial(), static_cast<std::uint64_t>(position), first, last});
    }
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
        return a.serial != b.serial ? a.serial < b.serial : a.position < b.position;
    });
    std::vector<Location> ordered;
    ordered.reserve(list.size());
    for (const Piece& piece : pieces) {
        ordered.insert(ordered.end(), list.begin() + static_cast<std::ptrdiff_t>(piece.first),
                       list.begin() + static_cast<std::ptrdiff_t>(piece.last));
    }
    list.swap(ordered);
}

// The same for many rows, where a bit for each row of a chunk costs less.
void put_many_in_order(const Selection& from, std::vector<Location>& list) {
    constexpr std::uint32_t words = (Location::max_rows) / 64;
    std::uint32_t chunks = 0;
    for (const Location at : list) chunks = std::max(chunks, index_of(at.chunk()) + 1);
    std::vector<std::uint64_t> marks(std::size_t{chunks} * words);
    for (const Location at : list)
        marks[std::size_t{index_of(at.chunk())} * words + at.row() / 64] |= std::uint64_t{1} << (at.row() % 64);
    std::size_t count = 0;
    for (const Table* table : from.state.tables()) {
        for (std::uint32_t c = 0; c < table->used_chunk_count(); ++c) {
            const ChunkNumber number = table->chunks()[c];
            if (index_of(number) >= chunks) continue;
            for (std::uint32_t word = 0; word < words; ++word) {
                for (std::uint64_t bits = marks[std::size_t{index_of(number)} * words + word]; bits != 0;
                     bits &= bits - 1) {
                    list[count++] = Location::of(number, word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
                }
            }
        }
    }
    list.resize(count);
}

void find_rows(const Selection& from, Since since, const FilterEvaluation* evaluation, const WalkPlan& plan,
               std::vector<Location>& out) {
    if (plan.by_filter) {
        std::vector<Entity> candidates;
        evaluation->collect(candidates);
        locate_all(from, since, candidates, out);
        if (out.size() > 256 && out.size() > plan.rows / 16) return put_many_in_order(from, out);
        return put_in_order(from.store, out);
    }
    RowSelector selector;
    for (Walk walk(from.store, from.state, Order::tables, since, selector); walk.next();) {
        for (std::uint32_t i = 0; i < walk.rows().count; ++i) {
            const Entity entity = walk.rows().ids()[i];
            if (evaluation != nullptr && !evaluation->passes(entity)) continue;
            out.push_back({from.store.directory().location(entity.index()).bits & ~Location::dead});
        }
    }
}

void sort_by_index(const Store& store, std::vector<Location>& list) {
    const auto entity = [&](Location at) { return entities(store.chunks()[at.chunk()].base)[at.row()]; };
    std::sort(list.begin(), list.end(), [&](Location a, Location b) { return entity(a) < entity(b); });
}

// The indexes catch up before the walk locks the structure.
Store& refreshed(const Selection& from) {
    if (from.filter != nullptr) from.filter->refresh();
    return from.store;
}

}  // namespace

Matches::Matches(const Selection& from, Order order, Since since, Mark* mark)
    : store_(&refreshed(from)), lock_(*store_), mark_(order != Order::none ? mark : nullptr) {
    if (order == Order::none) return;
    if (from.state.tracks()) store_->clock().note_reader(since);
    std::optional<FilterEvaluation> evaluation;
    if (from.filter != nullptr) evaluation.emplace(*from.filter);
    const FilterEvaluation* filter = evaluation ? &*evaluation : nullptr;
    find_rows(from, since, filter, plan_for(from, filter), list_);
    if (is_by_index(order)) sort_by_index(*store_, list_);
    if (is_backward(order)) std::reverse(list_.begin(), list_.end());
}

void Matches::finish() noexcept {
    if (mark_ != nullptr) mark_->moment = store_->clock().pass_moment();
}

EntityRow find_match(const Selection& from, Entity entity, Since since) {
    Store& store = refreshed(from);
    const EntityRow place = from.state.find(store, entity, since);
    if (!place || from.filter == nullptr) return place;
    const Store::SharedLock lock(store);
    return FilterEvaluation(*from.filter).passes(entity) ? place : EntityRow{};
}

std::string explain_match(const Selection& from, bool active) {
    Store& store = refreshed(from);
    const Store::SharedLock lock(store);
    std::optional<FilterEvaluation> evaluation;
    if (from.filter != nullptr) evaluation.emplace(*from.filter);
    const WalkPlan plan = plan_for(from, evaluation ? &*evaluation : nullptr);
    const bool by_set = !plan.by_filter && from.sparse_size < plan.rows;
    std::string text = "driven by ";
    text += !active          ? "nothing: a resource of the family is missing"
            : plan.by_filter ? "the filter"
            : by_set         ? "a sparse set"
                             : "the tables";
    text += "\ntables: " + std::to_string(plan.rows) + " rows in " + std::to_string(plan.tables) +
            (plan.tables == 1 ? " table" : " tables");
    if (from.sparse_size != ~std::uint64_t{0}) {
        text += "\nsparse set of " + std::string(from.sparse_name) + ": " + std::to_string(from.sparse_size);
    }
    if (evaluation) {
        text += "\nfilter: at most " + std::to_string(evaluation->size()) + ", from ";
        evaluation->describe(text);
    }
    return text + "\n";
}

void require_same_world(const FilterNode* filter, const StoreLink& link) {
    if (filter == nullptr) return;
    if (filter->is_leaf() && (!filter->index || filter->index->link() != &link)) {
        raise(Errc::conflict,
              "where: the index of this filter does not belong to the world of the query, or its world is gone; make "
              "the index from the world of the query");
    }
    for (const Filter& child : filter->children) require_same_world(FilterAccess::node(child), link);
}

}  // namespace stoa::detail

// Keeps a cached list in order. Only entities that moved are sorted: they are removed from the list, sorted, and
// inserted at positions that a binary search finds. So a change costs O(log n) comparisons, and one pass over the list.
//
// A comparison is user code and may be inconsistent (NaN is enough). Then the order is unspecified, but nothing here
// relies on it: merging and binary search stay within their bounds whatever a comparison returns.
#include "stoa/detail/watch/cached_list.hpp"

#include <algorithm>
#include <utility>

#include "base/attempt.hpp"
#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/query/walk.hpp"

namespace stoa::detail {

void CachedList::note(Entity entity) noexcept {
    if (stale_) return;
    // With more, rebuilding the list costs less.
    const bool many = pending_.size() > list_.size() + 1024;
    if (many || !attempt([&] { pending_.push_back(entity); })) stale_ = true;
}

std::span<const Entity> CachedList::current() {
    if (walks_ == 0 && !refreshing_) refresh();
    return list_;
}

// The entities that arrived, left, or changed their key since the list was put in order; each once.
void CachedList::find_moved(std::vector<Entity>& moved) const {
    RowSelector selector;
    if (stale_) {
        for (Walk walk(store_, members_, Order::tables, Since{}, selector); walk.next();) {
            moved.insert(moved.end(), walk.rows().ids(), walk.rows().ids() + walk.rows().count);
        }
        return;
    }
    moved = pending_;
    if (tracking_ != nullptr) {
        for (Walk walk(store_, *tracking_, Order::tables, store_.clock().since(seen_), selector); walk.next();) {
            moved.insert(moved.end(), walk.rows().ids(), walk.rows().ids() + walk.rows().count);
        }
    }
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
}

void CachedList::keep_unmoved(const std::vector<Entity>& moved, std::vector<Entity>& out) const {
    // By index: if an entity index was reused, its old entity has left, and is among the moved too.
    std::vector<std::uint64_t> marks(moved.back().index() / 64 + 1);
    for (const Entity entity : moved) marks[entity.index() / 64] |= std::uint64_t{1} << (entity.index() % 64);
    for (const Entity entity : list_) {
        const std::size_t word = entity.index() / 64;
        if (word >= marks.size() || (marks[word] >> (entity.index() % 64) & 1) == 0) out.push_back(entity);
    }
}

// Those of the moved entities that match.
void CachedList::find_coming(std::vector<Entity>& moved, std::vector<Keyed>& coming) const {
    std::erase_if(moved, [&](Entity entity) { return !members_.find(store_, entity, Since{}); });
    std::vector<bool> passing;
    if (filter_) filter_->test(moved, passing);
    coming.reserve(moved.size());
    for (std::size_t i = 0; i < moved.size(); ++i) {
        if (!filter_ || passing[i]) coming.push_back(keyed(moved[i]));
    }
}

EntityRow CachedList::place_of(Entity entity) const {
    const EntityRow place = store_.locate(entity);
    return place ? place : store_.locate_ghost(entity);
}

CachedList::Keyed CachedList::keyed(Entity entity) const {
    if (comparison_.key == nullptr) return {entity, nullptr};
    const ComponentId id = store_.id_of(*comparison_.key);
    if (comparison_.key->type->is_sparse()) {
        const SparseSet& set = *store_.find_sparse(id);
        return {entity, set.value(set.slot_of(entity))};
    }
    const EntityRow place = place_of(entity);
    const std::size_t offset = place.chunk->columns->find(id).offset;
    return {entity, place.chunk->base + offset + std::size_t{place.row()} * comparison_.key->type->size};
}

bool CachedList::precedes(const Keyed& a, const Keyed& b) const {
    if (comparison_.less != nullptr) {
        if (comparison_.less(comparison_.comparer, a.key, b.key)) return true;
        if (comparison_.less(comparison_.comparer, b.key, a.key)) return false;
    }
    return a.entity < b.entity;
}

// Bottom-up merge sort: it stays within its bounds even if the comparison is inconsistent.
void CachedList::sort(std::vector<Keyed>& list) const {
    std::vector<Keyed> other(list.size());
    const auto before = [this](const Keyed& a, const Keyed& b) { return precedes(a, b); };
    for (std::size_t run = 1; run < list.size(); run *= 2) {
        for (std::size_t first = 0; first < list.size(); first += 2 * run) {
            const auto at = [&](std::size_t i) {
                return list.begin() + static_cast<std::ptrdiff_t>(std::min(i, list.size()));
            };
            std::merge(at(first), at(first + run), at(first + run), at(first + 2 * run),
                       other.begin() + static_cast<std::ptrdiff_t>(first), before);
        }
        list.swap(other);
    }
}

// Merges `coming` into `into`; both are in order.
void CachedList::insert(std::vector<Keyed>& coming, std::vector<Entity>& into) const {
    std::vector<std::size_t> places;
    places.reserve(coming.size());
    std::size_t from = 0;
    for (const Keyed& one : coming) {
        std::size_t low = from;
        for (std::size_t high = into.size(); low < high;) {
            const std::size_t middle = low + (high - low) / 2;
            if (precedes(one, keyed(into[middle]))) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        places.push_back(from = low);
    }
    // From the back: each part of the old list moves up by the number of new entities before it.
    std::size_t end = into.size();
    into.resize(into.size() + coming.size());
    for (std::size_t i = coming.size(); i-- > 0;) {
        const auto begin = into.begin();
        std::move_backward(begin + static_cast<std::ptrdiff_t>(places[i]), begin + static_cast<std::ptrdiff_t>(end),
                           begin + static_cast<std::ptrdiff_t>(end + i + 1));
        into[places[i] + i] = coming[i].entity;
        end = places[i];
    }
}

void CachedList::refresh() {
    if (store_.notifier().listener()->wants_care()) care_for_queries(store_);
    if (!filter_ && !stale_ && pending_.empty() && tracking_ == nullptr) return;
    refreshing_ = true;
    ScopeGuard end_refreshing([this]() noexcept { refreshing_ = false; });
    if (filter_ && !filter_->take_changes(pending_)) stale_ = true;
    if (!stale_ && pending_.empty() && tracking_ == nullptr) return;
    const Store::SharedLock lock(store_);

    std::vector<Entity> moved;
    find_moved(moved);
    if (!moved.empty() || stale_) {
        std::vector<Entity> next;
        if (!stale_) keep_unmoved(moved, next);
        std::vector<Keyed> coming;
        find_coming(moved, coming);
        sort(coming);
        insert(coming, next);
        list_.swap(next);
    }
    if (tracking_ != nullptr) seen_ = store_.clock().pass_moment();
    // An entity that was announced to leave may still match: the next refresh tests it again.
    if (change_under_way(store_)) return;
    pending_.clear();
    stale_ = false;
}

CachedList* CacheHold::make(Store& store, QueryState& state, const QueryState* tracking,
                            const CachedList::Comparison& comparison, Ref<ValueFilter> filter) {
    ScopeGuard drop_comparer([&comparison]() noexcept {
        if (comparison.drop != nullptr) comparison.drop(comparison.comparer);
    });
    auto* list = new CachedList(store, state, tracking, comparison, std::move(filter));
    drop_comparer.dismiss();
    return list;
}

}  // namespace stoa::detail

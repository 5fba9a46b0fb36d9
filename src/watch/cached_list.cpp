// Keeping a cached list in order. Only what has moved is sorted: it is taken out of the list, sorted, and put in again at places
// that a binary search finds. So a change costs its logarithm in comparisons, and one pass over the handles.
//
// A comparison is code of the user and may be inconsistent (NaN is enough). Then the order means little, but nothing here relies
// on it: merging and binary search stay within their bounds whatever they are told.
#include "stoa/detail/cached_list.hpp"

#include <algorithm>
#include <utility>

#include "query/attempt.hpp"
#include "stoa/detail/walk.hpp"

namespace stoa::detail {

void CachedList::note(Entity entity) noexcept {
    if (stale_) return;
    // Beyond this, making the list anew costs less.
    const bool many = pending_.size() > list_.size() + 1024;
    if (many || !attempt([&] { pending_.push_back(entity); })) stale_ = true;
}

std::span<const Entity> CachedList::current() {
    if (walks_ == 0 && !refreshing_) refresh();
    return list_;
}

// Those that came, went, or got another key since the list was put in order; each once.
void CachedList::find_moved(std::vector<Entity>& moved) const {
    Sieve sieve;
    if (stale_) {
        for (Walk walk(store_, members_, Order::tables, Since{}, sieve); walk.next();) {
            moved.insert(moved.end(), walk.rows().ids(), walk.rows().ids() + walk.rows().count);
        }
        return;
    }
    moved = pending_;
    if (tracking_ != nullptr) {
        for (Walk walk(store_, *tracking_, Order::tables, store_.since(seen_), sieve); walk.next();) {
            moved.insert(moved.end(), walk.rows().ids(), walk.rows().ids() + walk.rows().count);
        }
    }
    std::sort(moved.begin(), moved.end());
    moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
}

void CachedList::keep_unmoved(const std::vector<Entity>& moved, std::vector<Entity>& out) const {
    // By index: when an index has a new owner, the old one has gone, and is among the moved too.
    std::vector<std::uint64_t> marks(moved.back().index() / 64 + 1);
    for (const Entity entity : moved) marks[entity.index() / 64] |= std::uint64_t{1} << (entity.index() % 64);
    for (const Entity entity : list_) {
        const std::size_t word = entity.index() / 64;
        if (word >= marks.size() || (marks[word] >> (entity.index() % 64) & 1) == 0) out.push_back(entity);
    }
}

Place CachedList::place_of(Entity entity) const {
    const Place place = store_.locate(entity);
    return place ? place : store_.locate_ghost(entity);
}

CachedList::Keyed CachedList::keyed(Entity entity) const {
    if (comparison_.key == nullptr) return {entity, nullptr};
    const ComponentId id = store_.id_of(*comparison_.key);
    if (comparison_.key->type->is_sparse()) {
        const SparseSet& set = *store_.find_sparse(id);
        return {entity, set.value(set.slot_of(entity))};
    }
    const Place place = place_of(entity);
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

// By merging runs, the longer ones out of shorter ones.
void CachedList::sort(std::vector<Keyed>& list) const {
    std::vector<Keyed> other(list.size());
    const auto before = [this](const Keyed& a, const Keyed& b) { return precedes(a, b); };
    for (std::size_t run = 1; run < list.size(); run *= 2) {
        for (std::size_t first = 0; first < list.size(); first += 2 * run) {
            const auto at = [&](std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(std::min(i, list.size())); };
            std::merge(at(first), at(first + run), at(first + run), at(first + 2 * run), other.begin() + static_cast<std::ptrdiff_t>(first), before);
        }
        list.swap(other);
    }
}

// Puts `coming`, which is in order, into a list that is.
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
    // From the back, each stretch of the old list moves as far as there are new ones before it.
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
    if (store_.listener()->wants_care()) care_for_queries(store_);
    if (!stale_ && pending_.empty() && tracking_ == nullptr) return;
    struct Refreshing {
        bool& flag;
        const Store::SharedLock lock;
        ~Refreshing() { flag = false; }
    } refreshing{refreshing_ = true, Store::SharedLock(store_)};

    std::vector<Entity> moved;
    find_moved(moved);
    if (!moved.empty() || stale_) {
        std::vector<Entity> next;
        if (!stale_) keep_unmoved(moved, next);
        std::vector<Keyed> coming;
        for (const Entity entity : moved) {
            if (members_.find(store_, entity, Since{})) coming.push_back(keyed(entity));
        }
        sort(coming);
        insert(coming, next);
        list_.swap(next);
    }
    if (tracking_ != nullptr) seen_ = store_.pass_moment();
    // Who is said to go may still be there.
    if (change_under_way(store_)) return;
    pending_.clear();
    stale_ = false;
}

CachedList* CacheHold::make(Store& store, QueryState& state, const QueryState* tracking, const CachedList::Comparison& comparison) {
    struct Owner {
        CachedList::Comparison comparison;
        ~Owner() {
            if (comparison.drop != nullptr) comparison.drop(comparison.comparer);
        }
    } owner{comparison};
    auto* list = new CachedList(store, state, tracking, comparison);
    owner.comparison.drop = nullptr;
    return list;
}

}  // namespace stoa::detail

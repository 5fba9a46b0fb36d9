// Caches: the matches of a query as a list that is always current, by entity index or by comparing a component. Made by
// Query::cache. It is updated from changes only, when it is read: a read after m of n matches changed costs O(m log n) comparisons
// and a pass over n handles; without changes it costs nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/cached_list.hpp"
#include "stoa/detail/calls.hpp"
#include "stoa/detail/named_terms.hpp"
#include "stoa/query.hpp"

namespace stoa {

// Handles share their list; copies are cheap. When the world is gone, the list is empty. While it is walked, the structure of the
// world is locked and the list stays as it is; keys that are written meanwhile take effect at the next read.
template <class... Terms>
class [[nodiscard]] Cache {
    using Given = typename detail::GivingTerms<detail::TermTypes<>, Terms...>::type;
    using FoundRows = typename Given::FoundRows;

  public:
    class Iterator;

    std::size_t size() const {
        detail::CachedList* list = hold_.list();
        return list != nullptr ? list->current().size() : 0;
    }
    bool empty() const { return size() == 0; }

    // Calls f with what the terms give, an Entity or an EntityRef in front if it likes, in the order of the list.
    template <class F>
    void each(F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}));
        for (Iterator at = begin(); at != end(); ++at) detail::call_rows(f, at.list().store(), at.row());
    }
    // The same until f returns true. Returns: whether it did.
    template <class F>
    bool each_until(F&& f) const {
        static_assert(detail::accepts_terms<F>(Given{}));
        for (Iterator at = begin(); at != end(); ++at) {
            const FoundRows row = at.row();
            if (detail::call_until(f, at.list().store(), row.rows, row.sources)) return true;
        }
        return false;
    }
    // Appends the matches.
    template <class Container>
    void collect(Container& out) const {
        for (const Entity entity : *this) out.insert(out.end(), entity);
    }

    // for (Entity entity : cache)
    Iterator begin() const { return Iterator(hold_, reversed_); }
    detail::WalkEnd end() const { return {}; }

    // The same list from its end.
    Cache reversed() const {
        Cache copy(*this);
        copy.reversed_ = !reversed_;
        return copy;
    }

  private:
    template <class... Ts>
    friend class Query;

    explicit Cache(detail::CacheHold hold) noexcept : hold_(std::move(hold)) {}

    detail::CacheHold hold_;
    bool reversed_ = false;
};

// Keeps the structure locked, and the list as it is, as long as it lives.
template <class... Terms>
class Cache<Terms...>::Iterator {
  public:
    using value_type = Entity;
    using difference_type = std::ptrdiff_t;

    Iterator(const detail::CacheHold& hold, bool reversed) : hold_(hold), list_(hold_.list()), reversed_(reversed) {
        if (list_ == nullptr) return;
        entities_ = list_->current();
        if (!list_->active()) entities_ = {};
        list_->begin_walk();
        // Safe: ended by hand, because there is no lock without a world.
        ::new (static_cast<void*>(&lock_)) detail::Store::SharedLock(list_->store());
    }
    ~Iterator() {
        if (list_ == nullptr) return;
        lock_.~SharedLock();
        list_->end_walk();
    }
    Iterator(const Iterator&) = delete;
    Iterator& operator=(const Iterator&) = delete;

    Entity operator*() const { return entities_[reversed_ ? entities_.size() - 1 - at_ : at_]; }
    Iterator& operator++() {
        ++at_;
        return *this;
    }
    friend bool operator==(const Iterator& at, detail::WalkEnd) { return at.at_ == at.entities_.size(); }

    detail::CachedList& list() const { return *list_; }
    FoundRows row() const { return FoundRows(list_->store(), list_->place_of(**this)); }

  private:
    detail::CacheHold hold_;  // the handle may be dropped during the walk
    detail::CachedList* list_;
    std::span<const Entity> entities_;
    std::size_t at_ = 0;
    bool reversed_;
    union {
        detail::Store::SharedLock lock_;
    };
};

template <class... Terms>
Cache<Terms...> Query<Terms...>::cache() const {
    static_assert(!tracks, "Changed and Added choose what a walk visits; a cache is about having components");
    return Cache<Terms...>(detail::CacheHold(living(), *state_, nullptr, {}));
}

template <class... Terms>
template <class Key, class Less>
Cache<Terms...> Query<Terms...>::cache(Less&& less) const {
    static_assert(!tracks, "Changed and Added choose what a walk visits; a cache is about having components");
    static_assert(detail::is_component<Key>());
    static_assert(!detail::is_tag<Key>, "a tag has no value to compare");
    static_assert((detail::requires_component<Key, Terms> || ...), "a cache is sorted by a component that its query requires");
    using Comparer = std::decay_t<Less>;
    static_assert(std::is_invocable_r_v<bool, Comparer&, const Key&, const Key&>, "the comparison takes two const references to keys");
    detail::Store& store = living();
    const detail::QueryState& tracking = detail::query_state(store, detail::TermListOf<Terms..., Changed<Key>>::list);
    const detail::CachedList::Comparison comparison{
        &detail::type_slot<Key>,
        [](void* comparer, const void* a, const void* b) -> bool {
            return (*static_cast<Comparer*>(comparer))(*static_cast<const Key*>(a), *static_cast<const Key*>(b));
        },
        [](void* comparer) { ::delete static_cast<Comparer*>(comparer); }, ::new Comparer(std::forward<Less>(less))};
    return Cache<Terms...>(detail::CacheHold(store, *state_, &tracking, comparison));
}

}  // namespace stoa

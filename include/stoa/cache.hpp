// Caches: the matches of a query as a list that is always current, by entity index or by comparing a component. Made by
// Query::cache.
//
//     const auto is_lower = [](const Unit& a, const Unit& b) { return a.level < b.level; };
//     auto by_level = world.query<const Unit>().cache(is_lower);
//     for (Entity entity : by_level.reversed()) { … }
//
// Handles share their list; copies are cheap. When the world is gone, the list is empty. While it is walked, the
// structure of the world is locked and the list stays as it is; keys that are written during the walk take effect at
// the next read after it.
//
// Complexity: the list is updated from changes only, when it is read. A read after m of n matches changed costs
// O(m log n) comparisons and a pass over n handles. Without changes a list by entity index costs nothing, and a sorted
// list looks for changed keys, as a walk with Changed<Key> does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/signature.hpp"
#include "stoa/detail/watch/cache_source.hpp"
#include "stoa/query.hpp"

namespace stoa {

/// A handle to a list of matches. Copies share the list, and the last one ends it. A walk holds a copy, so handles may
/// be dropped inside it. When the world is gone, the list is empty.
///
/// Every call that reads the list updates it first. The comparison is user code: the structure is locked while it runs.
/// If it is not a strict weak ordering, the order is unspecified, and each match is still listed once.
///
/// For all calls that read the list:
/// Throws: std::bad_alloc, and what the comparison throws; then the list is as it was, and the next read tries again.
/// Threads: one at a time; handles of one list are not shared between threads.
template <class... Terms>
class [[nodiscard]] Cache : private detail::Walkable<detail::CacheSource, Terms...> {
    using Base = detail::Walkable<detail::CacheSource, Terms...>;
    using Base::source_;

  public:
    class Iterator;

    /// Returns: how many entities match, also while a family is not active.
    std::size_t size() const {
        detail::CachedList* list = source_.hold.list();
        return list != nullptr ? list->current().size() : 0;
    }
    /// Returns: whether size() is 0.
    bool empty() const { return size() == 0; }

    /// each(f), each_until(f), collect(container). Effects: as Query's, in the order of the list. A family that is not
    /// active is not walked. The structure is locked, and the list stays as it is, until the walk ends.
    /// Throws: also what f throws, and what the container throws.
    /// Complexity: O(matches), with a lookup for each; a walk of the query itself is faster.
    using Base::collect;
    using Base::each;
    using Base::each_until;

    /// for (Entity entity : cache). Effects: a walk that gives entities only and reads no component. The structure is
    /// locked, and the list stays as it is, while the iterator lives. Iterators are moved, not copied.
    Iterator begin() const { return Iterator(source_); }
    detail::WalkEnd end() const { return {}; }

    /// Returns: a handle on the same list that walks from its end.
    /// Complexity: O(1).
    Cache reversed() const { return Cache({source_.hold, !source_.is_reversed}); }

  private:
    friend detail::CacheCalls<Query<Terms...>>;

    explicit Cache(detail::CacheSource source) noexcept : Base(std::move(source)) {}
};

/// What a range-for over a cache uses; compare it with end().
template <class... Terms>
class Cache<Terms...>::Iterator {
  public:
    using value_type = Entity;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    explicit Iterator(const detail::CacheSource& source)
        : walk_(source.hold, source.is_reversed), done_(!walk_.next()) {}

    /// Returns: the current entity.
    Entity operator*() const { return walk_.ids()[0]; }
    Iterator& operator++() {
        done_ = !walk_.next();
        return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, detail::WalkEnd) { return at.done_; }

  private:
    detail::CacheWalk walk_;
    bool done_;
};

namespace detail {

// The key that a comparison with these parameters compares.
template <class Taken>
struct ComparedBy {
    static_assert(!std::is_same_v<Taken, Taken>,
                  "cache takes the key from the two parameters of the comparison, if it is neither overloaded nor a "
                  "template: name the key, as in cache<Key>(less)");
};
template <class A, class B>
    requires std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<B>>
struct ComparedBy<Parameters<A, B>> {
    using type = std::remove_cvref_t<A>;
};

}  // namespace detail

/// The calls of a query or of a filtered query, `From`, that make a cache.
/// Throws: Errc::world_gone, std::bad_alloc.
/// Complexity: O(tables). The first read lists and sorts all matches.
template <class... Terms>
struct detail::CacheCalls<Query<Terms...>> {
    static constexpr bool tracks = (Term<Terms>::tracks || ...);

    /// Returns: a cache by ascending entity index.
    template <class From>
    static Cache<Terms...> cache(const From& query) {
        static_assert(!tracks, "Changed and Added choose what a walk visits; a cache is about having components");
        Store& store = QueryAccess::store(query);
        return Cache<Terms...>(
            {CacheHold(store, QueryAccess::state(query), nullptr, {}, QueryAccess::value_filter(query))});
    }

    /// Effects: tracks Key from now on, and keeps a copy of `less`.
    /// Requires: the query requires Key, which has a value; checked when the call is compiled. A Key that is not named
    /// is taken from the parameters of `less`, which is neither overloaded nor a template.
    /// Returns: a cache by less(a, b), called with two const Key&; equal keys are in order of entity index.
    /// Throws: also what copying `less` throws, and Errc::locked inside a constructor that runs because a table grows.
    template <class Named, class From, class Less>
    static Cache<Terms...> cache(const From& query, Less&& less) {
        static_assert(!tracks, "Changed and Added choose what a walk visits; a cache is about having components");
        using Comparer = std::decay_t<Less>;
        using Key = typename std::conditional_t<std::is_void_v<Named>, ComparedBy<CallParameters<Comparer>>,
                                                std::type_identity<Named>>::type;
        static_assert(is_component<Key>());
        static_assert(!is_tag<Key>, "a tag has no value to compare");
        static_assert(is_required<Key, Terms...>, "a cache is sorted by a component that its query requires");
        static_assert(std::is_invocable_r_v<bool, Comparer&, const Key&, const Key&>,
                      "the comparison takes two const references to keys");
        Store& store = QueryAccess::store(query);
        const QueryState& tracking = query_state(store, TermListOf<Terms..., Changed<Key>>::list);
        Ref<ValueFilter> filter = QueryAccess::value_filter(query);
        const CachedList::Comparison comparison{
            &type_handle<Key>,
            // Safe: the list passes this comparer, and keys from the column of Key.
            [](void* comparer, const void* a, const void* b) -> bool {
                return (*object_at<Comparer>(comparer))(*object_at<Key>(a), *object_at<Key>(b));
            },
            [](void* comparer) { ::delete object_at<Comparer>(comparer); }, ::new Comparer(std::forward<Less>(less))};
        return Cache<Terms...>({CacheHold(store, QueryAccess::state(query), &tracking, comparison, std::move(filter))});
    }
};

}  // namespace stoa

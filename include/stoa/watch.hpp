/// Watches: lists of the entities that began to match a query, ceased to match it, or changed in it since the last
/// clear. Query::watch and Query::watch_changes make them.
///
///     auto boxes = world.query<Box, const Position>().watch();
///     // later, for instance once a frame:
///     for (const Entity entity : boxes.added()) std::printf("new: %u\n", entity.index());
///     boxes.clear();
///
/// - Entities that matched before the watch was made are not in `added`.
/// - An entity that was added and removed since the last clear is in both lists; one that left stays in its lists.
/// - Overwriting a component is a change, not an addition. An addition is not a change, but a later write is.
/// - Only writes to components that the query hands out count as changes.
/// - Lists survive World::end_frame.
/// - Once a query was watched for removal, World::find_removed reads the last values of the components that it names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/watch/watch_terms.hpp"
#include "stoa/query.hpp"

namespace stoa {

/// Which lists a watch keeps; combine them with |. Lists that are not kept stay empty and cost nothing.
enum class WatchFor : std::uint8_t { added = 1, removed = 2, changed = 4 };

/// Returns: the lists of both.
constexpr WatchFor operator|(WatchFor a, WatchFor b) {
    return static_cast<WatchFor>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

namespace detail {

struct WatchAccess;

}  // namespace detail

/// The lists of one watch. It can be moved, not copied: each watch has lists of its own. When its world is gone, the
/// lists are empty.
///
/// Threads: one thread at a time, while no other thread changes the world.
template <class... Terms>
class [[nodiscard("the lists end when the watch is dropped: keep it")]] Watch {
  public:
    /// Watches nothing: all lists are empty. So is a watch that was moved from.
    Watch() noexcept = default;

    /// Returns: the entities that began to match since the last clear, in the order of the changes; each at most once.
    /// Invalidates: a structural change of the world and every other call of this watch invalidate the span.
    /// Throws: for a filtered query std::bad_alloc, and what user code of an index throws; then the next call tries
    /// again.
    std::span<const Entity> added() const { return list(detail::WatchLists::added); }
    /// Returns: the entities that ceased to match. They may be dead; World::find_removed reads their last values.
    /// Everything else is as for added().
    std::span<const Entity> removed() const { return list(detail::WatchLists::removed); }
    /// Returns: the entities with a changed component, in no particular order. Everything else is as for added().
    /// Throws: std::bad_alloc. Then the next call finds the rest.
    /// Complexity: O(rows changed since the last call), and one test for each chunk of the matching tables.
    std::span<const Entity> changed() {
        detail::WatchLists* watched = lists();
        if (watched == nullptr) return {};
        watched->find_writes();
        watched->find_changes();
        return watched->list_of(detail::WatchLists::changed);
    }

    /// Effects: empties all lists; changes up to now are not listed again. What an entity did before the clear does not
    /// matter for its lists after it.
    /// Throws: as added(); then nothing is cleared.
    /// Invalidates: all spans.
    /// Complexity: O(1); for a filtered query also what catching up costs.
    void clear() {
        detail::WatchLists* watched = lists();
        if (watched == nullptr) return;
        watched->find_writes();
        watched->clear();
    }

    /// Effects: the lists go to this watch; lists that it had before end. The source watches nothing.
    Watch(Watch&&) noexcept = default;
    Watch& operator=(Watch&&) noexcept = default;

  private:
    friend struct detail::WatchAccess;
    friend detail::WatchCalls<Query<Terms...>>;

    Watch(const Watch&) noexcept = default;

    // `follow(lists)` calls WatchLists::follow for each state whose changes count.
    template <class Follow>
    Watch(detail::Store& store, detail::QueryState& state, detail::Ref<detail::ValueFilter> filter, WatchFor what,
          Follow&& follow) {
        const auto lists = static_cast<unsigned>(what);
        if ((lists & detail::WatchLists::removed) != 0)
            (detail::keep_removed(store, typename detail::Term<Terms>::Named{}), ...);
        detail::WatchLists* made = detail::WatchLists::make(store, state, lists, std::move(filter));
        detail::ScopeGuard delete_lists([made]() noexcept { delete made; });
        if ((lists & detail::WatchLists::changed) != 0) follow(*made);
        delete_lists.dismiss();
        hold_ = {store, state, made};  // takes ownership, also if it throws
        made->start();
    }

    // Null when the world is gone. Safe: the constructor gives nothing else to hold.
    detail::WatchLists* lists() const { return static_cast<detail::WatchLists*>(hold_.get()); }
    std::span<const Entity> list(detail::WatchLists::List which) const {
        detail::WatchLists* watched = lists();
        if (watched == nullptr) return {};
        watched->find_writes();
        return watched->list_of(which);
    }

    detail::SharedObserver hold_;
};

namespace detail {

// What the schedule may take from a watch.
struct WatchAccess {
    // Another handle of the same lists.
    template <class... Terms>
    static Watch<Terms...> share(const Watch<Terms...>& watch) {
        return Watch<Terms...>(watch);
    }
};

/// The calls of a query or of a filtered query, `From`, that make a watch. Matches that exist already are not listed.
/// Throws: Errc::world_gone, Errc::locked, std::bad_alloc; for a filtered query also what user code of an index throws.
template <class... Terms>
struct WatchCalls<Query<Terms...>> {
    static constexpr bool tracks = (Term<Terms>::tracks || ...);
    static constexpr WatchFor everything = WatchFor::added | WatchFor::removed | WatchFor::changed;

    /// Returns: a watch with the lists that `what` names. All components that the query hands out are tracked from now
    /// on if `changed` is one of them.
    template <class From>
    static Watch<Terms...> watch(const From& query, WatchFor what = everything) {
        static_assert(!tracks, "Changed and Added choose what a walk visits; a watch is about having components");
        Store& store = QueryAccess::store(query);
        return Watch<Terms...>(
            store, QueryAccess::state(query), QueryAccess::value_filter(query), what,
            [&]([[maybe_unused]] WatchLists& lists) { (follow_term<Terms, Terms...>(store, lists), ...); });
    }

    /// Returns: a watch with all three lists, in which only writes to Ts count as changes.
    template <class... Ts, class From>
    static Watch<Terms...> watch_changes(const From& query) {
        static_assert(!tracks, "Changed and Added choose what a walk visits; a watch is about having components");
        static_assert(are_components<Ts...>());
        static_assert((is_named<Ts, Terms...> && ...), "watch_changes names components of its query");
        static_assert((!is_tag<Ts> && ...), "a tag has no value that could change");
        Store& store = QueryAccess::store(query);
        return Watch<Terms...>(store, QueryAccess::state(query), QueryAccess::value_filter(query), everything,
                               [&](WatchLists& lists) { (follow_component<Ts, Terms...>(store, lists), ...); });
    }
};

}  // namespace detail
}  // namespace stoa

/// Field indexes: find entities by a value of one of their components.
///
/// An index names a member (`&Unit::team`), a whole component (`whole<Name>`) or a constexpr function of a component.
/// Components stay plain structs: a lookup first catches up with everything that was written since the last one, from
/// the ticks of rows. So an index sees every write however it was made, and costs nothing between lookups.
///
/// Keys are integers, enums, bool, floating point, strings (looked up by std::string_view, without a copy), entities,
/// pointers, pairs and tuples; and every type with std::hash and ==, or with <. NaN equals nothing, no comparison holds
/// for it, and it sorts behind all other keys. -0.0 equals 0.0.
///
/// Lifetime: an index can be moved, and may outlive its world; then it is empty. While user code runs inside a lookup
/// (hash, comparison, function of the component) the structure of the world is locked. What that code throws reaches
/// the caller, and the index stays whole.
///
/// Walks: inside a walk that writes the indexed component, lookups see what was written before the first lookup in the
/// current row span, and the rest when the span ends. `Mut` and range-for hand out single rows; there a lookup sees
/// every write at once.
///
/// Complexity: O(rows written since the last lookup) to catch up; then O(1) by hash and O(log n) in order.
/// Threads: a lookup that has nothing to catch up with only reads, if its key is no pair, tuple or type of the user. So
/// after refresh() several threads may call find, count, each and size at the same time, until the next write. All
/// other uses of an index, making filters and walking with them included, need one thread at a time.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "stoa/detail/index/index_lookup.hpp"
#include "stoa/filter.hpp"
#include "stoa/world.hpp"

namespace stoa {

/// As the field of an index: the component itself is the key, as in `HashIndex<whole<Name>>`.
template <class T>
struct Whole {};
template <class T>
inline constexpr Whole<T> whole{};

namespace detail {

/// What hash and ordered indexes have in common.
template <auto Field, class Component, bool Ordered>
class IndexHandle : protected IndexLookup<Field, Component, Ordered> {
  public:
    using Key = KeyOf<Field>;

  private:
    static_assert(is_component<Component>());
    static_assert(!is_tag<Component>, "a tag has no value to look up");
    static_assert(Ordered || is_hash_key<Key>,
                  "the key of a HashIndex needs == and std::hash; a key with < fits an OrderedIndex");
    static_assert(!Ordered || is_ordered_key<Key>,
                  "the key of an OrderedIndex needs <; a key with == and std::hash fits a HashIndex");
    using Lookup = IndexLookup<Field, Component, Ordered>;
    // The key itself, a std::string_view, or an integer of any type: one that Key cannot hold is found nowhere.
    using Argument = KeyArgument<Key>;

  public:
    /// Effects: the component is tracked from now on. The first lookup reads all entities that have it.
    /// Throws: Errc::world_gone, Errc::locked, std::bad_alloc.
    explicit IndexHandle(World& world) : Lookup(world) {}
    /// Effects: the other handle is empty then; its lookups find nothing.
    IndexHandle(IndexHandle&&) noexcept = default;
    IndexHandle& operator=(IndexHandle&&) noexcept = default;

    // Each of these catches up first. Throws: std::bad_alloc, and what user code throws.

    /// Returns: some entity with this key, or null.
    Entity find(const Argument& key) const { return this->find_first(key); }

    /// Returns: the number of entities with this key.
    std::size_t count(const Argument& key) const {
        const KeyGroupId group = this->group_of(key);
        return group != no_group ? this->entities().groups().count(group) : 0;
    }

    /// Effects: calls f(entity) for each entity with this key, in no particular order. The structure is locked during
    /// the calls; the entities are chosen before the first one.
    template <class F>
    void each(const Argument& key, F&& f) const {
        const KeyGroupId group = this->group_of(key);
        if (group == no_group) return;
        const Entity* first = this->entities().groups().members(group);
        const std::vector<Entity> members(first, first + this->entities().groups().count(group));
        const Store::SharedLock lock(*this->index()->link()->store());
        for (const Entity entity : members) f(entity);
    }

    /// Returns: the number of entities that have the component.
    std::size_t size() const { return this->refreshed() ? this->entities().size() : 0; }
    bool empty() const { return size() == 0; }

    /// Effects: catches up now, so that lookups only read until the next write.
    void refresh() const { static_cast<void>(this->refreshed()); }

    // Filters for Query::where. Each keeps a copy of its keys. Throws: std::bad_alloc, and what copying a key throws.

    /// Passes entities whose key equals `key`.
    friend Filter operator==(const IndexHandle& index, const Argument& key) { return index.equal_to(key); }
    /// Passes entities that have the component with another key, NaN included.
    friend Filter operator!=(const IndexHandle& index, const Argument& key) { return !index.equal_to(key); }
    /// Passes entities whose key equals one of `keys`.
    Filter in(std::initializer_list<KeyArgument<Key>> keys) const { return this->one_of(keys.begin(), keys.end()); }
    template <class Range>
    Filter in(const Range& keys) const {
        return this->one_of(std::begin(keys), std::end(keys));
    }

  private:
    friend struct IndexAccess;
};

// The door for tests: the compiled half of an index, or null after a move.
struct IndexAccess {
    template <auto Field, class Component, bool Ordered>
    static const FieldIndex* field_index(const IndexHandle<Field, Component, Ordered>& handle) {
        return handle.index();
    }
};

}  // namespace detail

/// Finds entities by equal keys.
///
///     HashIndex<&Unit::team> by_team{world};
///     world.query<Unit>().where(by_team == red).each([](Unit& unit) { ... });
///
/// Complexity: O(1) for a lookup of a key; O(1) for each entity whose key changed.
template <auto Field, class Component = detail::ComponentOf<Field>>
class HashIndex : public detail::IndexHandle<Field, Component, false> {
  public:
    using detail::IndexHandle<Field, Component, false>::IndexHandle;
};

/// Finds entities by equal keys and by ranges of keys.
///
///     OrderedIndex<&Unit::level> by_level{world};
///     world.query<Unit>().where(by_level >= 3 && by_team != red).each([](Unit& unit) { ... });
///
/// Complexity: O(log n) for a lookup, for the size of a range, and for each entity whose key changed.
template <auto Field, class Component = detail::ComponentOf<Field>>
class OrderedIndex : public detail::IndexHandle<Field, Component, true> {
    using Argument = detail::KeyArgument<detail::KeyOf<Field>>;
    using Border = detail::Border;

  public:
    using detail::IndexHandle<Field, Component, true>::IndexHandle;

    // Filters for Query::where that pass entities whose key lies in a range. No NaN key lies in any range.

    friend Filter operator<(const OrderedIndex& index, const Argument& key) {
        return index.below(key, Border::excluded);
    }
    friend Filter operator<=(const OrderedIndex& index, const Argument& key) {
        return index.below(key, Border::included);
    }
    friend Filter operator>(const OrderedIndex& index, const Argument& key) {
        return index.above(key, Border::excluded);
    }
    friend Filter operator>=(const OrderedIndex& index, const Argument& key) {
        return index.above(key, Border::included);
    }
    /// Both ends belong to the range. If `upper` is less than `lower`, no entity passes.
    Filter between(const Argument& lower, const Argument& upper) const { return this->from_to(lower, upper); }
};

}  // namespace stoa

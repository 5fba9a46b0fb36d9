// Field indexes: find entities by a value of one of their components. An index names a member (&Unit::team), a whole component
// (whole<Name>) or a constexpr function of a component. Components stay plain structs: an index catches up with what was written
// when it is asked, from the ticks of rows, so it sees every write however it was made, and costs nothing in between.
//
// Keys: integers, enums, bool, floating point, strings (looked up by std::string_view, without a copy), entities, pointers, pairs
// and tuples; and every type with std::hash and ==, or with <. NaN equals nothing, no comparison holds for it, and it stands behind
// all other keys. -0.0 equals 0.0.
//
// An index may be moved, and may outlive its world: then it is empty. While code of the user runs inside it (hash, comparison,
// function of the component) the structure of the world is locked; what that throws leaves the index whole.
//
// A lookup inside a walk that writes the indexed component sees what was written up to the first lookup in a run of rows, and the
// rest when the run ends; Mut and range-for hand out single rows, and there it sees every write at once.
//
// Cost: O(rows written since the last lookup) to catch up; then O(1) by hash, O(log n) in order. Threads: a lookup that has
// nothing to catch up with reads only; refresh() makes it so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "stoa/detail/field_index.hpp"
#include "stoa/detail/projection.hpp"
#include "stoa/filter.hpp"
#include "stoa/world.hpp"

namespace stoa {

namespace detail {

// What hash and ordered indexes have in common.
template <auto Field, class Component, bool Ordered>
class IndexHandle {
  public:
    using Key = KeyOf<Field>;

  private:
    static_assert(is_component<Component>());
    static_assert(!is_tag<Component>, "a tag has no value to look up");
    static_assert(Ordered || is_hash_key<Key>, "the key of a HashIndex needs == and std::hash; a key with < fits an OrderedIndex");
    static_assert(!Ordered || is_ordered_key<Key>, "the key of an OrderedIndex needs <; a key with == and std::hash fits a HashIndex");
    using Argument = KeyArgument<Key>;

  public:
    // Throws std::bad_alloc, Errc::world_gone, Errc::locked.
    explicit IndexHandle(World& world)
        : index_(FieldIndex::make(world.template query<Changed<Component>>().store(), type_slot<Component>, TermListOf<Changed<Component>>::list, key_ops_of<Field, Component, Ordered>)) {}
    IndexHandle(IndexHandle&& other) noexcept : index_(std::exchange(other.index_, nullptr)) {}
    IndexHandle& operator=(IndexHandle&& other) noexcept {
        std::swap(index_, other.index_);
        return *this;
    }
    IndexHandle(const IndexHandle&) = delete;
    IndexHandle& operator=(const IndexHandle&) = delete;
    ~IndexHandle() {
        if (index_ != nullptr) index_->drop();
    }

    // Some entity with this key, or null.
    Entity find(const Argument& key) const {
        if constexpr (is_word<Key> && !Ordered) {
            const Probe probe = probe_of(key);
            return is_there(probe) ? index_->template find_first<narrow>(probe.word) : Entity{};
        }
        const std::uint32_t group = group_of(key);
        return group != FieldIndex::none ? index_->first(group) : Entity{};
    }
    std::size_t count(const Argument& key) const {
        const std::uint32_t group = group_of(key);
        return group != FieldIndex::none ? index_->count(group) : 0;
    }
    // Calls f(entity) for each entity with this key, in no particular order. The structure is locked meanwhile; who is called for
    // is settled before the first call.
    template <class F>
    void each(const Argument& key, F&& f) const {
        const std::uint32_t group = group_of(key);
        if (group == FieldIndex::none) return;
        const std::vector<Entity> members(index_->members(group), index_->members(group) + index_->count(group));
        const Store::SharedLock lock(*index_->link()->store());
        for (const Entity entity : members) f(entity);
    }
    // How many entities have the component.
    std::size_t size() const { return index_ != nullptr && index_->refresh() ? index_->size() : 0; }
    bool empty() const { return size() == 0; }
    // Catches up now.
    void refresh() const {
        if (index_ != nullptr) index_->refresh();
    }

    friend Filter operator==(const IndexHandle& index, const Argument& key) { return index.filter_of(probe_of(key)); }
    friend Filter operator!=(const IndexHandle& index, const Argument& key) { return !index.filter_of(probe_of(key)); }
    // One of these.
    Filter in(std::initializer_list<KeyArgument<Key>> keys) const { return in_range(keys.begin(), keys.end()); }
    template <class Range>
    Filter in(const Range& keys) const {
        return in_range(std::begin(keys), std::end(keys));
    }

    // For the library and its tests.
    FieldIndex* core() const { return index_; }

  protected:
    // Of what a lookup takes, or of anything that becomes that. Requires: of an object, that it is the object itself.
    template <class K>
    static Probe probe_of(const K& key) {
        return Sought<Key>(key).probe();
    }
    Filter between_bounds(const Argument* lower, const Argument* upper, bool with_lower, bool with_upper) const {
        Probe keys[2];
        if (lower != nullptr) keys[0] = probe_of(*lower);
        if (upper != nullptr) keys[1] = probe_of(*upper);
        return filter_between(index_, {lower != nullptr ? &keys[0] : nullptr, upper != nullptr ? &keys[1] : nullptr, with_lower, with_upper});
    }

  private:
    static constexpr bool narrow = key_ops_of<Field, Component, Ordered>.narrow;

    // Whether it is worth looking for.
    bool is_there(const Probe& key) const { return index_ != nullptr && index_->refresh() && !key.odd && key.side == Side::within; }
    std::uint32_t group_of(const Argument& key) const {
        if (index_ == nullptr) return FieldIndex::none;
        const Probe probe = probe_of(key);
        if constexpr (is_word<Key> && !Ordered) {
            return is_there(probe) ? index_->template find_word<narrow>(probe.word) : FieldIndex::none;
        } else {
            return index_->look_up(probe);
        }
    }
    Filter filter_of(const Probe& key) const { return filter_in(index_, &key, 1); }
    template <class Iterator, class End>
    Filter in_range(Iterator at, End end) const {
        std::vector<Probe> probes;
        for (; at != end; ++at) probes.push_back(probe_of(*at));
        return filter_in(index_, probes.data(), probes.size());
    }

    FieldIndex* index_;
};

}  // namespace detail

// HashIndex<&Unit::team> by_team{world};
template <auto Field, class Component = detail::ComponentOf<Field>>
class HashIndex : public detail::IndexHandle<Field, Component, false> {
  public:
    using detail::IndexHandle<Field, Component, false>::IndexHandle;
};

// OrderedIndex<&Unit::level> by_level{world}: also by order.
template <auto Field, class Component = detail::ComponentOf<Field>>
class OrderedIndex : public detail::IndexHandle<Field, Component, true> {
    using Argument = detail::KeyArgument<detail::KeyOf<Field>>;

  public:
    using detail::IndexHandle<Field, Component, true>::IndexHandle;

    friend Filter operator<(const OrderedIndex& index, const Argument& key) {
        return index.between_bounds(nullptr, detail::address_of(key), true, false);
    }
    friend Filter operator<=(const OrderedIndex& index, const Argument& key) {
        return index.between_bounds(nullptr, detail::address_of(key), true, true);
    }
    friend Filter operator>(const OrderedIndex& index, const Argument& key) {
        return index.between_bounds(detail::address_of(key), nullptr, false, true);
    }
    friend Filter operator>=(const OrderedIndex& index, const Argument& key) {
        return index.between_bounds(detail::address_of(key), nullptr, true, true);
    }
    // Both ends belong to it.
    Filter between(const Argument& lower, const Argument& upper) const {
        return this->between_bounds(detail::address_of(lower), detail::address_of(upper), true, true);
    }
};

}  // namespace stoa

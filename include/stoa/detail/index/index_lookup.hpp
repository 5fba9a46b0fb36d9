// The typed part of an index below its public functions: from the argument of a lookup to a key group or to a filter.
// Base class of the index handles.
#pragma once

#include <cstddef>
#include <vector>

#include "stoa/detail/index/field_index.hpp"
#include "stoa/detail/index/projection.hpp"
#include "stoa/detail/storage/store_of.hpp"
#include "stoa/filter.hpp"

namespace stoa::detail {

template <auto Field, class Component, bool Ordered>
class IndexLookup {
  protected:
    using Key = KeyOf<Field>;
    using Argument = KeyArgument<Key>;

    explicit IndexLookup(World& world)
        : index_(FieldIndex::make(store_of(world, Ordered ? "OrderedIndex" : "HashIndex"), type_handle<Component>,
                                  TermListOf<Changed<Component>>::list, key_ops_of<Field, Component, Ordered>)) {}

    FieldIndex* index() const { return index_.get(); }
    // As of the last refresh. Requires: an index.
    const KeyedEntities& entities() const { return index_->entities(); }
    // Catches up. False when there is nothing to look up: the world is gone, or the handle was moved from.
    bool refreshed() const { return index_ && index_->refresh(); }

    Entity find_first(const Argument& key) const {
        if constexpr (has_words) {
            const LookupKey lookup = lookup_key_of(key);
            return may_occur(lookup) ? entities().template find_first<narrow>(lookup.word) : Entity{};
        } else {
            const KeyGroupId group = group_of(key);
            return group != no_group ? entities().groups().first(group) : Entity{};
        }
    }
    // The group of a key, or no_group.
    KeyGroupId group_of(const Argument& key) const {
        const LookupKey lookup = lookup_key_of(key);
        if constexpr (has_words) {
            return may_occur(lookup) ? entities().template find_word<narrow>(lookup.word) : no_group;
        } else {
            return index_ ? index_->look_up(lookup) : no_group;
        }
    }

    Filter equal_to(const Argument& key) const {
        const LookupKey lookup = lookup_key_of(key);
        return filter_in(index_.get(), &lookup, 1);
    }
    template <class Iterator, class End>
    Filter one_of(Iterator at, End end) const {
        std::vector<LookupKey> lookups;
        for (; at != end; ++at) lookups.push_back(lookup_key_of(*at));
        return filter_in(index_.get(), lookups.data(), lookups.size());
    }
    Filter below(const Argument& key, Border border) const {
        const LookupKey upper = lookup_key_of(key);
        return filter_between(index_.get(), {{}, {&upper, border}});
    }
    Filter above(const Argument& key, Border border) const {
        const LookupKey lower = lookup_key_of(key);
        return filter_between(index_.get(), {{&lower, border}, {}});
    }
    Filter from_to(const Argument& first, const Argument& last) const {
        const LookupKey lower = lookup_key_of(first);
        const LookupKey upper = lookup_key_of(last);
        return filter_between(index_.get(), {{&lower, Border::included}, {&upper, Border::included}});
    }

  private:
    static constexpr bool narrow = key_ops_of<Field, Component, Ordered>.narrow;
    static constexpr bool has_words = is_word<Key> && !Ordered;  // found by one step in the hash table

    // Converts the argument of a lookup. Requires: an object outlives the result, which has its address.
    template <class K>
    static LookupKey lookup_key_of(const K& key) {
        return LookupFor<Key>(key).lookup_key();
    }
    // False for a key that no entity can have.
    bool may_occur(const LookupKey& key) const { return refreshed() && !key.is_nan && key.side == Side::within; }

    Ref<FieldIndex> index_;  // empty after a move
};

}  // namespace stoa::detail

// Moves entities between key groups.
#include "stoa/detail/index/keyed_entities.hpp"

#include "index/key_tree.hpp"

namespace stoa::detail {

KeyedEntities::KeyedEntities(const KeyOps& ops) : groups_(ops) {
    if (ops.ordered) {
        tree_ = new KeyTree(groups_);
    } else {
        hash_.reserve();
    }
}

KeyedEntities::~KeyedEntities() { delete tree_; }

KeyGroupId KeyedEntities::find_group(const LookupKey& key) const {
    if (key.is_nan || key.side != Side::within) return no_group;
    const KeyOps& ops = groups_.ops();
    const LookupKey lookup = with_search_word(ops, key);
    if (lookup.is_nan) return no_group;
    if (ops.ordered) return tree_->find(lookup);
    if (ops.kind == KeyKind::word) return ops.narrow ? find_word<true>(lookup.word) : find_word<false>(lookup.word);
    return hash_.find(lookup, groups_);
}

// Keys come in no order, so each step to a group would miss the cache; prefetching many lets the misses overlap.
void KeyedEntities::prefetch(std::span<const EntityWord> words) const {
    for (const EntityWord& one : words) {
        const KeyGroupId known = group_of(one.entity);
        if (known != no_group) groups_.prefetch(known);
    }
    if (is_ordered()) return;
    for (const EntityWord& one : words) {
        hash_.prefetch(tag_of(one.word));
        const KeyGroupId known = group_of(one.entity);
        if (known != no_group) hash_.prefetch(tag_of(known));
    }
    for (const EntityWord& one : words) {
        const std::uint32_t tag = tag_of(one.word);
        const KeyHashTable::Bucket& bucket = hash_.home(tag);
        if (bucket.tag == tag && bucket.group != no_group) groups_.prefetch(bucket.group);
    }
}

void KeyedEntities::assign_words(std::span<const EntityWord> words) {
    if (words.size() > 4) prefetch(words);
    for (const EntityWord& one : words) {
        if (!has_word(one.entity, one.word)) assign_word(one.entity, one.word);
    }
}

void KeyedEntities::assign_word(Entity entity, std::uint64_t word) {
    const KeyOps& ops = groups_.ops();
    const bool is_nan = ops.has_nan_word && word == nan_word;
    const KeyGroupId known = group_of(entity);
    if (ops.ordered || is_nan || entity.index() >= memberships_.capacity() ||
        empty_groups_.size() == empty_groups_.capacity()) [[unlikely]] {
        return assign(entity, {word, nullptr, 0, is_nan, Side::within});
    }
    const KeyGroupId group = ops.narrow ? find_word<true>(word) : find_word<false>(word);
    if (group == no_group && known != no_group && known != nan_group && groups_.count(known) == 1)
        return change_key(known, word);
    if (group != no_group && groups_.has_room(group)) return move_to_group(entity, group);
    assign(entity, {word, nullptr, 0, false, Side::within});
}

// The only member of a group gets a key that no other entity has: the group keeps its member and changes its key.
void KeyedEntities::change_key(KeyGroupId group, std::uint64_t word) noexcept {
    hash_.erase(tag_of(group), group);
    groups_.set_word(group, word);
    hash_.insert({tag_of(word), group, groups_.members(group)[0].bits()});
}

void KeyedEntities::assign(Entity entity, const LookupKey& key) {
    const KeyGroupId known = group_of(entity);
    if (!key.is_nan && known != no_group && known != nan_group && groups_.equals(key, known)) return;
    KeyGroupId group = key.is_nan ? nan_group : find_group(key);
    if (group != no_group && group == known) return;
    memberships_.reserve(entity.index());
    if (empty_groups_.size() == empty_groups_.capacity()) empty_groups_.reserve(2 * empty_groups_.size() + 64);
    if (group == no_group) {
        group = new_group(key);  // has room for members
    } else {
        groups_.reserve_member(group);
    }
    move_to_group(entity, group);
}

KeyGroupId KeyedEntities::new_group(const LookupKey& key) {
    KeyTree::Position position;
    if (tree_ != nullptr) position = tree_->lower_bound(key);
    groups_.ensure_free_group();
    if (tree_ != nullptr) {
        tree_->prepare(groups_.capacity());
    } else {
        hash_.reserve();
    }
    const KeyGroupId group = groups_.create(key);
    // Nothing can fail from here on.
    if (tree_ != nullptr) {
        tree_->insert(position, key.word, group);
    } else {
        hash_.insert({tag_of(key.word), group, 0});
    }
    return group;
}

void KeyedEntities::release_group(KeyGroupId group) noexcept {
    if (tree_ != nullptr) {
        tree_->erase(group);
    } else {
        hash_.erase(tag_of(group), group);
    }
    groups_.release(group);
}

void KeyedEntities::release_empty_groups() noexcept {
    for (const KeyGroupId group : empty_groups_) {
        if (groups_.is_used(group) && groups_.count(group) == 0) release_group(group);
    }
    empty_groups_.clear();
}

// The entity joins its new group before it leaves the old one, so it is always in a group.
void KeyedEntities::move_to_group(Entity entity, KeyGroupId group) noexcept {
    const std::uint32_t position = groups_.add_member(group, entity);
    const Membership old = memberships_.exchange(entity, group, position);
    if (position == 0) update_first_member(group);
    if (tree_ != nullptr && group != nan_group) tree_->member_added(group);
    if (old.generation == 0) return;
    erase_member(old.group, old.position);
    if (groups_.count(old.group) == 0 && old.group != nan_group) empty_groups_.push_back(old.group);
}

void KeyedEntities::update_first_member(KeyGroupId group) noexcept {
    if (tree_ == nullptr && group != nan_group) hash_.set_first(tag_of(group), group, groups_.first(group));
}

void KeyedEntities::erase_member(KeyGroupId group, std::uint32_t position) noexcept {
    const Entity moved = groups_.erase_member(group, position);
    if (moved) memberships_.set_position(moved.index(), position);
    if (position == 0) update_first_member(group);
    if (tree_ != nullptr && group != nan_group) tree_->member_removed(group);
}

void KeyedEntities::remove(std::uint32_t index) noexcept {
    const Membership old = memberships_.erase(index);
    erase_member(old.group, old.position);
    if (groups_.count(old.group) == 0 && old.group != nan_group) release_group(old.group);
}

const char* KeyedEntities::check_group(KeyGroupId group) const {
    for (std::uint32_t i = 0; i < groups_.count(group); ++i) {
        const Entity entity = groups_.members(group)[i];
        if (group_of(entity) != group || memberships_[entity.index()].position != i)
            return "a member of a key group has another membership";
    }
    // User code that threw may have left a group without members.
    if (group == nan_group || groups_.count(group) == 0) return nullptr;
    if (find_group(groups_.key_of(group)) != group) return "a key group is not found by its key";
    if (tree_ == nullptr && hash_.first(tag_of(group), group) != groups_.first(group))
        return "a bucket names another first member";
    return nullptr;
}

const char* KeyedEntities::check() const {
    const char* broken = nullptr;
    std::uint64_t members = 0;
    groups_.each([&](KeyGroupId group) {
        if (broken == nullptr) broken = check_group(group);
        members += groups_.count(group);
    });
    if (broken != nullptr) return broken;
    if (members != size()) return "an index counts its entities wrongly";
    std::uint64_t in_use = 0;
    for (std::uint32_t i = 0; i < memberships_.capacity(); ++i) in_use += memberships_[i].generation != 0;
    if (in_use != size()) return "memberships of an index are lost";
    return tree_ != nullptr ? tree_->check() : nullptr;
}

}  // namespace stoa::detail

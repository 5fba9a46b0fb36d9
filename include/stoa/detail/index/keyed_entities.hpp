// The entities of an index by key. Entities with equal keys form a key group; a hash table or a tree leads from a key
// to its group, and a membership leads from an entity to its group.
//
//     key → KeyHashTable or KeyTree → KeyGroups: members
//     entity → Memberships → group, position
//
// Invariant: every member of a group has a membership that names the group and its position, and every group with
// members is found by its key. It knows nothing of worlds; FieldIndex keeps it current.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/detail/index/key_groups.hpp"
#include "stoa/detail/index/key_hash_table.hpp"
#include "stoa/detail/index/memberships.hpp"

namespace stoa::detail {

class KeyTree;

struct EntityWord {
    Entity entity;
    std::uint64_t word;
};

class STOA_API KeyedEntities {
  public:
    // Throws std::bad_alloc.
    explicit KeyedEntities(const KeyOps& ops);
    ~KeyedEntities();
    KeyedEntities(const KeyedEntities&) = delete;
    KeyedEntities& operator=(const KeyedEntities&) = delete;

    const KeyGroups& groups() const { return groups_; }
    // Requires: an ordered index.
    const KeyTree& tree() const { return *tree_; }
    std::uint64_t size() const { return memberships_.size(); }
    // The group of an entity, or no_group.
    KeyGroupId group_of(Entity entity) const { return memberships_.group_of(entity); }

    // The group with this key, or no_group. Runs user code for objects.
    KeyGroupId find_group(const LookupKey& key) const;
    // The same for words in a hash index.
    template <bool Narrow>
    KeyGroupId find_word(std::uint64_t word) const {
        return hash_.find_word<Narrow>(word, groups_).group;
    }
    // Some entity with this word, or null.
    template <bool Narrow>
    Entity find_first(std::uint64_t word) const {
        return Entity::from_bits(hash_.find_word<Narrow>(word, groups_).first);
    }
    // Whether the entity is a member under this word.
    bool has_word(Entity entity, std::uint64_t word) const {
        const KeyGroupId known = group_of(entity);
        if (known == no_group) return false;
        if (groups_.ops().has_nan_word && word == nan_word) return known == nan_group;
        return known != nan_group && groups_.word(known) == word;
    }

    // Puts an entity under a key, with its search word. Throws std::bad_alloc and what user code throws: then the
    // entity is where it was. A group that loses its last member stays until release_empty_groups().
    void assign(Entity entity, const LookupKey& key);
    // The same for many words: the memory that they need is fetched together.
    void assign_words(std::span<const EntityWord> words);
    void release_empty_groups() noexcept;
    // Requires: the entity is a member.
    void remove(Entity entity) noexcept { remove(entity.index()); }
    // Removes the members for which gone(entity) is true.
    template <class Gone>
    void remove_if(Gone&& gone) {
        for (std::uint32_t index = 0; index < memberships_.capacity(); ++index) {
            const std::uint64_t generation = memberships_[index].generation;
            if (generation != 0 && gone(Entity::from_bits((generation << 32) | index))) remove(index);
        }
    }
    void prefetch_membership(Entity entity) const { memberships_.prefetch(entity.index()); }

    // What is broken, or null. For tests.
    const char* check() const;

  private:
    void assign_word(Entity entity, std::uint64_t word);
    void change_key(KeyGroupId group, std::uint64_t word) noexcept;
    KeyGroupId new_group(const LookupKey& key);
    void release_group(KeyGroupId group) noexcept;
    void move_to_group(Entity entity, KeyGroupId group) noexcept;
    void erase_member(KeyGroupId group, std::uint32_t position) noexcept;
    void update_first_member(KeyGroupId group) noexcept;
    void remove(std::uint32_t index) noexcept;
    void prefetch(std::span<const EntityWord> words) const;
    bool is_ordered() const { return groups_.ops().ordered; }
    std::uint32_t tag_of(std::uint64_t word) const { return KeyHashTable::tag_of(word, groups_.ops().narrow); }
    std::uint32_t tag_of(KeyGroupId group) const { return tag_of(groups_.word(group)); }
    const char* check_group(KeyGroupId group) const;

    KeyHashTable hash_;  // empty in an ordered index
    KeyGroups groups_;
    Memberships memberships_;
    KeyTree* tree_ = nullptr;               // null in a hash index
    std::vector<KeyGroupId> empty_groups_;  // without members; the same key is often used again
};

}  // namespace stoa::detail

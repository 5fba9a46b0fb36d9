// The key groups of an index: for each key that occurs, a copy of the key and the entities that have it. Groups are
// numbered densely; a released number is used again. Finding a group by its key is not done here.
//
// Invariant: a used group owns its members and, unless it is `nan_group`, one key in `StoredKeys`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/index/key.hpp"

namespace stoa::detail {

enum class KeyGroupId : std::uint32_t {};
inline constexpr KeyGroupId no_group{0xffffffff};
inline constexpr KeyGroupId nan_group{0};  // the entities whose keys equal nothing; never released

constexpr std::uint32_t number_of(KeyGroupId group) { return static_cast<std::uint32_t>(group); }

// The copies of keys that are texts or objects, by group. Words are in the groups themselves.
class STOA_API StoredKeys {
  public:
    explicit StoredKeys(const KeyOps& ops) : ops_(ops) {}
    ~StoredKeys();
    StoredKeys(const StoredKeys&) = delete;
    StoredKeys& operator=(const StoredKeys&) = delete;

    // Makes room for the key of `group`, which is less than `capacity`. Throws std::bad_alloc.
    void reserve(KeyGroupId group, std::uint32_t capacity);
    // Throws std::bad_alloc and what copying an object throws: then nothing is stored.
    void copy(KeyGroupId group, const LookupKey& key);
    void destroy(KeyGroupId group) noexcept;

    // Sets `data` and `length` of a key.
    void read(KeyGroupId group, LookupKey& key) const;
    // Less than 0: `key` precedes the stored one. Requires: texts, or objects with <.
    int compare(const LookupKey& key, KeyGroupId group) const;
    // Requires: texts, or objects with ==.
    bool equals(const LookupKey& key, KeyGroupId group) const;

  private:
    struct Text {
        char* bytes;
        std::size_t length;
    };
    static constexpr std::uint32_t page_size = 64;

    std::byte* object(KeyGroupId group) const {
        return pages_[number_of(group) / page_size] + std::size_t{number_of(group) % page_size} * ops_.size;
    }

    const KeyOps& ops_;
    Text* texts_ = nullptr;
    std::uint32_t text_capacity_ = 0;
    std::vector<std::byte*> pages_;  // of objects
};

class STOA_API KeyGroups {
  public:
    // Throws std::bad_alloc.
    explicit KeyGroups(const KeyOps& ops);
    ~KeyGroups();
    KeyGroups(const KeyGroups&) = delete;
    KeyGroups& operator=(const KeyGroups&) = delete;

    const KeyOps& ops() const { return ops_; }
    // All group numbers are less.
    std::uint32_t capacity() const { return capacity_; }
    // Calls visit(group) for each used group.
    template <class Visit>
    void each(Visit&& visit) const {
        for (std::uint32_t number = 0; number < used_; ++number) {
            if (is_used(KeyGroupId{number})) visit(KeyGroupId{number});
        }
    }
    bool is_used(KeyGroupId group) const { return at(group).capacity != free_capacity; }

    // These require a used group.

    std::uint32_t count(KeyGroupId group) const { return at(group).count; }
    const Entity* members(KeyGroupId group) const { return at(group).members(); }
    Entity first(KeyGroupId group) const { return count(group) != 0 ? members(group)[0] : Entity{}; }
    // The key where keys are words, else its hash or its first bytes.
    std::uint64_t word(KeyGroupId group) const { return at(group).word; }
    // Requires: keys are words.
    void set_word(KeyGroupId group, std::uint64_t word) { at(group).word = word; }
    // Requires: not nan_group.
    LookupKey key_of(KeyGroupId group) const;
    // Less than 0: `key` precedes that of the group. Requires: an ordered index; neither is a NaN key.
    int compare(const LookupKey& key, KeyGroupId group) const {
        if (ops_.kind != KeyKind::word) return keys_.compare(key, group);
        return key.word < word(group) ? -1 : key.word > word(group) ? 1 : 0;
    }
    // Requires: `key` has its search word.
    bool equals(const LookupKey& key, KeyGroupId group) const {
        return word(group) == key.word && (ops_.kind == KeyKind::word || keys_.equals(key, group));
    }

    // Makes sure that create() finds a free group. Throws std::bad_alloc.
    void ensure_free_group();
    // A group for this key, without members. Throws what copying the key throws: then no group is used.
    KeyGroupId create(const LookupKey& key);
    // Requires: it has no members, and no lookup finds it any more.
    void release(KeyGroupId group) noexcept;

    bool has_room(KeyGroupId group) const { return at(group).count < at(group).capacity; }
    // Makes room for one member. Throws std::bad_alloc.
    void reserve_member(KeyGroupId group) {
        if (!has_room(group)) grow_members(at(group));
    }
    // Returns: its position. Requires: there is room.
    std::uint32_t add_member(KeyGroupId group, Entity entity) noexcept {
        KeyGroup& to = at(group);
        to.members()[to.count] = entity;
        return to.count++;
    }
    // The last member moves to this position. Returns: the member that moved, or null.
    Entity erase_member(KeyGroupId group, std::uint32_t position) noexcept {
        KeyGroup& from = at(group);
        const Entity last = from.members()[--from.count];
        if (position == from.count) return {};
        from.members()[position] = last;
        return last;
    }
    void prefetch(KeyGroupId group) const { __builtin_prefetch(&groups_[number_of(group)], 1); }

  private:
    static constexpr std::uint32_t inline_capacity = 2;
    static constexpr std::uint32_t free_capacity = 0xffffffff;

    // Two members are in the group itself: two entities can exchange their keys without memory.
    struct KeyGroup {
        union {
            std::uint64_t few[inline_capacity];
            Entity* many;
        };
        std::uint32_t count;     // of a free group: the next free one
        std::uint32_t capacity;  // inline_capacity: few; free_capacity: the group is free
        std::uint64_t word;

        // Safe: an Entity is its bits.
        const Entity* members() const {
            return capacity != inline_capacity ? many : reinterpret_cast<const Entity*>(few);
        }
        Entity* members() { return capacity != inline_capacity ? many : reinterpret_cast<Entity*>(few); }
    };

    const KeyGroup& at(KeyGroupId group) const { return groups_[number_of(group)]; }
    KeyGroup& at(KeyGroupId group) { return groups_[number_of(group)]; }
    void reserve_next();
    static void grow_members(KeyGroup& group);

    KeyGroup* groups_ = nullptr;
    std::uint32_t used_ = 0;  // numbers ever used
    std::uint32_t capacity_ = 0;
    KeyGroupId first_free_ = no_group;
    const KeyOps& ops_;
    StoredKeys keys_;
};

// Whether it is a NaN key; how two others compare: less than 0 if `a` precedes `b`; and whether they are equal. They
// need no search words, and run user code for objects. compare_keys requires: an ordered index.
STOA_API bool is_nan_key(const KeyOps& ops, const LookupKey& key);
STOA_API int compare_keys(const KeyOps& ops, const LookupKey& a, const LookupKey& b);
STOA_API bool are_equal_keys(const KeyOps& ops, const LookupKey& a, const LookupKey& b);

// With the word by which an index looks for it, and NaN-like objects recognised. Runs user code for objects.
STOA_API LookupKey with_search_word(const KeyOps& ops, const LookupKey& key);

}  // namespace stoa::detail

// The key groups of an ordered index in the order of their keys: a B+ tree. An entry is a group and a word by which
// keys are compared first (the whole of a number, the first bytes of a text); keys themselves are compared only if
// their words are equal. Each node has the number of entities below it, so that the size of a range is found in O(log
// n).
//
// Invariants: all leaves are at one depth and linked in order; the entries of an inner node are the first entries of
// its children; every node but the root has a parent and an entry. Nothing relies on keys being in order: a comparison
// that contradicts itself only makes lookups miss. Erasing finds an entry by `leaf_of`, without comparing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/index/key_groups.hpp"

namespace stoa::detail {

class KeyTree {
  public:
    static constexpr std::uint32_t width = 64;
    static constexpr std::uint64_t no_word = ~std::uint64_t{0};

    struct Node {
        Node* parent = nullptr;
        Node* before = nullptr;   // of leaves
        Node* after = nullptr;    // of leaves; of spare nodes
        std::uint64_t total = 0;  // entities below
        std::uint32_t count = 0;
        bool inner = false;
        KeyGroupId groups[width];
        std::uint64_t words[width];  // ascending; no_word beyond the last entry
    };
    struct Inner : Node {
        Node* children[width];
    };
    // An entry; or, when `at` is beyond the last one of the leaf, the first one of the next leaf.
    struct Position {
        Node* leaf = nullptr;
        std::uint32_t at = 0;

        bool skip_empty_leaves() {  // false at the end
            while (leaf != nullptr && at >= leaf->count) *this = {leaf->after, 0};
            return leaf != nullptr;
        }
        KeyGroupId group() const { return leaf->groups[at]; }
    };

    explicit KeyTree(const KeyGroups& groups) : groups_(groups) {}
    ~KeyTree();
    KeyTree(const KeyTree&) = delete;
    KeyTree& operator=(const KeyTree&) = delete;

    // The position of the key, or where it would be inserted. Throws what a comparison throws.
    Position lower_bound(const LookupKey& key) const { return bound(key, false); }
    // The position behind the key.
    Position upper_bound(const LookupKey& key) const { return bound(key, true); }
    Position begin() const;
    KeyGroupId find(const LookupKey& key) const;

    // Allocates for one insertion of a group whose number is less than `groups`. Throws std::bad_alloc.
    void prepare(std::uint32_t groups);
    void insert(Position at, std::uint64_t word, KeyGroupId group) noexcept;
    // Requires: the group has no members.
    void erase(KeyGroupId group) noexcept;
    // Keep the totals current.
    void member_added(KeyGroupId group) noexcept {
        for (Node* node = leaf_of(group); node != nullptr; node = node->parent) ++node->total;
    }
    void member_removed(KeyGroupId group) noexcept {
        for (Node* node = leaf_of(group); node != nullptr; node = node->parent) --node->total;
    }
    void clear() noexcept;

    // The number of entities before this position.
    std::uint64_t rank(Position position) const;
    std::uint64_t total() const { return root_ != nullptr ? root_->total : 0; }

    const char* check() const;

  private:
    static Inner& as_inner(Node& node) { return static_cast<Inner&>(node); }
    static std::uint32_t child_index(const Node& node);  // among the children of its parent

    Node*& leaf_of(KeyGroupId group) { return leaves_[number_of(group)]; }
    Node* leaf_of(KeyGroupId group) const { return leaves_[number_of(group)]; }
    Position bound(const LookupKey& key, bool behind) const;
    std::uint32_t entries_before(const Node& node, const LookupKey& key, bool behind) const;
    bool precedes(const Node& node, std::uint32_t at, const LookupKey& key, bool behind) const;
    Node& take_spare(bool inner) noexcept;
    void release(Node& node) noexcept;
    static void destroy(Node* node) noexcept;
    void insert_entry(Node& node, std::uint32_t at, std::uint64_t word, KeyGroupId group, Node* child) noexcept;
    void erase_entry(Node& node, std::uint32_t at) noexcept;
    Node& split(Node& node) noexcept;
    void insert_after(Node& left, Node& right) noexcept;
    void remove_node(Node& node) noexcept;
    void merge_with_next(Node& node) noexcept;
    void update_first_entry(Node& node) noexcept;
    void move_entries(Node& from, std::uint32_t first, Node& to) noexcept;

    const KeyGroups& groups_;
    Node* root_ = nullptr;
    std::vector<Node*> leaves_;  // by group
    Node* spare_leaves_ = nullptr;
    Node* spare_inner_ = nullptr;
    std::uint32_t spare_inner_count_ = 0;
    std::uint32_t height_ = 0;
};

}  // namespace stoa::detail

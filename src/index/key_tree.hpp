// The groups of an ordered index in the order of their keys: a B+ tree. An entry is a group and a word by which keys are
// compared first (all of a number, the beginning of a text); keys themselves are compared only where words are equal. Each node
// knows how many entities are below it, so that the size of a range is found in O(log n).
//
// Invariants: all leaves are at one depth and linked in order; the entries of an inner node are the first entries of its
// children; every node but the root has a parent and an entry. Nothing relies on keys being in order: a comparison that
// contradicts itself makes lookups miss, no more. Entries are found again by `leaf_of`, without comparing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "stoa/detail/field_index.hpp"

namespace stoa::detail {

class KeyTree {
  public:
    static constexpr std::uint32_t width = 64;
    static constexpr std::uint64_t no_word = ~std::uint64_t{0};

    struct Node {
        Node* parent = nullptr;
        Node* before = nullptr;     // of leaves
        Node* after = nullptr;      // of leaves; of spare nodes
        std::uint64_t total = 0;    // entities below
        std::uint32_t count = 0;
        bool inner = false;
        std::uint32_t groups[width];
        std::uint64_t words[width];  // ascending; no_word beyond the last entry
    };
    struct Inner : Node {
        Node* children[width];
    };
    // An entry; or, when `at` is beyond the last one of the leaf, the first one of the next leaf.
    struct Place {
        Node* leaf = nullptr;
        std::uint32_t at = 0;

        bool settle() {  // false at the end
            while (leaf != nullptr && at >= leaf->count) *this = {leaf->after, 0};
            return leaf != nullptr;
        }
        std::uint32_t group() const { return leaf->groups[at]; }
    };

    explicit KeyTree(const FieldIndex& index) : index_(index) {}
    ~KeyTree();
    KeyTree(const KeyTree&) = delete;
    KeyTree& operator=(const KeyTree&) = delete;

    // Where the key stands, or would stand. Throws what a comparison throws.
    Place lower_bound(const Probe& key) const { return bound(key, false); }
    // Behind it.
    Place upper_bound(const Probe& key) const { return bound(key, true); }
    Place begin() const;
    std::uint32_t find(const Probe& key) const;

    // Takes the memory for one insertion of a group below `groups`. Throws std::bad_alloc.
    void prepare(std::uint32_t groups);
    void insert(Place at, std::uint64_t word, std::uint32_t group) noexcept;
    // Requires: the group has no members.
    void erase(std::uint32_t group) noexcept;
    // A group got a member, or lost one.
    void recount(std::uint32_t group, bool more) noexcept {
        for (Node* node = leaf_of_[group]; node != nullptr; node = node->parent) node->total += more ? 1 : ~std::uint64_t{0};
    }
    void clear() noexcept;

    // How many entities stand before this place.
    std::uint64_t rank(Place place) const;
    std::uint64_t total() const { return root_ != nullptr ? root_->total : 0; }

    const char* check() const;

  private:
    static Inner& as_inner(Node& node) { return static_cast<Inner&>(node); }
    static std::uint32_t position(const Node& node);  // among the children of its parent

    Place bound(const Probe& key, bool behind) const;
    std::uint32_t entries_before(const Node& node, const Probe& key, bool behind) const;
    bool precedes(const Node& node, std::uint32_t at, const Probe& key, bool behind) const;
    Node& take(bool inner) noexcept;
    void give(Node& node) noexcept;
    static void destroy(Node* node) noexcept;
    void shift_in(Node& node, std::uint32_t at, std::uint64_t word, std::uint32_t group, Node* child) noexcept;
    void shift_out(Node& node, std::uint32_t at) noexcept;
    Node& split(Node& node) noexcept;
    void insert_after(Node& left, Node& right) noexcept;
    void remove(Node& node) noexcept;
    void merge_with_next(Node& node) noexcept;
    void settle_first(Node& node) noexcept;
    void move_entries(Node& from, std::uint32_t first, Node& to) noexcept;

    const FieldIndex& index_;
    Node* root_ = nullptr;
    std::vector<Node*> leaf_of_;  // by group
    Node* spare_leaves_ = nullptr;
    Node* spare_inner_ = nullptr;
    std::uint32_t spare_inner_count_ = 0;
    std::uint32_t height_ = 0;
};

}  // namespace stoa::detail

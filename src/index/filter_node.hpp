// Filters as data, and what becomes of one in a walk. A FilterNode is what the user wrote; a Check is the same with keys looked up
// in their indexes, which are pinned meanwhile. Included by the sources of this room.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/key_tree.hpp"
#include "stoa/filter.hpp"

namespace stoa::detail {

// Negation stands at the leaves only: a combination is negated by negating its parts.
struct FilterNode {
    enum class Kind : std::uint8_t { in, range, all, any };

    FilterNode(Kind made_as, FieldIndex* of);
    ~FilterNode();
    FilterNode(const FilterNode&) = delete;
    FilterNode& operator=(const FilterNode&) = delete;

    std::uint32_t holders = 1;
    Kind kind;
    bool negated = false;
    bool has_lower = false;  // the bounds of a range are the first keys
    bool has_upper = false;
    bool with_lower = false;
    bool with_upper = false;
    FieldIndex* index;           // null for a combination, and for an index without a world
    std::vector<Probe> keys;     // their data is owned
    std::vector<FilterNode*> children;

    bool is_leaf() const { return kind == Kind::in || kind == Kind::range; }
    void add_key(const Probe& key);
    const Probe* lower() const { return has_lower ? &keys.front() : nullptr; }
    const Probe* upper() const { return has_upper ? &keys.back() : nullptr; }
    // Brings all indexes up to date.
    void refresh() const;
};

class Check {
  public:
    // Requires: refreshed, and the structure is locked.
    explicit Check(const FilterNode& node);
    ~Check();
    Check(const Check&) = delete;
    Check& operator=(const Check&) = delete;

    // At most so many entities pass.
    std::uint64_t size() const { return size_; }
    bool passes(Entity entity) const;
    // Those that pass, some perhaps twice.
    void collect(std::vector<Entity>& out) const;
    void describe(std::string& out) const;

  private:
    bool passes_group(std::uint32_t group) const;
    void look_up();
    void find_range();
    void append(std::uint32_t group, std::vector<Entity>& out) const;

    const FilterNode& node_;
    std::optional<FieldIndex::Pin> pin_;
    std::vector<Check*> children_;
    std::vector<std::uint32_t> groups_;  // of the keys that are there, ascending
    std::vector<Probe> bounds_;          // finished
    KeyTree::Place from_;
    KeyTree::Place to_;
    std::uint64_t found_ = 0;            // entities with such a key
    std::uint64_t size_ = 0;
};

}  // namespace stoa::detail

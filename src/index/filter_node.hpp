// Filters as data. A FilterNode is what the user wrote; a FilterEvaluation is the same during one walk: its keys are
// looked up in their indexes, which are pinned as long as it lives.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/key_tree.hpp"
#include "stoa/detail/index/field_index.hpp"
#include "stoa/filter.hpp"

namespace stoa::detail {

// A key with a copy of its text or object.
class OwnedKey {
  public:
    // Throws std::bad_alloc and what copying an object throws.
    OwnedKey(const KeyOps& ops, const LookupKey& key);
    OwnedKey(OwnedKey&& other) noexcept
        : ops_(other.ops_), key_(other.key_), copy_(std::exchange(other.copy_, nullptr)) {}
    ~OwnedKey();
    OwnedKey(const OwnedKey&) = delete;
    OwnedKey& operator=(const OwnedKey&) = delete;

    const LookupKey& key() const { return key_; }

  private:
    const KeyOps& ops_;
    LookupKey key_;
    void* copy_ = nullptr;
};

// Only leaves are negated: a combination is negated by negating its parts.
struct FilterNode : RefCounted<FilterNode, SharedBy::one_thread> {
    enum class Kind : std::uint8_t { in, range, all, any };
    // Which bounds a range has, and whether they belong to it.
    struct Range {
        bool has_lower = false;
        bool has_upper = false;
        Border lower = Border::included;
        Border upper = Border::included;
    };

    // `of` may be null.
    FilterNode(Kind made_as, FieldIndex* of) : kind(made_as) {
        if (of != nullptr) index = Ref<FieldIndex>(*of);
    }

    Kind kind;
    bool negated = false;
    Range range;
    Ref<FieldIndex> index;       // empty for a combination, and for a moved-from handle
    std::vector<OwnedKey> keys;  // of a range: its bounds
    std::vector<Filter> children;

    bool is_leaf() const { return kind == Kind::in || kind == Kind::range; }
    void add_key(const LookupKey& key) { keys.emplace_back(index->ops(), key); }
    const LookupKey* lower() const { return range.has_lower ? &keys.front().key() : nullptr; }
    const LookupKey* upper() const { return range.has_upper ? &keys.back().key() : nullptr; }
    // Makes all indexes catch up.
    void refresh() const;
};

class FilterEvaluation {
  public:
    // Requires: refreshed, and the structure is locked.
    explicit FilterEvaluation(const FilterNode& node);

    // At most as many entities pass.
    std::uint64_t size() const { return size_; }
    bool passes(Entity entity) const;
    // Appends the entities that pass, some perhaps twice.
    void collect(std::vector<Entity>& out) const;
    void describe(std::string& out) const;

  private:
    using Child = std::unique_ptr<FilterEvaluation>;

    const KeyedEntities& entities() const { return node_.index->entities(); }
    bool passes_group(KeyGroupId group) const;
    void look_up();
    void find_range();
    void collect_leaf(std::vector<Entity>& out) const;
    void append(KeyGroupId group, std::vector<Entity>& out) const;

    const FilterNode& node_;
    std::optional<FieldIndex::Pin> pin_;
    std::vector<Child> children_;
    std::vector<KeyGroupId> groups_;  // of the keys that occur, ascending
    LookupKey lower_;                 // with their search words
    LookupKey upper_;
    KeyTree::Position from_;
    KeyTree::Position to_;
    std::uint64_t found_ = 0;  // entities with such a key
    std::uint64_t size_ = 0;
};

}  // namespace stoa::detail

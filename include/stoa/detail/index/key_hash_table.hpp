// The way from a key to its group in a hash index: open addressing with linear probing. Keys are in the groups; a
// bucket has a tag of its key, which decides most comparisons, and the first member of the group, so that finding one
// entity reads one bucket.
//
// Invariants: at most half of the buckets are used; between the home of a bucket and the bucket itself none is free.
#pragma once

#include <cstdint>

#include "stoa/detail/index/key_groups.hpp"

namespace stoa::detail {

class STOA_API KeyHashTable {
  public:
    struct Bucket {
        std::uint32_t tag;
        KeyGroupId group;     // no_group in a free bucket
        std::uint64_t first;  // the bits of the first member; 0 in a free bucket
    };

    KeyHashTable() = default;
    ~KeyHashTable();
    KeyHashTable(const KeyHashTable&) = delete;
    KeyHashTable& operator=(const KeyHashTable&) = delete;

    // The lower bits of a tag name the home of a bucket. Narrow words are equal if their tags are.
    static std::uint32_t tag_of(std::uint64_t word, bool narrow) {
        if (!narrow) return static_cast<std::uint32_t>(mix(word));
        // Each step is a bijection, so different words have different tags.
        auto half = static_cast<std::uint32_t>(word) * 0x9e3779b1u;
        half = (half ^ (half >> 15)) * 0x85ebca77u;
        return half ^ (half >> 13);
    }

    // The bucket of a word, or the free bucket where the search ends. Requires: keys are words; reserve() was called.
    template <bool Narrow>
    const Bucket& find_word(std::uint64_t word, const KeyGroups& groups) const {
        const std::uint32_t tag = tag_of(word, Narrow);
        for (std::uint64_t at = tag & mask_;; at = (at + 1) & mask_) {
            const Bucket& bucket = buckets_[at];
            if (bucket.group == no_group || (bucket.tag == tag && (Narrow || groups.word(bucket.group) == word)))
                return bucket;
        }
    }
    // The group whose key equals this one, or no_group. Requires: the key has its search word; reserve() was called.
    KeyGroupId find(const LookupKey& key, const KeyGroups& groups) const;

    // Makes room for one more bucket. Throws std::bad_alloc.
    void reserve();
    // These require the tag of the group's key.
    void insert(const Bucket& bucket) noexcept;
    void erase(std::uint32_t tag, KeyGroupId group) noexcept;
    void set_first(std::uint32_t tag, KeyGroupId group, Entity first) noexcept {
        buckets_[position_of(tag, group)].first = first.bits();
    }
    Entity first(std::uint32_t tag, KeyGroupId group) const noexcept {
        return Entity::from_bits(buckets_[position_of(tag, group)].first);
    }

    const Bucket& home(std::uint32_t tag) const { return buckets_[tag & mask_]; }
    void prefetch(std::uint32_t tag) const { __builtin_prefetch(&buckets_[tag & mask_], 1); }

  private:
    std::uint64_t position_of(std::uint32_t tag, KeyGroupId group) const noexcept {
        std::uint64_t at = tag & mask_;
        while (buckets_[at].group != group) at = (at + 1) & mask_;
        return at;
    }

    Bucket* buckets_ = nullptr;
    std::uint64_t mask_ = 0;
    std::uint32_t used_ = 0;
};

}  // namespace stoa::detail

// The hash table of an index: growing, inserting and erasing without tombstones.
#include "stoa/detail/index/key_hash_table.hpp"

#include "index/block_array.hpp"

namespace stoa::detail {

KeyHashTable::~KeyHashTable() { delete_array(buckets_); }

KeyGroupId KeyHashTable::find(const LookupKey& key, const KeyGroups& groups) const {
    const std::uint32_t tag = tag_of(key.word, false);
    for (std::uint64_t at = tag & mask_;; at = (at + 1) & mask_) {
        const Bucket& bucket = buckets_[at];
        if (bucket.group == no_group || (bucket.tag == tag && groups.equals(key, bucket.group))) return bucket.group;
    }
}

void KeyHashTable::reserve() {
    if (buckets_ != nullptr && 2 * (std::uint64_t{used_} + 1) <= mask_ + 1) return;
    const std::uint64_t larger = buckets_ == nullptr ? 16 : 2 * (mask_ + 1);
    Bucket* const old = buckets_;
    const std::uint64_t old_size = old != nullptr ? mask_ + 1 : 0;
    buckets_ = grown<Bucket>(nullptr, 0, larger, Bucket{0, no_group, 0});
    mask_ = larger - 1;
    used_ = 0;
    for (std::uint64_t at = 0; at < old_size; ++at) {
        if (old[at].group != no_group) insert(old[at]);
    }
    delete_array(old);
}

void KeyHashTable::insert(const Bucket& bucket) noexcept {
    std::uint64_t at = bucket.tag & mask_;
    while (buckets_[at].group != no_group) at = (at + 1) & mask_;
    buckets_[at] = bucket;
    ++used_;
}

// Moves later buckets up, so that no free bucket separates one from its home.
void KeyHashTable::erase(std::uint32_t tag, KeyGroupId group) noexcept {
    std::uint64_t at = position_of(tag, group);
    --used_;
    for (std::uint64_t next = (at + 1) & mask_; buckets_[next].group != no_group; next = (next + 1) & mask_) {
        const std::uint64_t home_position = buckets_[next].tag & mask_;
        if (((next - home_position) & mask_) < ((next - at) & mask_)) continue;
        buckets_[at] = buckets_[next];
        at = next;
    }
    buckets_[at] = {0, no_group, 0};
}

}  // namespace stoa::detail

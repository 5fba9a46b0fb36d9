// Groups, their keys, and the hash table that leads to them.
#include "index/groups.hpp"

#include <new>

#include "index/key_tree.hpp"
#include "stoa/detail/field_index.hpp"

namespace stoa::detail {
namespace {

// The first bytes of a text, as a number in the order of texts.
std::uint64_t beginning(const void* text, std::size_t length) {
    unsigned char bytes[8] = {};
    if (length != 0) std::memcpy(bytes, text, std::min<std::size_t>(8, length));
    std::uint64_t word = 0;
    for (const unsigned char byte : bytes) word = (word << 8) | byte;
    return word;
}

int order_of(const void* a, std::size_t a_length, const void* b, std::size_t b_length) {
    const std::size_t common = std::min(a_length, b_length);
    if (const int order = common != 0 ? std::memcmp(a, b, common) : 0; order != 0) return order;
    return a_length < b_length ? -1 : a_length > b_length ? 1 : 0;
}

// Most groups that have more than one member have few: theirs are ordinary blocks.
constexpr std::uint32_t large_group = 1024;

Entity* new_members(std::uint32_t capacity) {
    return capacity < large_group ? static_cast<Entity*>(::operator new(capacity * sizeof(Entity))) : new_array<Entity>(capacity);
}

void delete_members(Entity* members, std::uint32_t capacity) noexcept {
    if (capacity == 2) return;
    if (capacity < large_group) return ::operator delete(members);
    delete_array(members);
}

}  // namespace

std::uint64_t hash_text(const void* bytes, std::size_t length) noexcept {
    const auto* at = static_cast<const unsigned char*>(bytes);
    std::uint64_t all = length;
    for (; length >= 8; length -= 8, at += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        all = mix(all ^ mix(word));
    }
    std::uint64_t word = 0;
    if (length != 0) std::memcpy(&word, at, length);
    return mix(all ^ mix(word));
}

FieldIndex::~FieldIndex() {
    if (link_->store() != nullptr && followed_ != nullptr) --followed_->readers;
    for (std::uint32_t group = 0; group < group_count_; ++group) {
        if (groups_[group].capacity == none) continue;
        if (group != odd_group) end_key(group);
        delete_members(groups_[group].many, groups_[group].capacity);
    }
    delete tree_;
    delete_array(slots_);
    delete_array(groups_);
    delete_array(records_);
    delete_array(texts_);
    for (std::byte* page : pages_) ::operator delete(page, std::align_val_t{ops_.alignment});
    link_->drop();
}

Probe FieldIndex::finished(const Probe& key) const {
    Probe probe = key;
    if (ops_.odd != nullptr && ops_.odd(key.data)) probe.odd = true;
    if (probe.odd) return probe;
    if (ops_.kind == KeyKind::text) probe.word = ops_.ordered ? beginning(key.data, key.length) : hash_text(key.data, key.length);
    if (ops_.kind == KeyKind::object) probe.word = ops_.ordered ? 0 : ops_.hash(key.data);
    return probe;
}

std::uint32_t FieldIndex::find_group(const Probe& key) const {
    if (key.odd || key.side != Side::within) return none;
    const Probe probe = finished(key);
    if (probe.odd) return none;
    if (ops_.ordered) return tree_->find(probe);
    if (ops_.kind == KeyKind::word) return ops_.narrow ? find_word<true>(probe.word) : find_word<false>(probe.word);
    const std::uint32_t tag = tag_of(probe.word, false);
    for (std::uint64_t at = tag & mask_;; at = (at + 1) & mask_) {
        const Slot& slot = slots_[at];
        if (slot.group == none || (slot.tag == tag && is_key(probe, slot.group))) return slot.group;
    }
}

// Whether it is the key of the group. Requires: finished.
bool FieldIndex::is_key(const Probe& key, std::uint32_t group) const {
    if (groups_[group].word != key.word) return false;
    if (ops_.kind == KeyKind::word) return true;
    if (ops_.ordered) return compare(key, group) == 0;
    if (ops_.kind == KeyKind::object) return ops_.equal(key.data, object(group));
    return order_of(key.data, key.length, texts_[group].bytes, texts_[group].length) == 0;
}

int FieldIndex::compare(const Probe& key, std::uint32_t group) const {
    switch (ops_.kind) {
        case KeyKind::word: return key.word < groups_[group].word ? -1 : key.word > groups_[group].word ? 1 : 0;
        case KeyKind::text: return order_of(key.data, key.length, texts_[group].bytes, texts_[group].length);
        case KeyKind::object: break;
    }
    return ops_.less(key.data, object(group)) ? -1 : ops_.less(object(group), key.data) ? 1 : 0;
}

Probe FieldIndex::key_of(std::uint32_t group) const {
    Probe key{groups_[group].word, nullptr, 0, false, Side::within};
    if (ops_.kind == KeyKind::text) {
        key.data = texts_[group].bytes;
        key.length = texts_[group].length;
    }
    if (ops_.kind == KeyKind::object) key.data = object(group);
    return key;
}

// Makes sure that there is a free group, and returns it; it stays free. That of odd keys is taken once and for all.
std::uint32_t FieldIndex::free_group() {
    if (free_group_ != none) return free_group_;
    if (group_count_ == group_capacity_) {
        const std::uint32_t larger = std::max(8u, group_capacity_ + group_capacity_ / 2);
        if (ops_.kind == KeyKind::text) texts_ = grown(texts_, group_count_, larger, Text{nullptr, 0});
        groups_ = grown(groups_, group_count_, larger, Group{{{0, 0}}, none, none, 0});
        group_capacity_ = larger;
    }
    if (ops_.kind == KeyKind::object && pages_.size() * page_size <= group_count_) {
        pages_.reserve(pages_.size() + 1);
        pages_.push_back(static_cast<std::byte*>(::operator new(std::size_t{page_size} * ops_.size, std::align_val_t{ops_.alignment})));
    }
    Group& made = groups_[group_count_];
    if (group_count_ == odd_group) {
        made = {{{0, 0}}, 0, 2, 0};
        return group_count_++;
    }
    free_group_ = group_count_++;
    return free_group_;
}

// A group for this key, without members. Throws std::bad_alloc, and what copying the key throws: then there is none.
std::uint32_t FieldIndex::new_group(const Probe& key) {
    KeyTree::Place place;
    if (tree_ != nullptr) place = tree_->lower_bound(key);
    const std::uint32_t group = free_group();
    if (tree_ != nullptr) {
        tree_->prepare(group_capacity_);
    } else {
        reserve_slot();
    }
    copy_key(group, key);
    // Nothing can fail from here on.
    free_group_ = groups_[group].count;
    groups_[group] = {{{0, 0}}, 0, 2, key.word};
    if (tree_ != nullptr) {
        tree_->insert(place, key.word, group);
    } else {
        insert_slot({tag_of(key.word, ops_.narrow), group, 0});
    }
    return group;
}

void FieldIndex::copy_key(std::uint32_t group, const Probe& key) {
    if (ops_.kind == KeyKind::object) ops_.copy(object(group), key.data);
    if (ops_.kind != KeyKind::text) return;
    texts_[group] = {new char[key.length], key.length};
    if (key.length != 0) std::memcpy(texts_[group].bytes, key.data, key.length);
}

void FieldIndex::end_key(std::uint32_t group) noexcept {
    if (ops_.kind == KeyKind::object) ops_.destroy(object(group));
    if (ops_.kind == KeyKind::text) delete[] texts_[group].bytes;
}

void FieldIndex::end_group(std::uint32_t group) noexcept {
    if (tree_ != nullptr) {
        tree_->erase(group);
    } else {
        erase_slot(group);
    }
    delete_members(groups_[group].many, groups_[group].capacity);
    groups_[group] = {{{0, 0}}, none, none, 0};
    end_key(group);
    groups_[group].count = free_group_;
    free_group_ = group;
}

void FieldIndex::end_emptied() noexcept {
    for (const std::uint32_t group : emptied_) {
        if (is_group(group) && groups_[group].count == 0) end_group(group);
    }
    emptied_.clear();
}

void FieldIndex::reserve_member(Group& group) {
    if (group.count < group.capacity) return;
    const std::uint32_t larger = 2 * group.capacity;
    Entity* many = new_members(larger);
    std::copy_n(group.members(), group.count, many);
    delete_members(group.many, group.capacity);
    group.many = many;
    group.capacity = larger;
}

// At most half of the slots are used.
void FieldIndex::reserve_slot() {
    if (slots_ != nullptr && 2 * (std::uint64_t{used_slots_} + 1) <= mask_ + 1) return;
    const std::uint64_t larger = slots_ == nullptr ? 16 : 2 * (mask_ + 1);
    Slot* const old = slots_;
    Slot* const made = new_array<Slot>(larger);
    std::fill_n(made, larger, Slot{0, none, 0});
    const std::uint64_t old_size = old != nullptr ? mask_ + 1 : 0;
    slots_ = made;
    mask_ = larger - 1;
    used_slots_ = 0;
    for (std::uint64_t at = 0; at < old_size; ++at) {
        if (old[at].group != none) insert_slot(old[at]);
    }
    delete_array(old);
}

void FieldIndex::insert_slot(const Slot& slot) noexcept {
    std::uint64_t at = slot.tag & mask_;
    while (slots_[at].group != none) at = (at + 1) & mask_;
    slots_[at] = slot;
    ++used_slots_;
}

std::uint64_t FieldIndex::slot_of(std::uint32_t group) const noexcept {
    std::uint64_t at = tag_of(groups_[group].word, ops_.narrow) & mask_;
    while (slots_[at].group != group) at = (at + 1) & mask_;
    return at;
}

// Those behind it move up, so that no one is cut off from the slot where the search for it begins.
void FieldIndex::erase_slot(std::uint32_t group) noexcept {
    std::uint64_t at = slot_of(group);
    --used_slots_;
    for (std::uint64_t next = (at + 1) & mask_; slots_[next].group != none; next = (next + 1) & mask_) {
        const std::uint64_t home = slots_[next].tag & mask_;
        if (((next - home) & mask_) < ((next - at) & mask_)) continue;
        slots_[at] = slots_[next];
        at = next;
    }
    slots_[at] = {0, none, 0};
}

}  // namespace stoa::detail

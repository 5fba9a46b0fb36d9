// Key groups, their members and their keys.
#include "stoa/detail/index/key_groups.hpp"

#include <new>
#include <utility>

#include "index/block_array.hpp"

namespace stoa::detail {
namespace {

// The first bytes of a text, as a number in the order of texts.
std::uint64_t prefix_word(const void* text, std::size_t length) {
    unsigned char bytes[8] = {};
    if (length != 0) std::memcpy(bytes, text, std::min<std::size_t>(8, length));
    std::uint64_t word = 0;
    for (const unsigned char byte : bytes) word = (word << 8) | byte;
    return word;
}

int compare_texts(const void* a, std::size_t a_length, const void* b, std::size_t b_length) {
    const std::size_t common = std::min(a_length, b_length);
    if (const int order = common != 0 ? std::memcmp(a, b, common) : 0; order != 0) return order;
    return a_length < b_length ? -1 : a_length > b_length ? 1 : 0;
}

bool equal_texts(const void* a, std::size_t a_length, const void* b, std::size_t b_length) {
    return a_length == b_length && (b_length == 0 || std::memcmp(a, b, b_length) == 0);
}

bool is_nan_object(const KeyOps& ops, const void* object) { return ops.is_nan != nullptr && ops.is_nan(object); }

int compare_objects(const KeyOps& ops, const void* a, const void* b) {
    return ops.less(a, b) ? -1 : ops.less(b, a) ? 1 : 0;
}

// Not inlined: a lookup of a text should not save registers for it.
[[gnu::noinline]] bool equal_objects(const KeyOps& ops, const void* a, const void* b) {
    return ops.ordered ? compare_objects(ops, a, b) == 0 : ops.equal(a, b);
}

// Small blocks of members come from the general allocator; only large ones profit from huge pages.
constexpr std::uint32_t large_capacity = 1024;

Entity* new_members(std::uint32_t capacity) {
    // Safe: an Entity is trivial, and is written before it is read.
    return capacity < large_capacity ? static_cast<Entity*>(::operator new(capacity * sizeof(Entity)))
                                     : new_array<Entity>(capacity);
}

void delete_members(Entity* members, std::uint32_t capacity) noexcept {
    if (capacity < large_capacity) return ::operator delete(members);
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

bool is_nan_key(const KeyOps& ops, const LookupKey& key) {
    return key.is_nan || (ops.kind == KeyKind::object && is_nan_object(ops, key.data));
}

int compare_keys(const KeyOps& ops, const LookupKey& a, const LookupKey& b) {
    switch (ops.kind) {
        case KeyKind::word:
            return a.word < b.word ? -1 : a.word > b.word ? 1 : 0;
        case KeyKind::text:
            return compare_texts(a.data, a.length, b.data, b.length);
        case KeyKind::object:
            break;
    }
    return compare_objects(ops, a.data, b.data);
}

bool are_equal_keys(const KeyOps& ops, const LookupKey& a, const LookupKey& b) {
    switch (ops.kind) {
        case KeyKind::word:
            return a.word == b.word;
        case KeyKind::text:
            return equal_texts(a.data, a.length, b.data, b.length);
        case KeyKind::object:
            break;
    }
    return equal_objects(ops, a.data, b.data);
}

LookupKey with_search_word(const KeyOps& ops, const LookupKey& key) {
    LookupKey lookup = key;
    if (key.is_nan) return lookup;
    if (ops.kind == KeyKind::text) {
        lookup.word = ops.ordered ? prefix_word(key.data, key.length) : hash_text(key.data, key.length);
    } else if (ops.kind == KeyKind::object) {
        lookup.is_nan = is_nan_object(ops, key.data);
        if (!lookup.is_nan) lookup.word = ops.ordered ? 0 : ops.hash(key.data);
    }
    return lookup;
}

StoredKeys::~StoredKeys() {
    delete_array(texts_);
    for (std::byte* page : pages_) ::operator delete(page, std::align_val_t{ops_.alignment});
}

void StoredKeys::reserve(KeyGroupId group, std::uint32_t capacity) {
    if (ops_.kind == KeyKind::text && text_capacity_ < capacity) {
        texts_ = grown(texts_, text_capacity_, capacity, Text{nullptr, 0});
        text_capacity_ = capacity;
    }
    if (ops_.kind == KeyKind::object && pages_.size() * page_size <= number_of(group)) {
        pages_.reserve(pages_.size() + 1);
        // Safe: raw memory with the size and alignment of the keys; copy() constructs them.
        pages_.push_back(static_cast<std::byte*>(
            ::operator new(std::size_t{page_size} * ops_.size, std::align_val_t{ops_.alignment})));
    }
}

void StoredKeys::copy(KeyGroupId group, const LookupKey& key) {
    if (ops_.kind == KeyKind::object) ops_.copy(object(group), key.data);
    if (ops_.kind != KeyKind::text) return;
    Text& text = texts_[number_of(group)];
    text = {new char[key.length], key.length};
    if (key.length != 0) std::memcpy(text.bytes, key.data, key.length);
}

void StoredKeys::destroy(KeyGroupId group) noexcept {
    if (ops_.kind == KeyKind::object) ops_.destroy(object(group));
    if (ops_.kind == KeyKind::text) delete[] texts_[number_of(group)].bytes;
}

void StoredKeys::read(KeyGroupId group, LookupKey& key) const {
    if (ops_.kind == KeyKind::text) {
        key.data = texts_[number_of(group)].bytes;
        key.length = texts_[number_of(group)].length;
    }
    if (ops_.kind == KeyKind::object) key.data = object(group);
}

int StoredKeys::compare(const LookupKey& key, KeyGroupId group) const {
    if (ops_.kind == KeyKind::text) {
        const Text& text = texts_[number_of(group)];
        return compare_texts(key.data, key.length, text.bytes, text.length);
    }
    return compare_objects(ops_, key.data, object(group));
}

bool StoredKeys::equals(const LookupKey& key, KeyGroupId group) const {
    if (ops_.kind == KeyKind::text) {
        const Text& text = texts_[number_of(group)];
        return equal_texts(text.bytes, text.length, key.data, key.length);
    }
    return equal_objects(ops_, key.data, object(group));
}

// The first group is that of NaN keys.
KeyGroups::KeyGroups(const KeyOps& ops) : ops_(ops), keys_(ops) {
    reserve_next();
    groups_[used_++] = {{{0, 0}}, 0, inline_capacity, 0};
}

KeyGroups::~KeyGroups() {
    each([this](KeyGroupId group) {
        if (group != nan_group) keys_.destroy(group);
        if (at(group).capacity != inline_capacity) delete_members(at(group).many, at(group).capacity);
    });
    delete_array(groups_);
}

LookupKey KeyGroups::key_of(KeyGroupId group) const {
    LookupKey key{word(group), nullptr, 0, false, Side::within};
    keys_.read(group, key);
    return key;
}

// Makes room for the group number `used_`.
void KeyGroups::reserve_next() {
    const std::uint32_t larger = used_ < capacity_ ? capacity_ : std::max(8u, capacity_ + capacity_ / 2);
    keys_.reserve(KeyGroupId{used_}, larger);
    if (larger == capacity_) return;
    groups_ = grown(groups_, used_, larger, KeyGroup{{{0, 0}}, number_of(no_group), free_capacity, 0});
    capacity_ = larger;
}

void KeyGroups::ensure_free_group() {
    if (first_free_ != no_group) return;
    reserve_next();
    first_free_ = KeyGroupId{used_++};
}

KeyGroupId KeyGroups::create(const LookupKey& key) {
    const KeyGroupId group = first_free_;
    keys_.copy(group, key);
    first_free_ = KeyGroupId{at(group).count};
    at(group) = {{{0, 0}}, 0, inline_capacity, key.word};
    return group;
}

// The destructor of a key may be user code that looks something up: the group is free by then, and linked afterwards.
void KeyGroups::release(KeyGroupId group) noexcept {
    if (at(group).capacity != inline_capacity) delete_members(at(group).many, at(group).capacity);
    at(group) = {{{0, 0}}, number_of(no_group), free_capacity, 0};
    keys_.destroy(group);
    at(group).count = number_of(first_free_);
    first_free_ = group;
}

void KeyGroups::grow_members(KeyGroup& group) {
    const std::uint32_t larger = 2 * group.capacity;
    Entity* many = new_members(larger);
    std::copy_n(group.members(), group.count, many);
    if (group.capacity != inline_capacity) delete_members(group.many, group.capacity);
    group.many = many;
    group.capacity = larger;
}

}  // namespace stoa::detail

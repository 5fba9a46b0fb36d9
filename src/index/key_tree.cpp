// The B+ tree of an ordered index. Memory for an insertion is allocated beforehand, so that changing the tree cannot
// fail.
#include "index/key_tree.hpp"

#include <algorithm>
#include <utility>

namespace stoa::detail {

KeyTree::~KeyTree() {
    clear();
    for (Node* spare : {spare_leaves_, spare_inner_}) {
        while (spare != nullptr) destroy(std::exchange(spare, spare->after));
    }
}

void KeyTree::destroy(Node* node) noexcept {
    if (node->inner) {
        delete &as_inner(*node);
    } else {
        delete node;
    }
}

void KeyTree::clear() noexcept {
    // Depth first, by the parents, without a stack.
    for (Node* node = root_; node != nullptr;) {
        if (node->inner && node->count != 0) {
            node = as_inner(*node).children[--node->count];
        } else {
            destroy(std::exchange(node, node->parent));
        }
    }
    root_ = nullptr;
    height_ = 0;
}

namespace {

// Prefetches all that a search in a node may read; otherwise the search would wait for one cache line after the other.
void fetch(const KeyTree::Node& node) {
    constexpr std::size_t line = 64;
    const auto* const bytes = reinterpret_cast<const std::byte*>(&node);  // Safe: only addresses, nothing is read
    for (std::size_t at = 0; at < sizeof(KeyTree::Node); at += line) __builtin_prefetch(bytes + at);
}

// How many of the words precede a position. It takes the same number of steps for every node, so that branches are
// predicted better.
template <class Precedes>
std::uint32_t count_words(const std::uint64_t* words, Precedes&& precedes) {
    const std::uint64_t* first = words;
    for (std::uint32_t half = KeyTree::width / 2; half != 0; half /= 2)
        first = precedes(first[half - 1]) ? first + half : first;
    return static_cast<std::uint32_t>(first - words) + (precedes(*first) ? 1 : 0);
}

}  // namespace

// The entries of a node before the position that is looked for; in an inner node the first child is where smaller keys
// go.
std::uint32_t KeyTree::entries_before(const Node& node, const LookupKey& key, bool behind) const {
    std::uint32_t low = node.inner ? 1 : 0;
    behind |= node.inner;
    if (groups_.ops().kind == KeyKind::word) {
        const std::uint32_t found =
            behind ? count_words(node.words, [word = key.word](std::uint64_t other) { return other <= word; })
                   : count_words(node.words, [word = key.word](std::uint64_t other) { return other < word; });
        return std::clamp(found, low, node.count);
    }
    for (std::uint32_t high = node.count; low < high;) {
        const std::uint32_t middle = (low + high) / 2;
        if (precedes(node, middle, key, behind)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

// Whether the entry comes before the position that is looked for.
bool KeyTree::precedes(const Node& node, std::uint32_t at, const LookupKey& key, bool behind) const {
    if (node.words[at] != key.word) return node.words[at] < key.word;
    const int order = groups_.compare(key, node.groups[at]);
    return order > 0 || (behind && order == 0);
}

KeyTree::Position KeyTree::bound(const LookupKey& key, bool behind) const {
    Node* node = root_;
    if (node == nullptr) return {};
    while (node->inner) {
        node = as_inner(*node).children[entries_before(*node, key, behind) - 1];
        fetch(*node);
    }
    return {node, entries_before(*node, key, behind)};
}

KeyTree::Position KeyTree::begin() const {
    Node* node = root_;
    while (node != nullptr && node->inner) node = as_inner(*node).children[0];
    return {node, 0};
}

KeyGroupId KeyTree::find(const LookupKey& key) const {
    Position position = lower_bound(key);
    if (!position.skip_empty_leaves() || position.leaf->words[position.at] != key.word) return no_group;
    if (groups_.ops().kind != KeyKind::word && groups_.compare(key, position.group()) != 0) return no_group;
    return position.group();
}

void KeyTree::prepare(std::uint32_t groups) {
    if (leaves_.size() < groups) leaves_.resize(std::max<std::size_t>(groups, 2 * leaves_.size()), nullptr);
    if (spare_leaves_ == nullptr) spare_leaves_ = new Node;
    while (spare_inner_count_ < height_ + 1) {
        auto* made = new Inner;
        made->inner = true;
        made->after = spare_inner_;
        spare_inner_ = made;
        ++spare_inner_count_;
    }
}

KeyTree::Node& KeyTree::take_spare(bool inner) noexcept {
    Node*& spare = inner ? spare_inner_ : spare_leaves_;
    Node& node = *spare;
    spare = node.after;
    if (inner) --spare_inner_count_;
    node.parent = node.before = node.after = nullptr;
    node.total = node.count = 0;
    std::fill_n(node.words, width, no_word);
    return node;
}

void KeyTree::release(Node& node) noexcept {
    if (!node.inner) {
        if (node.before != nullptr) node.before->after = node.after;
        if (node.after != nullptr) node.after->before = node.before;
    }
    destroy(&node);
}

std::uint32_t KeyTree::child_index(const Node& node) {
    const Inner& parent = as_inner(*node.parent);
    return static_cast<std::uint32_t>(std::find(parent.children, parent.children + parent.count, &node) -
                                      parent.children);
}

void KeyTree::insert_entry(Node& node, std::uint32_t at, std::uint64_t word, KeyGroupId group, Node* child) noexcept {
    std::copy_backward(node.groups + at, node.groups + node.count, node.groups + node.count + 1);
    std::copy_backward(node.words + at, node.words + node.count, node.words + node.count + 1);
    node.groups[at] = group;
    node.words[at] = word;
    if (node.inner) {
        Node** children = as_inner(node).children;
        std::copy_backward(children + at, children + node.count, children + node.count + 1);
        children[at] = child;
    }
    ++node.count;
}

void KeyTree::erase_entry(Node& node, std::uint32_t at) noexcept {
    std::copy(node.groups + at + 1, node.groups + node.count, node.groups + at);
    std::copy(node.words + at + 1, node.words + node.count, node.words + at);
    if (node.inner) {
        Node** children = as_inner(node).children;
        std::copy(children + at + 1, children + node.count, children + at);
    }
    node.words[--node.count] = no_word;
}

// The entries of `from` from `first` on, to the end of `to`.
void KeyTree::move_entries(Node& from, std::uint32_t first, Node& to) noexcept {
    for (std::uint32_t i = first; i < from.count; ++i) {
        const std::uint32_t at = to.count++;
        to.groups[at] = from.groups[i];
        to.words[at] = from.words[i];
        std::uint64_t moved = 0;
        if (from.inner) {
            Node* child = as_inner(from).children[i];
            as_inner(to).children[at] = child;
            child->parent = &to;
            moved = child->total;
        } else {
            leaf_of(from.groups[i]) = &to;
            moved = groups_.count(from.groups[i]);
        }
        from.total -= moved;
        to.total += moved;
    }
    std::fill(from.words + first, from.words + from.count, no_word);
    from.count = first;
}

KeyTree::Node& KeyTree::split(Node& node) noexcept {
    Node& right = take_spare(node.inner);
    move_entries(node, width / 2, right);
    if (!node.inner) {
        right.before = &node;
        right.after = std::exchange(node.after, &right);
        if (right.after != nullptr) right.after->before = &right;
    }
    for (Node* above = node.parent; above != nullptr; above = above->parent) above->total -= right.total;
    insert_after(node, right);
    return right;
}

// Inserts `right` as the sibling behind `left`, from which it was split. The nodes above do not count it yet.
void KeyTree::insert_after(Node& left, Node& right) noexcept {
    if (left.parent == nullptr) {
        Node& root = take_spare(true);
        root.total = left.total;
        insert_entry(root, 0, left.words[0], left.groups[0], &left);
        left.parent = &root;
        root_ = &root;
        ++height_;
    } else if (left.parent->count == width) {
        split(*left.parent);
    }
    Node& parent = *left.parent;
    right.parent = &parent;
    insert_entry(parent, child_index(left) + 1, right.words[0], right.groups[0], &right);
    for (Node* above = &parent; above != nullptr; above = above->parent) above->total += right.total;
}

void KeyTree::insert(Position position, std::uint64_t word, KeyGroupId group) noexcept {
    if (root_ == nullptr) {
        root_ = &take_spare(false);
        position = {root_, 0};
    }
    if (position.leaf->count == width) {
        Node& right = split(*position.leaf);
        if (position.at > position.leaf->count) position = {&right, position.at - position.leaf->count};
    }
    insert_entry(*position.leaf, position.at, word, group, nullptr);
    leaf_of(group) = position.leaf;
    if (position.at == 0) update_first_entry(*position.leaf);
}

// The first entry of a node has changed: updates the entries of the nodes above.
void KeyTree::update_first_entry(Node& node) noexcept {
    for (Node* at = &node; at->parent != nullptr; at = at->parent) {
        const std::uint32_t here = child_index(*at);
        at->parent->words[here] = at->words[0];
        at->parent->groups[here] = at->groups[0];
        if (here != 0) return;
    }
}

void KeyTree::erase(KeyGroupId group) noexcept {
    Node& leaf = *std::exchange(leaf_of(group), nullptr);
    const auto at = static_cast<std::uint32_t>(std::find(leaf.groups, leaf.groups + leaf.count, group) - leaf.groups);
    erase_entry(leaf, at);
    if (leaf.count == 0) return remove_node(leaf);
    if (at == 0) update_first_entry(leaf);
    merge_with_next(leaf);
}

// Removes an empty node.
void KeyTree::remove_node(Node& node) noexcept {
    Node* parent = node.parent;
    if (parent == nullptr) {
        release(node);
        root_ = nullptr;
        height_ = 0;
        return;
    }
    const std::uint32_t at = child_index(node);
    release(node);
    erase_entry(*parent, at);
    if (parent->count == 0) return remove_node(*parent);
    if (at == 0) update_first_entry(*parent);
    if (parent->parent != nullptr) return merge_with_next(*parent);
    if (parent->count == 1) {
        root_ = as_inner(*parent).children[0];
        root_->parent = nullptr;
        --height_;
        release(*parent);
    }
}

// Two nodes with few entries become one, so that memory follows the number of entries.
void KeyTree::merge_with_next(Node& node) noexcept {
    if (node.parent == nullptr) return;
    const std::uint32_t at = child_index(node);
    if (at + 1 == node.parent->count) return;
    Node& next = *as_inner(*node.parent).children[at + 1];
    if (node.count + next.count > width / 2) return;
    move_entries(next, 0, node);
    remove_node(next);
}

std::uint64_t KeyTree::rank(Position position) const {
    if (!position.skip_empty_leaves()) return total();
    std::uint64_t before = 0;
    for (std::uint32_t i = 0; i < position.at; ++i) before += groups_.count(position.leaf->groups[i]);
    for (const Node* node = position.leaf; node->parent != nullptr; node = node->parent) {
        for (std::uint32_t i = 0, end = child_index(*node); i < end; ++i)
            before += as_inner(*node->parent).children[i]->total;
    }
    return before;
}

namespace {

bool has_stray_word(const KeyTree::Node& node) {
    return std::any_of(node.words + node.count, node.words + KeyTree::width,
                       [](std::uint64_t word) { return word != KeyTree::no_word; });
}

}  // namespace

const char* KeyTree::check() const {
    std::uint64_t entities = 0;
    Node* last = nullptr;
    for (Position position = begin(); position.skip_empty_leaves(); ++position.at) {
        if (position.leaf != last) {
            if (position.leaf->before != last) return "the leaves of an ordered index are not linked in order";
            last = position.leaf;
            std::uint32_t height = 0;
            if (has_stray_word(*last)) return "a leaf of an ordered index has a word without an entry";
            for (const Node* node = last; node->parent != nullptr; node = node->parent, ++height) {
                const std::uint32_t at = child_index(*node);
                if (at == node->parent->count) return "a node of an ordered index is no child of its parent";
                if (has_stray_word(*node->parent)) return "a node of an ordered index has a word without an entry";
                if (node->parent->groups[at] != node->groups[0])
                    return "an entry of an ordered index is not the first one below it";
                std::uint64_t total = 0;
                for (std::uint32_t i = 0; i < node->parent->count; ++i)
                    total += as_inner(*node->parent).children[i]->total;
                if (total != node->parent->total) return "a node of an ordered index counts wrongly";
            }
            if (height != height_) return "the leaves of an ordered index are not at one depth";
        }
        if (leaf_of(position.group()) != position.leaf) return "a group of an ordered index does not know its leaf";
        entities += groups_.count(position.group());
    }
    return entities == total() ? nullptr : "an ordered index counts wrongly";
}

}  // namespace stoa::detail

// Filters: making and combining them, and what passes them.
#include "stoa/filter.hpp"

#include <algorithm>
#include <cstring>
#include <new>

#include "index/filter_node.hpp"

namespace stoa::detail {

FilterNode::FilterNode(Kind made_as, FieldIndex* of) : kind(made_as), index(of) {
    if (index != nullptr) index->hold();
}

FilterNode::~FilterNode() {
    for (const Probe& key : keys) {
        void* data = const_cast<void*>(key.data);  // Safe: made by add_key
        if (index->ops().kind == KeyKind::object) {
            index->ops().destroy(data);
            ::operator delete(data, std::align_val_t{index->ops().alignment});
        } else {
            ::operator delete(data);
        }
    }
    for (FilterNode* child : children) drop_filter(child);
    if (index != nullptr) index->drop();
}

void FilterNode::add_key(const Probe& key) {
    keys.reserve(keys.size() + 1);
    Probe kept = key;
    if (index->ops().kind == KeyKind::text) {
        void* bytes = ::operator new(std::max<std::size_t>(1, key.length));
        if (key.length != 0) std::memcpy(bytes, key.data, key.length);
        kept.data = bytes;
    }
    if (index->ops().kind == KeyKind::object) {
        struct Block {
            void* bytes;
            std::align_val_t alignment;
            ~Block() { ::operator delete(bytes, alignment); }
        } block{nullptr, std::align_val_t{index->ops().alignment}};
        block.bytes = ::operator new(index->ops().size, block.alignment);
        index->ops().copy(block.bytes, key.data);
        kept.data = std::exchange(block.bytes, nullptr);
    }
    keys.push_back(kept);
}

void FilterNode::refresh() const {
    if (index != nullptr) index->refresh();
    for (const FilterNode* child : children) child->refresh();
}

void hold_filter(FilterNode* node) noexcept {
    if (node != nullptr) ++node->holders;
}

void drop_filter(FilterNode* node) noexcept {
    if (node != nullptr && --node->holders == 0) delete node;
}

Filter filter_in(FieldIndex* index, const Probe* keys, std::size_t count) {
    Filter filter(new FilterNode(FilterNode::Kind::in, index));
    auto& node = const_cast<FilterNode&>(*filter.node());  // Safe: made here, and shared with no one yet
    for (std::size_t i = 0; index != nullptr && i < count; ++i) node.add_key(keys[i]);
    return filter;
}

Filter filter_between(FieldIndex* index, const Bounds& bounds) {
    Filter filter(new FilterNode(FilterNode::Kind::range, index));
    auto& node = const_cast<FilterNode&>(*filter.node());  // Safe: as above
    if (index == nullptr) return filter;
    if (bounds.lower != nullptr) node.add_key(*bounds.lower);
    node.has_lower = bounds.lower != nullptr;
    if (bounds.upper != nullptr) node.add_key(*bounds.upper);
    node.has_upper = bounds.upper != nullptr;
    node.with_lower = bounds.with_lower;
    node.with_upper = bounds.with_upper;
    return filter;
}

namespace {

Filter combined(FilterNode::Kind kind, const Filter& a, const Filter& b) {
    if (a.node() == nullptr) return b;
    if (b.node() == nullptr) return a;
    Filter filter(new FilterNode(kind, nullptr));
    auto& node = const_cast<FilterNode&>(*filter.node());  // Safe: as above
    node.children.reserve(2);
    for (const Filter* part : {&a, &b}) {
        auto* child = const_cast<FilterNode*>(part->node());  // Safe: only its count changes
        hold_filter(child);
        node.children.push_back(child);
    }
    return filter;
}

Filter negation(const FilterNode& node) {
    if (!node.is_leaf()) {
        const auto kind = node.kind == FilterNode::Kind::all ? FilterNode::Kind::any : FilterNode::Kind::all;
        return combined(kind, negation(*node.children[0]), negation(*node.children[1]));
    }
    Filter filter(new FilterNode(node.kind, node.index));
    auto& made = const_cast<FilterNode&>(*filter.node());  // Safe: as above
    for (const Probe& key : node.keys) made.add_key(key);
    made.has_lower = node.has_lower;
    made.has_upper = node.has_upper;
    made.with_lower = node.with_lower;
    made.with_upper = node.with_upper;
    made.negated = !node.negated;
    return filter;
}

}  // namespace

Check::Check(const FilterNode& node) : node_(node) {
    if (node.is_leaf()) {
        if (node.index == nullptr) return;
        pin_.emplace(*node.index);
        if (node.kind == FilterNode::Kind::in) {
            look_up();
        } else {
            find_range();
        }
        size_ = node.negated ? node.index->size() - found_ : found_;
        return;
    }
    struct Unfinished {
        std::vector<Check*>& children;
        bool done = false;
        ~Unfinished() {
            for (std::size_t i = 0; !done && i < children.size(); ++i) delete children[i];
        }
    } unfinished{children_};
    children_.reserve(node.children.size());
    for (const FilterNode* child : node.children) children_.push_back(new Check(*child));
    unfinished.done = true;
    size_ = node.kind == FilterNode::Kind::all ? ~std::uint64_t{0} : 0;
    for (const Check* child : children_) {
        size_ = node.kind == FilterNode::Kind::all ? std::min(size_, child->size()) : size_ + child->size();
    }
}

Check::~Check() {
    for (const Check* child : children_) delete child;
}

void Check::look_up() {
    groups_.reserve(node_.keys.size());
    for (const Probe& key : node_.keys) {
        const std::uint32_t group = node_.index->find_group(key);
        if (group != FieldIndex::none) groups_.push_back(group);
    }
    std::sort(groups_.begin(), groups_.end());
    groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
    for (const std::uint32_t group : groups_) found_ += node_.index->count(group);
}

void Check::find_range() {
    const KeyTree& tree = node_.index->tree();
    from_ = tree.begin();
    bool empty = false;
    bounds_.resize(2);
    if (const Probe* key = node_.lower()) {
        const Probe& lower = bounds_[0] = node_.index->finished(*key);
        empty |= lower.odd || lower.side == Side::above;
        if (!empty && lower.side == Side::within) from_ = node_.with_lower ? tree.lower_bound(lower) : tree.upper_bound(lower);
    }
    std::uint64_t end = tree.total();
    if (const Probe* key = node_.upper(); key != nullptr && !empty) {
        const Probe& upper = bounds_[1] = node_.index->finished(*key);
        empty |= upper.odd || upper.side == Side::below;
        if (!empty && upper.side == Side::within) {
            to_ = node_.with_upper ? tree.upper_bound(upper) : tree.lower_bound(upper);
            to_.settle();
            end = tree.rank(to_);
        }
    }
    const std::uint64_t begin = tree.rank(from_);
    found_ = empty || end < begin ? 0 : end - begin;
}

bool Check::passes_group(std::uint32_t group) const {
    if (node_.kind == FilterNode::Kind::in) {
        const bool is_one = groups_.size() == 1 ? groups_[0] == group : std::binary_search(groups_.begin(), groups_.end(), group);
        return is_one != node_.negated;
    }
    bool inside = found_ != 0 && group != FieldIndex::odd_group;
    if (inside && node_.has_lower && bounds_[0].side == Side::within) {
        const int order = node_.index->compare(bounds_[0], group);
        inside = order < 0 || (order == 0 && node_.with_lower);
    }
    if (inside && node_.has_upper && bounds_[1].side == Side::within) {
        const int order = node_.index->compare(bounds_[1], group);
        inside = order > 0 || (order == 0 && node_.with_upper);
    }
    return inside != node_.negated;
}

bool Check::passes(Entity entity) const {
    if (node_.is_leaf()) {
        const std::uint32_t group = node_.index != nullptr ? node_.index->group_of(entity) : FieldIndex::none;
        return group != FieldIndex::none && passes_group(group);
    }
    const bool all = node_.kind == FilterNode::Kind::all;
    for (const Check* child : children_) {
        if (child->passes(entity) != all) return !all;
    }
    return all;
}

void Check::append(std::uint32_t group, std::vector<Entity>& out) const {
    const Entity* members = node_.index->members(group);
    out.insert(out.end(), members, members + node_.index->count(group));
}

void Check::collect(std::vector<Entity>& out) const {
    if (size_ == 0) return;
    out.reserve(out.size() + size_);
    if (node_.kind == FilterNode::Kind::any) {
        for (const Check* child : children_) child->collect(out);
        return;
    }
    if (node_.kind == FilterNode::Kind::all) {
        const auto smallest = std::min_element(children_.begin(), children_.end(), [](const Check* a, const Check* b) { return a->size() < b->size(); });
        const std::size_t first = out.size();
        (*smallest)->collect(out);
        const auto fails = [&](Entity entity) {
            return std::any_of(children_.begin(), children_.end(), [&](const Check* child) { return child != *smallest && !child->passes(entity); });
        };
        out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), fails), out.end());
        return;
    }
    if (node_.negated) {
        for (std::uint32_t group = 0; group < node_.index->group_bound(); ++group) {
            if (node_.index->is_group(group) && passes_group(group)) append(group, out);
        }
    } else if (node_.kind == FilterNode::Kind::in) {
        for (const std::uint32_t group : groups_) append(group, out);
    } else {
        KeyTree::Place at = from_;
        for (; at.settle() && (at.leaf != to_.leaf || at.at != to_.at); ++at.at) append(at.group(), out);
    }
}

void Check::describe(std::string& out) const {
    if (node_.is_leaf()) {
        if (node_.index == nullptr) {
            out += "an index without a world";
            return;
        }
        out += node_.negated ? "not " : "";
        out += node_.kind == FilterNode::Kind::in ? (node_.keys.size() == 1 ? "one key" : std::to_string(node_.keys.size()) + " keys") : "a range";
        out += " of " + std::string(node_.index->component_name()) + ": " + std::to_string(size_);
        return;
    }
    out += "(";
    for (std::size_t i = 0; i < children_.size(); ++i) {
        if (i != 0) out += node_.kind == FilterNode::Kind::all ? " and " : " or ";
        children_[i]->describe(out);
    }
    out += ")";
}

}  // namespace stoa::detail

namespace stoa {

Filter operator&&(const Filter& a, const Filter& b) { return detail::combined(detail::FilterNode::Kind::all, a, b); }
Filter operator||(const Filter& a, const Filter& b) {
    if (a.node() == nullptr || b.node() == nullptr) return Filter(nullptr);
    return detail::combined(detail::FilterNode::Kind::any, a, b);
}
Filter operator!(const Filter& filter) { return filter.node() != nullptr ? detail::negation(*filter.node()) : filter; }

}  // namespace stoa

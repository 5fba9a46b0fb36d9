// Which entities pass a filter, and how many.
#include <algorithm>

#include "index/filter_node.hpp"

namespace stoa::detail {

FilterEvaluation::FilterEvaluation(const FilterNode& node) : node_(node) {
    if (node.is_leaf()) {
        if (!node.index) return;
        pin_.emplace(*node.index);
        if (node.kind == FilterNode::Kind::in) {
            look_up();
        } else {
            find_range();
        }
        size_ = node.negated ? entities().size() - found_ : found_;
        return;
    }
    children_.reserve(node.children.size());
    for (const Filter& child : node.children)
        children_.push_back(std::make_unique<FilterEvaluation>(*FilterAccess::node(child)));
    size_ = node.kind == FilterNode::Kind::all ? ~std::uint64_t{0} : 0;
    for (const Child& child : children_) {
        size_ = node.kind == FilterNode::Kind::all ? std::min(size_, child->size()) : size_ + child->size();
    }
}

void FilterEvaluation::look_up() {
    groups_.reserve(node_.keys.size());
    for (const OwnedKey& key : node_.keys) {
        const KeyGroupId group = entities().find_group(key.key());
        if (group != no_group) groups_.push_back(group);
    }
    std::sort(groups_.begin(), groups_.end());
    groups_.erase(std::unique(groups_.begin(), groups_.end()), groups_.end());
    for (const KeyGroupId group : groups_) found_ += entities().groups().count(group);
}

void FilterEvaluation::find_range() {
    const KeyTree& tree = entities().tree();
    from_ = tree.begin();
    bool empty = false;
    if (const LookupKey* key = node_.lower()) {
        lower_ = with_search_word(node_.index->ops(), *key);
        empty |= lower_.is_nan || lower_.side == Side::above;
        if (!empty && lower_.side == Side::within)
            from_ = node_.range.lower == Border::included ? tree.lower_bound(lower_) : tree.upper_bound(lower_);
    }
    std::uint64_t end = tree.total();
    if (const LookupKey* key = node_.upper(); key != nullptr && !empty) {
        upper_ = with_search_word(node_.index->ops(), *key);
        empty |= upper_.is_nan || upper_.side == Side::below;
        if (!empty && upper_.side == Side::within) {
            to_ = node_.range.upper == Border::included ? tree.upper_bound(upper_) : tree.lower_bound(upper_);
            to_.skip_empty_leaves();
            end = tree.rank(to_);
        }
    }
    const std::uint64_t begin = tree.rank(from_);
    found_ = empty || end < begin ? 0 : end - begin;
}

bool FilterEvaluation::passes_group(KeyGroupId group) const {
    if (node_.kind == FilterNode::Kind::in) {
        const bool is_one =
            groups_.size() == 1 ? groups_[0] == group : std::binary_search(groups_.begin(), groups_.end(), group);
        return is_one != node_.negated;
    }
    const FilterNode::Range& range = node_.range;
    bool inside = found_ != 0 && group != nan_group;
    if (inside && range.has_lower && lower_.side == Side::within) {
        const int order = entities().groups().compare(lower_, group);
        inside = order < 0 || (order == 0 && range.lower == Border::included);
    }
    if (inside && range.has_upper && upper_.side == Side::within) {
        const int order = entities().groups().compare(upper_, group);
        inside = order > 0 || (order == 0 && range.upper == Border::included);
    }
    return inside != node_.negated;
}

bool FilterEvaluation::passes(Entity entity) const {
    if (node_.is_leaf()) {
        const KeyGroupId group = node_.index ? entities().group_of(entity) : no_group;
        return group != no_group && passes_group(group);
    }
    const bool all = node_.kind == FilterNode::Kind::all;
    for (const Child& child : children_) {
        if (child->passes(entity) != all) return !all;
    }
    return all;
}

void FilterEvaluation::append(KeyGroupId group, std::vector<Entity>& out) const {
    const Entity* members = entities().groups().members(group);
    out.insert(out.end(), members, members + entities().groups().count(group));
}

void FilterEvaluation::collect(std::vector<Entity>& out) const {
    if (size_ == 0) return;
    out.reserve(out.size() + size_);
    if (node_.is_leaf()) return collect_leaf(out);
    if (node_.kind == FilterNode::Kind::any) {
        for (const Child& child : children_) child->collect(out);
        return;
    }
    const auto smallest = std::min_element(children_.begin(), children_.end(),
                                           [](const Child& a, const Child& b) { return a->size() < b->size(); });
    const std::size_t first = out.size();
    (*smallest)->collect(out);
    const auto fails = [&](Entity entity) {
        return std::any_of(children_.begin(), children_.end(),
                           [&](const Child& child) { return child != *smallest && !child->passes(entity); });
    };
    out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), fails), out.end());
}

void FilterEvaluation::collect_leaf(std::vector<Entity>& out) const {
    if (node_.negated) {
        entities().groups().each([&](KeyGroupId group) {
            if (passes_group(group)) append(group, out);
        });
    } else if (node_.kind == FilterNode::Kind::in) {
        for (const KeyGroupId group : groups_) append(group, out);
    } else {
        KeyTree::Position at = from_;
        for (; at.skip_empty_leaves() && (at.leaf != to_.leaf || at.at != to_.at); ++at.at) append(at.group(), out);
    }
}

void FilterEvaluation::describe(std::string& out) const {
    if (node_.is_leaf()) {
        if (!node_.index) {
            out += "an index without a world";
            return;
        }
        out += node_.negated ? "not " : "";
        out += node_.kind == FilterNode::Kind::in
                   ? (node_.keys.size() == 1 ? "one key" : std::to_string(node_.keys.size()) + " keys")
                   : "a range";
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

// Makes and combines filters.
#include "stoa/filter.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "index/filter_node.hpp"
#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {

OwnedKey::OwnedKey(const KeyOps& ops, const LookupKey& key) : ops_(ops), key_(key) {
    if (ops.kind == KeyKind::text) {
        copy_ = ::operator new(std::max<std::size_t>(1, key.length));
        if (key.length != 0) std::memcpy(copy_, key.data, key.length);
    }
    if (ops.kind == KeyKind::object) {
        copy_ = ::operator new(ops.size, std::align_val_t{ops.alignment});
        ScopeGuard free_copy([this]() noexcept { ::operator delete(copy_, std::align_val_t{ops_.alignment}); });
        ops.copy(copy_, key.data);
        free_copy.dismiss();
    }
    key_.data = copy_;
}

OwnedKey::~OwnedKey() {
    if (copy_ == nullptr) return;
    if (ops_.kind == KeyKind::object) {
        ops_.destroy(copy_);
        ::operator delete(copy_, std::align_val_t{ops_.alignment});
    } else {
        ::operator delete(copy_);
    }
}

void FilterNode::refresh() const {
    if (index) index->refresh();
    for (const Filter& child : children) FilterAccess::node(child)->refresh();
}

void add_ref(FilterNode& node) noexcept { node.add_ref(); }
void release_ref(FilterNode& node) noexcept { node.release(); }

Filter filter_in(FieldIndex* index, const LookupKey* keys, std::size_t count) {
    auto node = Ref<FilterNode>::adopt(new FilterNode(FilterNode::Kind::in, index));
    for (std::size_t i = 0; index != nullptr && i < count; ++i) node->add_key(keys[i]);
    return FilterAccess::make(std::move(node));
}

Filter filter_between(FieldIndex* index, const Bounds& bounds) {
    auto node = Ref<FilterNode>::adopt(new FilterNode(FilterNode::Kind::range, index));
    if (index == nullptr) return FilterAccess::make(std::move(node));
    for (const Bound& bound : {bounds.lower, bounds.upper}) {
        if (bound.key != nullptr) node->add_key(*bound.key);
    }
    node->range = {bounds.lower.key != nullptr, bounds.upper.key != nullptr, bounds.lower.border, bounds.upper.border};
    return FilterAccess::make(std::move(node));
}

namespace {

Filter combined(FilterNode::Kind kind, const Filter& a, const Filter& b) {
    if (FilterAccess::node(a) == nullptr) return b;
    if (FilterAccess::node(b) == nullptr) return a;
    auto node = Ref<FilterNode>::adopt(new FilterNode(kind, nullptr));
    node->children = {a, b};
    return FilterAccess::make(std::move(node));
}

Filter negation(const FilterNode& node) {
    if (!node.is_leaf()) {
        const auto kind = node.kind == FilterNode::Kind::all ? FilterNode::Kind::any : FilterNode::Kind::all;
        return combined(kind, negation(*FilterAccess::node(node.children[0])),
                        negation(*FilterAccess::node(node.children[1])));
    }
    auto made = Ref<FilterNode>::adopt(new FilterNode(node.kind, node.index.get()));
    for (const OwnedKey& key : node.keys) made->add_key(key.key());
    made->range = node.range;
    made->negated = !node.negated;
    return FilterAccess::make(std::move(made));
}

}  // namespace
}  // namespace stoa::detail

namespace stoa {

using detail::FilterAccess;

Filter operator&&(const Filter& a, const Filter& b) { return detail::combined(detail::FilterNode::Kind::all, a, b); }
Filter operator||(const Filter& a, const Filter& b) {
    if (FilterAccess::node(a) == nullptr || FilterAccess::node(b) == nullptr) return FilterAccess::make(nullptr);
    return detail::combined(detail::FilterNode::Kind::any, a, b);
}
Filter operator!(const Filter& filter) {
    return FilterAccess::node(filter) != nullptr ? detail::negation(*FilterAccess::node(filter)) : filter;
}

}  // namespace stoa

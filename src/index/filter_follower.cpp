// A filter for the observers of filtered queries. For a structural change it tests values directly, because an index
// would have to catch up for each; otherwise it looks keys up, and the logs of the indexes say whose keys changed.
#include <algorithm>
#include <utility>

#include "index/filter_node.hpp"
#include "stoa/detail/index/matches.hpp"

namespace stoa::detail {
namespace {

bool is_one_of(const FilterNode& leaf, const LookupKey& key) {
    const KeyOps& ops = leaf.index->ops();
    return std::any_of(leaf.keys.begin(), leaf.keys.end(), [&](const OwnedKey& owned) {
        const LookupKey& wanted = owned.key();
        return wanted.side == Side::within && !is_nan_key(ops, wanted) && are_equal_keys(ops, key, wanted);
    });
}

bool is_above(const FilterNode& leaf, const LookupKey& key) {
    const LookupKey* lower = leaf.lower();
    if (lower == nullptr) return true;
    if (lower->side != Side::within || is_nan_key(leaf.index->ops(), *lower)) return lower->side == Side::below;
    const int order = compare_keys(leaf.index->ops(), *lower, key);
    return order < 0 || (order == 0 && leaf.range.lower == Border::included);
}

bool is_below(const FilterNode& leaf, const LookupKey& key) {
    const LookupKey* upper = leaf.upper();
    if (upper == nullptr) return true;
    if (upper->side != Side::within || is_nan_key(leaf.index->ops(), *upper)) return upper->side == Side::above;
    const int order = compare_keys(leaf.index->ops(), *upper, key);
    return order > 0 || (order == 0 && leaf.range.upper == Border::included);
}

bool key_passes(const FilterNode& leaf, const LookupKey& key) {
    if (is_nan_key(leaf.index->ops(), key)) return leaf.negated;
    const bool found =
        leaf.kind == FilterNode::Kind::in ? is_one_of(leaf, key) : is_above(leaf, key) && is_below(leaf, key);
    return found != leaf.negated;
}

bool value_passes(const FilterNode& leaf, const void* value) {
    const KeyOps& ops = leaf.index->ops();
    if (ops.kind == KeyKind::word) {
        std::uint64_t word = 0;
        ops.words(value, nullptr, 1, &word);
        return key_passes(leaf, {word, nullptr, 0, ops.has_nan_word && word == nan_word, Side::within});
    }
    struct Context {
        const FilterNode& leaf;
        bool passes;
    } context{leaf, false};
    ops.project(value, &context, [](void* to, const LookupKey& key) {
        Context& here = *object_at<Context>(to);  // Safe: project passes on what it is given
        here.passes = key_passes(here.leaf, key);
    });
    return context.passes;
}

class FilterFollower final : public ValueFilter {
  public:
    explicit FilterFollower(Filter filter) : filter_(std::move(filter)) {}
    ~FilterFollower() override {
        for (const Followed& followed : followed_) followed.index->unfollow();
    }

    bool passes(Entity entity) const override { return passes(root(), entity, nullptr); }
    bool passes_after(const Change& change) const override { return passes(root(), change.entity, &change); }
    void test(std::span<const Entity> entities, std::vector<bool>& passing) const override {
        const FilterEvaluation evaluation(root());
        passing.clear();
        for (const Entity entity : entities) passing.push_back(evaluation.passes(entity));
    }
    bool concerns(const Change& change) const noexcept override {
        return std::any_of(followed_.begin(), followed_.end(), [&](const Followed& followed) {
            return followed.index->has_before(change) != followed.index->has_after(change);
        });
    }
    bool take_changes(std::vector<Entity>& out) override {
        bool complete = true;
        std::size_t count = 0;
        for (const Followed& followed : followed_) {
            followed.index->refresh();
            complete &= followed.seen >= followed.index->key_changes().begin();
            count += static_cast<std::size_t>(followed.index->key_changes().end() - followed.seen);
        }
        if (complete && count != 0) out.reserve(std::max(out.size() + count, 2 * out.size()));
        // Nothing fails from here on.
        for (Followed& followed : followed_) {
            const EntityLog& log = followed.index->key_changes();
            for (; complete && followed.seen != log.end(); ++followed.seen) out.push_back(log[followed.seen]);
            followed.seen = log.end();
        }
        return complete;
    }

    // Throws std::bad_alloc.
    void follow(Store& store, const FilterNode& node) {
        for (const Filter& child : node.children) follow(store, *FilterAccess::node(child));
        if (!node.index) return;
        FieldIndex& index = *node.index;
        const auto is_same = [&](const Followed& followed) { return followed.index == &index; };
        if (std::any_of(followed_.begin(), followed_.end(), is_same)) return;
        followed_.reserve(followed_.size() + 1);
        index.follow(store);
        followed_.push_back({&index, index.key_changes().end()});
    }

  private:
    // An index of the filter, and the number of the first key change that has not been taken.
    struct Followed {
        FieldIndex* index;  // the filter owns it
        std::uint64_t seen;
    };

    const FilterNode& root() const { return *FilterAccess::node(filter_); }

    // `change`: components that it removes do not count.
    static bool passes(const FilterNode& node, Entity entity, const Change* change) {
        if (node.is_leaf()) {
            if (change != nullptr && !node.index->has_after(*change)) return false;
            const void* value = node.index->value_of(entity);
            return value != nullptr && value_passes(node, value);
        }
        const bool all = node.kind == FilterNode::Kind::all;
        for (const Filter& child : node.children) {
            if (passes(*FilterAccess::node(child), entity, change) != all) return !all;
        }
        return all;
    }

    Filter filter_;
    std::vector<Followed> followed_;
};

}  // namespace

Ref<ValueFilter> follow_filter(Store& store, const Filter& filter) {
    if (FilterAccess::node(filter) == nullptr) return nullptr;
    auto made = Ref<FilterFollower>::adopt(new FilterFollower(filter));
    made->follow(store, *FilterAccess::node(filter));
    return Ref<ValueFilter>::adopt(made.detach());
}

}  // namespace stoa::detail

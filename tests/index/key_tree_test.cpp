// The B+ tree of an ordered index by itself: random insertions and erasures against std::map, with keys that are words,
// texts and objects.
#include "index/key_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stoa/detail/index/projection.hpp"
#include "support/seeds.hpp"

using namespace stoa;
using namespace stoa::detail;
using stoa_test::for_each_seed;

namespace {

struct Number {
    std::int32_t value;
};
struct Text {
    std::string value;
};
struct Pair {
    std::pair<int, int> value;
};

const KeyOps& ops_of(std::int32_t) { return key_ops_of<&Number::value, Number, true>; }
const KeyOps& ops_of(const std::string&) { return key_ops_of<&Text::value, Text, true>; }
const KeyOps& ops_of(const std::pair<int, int>&) { return key_ops_of<&Pair::value, Pair, true>; }

std::int32_t key_from(int number, std::int32_t) { return number; }
// Many texts share their first eight bytes, which the tree compares first.
std::string key_from(int number, const std::string&) {
    return (number % 2 != 0 ? "a long common beginning " : "b") + std::to_string(number);
}
std::pair<int, int> key_from(int number, const std::pair<int, int>&) { return {number / 7, number % 7}; }

/// A tree with its groups, and a std::map that says what it must hold: the number of members of each key.
template <class Key>
class Trees {
  public:
    Trees() : groups_(ops_of(Key{})), tree_(groups_) {}

    LookupKey lookup(const Key& key) const { return with_search_word(groups_.ops(), LookupFor<Key>(key).lookup_key()); }
    bool has(const Key& key) const { return expected_.count(key) != 0; }
    std::size_t size() const { return expected_.size(); }

    void insert(const Key& key, std::uint32_t members) {
        const LookupKey wanted = lookup(key);
        const KeyTree::Position position = tree_.lower_bound(wanted);
        groups_.ensure_free_group();
        tree_.prepare(groups_.capacity());
        const KeyGroupId group = groups_.create(wanted);
        tree_.insert(position, wanted.word, group);
        for (std::uint32_t i = 0; i < members; ++i) add_member(group);
        expected_[key] = members;
    }
    void add_member(const Key& key) {
        add_member(tree_.find(lookup(key)));
        ++expected_[key];
    }
    void erase(const Key& key) {
        const KeyGroupId group = tree_.find(lookup(key));
        REQUIRE(group != no_group);
        while (groups_.count(group) != 0) {
            groups_.erase_member(group, 0);
            tree_.member_removed(group);
        }
        tree_.erase(group);
        groups_.release(group);
        expected_.erase(key);
    }
    const Key& nth(std::size_t n) const { return std::next(expected_.begin(), static_cast<std::ptrdiff_t>(n))->first; }

    void compare(const Key& probe) {
        REQUIRE(tree_.check() == nullptr);
        std::uint64_t before = 0;
        bool agrees = true;
        KeyTree::Position position = tree_.begin();
        for (const auto& [key, members] : expected_) {
            REQUIRE(position.skip_empty_leaves());
            agrees &= tree_.find(lookup(key)) == position.group();
            agrees &= groups_.count(position.group()) == members;
            agrees &= tree_.rank(position) == before;
            before += members;
            ++position.at;
        }
        REQUIRE(agrees);
        REQUIRE_FALSE(position.skip_empty_leaves());
        REQUIRE(tree_.total() == before);
        compare_bounds(probe);
    }

  private:
    void add_member(KeyGroupId group) {
        groups_.reserve_member(group);
        groups_.add_member(group, Entity::from_bits((std::uint64_t{1} << 32) | next_entity_++));
        tree_.member_added(group);
    }
    std::uint64_t members_before(typename std::map<Key, std::uint32_t>::const_iterator end) const {
        std::uint64_t sum = 0;
        for (auto at = expected_.begin(); at != end; ++at) sum += at->second;
        return sum;
    }
    void compare_bounds(const Key& probe) {
        const LookupKey wanted = lookup(probe);
        REQUIRE((tree_.find(wanted) != no_group) == has(probe));
        REQUIRE(tree_.rank(tree_.lower_bound(wanted)) == members_before(expected_.lower_bound(probe)));
        REQUIRE(tree_.rank(tree_.upper_bound(wanted)) == members_before(expected_.upper_bound(probe)));
        KeyTree::Position lower = tree_.lower_bound(wanted);
        const auto expected = expected_.lower_bound(probe);
        REQUIRE(lower.skip_empty_leaves() == (expected != expected_.end()));
        if (lower.leaf != nullptr) REQUIRE(lower.group() == tree_.find(lookup(expected->first)));
    }

    KeyGroups groups_;
    KeyTree tree_;
    std::map<Key, std::uint32_t> expected_;
    std::uint32_t next_entity_ = 0;
};

/// Grows to about `size` keys, shrinks until it is empty, and grows again; compares after every `step` operations.
template <class Key>
void grow_and_shrink(stoa_test::Random& random, int size, int step) {
    Trees<Key> trees;
    int operations = 0;
    const auto draw = [&] {
        return key_from(static_cast<int>(random.below(static_cast<std::uint32_t>(3 * size))), Key{});
    };
    for (const bool growing : {true, false, true}) {
        while (growing ? trees.size() < static_cast<std::size_t>(size) : trees.size() != 0) {
            const bool inserts = trees.size() == 0 || random.below(8) < (growing ? 6u : 2u);
            const Key key = draw();
            if (inserts && !trees.has(key)) {
                trees.insert(key, random.below(4));
            } else if (trees.has(key) && random.below(2) == 0) {
                trees.add_member(key);
            } else if (trees.size() != 0) {
                trees.erase(trees.nth(random.below(static_cast<std::uint32_t>(trees.size()))));
            }
            if (++operations % step == 0) trees.compare(draw());
        }
        trees.compare(draw());
    }
}

}  // namespace

TEST_CASE("a key tree of words agrees with std::map") {
    for_each_seed(3, [](stoa_test::Random& random) { grow_and_shrink<std::int32_t>(random, 1500, 400); });
}

TEST_CASE("a key tree of texts agrees with std::map") {
    for_each_seed(2, [](stoa_test::Random& random) { grow_and_shrink<std::string>(random, 500, 100); });
}

TEST_CASE("a key tree of objects agrees with std::map") {
    for_each_seed(2, [](stoa_test::Random& random) { grow_and_shrink<std::pair<int, int>>(random, 500, 100); });
}

TEST_CASE("a small key tree agrees with std::map after each operation") {
    for_each_seed(5, [](stoa_test::Random& random) { grow_and_shrink<std::int32_t>(random, 150, 1); });
}

TEST_CASE("a key tree takes ascending and descending keys, and ends empty in any order") {
    constexpr int count = 70 * 64;  // more than two levels of nodes
    for (const bool ascending : {true, false}) {
        for (const bool from_front : {true, false}) {
            Trees<std::int32_t> trees;
            for (int i = 0; i < count; ++i) trees.insert(ascending ? i : count - i, 1);
            trees.compare(count / 2);
            while (trees.size() > 1) trees.erase(trees.nth(from_front ? 0 : trees.size() - 1));
            trees.compare(count / 2);
            trees.erase(trees.nth(0));
            trees.compare(0);
        }
    }
}

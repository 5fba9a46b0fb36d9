// The parts of an index without a world: the hash table against a list of buckets, and entities by key against
// std::map.
#include "stoa/detail/index/keyed_entities.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "stoa/detail/index/projection.hpp"
#include "support/seeds.hpp"

using namespace stoa;
using namespace stoa::detail;
using stoa_test::for_each_seed;

namespace {

struct Narrow {
    std::uint32_t value;
};
struct Wide {
    std::uint64_t value;
};
struct Real {
    double value;
};
struct Text {
    std::string value;
};

Entity entity_of(std::uint32_t index, std::uint32_t generation) {
    return Entity::from_bits((std::uint64_t{generation} << 32) | index);
}

/// An index of numbers, and a std::map that says under which key each entity must be found.
template <class Component, bool Ordered>
class Checked {
    using Key = decltype(Component::value);

  public:
    Checked() : entities_(key_ops_of<&Component::value, Component, Ordered>) {}

    LookupKey lookup(const Key& key) const {
        return with_search_word(entities_.groups().ops(), LookupFor<Key>(key).lookup_key());
    }
    void assign(Entity entity, const Key& key) {
        entities_.assign(entity, lookup(key));
        record(entity, key);
    }
    void assign_words(const std::vector<Entity>& entities, const std::vector<Key>& keys) {
        std::vector<EntityWord> words;
        for (std::size_t i = 0; i < entities.size(); ++i) words.push_back({entities[i], word_of(keys[i])});
        entities_.assign_words(words);
        for (std::size_t i = 0; i < entities.size(); ++i) record(entities[i], keys[i]);
    }
    void remove(Entity entity) {
        if (expected_.erase(entity) != 0) entities_.remove(entity);
    }
    void remove_odd_indexes() {
        entities_.remove_if([](Entity entity) { return entity.index() % 2 != 0; });
        std::erase_if(expected_, [](const auto& entry) { return entry.first.index() % 2 != 0; });
    }
    void release_empty_groups() { entities_.release_empty_groups(); }

    void compare() const {
        REQUIRE(entities_.check() == nullptr);
        REQUIRE(entities_.size() == expected_.size());
        std::map<KeyGroupId, std::set<Entity>> members;
        for (const auto& [entity, key] : expected_) {
            const KeyGroupId group = entities_.group_of(entity);
            REQUIRE(group == (key == key ? entities_.find_group(lookup(key)) : nan_group));
            members[group].insert(entity);
        }
        for (const auto& [group, entities] : members) {
            const Entity* first = entities_.groups().members(group);
            REQUIRE(std::set<Entity>(first, first + entities_.groups().count(group)) == entities);
        }
    }
    void compare_missing(const Key& key) const {
        const bool occurs =
            std::any_of(expected_.begin(), expected_.end(), [&](const auto& entry) { return entry.second == key; });
        const KeyGroupId group = entities_.find_group(lookup(key));
        REQUIRE((group != no_group && entities_.groups().count(group) != 0) == occurs);
    }

  private:
    void record(Entity entity, const Key& key) {
        std::erase_if(expected_, [&](const auto& entry) { return entry.first.index() == entity.index(); });
        expected_[entity] = key;
    }

    KeyedEntities entities_;
    std::map<Entity, Key> expected_;
};

template <class Component, bool Ordered, class Draw>
void random_assignments(stoa_test::Random& random, Draw&& draw) {
    Checked<Component, Ordered> checked;
    std::vector<std::uint32_t> generations(200, 1);
    for (int round = 0; round < 60; ++round) {
        for (int i = 0; i < 40; ++i) {
            const std::uint32_t index = random.below(200);
            if (random.one_in(4)) {
                checked.remove(entity_of(index, generations[index]));
                ++generations[index];  // the index is used again, also where the removal was not noticed
            } else {
                checked.assign(entity_of(index, generations[index]), draw(random));
            }
        }
        if (random.one_in(3)) checked.release_empty_groups();
        if (random.one_in(20)) checked.remove_odd_indexes();
        checked.compare();
        checked.compare_missing(draw(random));
    }
}

double draw_real(stoa_test::Random& random) {
    const std::uint32_t number = random.below(40);
    return number == 0 ? std::numeric_limits<double>::quiet_NaN() : number == 1 ? -0.0 : (number - 20.0) / 3;
}

}  // namespace

TEST_CASE("entities are found by their keys after random assignments and removals") {
    const auto narrow = [](stoa_test::Random& random) { return random.below(random.one_in(2) ? 10 : 300) * 65536; };
    const auto wide = [](stoa_test::Random& random) { return std::uint64_t{random.below(50)} << 40 | random.below(3); };
    const auto text = [](stoa_test::Random& random) {
        return "some common beginning " + std::to_string(random.below(60));
    };
    for_each_seed(3, [&](stoa_test::Random& random) {
        random_assignments<Narrow, false>(random, narrow);
        random_assignments<Narrow, true>(random, narrow);
        random_assignments<Wide, false>(random, wide);
        random_assignments<Wide, true>(random, wide);
        random_assignments<Real, false>(random, draw_real);
        random_assignments<Real, true>(random, draw_real);
        random_assignments<Text, false>(random, text);
        random_assignments<Text, true>(random, text);
    });
}

TEST_CASE("words that are assigned together end as if assigned one by one") {
    for_each_seed(5, [](stoa_test::Random& random) {
        Checked<Narrow, false> checked;
        for (int round = 0; round < 20; ++round) {
            std::vector<Entity> entities;
            std::vector<std::uint32_t> keys;
            for (std::uint32_t i = 0; i < 100; ++i) {
                entities.push_back(entity_of(i * 3, 1));
                keys.push_back(random.below(round % 2 == 0 ? 20 : 2000));
            }
            checked.assign_words(entities, keys);
            checked.compare();
            checked.release_empty_groups();
            checked.compare();
        }
    });
}

TEST_CASE("a hash table finds each bucket after random insertions and erasures with equal tags") {
    for_each_seed(5, [](stoa_test::Random& random) {
        const KeyOps& ops = key_ops_of<&Wide::value, Wide, false>;
        KeyGroups groups(ops);
        KeyHashTable table;
        table.reserve();
        std::map<std::uint64_t, KeyGroupId> expected;
        for (int step = 0; step < 2000; ++step) {
            const std::uint64_t word = random.below(300);
            const std::uint32_t tag = KeyHashTable::tag_of(word, false);
            const auto known = expected.find(word);
            if (known == expected.end()) {
                table.reserve();
                groups.ensure_free_group();
                const KeyGroupId group = groups.create({word, nullptr, 0, false, Side::within});
                table.insert({tag, group, 0});
                table.set_first(tag, group, entity_of(static_cast<std::uint32_t>(word), 1));
                expected[word] = group;
            } else if (random.one_in(2)) {
                table.erase(tag, known->second);
                groups.release(known->second);
                expected.erase(known);
            }
            if (step % 20 != 0) continue;
            bool agrees = true;
            for (std::uint64_t each = 0; each < 300; ++each) {
                const KeyHashTable::Bucket& bucket = table.find_word<false>(each, groups);
                const auto wanted = expected.find(each);
                agrees &= bucket.group == (wanted != expected.end() ? wanted->second : no_group);
                if (wanted == expected.end()) continue;
                agrees &= Entity::from_bits(bucket.first) == entity_of(static_cast<std::uint32_t>(each), 1);
            }
            REQUIRE(agrees);
        }
    });
}

TEST_CASE("narrow words have different tags") {
    std::set<std::uint32_t> tags;
    for (std::uint32_t word = 0; word < 10000; ++word) tags.insert(KeyHashTable::tag_of(word * 65537, true));
    CHECK(tags.size() == 10000);
}

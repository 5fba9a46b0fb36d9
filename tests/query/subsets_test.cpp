// Brute force: all subsets of eight components, of tables and sparse, under random filters, with random structural
// changes and collected tables in between. The filters are made at run time, below the typed interface, so that there
// can be many.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <stoa/stoa.hpp>
#include <utility>
#include <vector>

#include "support/build_kind.hpp"
#include "support/environment.hpp"
#include "support/random.hpp"

using namespace stoa;
using detail::Alternative;
using detail::QueryState;
using detail::Store;

namespace {

template <int I>
struct Column {
    int value = I;
};
template <int I>
struct Tag {};
template <int I>
struct Sparse {
    int value = I;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct SparseTag {
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

struct Component {
    detail::TypeHandle* slot;
    bool (*add)(Store&, Entity);
    bool (*remove)(Store&, Entity);
};
template <class T>
constexpr Component component{&detail::type_handle<T>, &detail::add<T>, &detail::remove<T>};

const Component components[] = {component<Column<0>>, component<Column<1>>, component<Column<2>>, component<Tag<0>>,
                                component<Tag<1>>,    component<Sparse<0>>, component<Sparse<1>>, component<SparseTag>};
constexpr std::uint32_t subsets = 256;
using Mask = std::uint32_t;

// What an entity must have, must not have, must have one of and must lack one of; and the query that asks for it.
struct Filter {
    Mask required = 0;
    Mask excluded = 0;
    std::vector<Mask> groups;
    std::vector<Mask> lacks;
    std::vector<Alternative> alternatives;
    detail::TermList list{};

    bool matches(Mask mask) const {
        return (mask & required) == required && (mask & excluded) == 0 &&
               std::all_of(groups.begin(), groups.end(), [&](Mask group) { return (mask & group) != 0; }) &&
               std::all_of(lacks.begin(), lacks.end(), [&](Mask group) { return (mask & group) != group; });
    }
    void close() {
        std::uint32_t condition = 0;
        const auto name = [&](Mask mask, bool present, std::uint32_t step) {
            for (std::uint32_t i = 0; i < 8; ++i) {
                if ((mask >> i & 1) == 0) continue;
                alternatives.push_back({components[i].slot, condition, present});
                condition += step;
            }
        };
        name(required, true, 1);
        name(excluded, false, 1);
        for (const Mask group : groups) {
            name(group, true, 0);
            ++condition;
        }
        for (const Mask group : lacks) {
            name(group, false, 0);
            ++condition;
        }
        list = {alternatives.data(), static_cast<std::uint32_t>(alternatives.size()), {}};
    }
};

class Trial {
  public:
    explicit Trial(std::uint64_t seed) : random_(seed), store_(WorldOptions{}) {}

    // Every subset exists before half of the filters, and comes after the other half.
    void run(int rounds) {
        for (int i = 0; i < 60; ++i) new_filter();
        for (Mask mask = 0; mask < subsets; ++mask) spawn(mask);
        for (Mask mask = 0; mask < subsets; ++mask) {
            filters_.emplace_back().required = mask;
            filters_.back().close();
        }
        check_all();
        for (int round = 0; round < rounds; ++round) {
            CAPTURE(round);
            for (int i = 0; i < 20; ++i) new_filter();
            for (std::uint32_t i = random_.between(1, 120); i > 0; --i) change();
            if (random_.one_in(3)) empty_out();
            if (random_.one_in(2)) shrink_to_fit(store_);
            check_all();
        }
    }

  private:
    void new_filter() {
        Filter& filter = filters_.emplace_back();
        const std::uint32_t used = random_.between(1, 4);
        for (std::uint32_t i = 0; i < used; ++i) {
            const Mask bit = 1u << random_.below(8);
            const std::uint32_t role = random_.below(7);
            if (role < 2) filter.required |= bit;
            if (role == 2) filter.excluded |= bit;
            const Mask group = bit | 1u << random_.below(8) | 1u << random_.below(8);
            if (role == 3 || role == 4) filter.groups.push_back(group);
            if (role > 4) filter.lacks.push_back(group);
        }
        filter.close();
    }
    void spawn(Mask mask) {
        const Entity e = detail::spawn<>(store_);
        for (std::uint32_t i = 0; i < 8; ++i) {
            if ((mask >> i & 1) != 0) components[i].add(store_, e);
        }
        model_[e] = mask;
    }
    void change() {
        if (model_.empty() || random_.one_in(6)) return spawn(random_.below(subsets));
        const auto at = std::next(model_.begin(), random_.below(static_cast<std::uint32_t>(model_.size())));
        if (random_.one_in(6)) {
            REQUIRE(store_.despawn(at->first));
            model_.erase(at);
            return;
        }
        const std::uint32_t i = random_.below(8);
        REQUIRE(((at->second >> i & 1) != 0 ? components[i].remove(store_, at->first)
                                            : components[i].add(store_, at->first)));
        at->second ^= 1u << i;
    }
    // Takes one component from all, so that many tables are empty at once.
    void empty_out() {
        const std::uint32_t i = random_.below(8);
        for (auto& [e, mask] : model_) {
            if (components[i].remove(store_, e)) mask &= ~(1u << i);
        }
    }

    void check_all() {
        for (Filter& filter : filters_) {
            QueryState& state = detail::query_state(store_, filter.list);
            std::vector<Entity> expected;
            bool answers = true;
            for (const auto& [e, mask] : model_) {
                if (filter.matches(mask)) expected.push_back(e);
                answers &= static_cast<bool>(state.find(store_, e, {})) == filter.matches(mask);
            }
            REQUIRE(answers);
            std::vector<Entity> found;
            detail::RowSelector tests;
            for (detail::Walk walk(store_, state, detail::Order::tables, detail::Since{}, tests); walk.next();) {
                found.insert(found.end(), walk.rows().ids(), walk.rows().ids() + walk.rows().count);
            }
            std::sort(found.begin(), found.end());
            REQUIRE(found == expected);
        }
        check(store_);
    }

    stoa_test::Random random_;
    Store store_;
    std::map<Entity, Mask> model_;
    std::deque<Filter> filters_;  // the store knows them by address
};

}  // namespace

TEST_CASE("random filters over all subsets of eight components agree with a plain loop") {
    const int rounds = static_cast<int>(stoa_test::by_build(20, 15, 12));
    if (const auto seed = stoa_test::number_from_environment("STOA_SEED")) return Trial(*seed).run(rounds);
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        CAPTURE(seed);
        Trial(seed).run(rounds);
    }
}

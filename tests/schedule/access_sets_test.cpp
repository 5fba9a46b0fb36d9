// Guards AccessSet, against a model that enumerates tables: two access sets clash exactly when there is a table
// that both may touch in a component that one of them writes, or a value outside the tables.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "support/seeds.hpp"

using namespace stoa;
using detail::AccessSet;
using detail::store_of;

namespace {

struct A {
    int value = 0;
};
struct B {
    int value = 0;
};
struct C {
    int value = 0;
};
struct Tag {};
struct Loose {
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
    int value = 0;
};
struct Gravity {
    int value = 0;
};

// The bits of components in a table; `loose` and `gravity` are values outside the tables.
enum : std::uint32_t { a = 1, b = 2, c = 4, tag = 8, all_tables = 16, loose = 16, gravity = 32 };

// What one call says about an access set, for the library and for the model.
struct Part {
    void (*say)(Access& access);
    std::uint32_t reads;
    std::uint32_t writes;
    bool (*matches)(std::uint32_t table);
};

bool any(std::uint32_t) { return true; }
constexpr bool has(std::uint32_t table, std::uint32_t bits) { return (table & bits) == bits; }

const Part parts[] = {
    {[](Access& access) { access.walks<A>(); }, 0, a, [](std::uint32_t t) { return has(t, a); }},
    {[](Access& access) { access.walks<const A>(); }, a, 0, [](std::uint32_t t) { return has(t, a); }},
    {[](Access& access) { access.walks<const A, B>(); }, a, b, [](std::uint32_t t) { return has(t, a | b); }},
    {[](Access& access) { access.walks<A, With<Tag>>(); }, 0, a, [](std::uint32_t t) { return has(t, a | tag); }},
    {[](Access& access) { access.walks<A, Without<Tag>>(); }, 0, a,
     [](std::uint32_t t) { return has(t, a) && !has(t, tag); }},
    {[](Access& access) { access.walks<A, Without<B>, Without<C>>(); }, 0, a,
     [](std::uint32_t t) { return has(t, a) && (t & (b | c)) == 0; }},
    {[](Access& access) { access.walks<const A, AnyOf<B, C>>(); }, a, 0,
     [](std::uint32_t t) { return has(t, a) && (t & (b | c)) != 0; }},
    {[](Access& access) { access.walks<Maybe<A>, const C>(); }, c, a, [](std::uint32_t t) { return has(t, c); }},
    {[](Access& access) { access.walks<const B, Changed<C>>(); }, b | c, 0,
     [](std::uint32_t t) { return has(t, b | c); }},
    {[](Access& access) { access.walks<const B, With<Loose>>(); }, b, 0, [](std::uint32_t t) { return has(t, b); }},
    {[](Access& access) { access.walks<B, Without<Loose>>(); }, 0, b, [](std::uint32_t t) { return has(t, b); }},
    {[](Access& access) { access.walks<Loose, Without<Tag>>(); }, 0, loose,
     [](std::uint32_t t) { return !has(t, tag); }},
    {[](Access& access) { access.walks<const Loose, With<Tag>>(); }, loose, 0,
     [](std::uint32_t t) { return has(t, tag); }},
    {[](Access& access) { access.reads<A>(); }, a, 0, any},
    {[](Access& access) { access.writes<C>(); }, 0, c, any},
    {[](Access& access) { access.reads<Loose>(); }, loose, 0, any},
    {[](Access& access) { access.reads_resource<Gravity>(); }, gravity, 0, any},
    {[](Access& access) { access.writes_resource<Gravity>(); }, 0, gravity, any},
};
constexpr std::uint32_t part_count = sizeof(parts) / sizeof(parts[0]);

bool clash(const Part& one, const Part& two) {
    const std::uint32_t contested = (one.writes & (two.reads | two.writes)) | (one.reads & two.writes);
    if ((contested & (loose | gravity)) != 0) return true;
    for (std::uint32_t table = 0; table < all_tables; ++table) {
        if ((table & contested) != 0 && one.matches(table) && two.matches(table)) return true;
    }
    return false;
}

void record(const Part& part, AccessSet& set) {
    Access access = set.recorder();
    part.say(access);
}

// An access set that is made of some parts.
struct Combined {
    Combined(World& world, stoa_test::Random& random) : access(store_of(world, "test")) {
        for (std::uint32_t count = random.below(4); count != 0; --count) {
            chosen.push_back(&parts[random.below(part_count)]);
            if (random.one_in(2)) {
                record(*chosen.back(), access);
            } else {
                AccessSet other(store_of(world, "test"));
                record(*chosen.back(), other);
                access.add(other);
            }
        }
    }
    bool writes() const {
        for (const Part* part : chosen) {
            if (part->writes != 0) return true;
        }
        return false;
    }

    AccessSet access;
    std::vector<const Part*> chosen;
};

}  // namespace

TEST_SUITE("access sets") {
    TEST_CASE("two parts clash exactly when there is something that both may touch") {
        World world;
        for (std::uint32_t i = 0; i < part_count; ++i) {
            for (std::uint32_t j = 0; j < part_count; ++j) {
                CAPTURE(i);
                CAPTURE(j);
                AccessSet one(store_of(world, "test"));
                AccessSet two(store_of(world, "test"));
                record(parts[i], one);
                record(parts[j], two);
                CHECK(one.clashes(two) == clash(parts[i], parts[j]));
                CHECK((one.find_clash(two) != nullptr) == one.clashes(two));
            }
        }
    }

    TEST_CASE("sets of several parts clash when two of their parts do, in either order") {
        stoa_test::for_each_seed(5, [](stoa_test::Random& random) {
            World world;
            for (int i = 0; i < 300; ++i) {
                const Combined one(world, random);
                const Combined two(world, random);
                bool expected = false;
                for (const Part* mine : one.chosen) {
                    for (const Part* theirs : two.chosen) expected |= clash(*mine, *theirs);
                }
                REQUIRE(one.access.clashes(two.access) == expected);
                REQUIRE(two.access.clashes(one.access) == expected);
            }
        });
    }

    TEST_CASE("one that is exclusive clashes with all, one that reads everything with those that write") {
        stoa_test::for_each_seed(3, [](stoa_test::Random& random) {
            World world;
            AccessSet exclusive(store_of(world, "test"));
            exclusive.recorder().exclusive();
            AccessSet reader(store_of(world, "test"));
            reader.recorder().reads_everything();
            CHECK(!reader.clashes(reader));
            CHECK(reader.clashes(exclusive));
            for (int i = 0; i < 50; ++i) {
                const Combined other(world, random);
                REQUIRE(other.access.clashes(exclusive));
                REQUIRE(exclusive.clashes(other.access));
                REQUIRE(other.access.clashes(reader) == other.writes());
                REQUIRE(reader.clashes(other.access) == other.writes());
            }
        });
    }
}

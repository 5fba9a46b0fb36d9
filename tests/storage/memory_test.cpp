// Guards memory as a user can see it: reserving ahead, the reserved and used bytes, giving back what is spare (W-EC-6).

#include <stoa/stoa.hpp>

#include "../support/build_kind.hpp"

#include <doctest/doctest.h>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Position {
    double x = 0;
    double y = 0;
};

struct Velocity {
    double x = 0;
    double y = 0;
};

template <int N>
struct Numbered {
    int value = N;
};

template <int... Ns>
void spawn_each(World& world, std::integer_sequence<int, Ns...>) {
    (world.spawn(Numbered<Ns>{}), ...);
}

// The number behind a word in a file of the system; 0 where there is no such file or word.
std::size_t number_behind(const char* file, const std::string& word) {
    std::ifstream in(file);
    std::size_t number = 0;
    for (std::string found; in >> found;) {
        if (found == word && in >> number) return number;
    }
    return 0;
}

std::size_t huge_page_bytes() { return number_behind("/proc/self/smaps_rollup", "AnonHugePages:") * 1024; }

// How often the system had no huge page to give, since it started.
std::size_t huge_page_refusals() { return number_behind("/proc/vmstat", "thp_fault_fallback"); }

// Why this process gets no huge pages; empty if it does.
std::string why_no_huge_pages() {
    if (stoa_test::sanitized_build) return "a sanitizer writes into a block before its user has it";
    std::ifstream in("/sys/kernel/mm/transparent_hugepage/enabled");
    const std::string enabled{std::istreambuf_iterator<char>(in), {}};
    if (enabled.empty() || enabled.find("[never]") != std::string::npos) return "the system offers none";
    return number_behind("/proc/self/smaps_rollup", "Rss:") == 0 ? "the system does not tell" : "";
}

struct Wide {
    double values[25] = {};
};

}  // namespace

TEST_CASE("reserving changes no content") {
    World world;
    const Entity e = world.spawn(Position{1, 2});
    world.reserve(10000);
    world.reserve<Position, Velocity>(10000);
    CHECK(world.size() == 1);
    CHECK(world.get<const Position>(e).x == 1);
    CHECK(world.spawn().index() == 1);
    world.check();
}

TEST_CASE("what is reserved is enough for the entities it was reserved for") {
    World world;
    world.reserve(5000);
    world.reserve<Position, Velocity>(5000);
    world.spawn(Position{}, Velocity{});
    const auto reserved = world.stats().bytes_reserved;
    for (int i = 1; i < 5000; ++i) world.spawn(Position{}, Velocity{});
    CHECK(world.stats().bytes_reserved == reserved);
}

TEST_CASE("reserving makes room for the payload") {
    World world;
    world.reserve<Position, Velocity>(10000);
    CHECK(world.stats().bytes_reserved >= 10000 * (sizeof(Position) + sizeof(Velocity)));
}

TEST_CASE("reserving nothing or less than there is does nothing") {
    World world;
    world.spawn_many(100, Position{});
    const auto reserved = world.stats().bytes_reserved;
    world.reserve(0);
    world.reserve(50);
    world.reserve<Position>(0);
    world.reserve<Position>(50);
    CHECK(world.stats().bytes_reserved == reserved);
    CHECK(world.size() == 100);
}

TEST_CASE("a table handle reserves as the world does") {
    World world;
    auto table = world.table<Position, Velocity>();
    table.reserve(3000);
    world.reserve(3000);
    table.spawn();
    const auto reserved = world.stats().bytes_reserved;
    for (int i = 1; i < 3000; ++i) table.spawn();
    CHECK(world.stats().bytes_reserved == reserved);
    CHECK(table.size() == 3000);
}

TEST_CASE("a steady state reserves nothing more") {
    World world;
    std::vector<Entity> made(2000);
    std::size_t reserved = 0;
    for (int round = 0; round < 10; ++round) {
        for (Entity& e : made) e = world.spawn(Position{}, Velocity{});
        for (const Entity e : made) world.remove<Velocity>(e);
        for (const Entity e : made) world.despawn(e);
        if (round == 1) reserved = world.stats().bytes_reserved;
    }
    CHECK(world.stats().bytes_reserved == reserved);
}

TEST_CASE("used bytes follow the content and never exceed the reserved ones") {
    World world;
    const auto before = world.stats().bytes_used;
    world.spawn_many(10000, Position{}, Velocity{});
    const auto full = world.stats();
    CHECK(full.bytes_used >= before + 10000 * (sizeof(Position) + sizeof(Velocity)));
    CHECK(full.bytes_used <= full.bytes_reserved);
    world.clear();
    CHECK(world.stats().bytes_used < full.bytes_used);
}

TEST_CASE("shrink_to_fit gives back what despawned entities left") {
    World world;
    std::vector<Entity> ids(50000);
    world.spawn_many(std::span{ids}, Position{}, Velocity{});
    const auto full = world.stats().bytes_reserved;
    for (const Entity e : ids) world.despawn(e);
    world.shrink_to_fit();
    CHECK(world.stats().bytes_reserved < full / 2);
    world.check();
}

TEST_CASE("shrink_to_fit frees empty tables and the world goes on") {
    World world;
    const Entity keeper = world.spawn(Position{1, 2}, Velocity{3, 4});
    spawn_each(world, std::make_integer_sequence<int, 40>{});
    const auto tables = world.stats().tables;
    world.clear();
    const Entity e = world.spawn(Position{5, 6});
    world.shrink_to_fit();
    CHECK(world.stats().tables <= tables - 40);
    CHECK(world.get<const Position>(e).y == 6);
    CHECK_FALSE(world.alive(keeper));
    spawn_each(world, std::make_integer_sequence<int, 40>{});
    CHECK(world.size() == 41);
    CHECK(world.add<Velocity>(e));
    CHECK(world.remove<Position>(e));
    CHECK(world.add<Position>(e));
    world.check();
}

TEST_CASE("shrink_to_fit keeps every value") {
    World world;
    std::vector<Entity> made;
    for (int i = 0; i < 5000; ++i) made.push_back(world.spawn(std::to_string(i), Position{}));
    for (std::size_t i = 0; i < made.size(); ++i) {
        if (i % 10 != 0) world.despawn(made[i]);
    }
    world.shrink_to_fit();
    for (std::size_t i = 0; i < made.size(); i += 10) {
        REQUIRE(world.get<const std::string>(made[i]) == std::to_string(i));
    }
    world.check();
}

TEST_CASE("moves along cached paths work after their tables were freed") {
    World world;
    const Entity e = world.spawn(Position{1, 1});
    for (int round = 0; round < 5; ++round) {
        CHECK(world.add<Velocity>(e));
        CHECK(world.add<Numbered<1>>(e));
        CHECK(world.remove<Velocity, Numbered<1>>(e));
        world.shrink_to_fit();
        world.check();
        CHECK(world.get<const Position>(e).x == 1);
    }
}

TEST_CASE("a table handle works after its empty table was freed") {
    World world;
    auto table = world.table<Position, Velocity>();
    world.despawn(table.spawn());
    world.shrink_to_fit();
    CHECK(table.size() == 0);
    const Entity e = table.spawn(Position{1, 2}, Velocity{3, 4});
    CHECK(world.get<const Velocity>(e).y == 4);
    CHECK(table.size() == 1);
    world.check();
}

TEST_CASE("an empty world can be shrunk, cleared and checked") {
    World world;
    world.shrink_to_fit();
    world.clear();
    world.check();
    CHECK(world.size() == 0);
}

TEST_CASE("the chunks of a large table lie inside huge pages, and their memory is given back") {
    World world;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < 400'000; ++i) world.spawn(Position{}, Velocity{});
        const auto stats = world.stats();
        CHECK(stats.bytes_reserved < stats.bytes_used + stats.bytes_used / 5);

        const auto huge_page = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) >> 21; };
        int chunks = 0;
        int across = 0;
        world.query<const Position, const Velocity>().each_chunk(
            [&](std::span<const Entity> handles, std::span<const Position>, std::span<const Velocity> last) {
                ++chunks;
                across += huge_page(handles.data()) != huge_page(last.data() + last.size() - 1);
            });
        CHECK(chunks > 40);
        // The first slabs are small, and lie anywhere.
        CHECK(across <= 2);

        world.clear();
        world.shrink_to_fit();
        CHECK(world.stats().bytes_reserved < stats.bytes_reserved / 4);  // the handles that are known to be dead
    }
}

TEST_CASE("the system backs a large world with huge pages, as many as the statistics say") {
    const std::string reason = why_no_huge_pages();
    if (!reason.empty()) {
        MESSAGE("not tested: " << reason);
        return;
    }
    struct Filling {
        std::string how;
        void (*fill)(World&);
    };
    const Filling fillings[] = {
        {"one by one",
         [](World& world) {
             for (int i = 0; i < 600'000; ++i) world.spawn(Position{}, Velocity{});
         }},
        {"at once", [](World& world) { world.spawn_many(600'000, Position{}, Velocity{}); }},
        {"wide rows", [](World& world) { world.spawn_many(100'000, Wide{}); }},
        {"two tables, from one to the other",
         [](World& world) {
             std::vector<Entity> made(600'000);
             world.spawn_many(std::span{made}, Position{});
             for (const Entity e : made) world.set(e, Velocity{});
         }},
    };
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 1 << 17);  // no block lies where another test has left small pages
#endif
    constexpr std::size_t huge_page = 1 << 21;
    for (const Filling& filling : fillings) {
        CAPTURE(filling.how);
        const std::size_t before = huge_page_bytes();
        const std::size_t refusals = huge_page_refusals();
        World world;
        filling.fill(world);
        const auto stats = world.stats();
        CHECK(stats.bytes_huge <= stats.bytes_reserved);
        CHECK(stats.bytes_huge * 100 >= stats.bytes_reserved * 85);
        if (huge_page_refusals() != refusals) {
            MESSAGE("not tested: the system had no huge page left");
        } else {
            // Except for the page of the directory that an earlier world left, and what no chunk has used yet.
            CHECK(huge_page_bytes() - before + 3 * huge_page >= stats.bytes_huge);
        }
        world.clear();
        world.shrink_to_fit();
        CHECK(world.stats().bytes_huge < stats.bytes_huge / 3);
    }
}

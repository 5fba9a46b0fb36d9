// Guards the directory while it grows: from a block that is copied to address space of its own, and without such space.

#include "../support/build_kind.hpp"

#include <doctest/doctest.h>
#include <stoa/world.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <initializer_list>
#include <vector>

using stoa::Entity;
using stoa::World;

namespace {

struct Weight {
    std::size_t grams = 0;
};

// Grows past every size at which the directory changes, and says whether all entities are as they were made.
bool grows_whole(std::size_t count) {
    World world;
    std::vector<Entity> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(world.spawn(Weight{i}));
    const Entity gone = made[count / 2];
    world.despawn(gone);
    for (std::size_t i = 0; i < count; ++i) {
        const Weight* weight = world.find<const Weight>(made[i]);
        if (i == count / 2 ? weight != nullptr : weight == nullptr || weight->grams != i) return false;
    }
    world.check();
    return world.size() == count - 1;
}

// In bytes.
rlim_t address_space_in_use() {
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

TEST_CASE("a growing world keeps its entities") {
    for (const std::size_t count :
         std::initializer_list<std::size_t>{1, 64, 65, 32767, 32768, 32769, 262144, 262145, 600000}) {
        CAPTURE(count);
        CHECK(grows_whole(count));
    }
}

TEST_CASE("a bulk that is larger than all that was there keeps what was there") {
    World world;
    const Entity first = world.spawn(Weight{7});
    std::vector<Entity> many(300000);
    world.spawn_many(many, Weight{8});
    CHECK(world.get<const Weight>(first).grams == 7);
    CHECK(world.get<const Weight>(many.back()).grams == 8);
    world.check();
}

TEST_CASE("many large worlds side by side") {
    std::vector<World> worlds(50);
    std::vector<Entity> last;
    for (World& world : worlds) {
        std::vector<Entity> many(40000);
        world.spawn_many(many, Weight{worlds.size()});
        last.push_back(many.back());
    }
    for (std::size_t i = 0; i < worlds.size(); ++i) CHECK(worlds[i].alive(last[i]));
}

TEST_CASE("a process that may have little address space has large worlds all the same") {
    if (stoa_test::sanitized_build) return;  // a sanitizer needs address space itself
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        // A world that has ended may have left its address space; this one takes it.
        World other;
        for (int i = 0; i < 40000; ++i) other.spawn();
        const rlim_t little = address_space_in_use() + (rlim_t{2} << 30);
        const rlimit limit{little, little};
        _exit(setrlimit(RLIMIT_AS, &limit) == 0 && grows_whole(600000) ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}

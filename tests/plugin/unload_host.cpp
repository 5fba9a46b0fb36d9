// The host of the unloading test. A library that was not used goes when it is closed; one whose types a world has seen
// stays, and everything the world does with them goes on. Ends with 0 when everything holds; made for AddressSanitizer.
#include "unload.hpp"

#include <dlfcn.h>

#include <cstdio>

using namespace unload_test;
using stoa::Entity;
using stoa::World;

namespace {

int failures = 0;

void check(bool good, const char* what, int line) {
    if (good) return;
    ++failures;
    std::fprintf(stderr, "unload_host.cpp:%d: failed: %s\n", line, what);
}

#define HOST_CHECK(condition) check((condition), #condition, __LINE__)

bool is_loaded(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (library != nullptr) dlclose(library);
    return library != nullptr;
}

void use_and_close(const char* path, World& world, stoa::Schedule& schedule, int entities) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    HOST_CHECK(library != nullptr);
    if (library == nullptr) return;
    // Safe: the library says what its symbol is in the header that both share.
    reinterpret_cast<UseFunction>(dlsym(library, "plugin_use"))(world, schedule, entities);
    HOST_CHECK(dlclose(library) == 0);
}

// What a world does with types whose code nobody here knows.
void go_on_without(World& world) {
    world.check();
    HOST_CHECK((world.query<Position, Label>().count() == 30));
    HOST_CHECK(world.query<Position>().count() == 61);
    std::size_t named = 0;
    std::vector<Entity> all;
    world.query<Position>().collect(all);
    for (const Entity e : all) {
        for (const stoa::ComponentInfo& component : world.components(e)) {
            named += component.name == "plugin.handle" || component.name == "plugin_own::Cargo";
        }
    }
    HOST_CHECK(named == 61);
    for (const Entity e : {all[0], all[1], all[40]}) {
        world.clone(e);
        world.set(e, Label{"set by the host"});
        HOST_CHECK(world.remove_all(e));
    }
    HOST_CHECK(world.despawn(all[2]));
    HOST_CHECK(world.despawn(all[41]));
    world.query<Label>().despawn_all();
    world.check();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: unload_host <path of the library>\n");
        return 2;
    }
    const char* path = argv[1];
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    HOST_CHECK(library != nullptr && is_loaded(path));
    if (library != nullptr) dlclose(library);
    HOST_CHECK(!is_loaded(path));  // else this test could not fail

    World world;
    {
        stoa::Schedule schedule(world);
        schedule.add_phase("update");
        use_and_close(path, world, schedule, 30);
        HOST_CHECK(is_loaded(path));
        schedule.update(0.1);
        HOST_CHECK(schedule.report().size() == 1);
        schedule.phase("update").remove("Driver");
        schedule.update(0.1);
    }
    go_on_without(world);
    world.clear();
    {
        stoa::Schedule schedule(world);
        schedule.add_phase("update");
        use_and_close(path, world, schedule, 5);
        schedule.update(0.1);
    }
    world.check();
    if (failures == 0) std::puts("a closed library leaves no hole");
    return failures == 0 ? 0 : 1;
}

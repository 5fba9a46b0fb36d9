// The host: loads the plugin named by the first argument and checks that both sides mean the same components, however
// the library was linked. Ends with 0 when everything holds. The plugin stays loaded until the end: its types have
// values in the world.

#include "components.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

using namespace plugin_test;
using stoa::Entity;
using stoa::World;

namespace {

int failures = 0;

// Same name as in plugin.cpp, another type.
struct Secret {
    int number = 0;
};

void check(bool good, const char* what, int line) {
    if (good) return;
    ++failures;
    std::fprintf(stderr, "host.cpp:%d: failed: %s\n", line, what);
}

template <class Function>
Function load(void* library, const char* name) {
    void* symbol = dlsym(library, name);
    if (symbol == nullptr) {
        std::fprintf(stderr, "host: no symbol %s\n", name);
        std::exit(2);
    }
    return reinterpret_cast<Function>(symbol);
}

}  // namespace

#define HOST_CHECK(condition) check((condition), #condition, __LINE__)

static auto local_secret(int number) {
    struct LocalSecret {
        int number;
    };
    return LocalSecret{number};
}

// The same names and the same sizes as in plugin.cpp, but types of the host: only the place tells them apart.
static auto small_local(int number) {
    struct SmallLocal {
        int number;
    };
    return SmallLocal{number};
}

static struct {
    int number = 0;
} unnamed;

namespace {

using SmallLocal = decltype(small_local(0));
using Unnamed = decltype(unnamed);

void lookalikes_of_equal_size_are_two_components(World& world, Entity mine, const Report& report) {
    HOST_CHECK(static_cast<unsigned>(world.component<SmallLocal>().id) != report.local_id);
    HOST_CHECK(static_cast<unsigned>(world.component<Unnamed>().id) != report.unnamed_id);
    HOST_CHECK(static_cast<unsigned>(world.component<Constant<1>>().id) != report.constant_id);
    HOST_CHECK(world.get<const SmallLocal>(mine).number == 7);
    HOST_CHECK(world.get<const Unnamed>(mine).number == 8);
    HOST_CHECK(world.get<const Constant<1>>(mine).value == 9);
}

using LocalSecret = decltype(local_secret(0));

void changed_by_the_plugin(World& world, Entity mine) {
    HOST_CHECK(world.get<const Position>(mine).x == 1);
    HOST_CHECK(world.get<const Position>(mine).y == 20);
    HOST_CHECK(world.get<const Name>(mine).text.find("changed by the plugin") == 0);
    HOST_CHECK(world.components(mine).size() == 9);
}

void equal_names_are_two_components(World& world, Entity mine, const Report& report) {
    HOST_CHECK(world.get<const Secret>(mine).number == 5);
    HOST_CHECK(world.get<const LocalSecret>(mine).number == 6);
    HOST_CHECK(static_cast<unsigned>(world.component<Secret>().id) != report.secret_id);
    HOST_CHECK(!world.has<Secret>(report.spawned[3]));
    world.set(mine, Boxed<Secret>{Secret{8}});
    HOST_CHECK(world.get<const Boxed<Secret>>(mine).value.number == 8);
}

void shared_types_are_one_component(World& world, const Report& report) {
    const Entity mover = report.spawned[0];
    HOST_CHECK((world.has<Position, Velocity, Visible>(mover)));
    HOST_CHECK(world.get<const Velocity>(mover).y == 6);
    HOST_CHECK(static_cast<unsigned>(world.component<Position>().id) == report.position_id);
    HOST_CHECK(static_cast<unsigned>(world.component<Velocity>().id) == report.velocity_id);

    const auto tables = world.stats().tables;
    const Entity twin = world.spawn(Visible{}, Velocity{1, 1}, Position{2, 2});
    HOST_CHECK(world.stats().tables == tables);
    HOST_CHECK((world.table<Position, Velocity, Visible>().size() == 2));
    HOST_CHECK(world.despawn(twin));

    const Entity owner = report.spawned[1];
    HOST_CHECK(world.get<const Inventory>(owner).items.size() == 2);
    HOST_CHECK(world.get<const Boxed<int>>(owner).value == 9);
    world.get<Inventory>(owner).items.push_back("added by the host, on the heap as well");

    const Entity body = report.spawned[2];
    HOST_CHECK(world.get<const Burning>(body).heat == 100);
    HOST_CHECK(world.get<const Home>(body).value.y == 9);
    HOST_CHECK(world.despawn(body));
    HOST_CHECK(!world.alive(body));
    HOST_CHECK(world.get<const Body>(body).handle == 7);
    HOST_CHECK(world.remove<Body>(body));
}

void errors_cross_the_border(World& world, ThrowFunction thrower) {
    bool caught = false;
    const Entity e = world.spawn();
    try {
        thrower(world, e);
    } catch (const stoa::Error& error) {
        caught = error.code() == stoa::Errc::missing_component;
        HOST_CHECK(std::string{error.what()}.find("PluginOnly") != std::string::npos);
    }
    HOST_CHECK(caught);
    HOST_CHECK(world.despawn(e));
}

void the_plugin_reads_what_the_host_makes(World& world, CountFunction count) {
    Entity made[50];
    for (int i = 0; i < 50; ++i) made[i] = world.spawn(Boxed<int>{-i}, Velocity{static_cast<double>(i), 0}, Visible{});
    HOST_CHECK(count(world, made, 50) == 50);
    for (const Entity e : made) HOST_CHECK(world.despawn(e));
}

void values_die_once(World& world, TracedFunction traced) {
    int deaths = 0;
    Entity a;
    Entity b;
    traced(world, &deaths, a);
    traced(world, &deaths, b);
    world.add<Position>(a);
    HOST_CHECK(deaths == 0);
    HOST_CHECK(world.remove<Traced>(a));
    HOST_CHECK(deaths == 1);
    HOST_CHECK(world.despawn(b));
    HOST_CHECK(deaths == 2);
    HOST_CHECK(world.despawn(a));
}

void types_of_the_plugin_move_in_the_host(World& world, const Report& report) {
    const Entity e = report.spawned[3];
    const auto before = world.components(e).size();
    HOST_CHECK(before == 3);
    world.add<Position>(e);
    world.set(e, Burning{1});
    HOST_CHECK(world.components(e).size() == before + 2);
    HOST_CHECK(world.get<const Name>(e).text == "plugin");
    const Entity twin = world.clone(e);
    HOST_CHECK(world.components(twin).size() == before + 2);
    HOST_CHECK(world.remove_all(e));
    HOST_CHECK(world.despawn(e));
}

void resources_are_shared(World& world) {
    HOST_CHECK(world.resource<const Name>().text.find("replaced by the plugin") == 0);
    HOST_CHECK(world.resource<Velocity>().y == 2);
    HOST_CHECK(world.resource<const Secret>().number == 11);
    HOST_CHECK(!world.has_resource<SmallLocal>());
    int deaths = 0;
    HOST_CHECK(world.has_resource<Boxed<Traced>>());
    world.set_resource(Boxed<Traced>{Traced{&deaths}});
    HOST_CHECK(deaths == 0);
    HOST_CHECK(world.remove_resource<Boxed<Traced>>());
    HOST_CHECK(deaths == 1);
    HOST_CHECK(world.remove_resource<Name>());
    HOST_CHECK(!world.has_resource<Name>());
}

void a_world_of_the_plugin_serves_the_host(MakeFunction make, EndFunction end) {
    World* theirs = make();
    HOST_CHECK(theirs->size() == 1);
    HOST_CHECK(theirs->resource<Name>().text == "made in the plugin");
    theirs->set_resource(Secret{2});
    theirs->set_resource(Position{4, 4});
    const Entity e = theirs->spawn(Position{3, 3}, Secret{1});
    HOST_CHECK(theirs->get<const Secret>(e).number == 1);
    HOST_CHECK((theirs->table<Position, Name>().size() == 1));
    World home = std::move(*theirs);
    HOST_CHECK(home.size() == 2);
    HOST_CHECK(home.resource<const Position>().x == 4);
    home.check();
    *theirs = std::move(home);
    end(theirs);
}

void messages_are_shared(World& world, stoa::MessageReader<Name>& names, const stoa::MessageReader<Secret>& secrets) {
    HOST_CHECK(names.size() == 2);
    const char* expected = "sent by the host";
    for (const Name& name : names.read()) {
        HOST_CHECK(name.text.find(expected) == 0);
        expected = "sent by the plugin";
    }
    HOST_CHECK(secrets.empty());
    world.send(Secret{12});
    HOST_CHECK(secrets.size() == 1);
    world.end_frame();
    world.end_frame();
    HOST_CHECK(secrets.lost() == 1);
    world.check();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: host <path of the plugin>\n");
        return 2;
    }
    World world;
    unnamed.number = 8;
    const Entity mine =
        world.spawn(Position{1, 2}, Name{"host"}, Secret{5}, local_secret(6), small_local(7), unnamed, Constant<1>{9});

    world.set_resource(Name{"a resource of the host"});
    world.set_resource(Secret{11});
    stoa::MessageReader<Name> names{world};
    const stoa::MessageReader<Secret> secrets{world};
    world.send(Name{"sent by the host"});

    void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        std::fprintf(stderr, "host: %s\n", dlerror());
        return 2;
    }

    Report report;
    load<RunFunction>(library, "plugin_run")(world, mine, report);
    HOST_CHECK(report.checks_failed == 0);
    HOST_CHECK(world.size() == 6);
    world.check();

    changed_by_the_plugin(world, mine);
    equal_names_are_two_components(world, mine, report);
    lookalikes_of_equal_size_are_two_components(world, mine, report);
    shared_types_are_one_component(world, report);
    errors_cross_the_border(world, load<ThrowFunction>(library, "plugin_throw"));
    the_plugin_reads_what_the_host_makes(world, load<CountFunction>(library, "plugin_count"));
    values_die_once(world, load<TracedFunction>(library, "plugin_traced"));
    types_of_the_plugin_move_in_the_host(world, report);
    resources_are_shared(world);
    messages_are_shared(world, names, secrets);
    a_world_of_the_plugin_serves_the_host(load<MakeFunction>(library, "plugin_make_world"),
                                          load<EndFunction>(library, "plugin_end_world"));
    world.check();
    if (failures == 0) std::puts("host and plugin agree");
    return failures == 0 ? 0 : 1;
}

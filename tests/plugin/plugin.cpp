// The plugin: a shared library, loaded while the host runs. It works on the host's world with the shared components
// and with types of its own, two of which have the same names as types in the host.

#include "components.hpp"

#include <cstdio>

using namespace plugin_test;
using stoa::Entity;
using stoa::World;

#define PLUGIN_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// Same name as in host.cpp, another type.
struct Secret {
    double padding[6] = {};
    int number = 0;
};

void check(bool good, const char* what, Report& report) {
    if (good) return;
    ++report.checks_failed;
    std::fprintf(stderr, "plugin: failed: %s\n", what);
}

}  // namespace

#define PLUGIN_CHECK(condition) check((condition), #condition, report)

// The plugin's alone.
struct PluginOnly {
    std::string text;
};

static auto local_secret(int number) {
    struct LocalSecret {
        double padding[3];
        int number;
    };
    return LocalSecret{{}, number};
}

// The same names and the same sizes as in host.cpp, but types of the plugin: only the place tells them apart.
static auto small_local(int number) {
    struct SmallLocal {
        int number;
    };
    return SmallLocal{number};
}

static struct {
    int number = 0;
} unnamed;

static void same_size_lookalikes(World& world, Entity hosts, Report& report) {
    using SmallLocal = decltype(small_local(0));
    using Unnamed = decltype(unnamed);
    using LongOne = Constant<1L>;
    PLUGIN_CHECK(!world.has<SmallLocal>(hosts));
    PLUGIN_CHECK(!world.has<Unnamed>(hosts));
    PLUGIN_CHECK(!world.has<LongOne>(hosts));
    unnamed.number = 2;
    world.spawn(small_local(1), unnamed, LongOne{3});
    report.local_id = static_cast<unsigned>(world.component<SmallLocal>().id);
    report.unnamed_id = static_cast<unsigned>(world.component<Unnamed>().id);
    report.constant_id = static_cast<unsigned>(world.component<LongOne>().id);
}

static void share_resources(World& world, Report& report) {
    PLUGIN_CHECK(world.resource<const Name>().text == "a resource of the host");
    world.set_resource(Name{"replaced by the plugin, with a text that is long enough to be allocated"});
    PLUGIN_CHECK(!world.has_resource<Velocity>());
    world.emplace_resource<Velocity>(1.0, 2.0);
    world.set_resource(PluginOnly{"a resource of the plugin"});
    PLUGIN_CHECK(!world.has_resource<Secret>());
    PLUGIN_CHECK(!world.has_resource<decltype(small_local(0))>());
    world.set_resource(small_local(3));
    world.emplace_resource<Boxed<Traced>>();
}

// The host has a reader of names and one of its own secrets.
static void share_messages(World& world, const Secret& secret, Report& report) {
    const stoa::MessageReader<Name> names{world};
    const stoa::MessageReader<Secret> secrets{world};
    world.send(Name{"sent by the plugin, with a text that is long enough to be allocated"});
    world.send(PluginOnly{"nobody in the host knows this type, and its end_frame drops it all the same"});
    world.send(secret);
    PLUGIN_CHECK(names.size() == 1);
    PLUGIN_CHECK(secrets.size() == 1);
}

PLUGIN_EXPORT void plugin_run(World& world, Entity hosts, Report& report) {
    // Read and change what the host made.
    PLUGIN_CHECK(world.alive(hosts));
    PLUGIN_CHECK((world.has<Position, Name>(hosts)));
    PLUGIN_CHECK(world.get<const Position>(hosts).x == 1);
    PLUGIN_CHECK(world.get<const Name>(hosts).text == "host");
    world.get<Position>(hosts).y = 20;
    world.set(hosts, Name{"changed by the plugin, with a text that is long enough to be allocated"});

    // A type of the same name in the host is no business of this one.
    PLUGIN_CHECK(!world.has<Secret>(hosts));
    Secret secret;
    secret.number = 77;
    world.set(hosts, secret);
    PLUGIN_CHECK(world.get<const Secret>(hosts).number == 77);
    PLUGIN_CHECK(!world.has<decltype(local_secret(0))>(hosts));
    world.set(hosts, local_secret(78));
    PLUGIN_CHECK(!world.has<Boxed<Secret>>(hosts));

    // Entities of the plugin, with components that the host has not used yet.
    report.spawned[0] = world.spawn(Position{3, 4}, Velocity{5, 6}, Visible{});
    report.spawned[1] = world.spawn(Inventory{{"sword", "a shield with a long name, on the heap"}}, Boxed<int>{9});
    report.spawned[2] = world.spawn(Burning{100}, Body{7}, Home{Position{8, 9}});
    report.spawned[3] = world.spawn(PluginOnly{"mine"}, secret, Name{"plugin"});

    same_size_lookalikes(world, hosts, report);
    share_resources(world, report);
    share_messages(world, secret, report);
    report.secret_id = static_cast<unsigned>(world.component<Secret>().id);
    report.position_id = static_cast<unsigned>(world.component<Position>().id);
    report.velocity_id = static_cast<unsigned>(world.component<Velocity>().id);
    world.check();
}

// How many of the entities have all that the host gave them, as the plugin sees it.
PLUGIN_EXPORT int plugin_count(World& world, const Entity* entities, int count) {
    int good = 0;
    for (int i = 0; i < count; ++i) {
        const Velocity* velocity = world.find<const Velocity>(entities[i]);
        const Boxed<int>* boxed = world.find<const Boxed<int>>(entities[i]);
        good += velocity != nullptr && velocity->x == i && boxed != nullptr && boxed->value == -i &&
                world.has<Visible>(entities[i]);
    }
    return good;
}

// Lets an error travel from the plugin into the host.
PLUGIN_EXPORT void plugin_throw(World& world, Entity e) { world.get<PluginOnly>(e).text.clear(); }

PLUGIN_EXPORT void plugin_traced(World& world, int* deaths, Entity& spawned) {
    spawned = world.spawn();
    world.emplace<Traced>(spawned, deaths);
}

// A world that is made in the plugin and used by the host.
PLUGIN_EXPORT World* plugin_make_world() {
    auto* world = new World;
    world->spawn(Position{1, 2}, Name{"made in the plugin"});
    world->set_resource(Name{"made in the plugin"});
    return world;
}

PLUGIN_EXPORT void plugin_end_world(World* world) { delete world; }

// The library of the forgetting test, in two versions: PLUGIN_VERSION decides the size of Cargo.
#include "forget.hpp"

#include <memory>
#include <optional>

using namespace forget_test;
using namespace stoa;

namespace plugin_own {

struct Cargo {
    std::string text = "a text that is long enough to be allocated";
    std::shared_ptr<int> counted = std::make_shared<int>(PLUGIN_VERSION);
    int tons[4 * PLUGIN_VERSION] = {PLUGIN_VERSION};
};

struct Marked {};

struct Wound {
    std::string text = "in a sparse set, and long enough to be allocated";
    int depth = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

struct Handle {
    int number = 0;
    static constexpr Traits stoa_traits{.cleanup = true, .name = "plugin.handle"};
};

struct Shell {
    std::string text = "recycled, and long enough to be allocated";
    void reset() noexcept { text.clear(); }
    static constexpr Traits stoa_traits{.pooled = true};
};

struct Settings {
    std::string text = "a resource, and long enough to be allocated";
};

struct Alarm {
    std::string text = "a message, and long enough to be allocated";
};

enum class Mode { calm, wild };

bool is_calm(Res<const Settings> settings) { return settings->text.empty(); }

void load(Query<Cargo, With<Marked>> loaded) {
    loaded.each([](Cargo& cargo) { ++cargo.tons[0]; });
}

void move(Query<Position> moving) {
    moving.each([](Position& position) { position.x += PLUGIN_VERSION; });
}

}  // namespace plugin_own

using namespace plugin_own;

namespace {

struct Held {
    Entity entity;
    std::optional<MessageReader<Alarm>> reader;
    std::optional<Query<Position, const Cargo>> query;
    std::optional<Query<Position, Without<Wound>>> without;
    std::optional<Query<Position, Needs<Settings>>> family;
    std::optional<Subscription> subscription;
    std::optional<Watch<Cargo>> watch;
    std::optional<Cache<Cargo>> cache;
    std::optional<HashIndex<&Handle::number>> index;
    std::optional<Prefab> prefab;
};

Held held;

void hold_value(Way way, World& world) {
    if (way == Way::value) held.entity = world.spawn(Position{}, Cargo{});
    if (way == Way::tag) held.entity = world.spawn(Marked{});
    if (way == Way::sparse_value) held.entity = world.spawn(Position{}, Wound{});
    if (way == Way::shared_value) held.entity = world.spawn(Label{"a label that is long enough to be allocated"});
    if (way == Way::shared_sparse_value) held.entity = world.spawn(Scar{"a scar that is long enough to be allocated"});
    if (way == Way::ghost) {
        held.entity = world.spawn(Position{}, Handle{1});
        world.despawn(held.entity);
    }
    if (way == Way::recycled) {
        world.despawn(world.spawn(Shell{}));
        world.spawn<Shell>();
        world.query<Shell>().despawn_all();
    }
    if (way == Way::removed_value) {
        world.keep_removed<Cargo, Wound>();
        const Entity e = world.spawn(Cargo{}, Wound{});
        world.despawn(e);
    }
    if (way == Way::resource) world.set_resource(Settings{});
    if (way == Way::message) world.send(Alarm{});
}

void hold_handle(Way way, World& world) {
    if (way == Way::reader) held.reader.emplace(world);
    if (way == Way::query) held.query.emplace(world.query<Position, const Cargo>());
    if (way == Way::query_without) held.without.emplace(world.query<Position, Without<Wound>>());
    if (way == Way::family) held.family.emplace(world.query<Position, Needs<Settings>>());
    if (way == Way::subscription) held.subscription.emplace(world.query<Cargo>().on_enter([](Entity) {}));
    if (way == Way::released_subscription) world.query<Wound>().on_enter([](Entity) {}).release();
    if (way == Way::subscription_to_host) held.subscription.emplace(world.query<Position>().on_leave([](Entity) {}));
    if (way == Way::watch) held.watch.emplace(world.query<Cargo>().watch());
    if (way == Way::cache) held.cache.emplace(world.query<Cargo>().cache());
    if (way == Way::index) held.index.emplace(world);
    if (way == Way::prefab) held.prefab.emplace(world, Cargo{});
    if (way == Way::prefab_of_host) held.prefab.emplace(world, Position{});
    if (way == Way::command) world.commands().spawn(Cargo{}, Wound{});
    if (way == Way::command_for_host) world.commands().spawn(Position{});
    if (way == Way::command_to_run) world.commands().run([](World&) {});
}

void hold_system(Way way, Schedule& schedule) {
    Phase& phase = schedule.phase("update");
    if (way == Way::system) phase.add("load", load);
    if (way == Way::system_for_host) phase.add("move", move);
    if (way == Way::system_with_resource) phase.add("set", [](Maybe<Res<Settings>>, Commands&) {});
    if (way == Way::condition) schedule.phase("hosts").add("idle", [] {}, {.when = !Condition{is_calm} || once()});
    if (way == Way::condition_of_phase)
        schedule.add_phase("plugin", {.when = Condition{"always", [] { return true; }}});
    if (way == Way::state) schedule.add_state(Mode::calm).on_enter(Mode::wild, "rage", [] {});
}

void hold(Way way, World& world, Schedule& schedule) {
    hold_value(way, world);
    hold_handle(way, world);
    hold_system(way, schedule);
}

void let_go(Way way, World& world, Schedule& schedule) {
    if (held.entity && way == Way::ghost) world.remove<Handle>(held.entity);
    world.despawn(held.entity);
    held = {};
    if (way == Way::resource) world.remove_resource<Settings>();
    world.commands().clear();
    world.end_frame();
    world.end_frame();
    Phase& phase = schedule.phase("update");
    if (way == Way::system) phase.remove("load");
    if (way == Way::system_for_host) phase.remove("move");
    if (way == Way::system_with_resource) phase.remove("set");
    if (way == Way::condition) schedule.phase("hosts").remove("idle");
    if (way == Way::condition_of_phase) schedule.remove_phase("plugin");
}

void start(World& world, Schedule& schedule) {
    schedule.phase("update").add("move", move);
    world.set_resource(Score{"set by the library, and long enough to be allocated"});
    world.send(Note{"sent by the library, and long enough to be allocated"});
}

void stop(World&, Schedule& schedule) { schedule.phase("update").remove("move"); }

bool carries(World& world) {
    const Entity e = world.spawn(Cargo{}, Position{1});
    world.set(e, Wound{});
    bool good = *world.get<Cargo>(e).counted == PLUGIN_VERSION && world.get<const Wound>(e).depth == 0;
    world.commands().set(e, Cargo{});
    world.commands().add<Marked, Shell>(e);
    world.flush();
    good &= world.has<Marked, Shell, Cargo>(e) && world.query<Cargo, Wound, Shell>().count() == 1;
    good &= world.component<Cargo>().size == sizeof(Cargo) && world.components(e).size() == 5;
    world.check();
    world.despawn(e);
    return good;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] const Functions* plugin_functions() {
    static constexpr Functions functions{PLUGIN_VERSION, hold, let_go, start, stop, sizeof(Cargo), carries};
    return &functions;
}

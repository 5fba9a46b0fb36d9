// A program without exceptions and without RTTI: uses the whole core, then checks that an error reaches the installed
// handler. The handler must not return, so it jumps back. Ends with 0 when everything holds.

#include <stoa/stoa.hpp>

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

int failures = 0;

void check(bool good, const char* what, int line) {
    if (good) return;
    ++failures;
    std::fprintf(stderr, "main.cpp:%d: failed: %s\n", line, what);
}

#define EXPECT(condition) check((condition), #condition, __LINE__)

struct Position {
    int x = 0;
    int y = 0;
};

struct Velocity {
    int x = 1;
};

struct Name {
    std::string text;
};

struct Tag {};

struct Burning {
    int heat = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Body {
    int handle = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

struct List {
    std::vector<int> items;
    void reset() noexcept { items.clear(); }
    static constexpr stoa::Traits stoa_traits{.pooled = true};
};

struct Health {
    int value = 10;
};

void spawning() {
    World world;
    const Entity empty = world.spawn();
    const Entity e = world.spawn(Position{1, 2}, Name{"e"}, Tag{});
    const Entity f = world.spawn<Position, Velocity>();
    EXPECT(world.alive(empty) && world.size() == 3);
    EXPECT(world.get<const Position>(e).y == 2);
    EXPECT(world.get<const Velocity>(f).x == 1);
    std::vector<Entity> ids(100);
    world.spawn_many(50, Position{}, Velocity{});
    world.spawn_many(std::span{ids}, Name{"many"});
    EXPECT(world.get<const Name>(ids[99]).text == "many");
    const std::vector<Position> positions(100, Position{3, 4});
    world.spawn_columns(std::span{ids}, std::span{positions});
    EXPECT(world.get<const Position>(ids[50]).x == 3);
    EXPECT(world.despawn(e) && !world.despawn(e) && !world.alive(e));
    EXPECT(world.spawn().index() == e.index());
    world.reserve(1000);
    world.reserve<Position, Velocity>(1000);
    world.check();
    world.clear();
    EXPECT(world.size() == 0);
    world.shrink_to_fit();
    world.check();
}

void components() {
    World world;
    const Entity e = world.spawn();
    EXPECT((world.add<Position, Velocity>(e)));
    EXPECT(!world.add<Position>(e));
    world.set(e, Name{"name"}, Position{5, 6});
    EXPECT(world.emplace<Health>(e, 20).value == 20);
    EXPECT(world.get_value<const Health>(e) == 20);
    EXPECT((world.has<Position, Velocity, Name>(e)));
    EXPECT((world.has_any<Burning, Name>(e)));
    EXPECT(world.find<Burning>(e) == nullptr);
    EXPECT(world.find<const Name>(e)->text == "name");
    EXPECT(world.get_unchecked<Position>(e).x == 5);
    world.emplace<Burning>(e, 7).heat += 1;
    EXPECT(world.get<const Burning>(e).heat == 8);
    EXPECT((world.remove<Velocity, Burning>(e)));
    EXPECT(world.components(e).size() == 3);
    world.entity(e).add<Tag>().set(Velocity{9}).remove<Tag>();
    EXPECT(world.entity(e).get<Velocity>().x == 9);
    const Entity twin = world.clone(e);
    EXPECT(world.get<const Name>(twin).text == "name");
    const Entity target = world.spawn(Velocity{0});
    world.copy(e, target);
    EXPECT(world.get<const Velocity>(target).x == 9);
    EXPECT(world.remove_all(e) && world.alive(e));
    world.check();
}

void commands() {
    World world;
    const Entity e = world.spawn(Position{1, 1}, Velocity{});
    stoa::Commands& later = world.commands();
    const Entity made = later.spawn(Name{"made"});
    later.set(made, Position{2, 2});
    later.remove<Velocity>(e);
    later.add<Tag, Burning>(e);
    const Entity started = later.spawn<Position>([](Position& p) { p.x = 8; });
    later.run([e](World& inside) { inside.set(e, Health{3}); });
    EXPECT(!world.alive(made));
    EXPECT(world.flush().applied == 6);
    EXPECT(world.get<const Position>(made).x == 2 && world.get<const Position>(started).x == 8);
    EXPECT((world.has<Tag, Burning, Health>(e)) && !world.has<Velocity>(e));
    {
        stoa::Commands own{world};
        own.spawn(Name{"dropped"});
    }
    later.despawn(made);
    world.end_frame();
    EXPECT(!world.alive(made));
    world.check();
}

void special_components() {
    World world;
    const Entity ghost = world.spawn(Body{4}, Position{});
    EXPECT(world.despawn(ghost) && !world.alive(ghost));
    EXPECT(world.get<const Body>(ghost).handle == 4);
    EXPECT(world.remove<Body>(ghost) && !world.has<Body>(ghost));

    const Entity first = world.spawn<List>();
    world.get<List>(first).items.assign(500, 1);
    world.despawn(first);
    const Entity second = world.spawn<List>();
    EXPECT(world.get<const List>(second).items.empty());
    EXPECT(world.get<const List>(second).items.capacity() >= 500);

    const Entity unique = world.spawn(std::make_unique<int>(3));
    world.add<Position>(unique);
    EXPECT(*world.get<std::unique_ptr<int>>(unique) == 3);
    world.check();
}

void tables_and_worlds() {
    World world;
    auto table = world.table<Velocity, Position>();
    table.reserve(10);
    table.spawn();
    table.spawn(Velocity{2}, Position{3, 4});
    table.spawn([](Entity, Velocity& v, Position& p) {
        v.x = 5;
        p.x = 6;
    });
    int sum = 0;
    table.each([&](const Velocity& v, const Position& p) { sum += v.x + p.x; });
    EXPECT(table.size() == 3 && sum == 1 + 0 + 2 + 3 + 5 + 6);
    EXPECT(world.stats().entities == 3);
    EXPECT(!world.tables().empty());
    EXPECT(world.component<Position>().size == sizeof(Position));
    World home = std::move(world);
    EXPECT(home.size() == 3 && world.size() == 0);
    EXPECT(!world.alive(Entity{}));
    home.check();
}

void resources() {
    World world;
    world.set_resource(Name{"level"});
    EXPECT(world.emplace_resource<Health>(5).value == 5);
    EXPECT((world.has_resource<Name, Health>()) && !world.has_resource<Position>());
    world.set_resource(Name{"next level"});
    EXPECT(world.resource<const Name>().text == "next level");
    EXPECT(world.find_resource<Position>() == nullptr);
    EXPECT(world.remove_resource<Health>() && !world.remove_resource<Health>());
    const World home = std::move(world);
    EXPECT(home.resource<const Name>().text == "next level");
    home.check();
}

// Where the handler jumps to, and what it saw.
std::jmp_buf resume;
int handled = 0;
Errc code{};
char text[512];

[[noreturn]] void handler(const stoa::Error& error) {
    ++handled;
    code = error.code();
    std::strncpy(text, error.what(), sizeof text - 1);
    std::longjmp(resume, 1);
}

// Only trivial objects live in this frame, so that jumping out of it is well defined.
void demand_missing(World& world, Entity e) {
    if (setjmp(resume) == 0) {
        world.get<Velocity>(e).x = 1;
        check(false, "get of a missing component did not reach the handler", __LINE__);
    }
}

void demand_dead(World& world) {
    if (setjmp(resume) == 0) {
        world.set(Entity{}, Velocity{1});
        check(false, "set of a dead entity did not reach the handler", __LINE__);
    }
}

void demand_capacity(World& world) {
    if (setjmp(resume) == 0) {
        world.spawn();
        check(false, "a spawn past the limit did not reach the handler", __LINE__);
    }
}

void demand_resource(World& world) {
    if (setjmp(resume) == 0) {
        world.resource<Velocity>().x = 1;
        check(false, "a missing resource did not reach the handler", __LINE__);
    }
}

void reactions() {
    World world;
    auto query = world.query<Position, stoa::Maybe<Burning>>();
    int inside = 0;
    stoa::Subscription in = query.on_enter([&](Entity, const Position&, const Burning*) { ++inside; });
    query.on_leave([&](const Position&, const Burning*) { --inside; }).release();
    auto watch = query.watch();
    auto cache = query.cache<Position>([](const Position& a, const Position& b) { return a.x > b.x; });
    const Entity a = world.spawn(Position{1, 0});
    const Entity b = world.spawn(Position{2, 0}, Burning{3});
    EXPECT(inside == 2 && watch.added().size() == 2);
    std::vector<Entity> order;
    cache.collect(order);
    EXPECT(order.size() == 2 && order[0] == b && order[1] == a);
    world.get<Position>(a).x = 5;
    EXPECT(watch.changed().size() == 1);
    for (const Entity first : cache) {
        EXPECT(first == a);
        break;
    }
    world.despawn(b);
    EXPECT(inside == 1 && watch.removed().size() == 1 && cache.size() == 1);
    in = stoa::Subscription{};
    world.clear();
    EXPECT(inside == 0 && cache.empty());
    world.check();
}

// Systems are found by their class, and two classes are two systems.
struct Drive {
    int runs = 0;
    void update(stoa::Query<Position>) { ++runs; }
};
struct Brake {
    int runs = 0;
    void update(stoa::Query<Position>) { runs += 2; }
};

void systems() {
    World world;
    stoa::Schedule schedule(world);
    stoa::Phase& phase = schedule.add_phase("update");
    phase.add<Drive>();
    EXPECT(phase.find_system<Brake>() == nullptr);
    phase.add<Brake>();
    schedule.update(1);
    EXPECT(phase.find_system<Drive>() != nullptr && phase.system<Drive>().runs == 1);
    EXPECT(phase.find_system<Brake>() != nullptr && phase.system<Brake>().runs == 2);
}

void errors() {
    World world{stoa::WorldOptions{.max_entities = 1}};
    const Entity e = world.spawn(Position{});
    const auto previous = stoa::set_error_handler(&handler);

    demand_missing(world, e);
    EXPECT(handled == 1 && code == Errc::missing_component);
    EXPECT(std::strstr(text, "Velocity") != nullptr && std::strstr(text, "get") != nullptr);

    demand_dead(world);
    EXPECT(handled == 2 && code == Errc::dead_entity);

    demand_capacity(world);
    EXPECT(handled == 3 && code == Errc::capacity);

    demand_resource(world);
    EXPECT(handled == 4 && code == Errc::missing_resource);
    EXPECT(std::strstr(text, "Velocity") != nullptr && std::strstr(text, "set_resource") != nullptr);

    EXPECT(stoa::set_error_handler(previous) == &handler);
    EXPECT(world.size() == 1 && world.alive(e));
    world.check();
}

}  // namespace

int main() {
    spawning();
    components();
    commands();
    special_components();
    tables_and_worlds();
    resources();
    reactions();
    systems();
    errors();
    if (failures == 0) std::puts("the core works without exceptions");
    return failures == 0 ? 0 : 1;
}

// The life of removed values: each ends exactly once and at its time, addresses stay, destructors and moves may look at
// the world, observers come before it, and a steady state takes no memory.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <stoa/stoa.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/thrown.hpp"
#include "support/components.hpp"
#include "support/fault_allocator.hpp"
#include "support/values.hpp"

using namespace stoa;
using namespace stoa_test;
using api_test::throws;

namespace {

template <class C>
void ends_once() {
    Ledger& ledger = C::ledger();
    ledger.reset();
    {
        World world;
        world.keep_removed<C>();
        std::vector<Entity> all;
        for (int i = 0; i < 1000; ++i) {
            all.push_back(world.spawn(Position{}));
            world.emplace<C>(all.back(), i);
        }
        for (std::size_t i = 0; i < 500; ++i) world.remove<C>(all[i]);
        CHECK(ledger.alive == 1000);
        for (std::size_t i = 500; i < 900; ++i) {
            world.despawn(all[i]);
            world.remove<C>(all[i]);  // of a ghost
        }
        CHECK(ledger.alive == 1000);
        for (int i = 0; i < 900; ++i) CHECK(world.find_removed<C>(all[static_cast<std::size_t>(i)])->checked() == i);
        world.end_frame();
        CHECK(ledger.alive == (traits<C>.pooled ? 1000 : 100));
        world.end_frame();
        world.clear();
        CHECK(ledger.alive == (traits<C>.pooled ? 1000 : 100));
        CHECK(world.find_removed<C>(all[999])->checked() == 999);
        world.check();
    }  // with values in the log
    CHECK(ledger.alive == 0);
    CHECK(ledger.wrong == 0);
}

// Calls what it was told when it ends, unless it has been moved away.
struct Bell {
    explicit Bell(void (*call)() = nullptr) : ring(call) {}
    Bell(Bell&& other) noexcept : ring(std::exchange(other.ring, nullptr)) {}
    Bell& operator=(Bell&& other) noexcept {
        std::swap(ring, other.ring);
        return *this;
    }
    ~Bell() {
        if (ring != nullptr) ring();
    }
    void (*ring)();
};
struct SparseBell : Bell {
    using Bell::Bell;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};

// Looks at its world when it is moved.
struct Peeking {
    int value = 0;
    static inline World* world = nullptr;
    static inline Entity entity;
    static inline int moves = 0;

    explicit Peeking(int n) : value(n) {}
    Peeking(Peeking&& other) noexcept : value(other.value) { look(); }
    Peeking& operator=(Peeking&&) = default;
    ~Peeking() = default;

    static void look() {
        if (world == nullptr) return;
        ++moves;
        const Peeking* old = world->find_removed<Peeking>(entity);
        if (old != nullptr) CHECK(old->value == 1);
        world->keep_removed<Velocity>();
        CHECK(throws(Errc::locked, [] { world->end_frame(); }));
        CHECK(throws(Errc::locked, [] { world->spawn(); }));
    }
};

World* bell_world = nullptr;
Entity bell_entity;
int rings = 0;

// In end_frame: nothing is found, the world is whole, structure is locked, and more may be kept.
void look_at_the_end() {
    ++rings;
    CHECK(bell_world->find_removed<Bell>(bell_entity) == nullptr);
    CHECK(bell_world->find_removed<SparseBell>(bell_entity) == nullptr);
    CHECK(bell_world->find_removed<Name>(bell_entity) == nullptr);
    CHECK(throws(Errc::locked, [] { bell_world->spawn(); }));
    CHECK(throws(Errc::locked, [] { bell_world->end_frame(); }));
    bell_world->keep_removed<Velocity, Burning>();
    bell_world->check();
}

// In ~World nothing is kept any more, but asking for it is harmless.
void keep_at_the_end() {
    ++rings;
    bell_world->keep_removed<Counted, SparseCounted, Position>();
    CHECK(bell_world->find_removed<Counted>(bell_entity) == nullptr);
}

}  // namespace

TEST_SUITE("the life of removed values") {
    TEST_CASE("each ends exactly once") {
        ends_once<Counted>();
        ends_once<SparseCounted>();
        ends_once<Pinned>();
        ends_once<Clumsy>();
        ends_once<PooledCounted>();
        ends_once<Tomb>();
    }

    TEST_CASE("addresses stay until the end of the frame") {
        World world;
        world.keep_removed<Name, Wide, Burning, Pinned>();
        struct Seen {
            Entity e;
            const Name* name;
            const Wide* wide;
            const Burning* burning;
            const Pinned* pinned;
        };
        std::vector<Seen> seen;
        for (int i = 1; i <= 5000; ++i) {
            const Entity e = world.spawn(make<Name>(i), make<Wide>(i), make<Burning>(i));
            world.emplace<Pinned>(e, i);
            world.despawn(e);
            seen.push_back({e, world.find_removed<Name>(e), world.find_removed<Wide>(e), world.find_removed<Burning>(e),
                            world.find_removed<Pinned>(e)});
        }
        world.shrink_to_fit();
        int i = 0;
        for (const Seen& s : seen) {
            ++i;
            CHECK(world.find_removed<Name>(s.e) == s.name);
            CHECK(world.find_removed<Pinned>(s.e) == s.pinned);
            CHECK(read(*s.name) == i);
            CHECK(read(*s.wide) == i);
            CHECK(read(*s.burning) == i);
            CHECK(s.pinned->checked() == i);
        }
        const std::size_t full = world.stats().bytes_reserved;
        world.end_frame();
        world.shrink_to_fit();
        CHECK(world.stats().bytes_reserved + 5000 * sizeof(Wide) < full);
        world.check();
    }

    TEST_CASE("a value that cannot be moved keeps its slot, and gives it back") {
        World world;
        world.keep_removed<Pinned>();
        const Entity a = world.spawn();
        const Pinned* place = &world.emplace<Pinned>(a, 1);
        world.remove<Pinned>(a);
        CHECK(world.find_removed<Pinned>(a) == place);
        world.emplace<Pinned>(a, 2);
        const Entity b = world.spawn();
        world.emplace<Pinned>(b, 3);
        CHECK(place->checked() == 1);
        CHECK(&world.get<const Pinned>(a) != place);
        CHECK(world.query<const Pinned>().count() == 2);
        world.check();
        world.despawn(a);
        world.despawn(b);
        CHECK(world.find_removed<Pinned>(a)->checked() == 2);
        CHECK(world.find_removed<Pinned>(b)->checked() == 3);
        CHECK(world.query<const Pinned>().count() == 0);
        world.check();
        world.end_frame();
        world.check();
        CHECK(&world.emplace<Pinned>(world.spawn(), 4) == place);
        world.check();
    }

    TEST_CASE("a pooled object goes to the pool when it is forgotten") {
        World world;
        world.keep_removed<Bag, Crate>();
        const Entity e = world.spawn();
        world.emplace<Bag>(e, std::vector<int>(100, 1));
        world.emplace<Crate>(e, std::vector<int>(200, 2));
        world.despawn(e);
        CHECK(world.find_removed<Bag>(e)->items.size() == 100);
        CHECK(world.find_removed<Crate>(e)->items.size() == 200);
        const Entity early = world.spawn<Bag, Crate>();
        CHECK(world.get<Bag>(early).items.capacity() == 0);
        CHECK(world.get<Crate>(early).items.capacity() == 0);
        world.end_frame();
        const Entity late = world.spawn<Bag, Crate>();
        CHECK(world.get<Bag>(late).items.empty());
        CHECK(world.get<Bag>(late).items.capacity() >= 100);
        CHECK(world.get<Crate>(late).items.capacity() >= 200);
        world.check();
    }

    TEST_CASE("a steady state takes no memory") {
        World world{WorldOptions{.keep_removed = true}};
        std::array<Entity, 300> ids;
        const auto frame = [&] {
            for (std::size_t i = 0; i < ids.size(); ++i) {
                ids[i] = world.spawn(Position{}, make<Wide>(1), Owner{}, Red{}, Burning{});
                world.emplace<Pinned>(ids[i], 2);
                world.add<Bag>(ids[i]);
            }
            for (std::size_t i = 0; i < ids.size(); i += 2) world.remove<Position, Burning>(ids[i]);
            for (std::size_t i = 0; i < ids.size(); i += 3) world.remove<Pinned>(ids[i]);
            for (const Entity e : ids) world.despawn(e);
            world.end_frame();
        };
        for (int i = 0; i < 3; ++i) frame();
        const std::uint64_t before = allocations_of_thread();
        for (int i = 0; i < 10; ++i) frame();
        CHECK(allocations_of_thread() == before);
        world.check();
    }

    TEST_CASE("few removals after many: the index forgets all the same") {
        World world;
        world.keep_removed<Position>();
        std::vector<Entity> many(4000);
        world.spawn_many(std::span{many}, Position{});
        world.query<Position>().despawn_all();
        world.end_frame();
        for (int round = 0; round < 200; ++round) {
            std::vector<Entity> few(static_cast<std::size_t>(round % 7) * 40);
            world.spawn_many(std::span{few}, Position{round, -round});
            world.query<Position>().despawn_all();
            for (const Entity e : few) CHECK(world.find_removed<Position>(e)->x == round);
            world.end_frame();
            for (const Entity e : few) CHECK(world.find_removed<Position>(e) == nullptr);
            world.check();
        }
    }

    TEST_CASE("destructors find the world whole, and the values forgotten") {
        World world;
        bell_world = &world;
        rings = 0;
        world.keep_removed<Bell, SparseBell, Name>();
        bell_entity = world.spawn(Position{}, make<Name>(1));
        world.emplace<Bell>(bell_entity, &look_at_the_end);
        world.emplace<SparseBell>(bell_entity, &look_at_the_end);
        world.remove<Bell>(bell_entity);
        world.despawn(bell_entity);
        CHECK(rings == 0);
        world.end_frame();
        CHECK(rings == 2);
        CHECK(!world.find_removed<Bell>(bell_entity));
        world.check();
    }

    TEST_CASE("moves into the log run under the lock and find what is there") {
        World world;
        world.keep_removed<Peeking>();
        const Entity e = world.spawn(Position{}, Peeking{1});
        world.spawn(Position{}, Peeking{3});
        Peeking::world = &world;
        Peeking::entity = e;
        world.remove<Peeking>(e);
        CHECK(Peeking::moves > 0);
        Peeking::world = nullptr;
        world.emplace<Peeking>(e, 2);
        Peeking::world = &world;
        world.despawn(e);  // finds the first one on the way
        Peeking::world = nullptr;
        CHECK(world.find_removed<Peeking>(e)->value == 2);
        world.check();
    }

    TEST_CASE("asking for values in the end of a world keeps none") {
        Counted::ledger().reset();
        SparseCounted::ledger().reset();
        rings = 0;
        {
            World world;
            bell_world = &world;
            bell_entity = world.spawn(Position{});
            world.emplace<Bell>(bell_entity, &keep_at_the_end);
            world.emplace<Counted>(bell_entity, 1);
            world.emplace<SparseCounted>(bell_entity, 1);
            world.emplace<SparseBell>(bell_entity, &keep_at_the_end);
            world.keep_removed<SparseBell>();
            const Entity other = world.spawn();
            world.emplace<SparseBell>(other, &keep_at_the_end);
            world.despawn(other);
        }
        CHECK(rings == 3);
        CHECK(Counted::ledger().alive == 0);
        CHECK(SparseCounted::ledger().alive == 0);
    }

    TEST_CASE("signals come first, and may still write to what goes") {
        World world;
        const auto spawn = [&] { return world.spawn(make<Position>(1), make<Name>(2)); };
        const auto check_last_words = [&](Entity e, int position, int name) {
            REQUIRE(world.find_removed<Position>(e) != nullptr);
            REQUIRE(world.find_removed<Name>(e) != nullptr);
            CHECK(read(*world.find_removed<Position>(e)) == position);
            CHECK(read(*world.find_removed<Name>(e)) == name);
            world.check();
        };
        const Entity first = spawn();
        world.keep_removed<Position, Name>();
        int calls = 0;
        auto leaving = world.query<Position, Name>().on_leave([&](Entity e, Position& position, Name& name) {
            ++calls;
            CHECK(world.find_removed<Position>(e) == nullptr);
            CHECK(world.find_removed<Name>(e) == nullptr);
            position = make<Position>(70);
            name = make<Name>(71);
        });
        world.despawn(first);
        check_last_words(first, 70, 71);
        const Entity second = spawn();
        world.remove<Position, Name>(second);
        check_last_words(second, 70, 71);
        const Entity third = spawn();
        world.clear();
        check_last_words(third, 70, 71);
        CHECK(calls == 3);
        // Without signals they are kept all the same.
        leaving = {};
        const Entity fourth = spawn();
        world.despawn(fourth);
        check_last_words(fourth, 1, 2);
        CHECK(calls == 3);
    }
}

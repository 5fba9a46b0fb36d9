// What commands carry: values of every kind are moved to their place or destroyed, once; memory is used again.
#include "../base/thrown.hpp"
#include "../support/components.hpp"
#include "../support/fault_allocator.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

using namespace stoa_test;
using api_test::throws;
using stoa::Commands;
using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct alignas(4096) Page {
    int number = 0;
};
struct alignas(256) Quarter {
    int number = 0;
};
struct Huge {
    unsigned char bytes[1 << 20] = {};
};

template <class T>
bool is_aligned(const T& value) {
    return reinterpret_cast<std::uintptr_t>(&value) % alignof(T) == 0;
}

// Records once more when it is copied or destroyed.
struct Reporting {
    Commands* later = nullptr;
    Entity target;
    bool when_copied = false;
    bool when_destroyed = false;

    Reporting() = default;
    Reporting(Commands& to, Entity e, bool copied, bool destroyed)
        : later(&to), target(e), when_copied(copied), when_destroyed(destroyed) {}
    Reporting(const Reporting& other) : later(other.later), target(other.target), when_copied(other.when_copied) {
        if (when_copied) {
            for (int i = 0; i < 300; ++i) later->set(target, Name{"while copying"});
            CHECK(throws(Errc::locked, [&] { later->flush(); }));
            CHECK(throws(Errc::locked, [&] { later->clear(); }));
        }
    }
    Reporting(Reporting&& other) noexcept
        : later(other.later),
          target(other.target),
          when_copied(other.when_copied),
          when_destroyed(std::exchange(other.when_destroyed, false)) {}
    Reporting& operator=(const Reporting&) = default;
    Reporting& operator=(Reporting&&) = default;
    ~Reporting() {
        if (when_destroyed) later->set(target, Name{"while ending"});
    }
};

// Everything that is watched, alive.
std::int64_t watched() {
    return Counted::ledger().alive + Counted2::ledger().alive + SparseCounted::ledger().alive + Clumsy::ledger().alive +
           PooledCounted::ledger().alive + Tomb::ledger().alive + Hollow::ledger().alive;
}
std::uint64_t wrong() {
    return Counted::ledger().wrong + Counted2::ledger().wrong + SparseCounted::ledger().wrong + Clumsy::ledger().wrong +
           PooledCounted::ledger().wrong + Tomb::ledger().wrong;
}

// Records one command of each way that a value can go.
void record_all(Commands& later, Entity rich, Entity dead) {
    later.set(rich, Counted{1}, Clumsy{2});  // replaced by the next
    later.set(rich, Counted{3}, SparseCounted{4}, Hollow{});
    later.set(dead, Counted{5}, SparseCounted{6}, Clumsy{7});  // skipped
    const Entity a = later.spawn(Counted{8}, Clumsy{9}, PooledCounted{10});
    later.set(a, Counted{11});
    const Entity b = later.spawn(Counted{12}, Hollow{});
    later.set(b, Counted2{13});
    later.set(b, Counted2{14});
    later.remove<Counted2>(b);
    const Entity c = later.spawn(Counted{15});
    later.set(c, Counted2{16}, Counted{17});
    later.despawn(c);
    later.run([held = Counted{18}](World&) { static_cast<void>(held); });
    later.spawn<Counted, Red>([held = Counted{19}](Counted& made) { made.value = held.checked(); });
    const Entity d = later.spawn(Tomb{20}, Counted{21});
    later.despawn(d);
    later.set(rich, PooledCounted{22});
    later.remove<PooledCounted, Counted>(rich);
    later.add<Counted, Counted2, PooledCounted>(rich);
}

}  // namespace

TEST_SUITE("command payloads") {
    TEST_CASE("values are destroyed exactly once, whether flushed, dropped, or left to a dead world") {
        const std::int64_t before = watched();
        const std::uint64_t wrong_before = wrong();
        for (int way = 0; way < 4; ++way) {
            CAPTURE(way);
            {
                auto world = std::make_unique<World>();
                const Entity rich = world->spawn(Counted{100}, Position{});
                const Entity dead = world->spawn();
                world->despawn(dead);
                Commands own{*world};
                record_all(own, rich, dead);
                if (way == 0) own.flush();
                if (way == 1) own.clear();
                if (way == 2) world.reset();
                if (way != 2) world->check();
            }
            CHECK(watched() == before);
            CHECK(wrong() == wrong_before);
        }
    }

    TEST_CASE("move-only values and callables arrive") {
        World world;
        Commands& later = world.commands();
        const Entity a = later.spawn(Owner{std::make_unique<int>(1)});
        later.set(a, Owner{std::make_unique<int>(2)});
        const Entity b = later.spawn(Position{});
        later.set(b, Owner{std::make_unique<int>(3)}, Name{"b"});
        auto four = std::make_unique<int>(4);
        const Entity c = later.spawn<Owner>([four = std::move(four)](Owner& o) mutable { o.number = std::move(four); });
        world.flush();
        CHECK(*world.get<const Owner>(a).number == 2);
        CHECK(*world.get<const Owner>(b).number == 3);
        CHECK(*world.get<const Owner>(c).number == 4);
    }

    TEST_CASE("over-aligned values and callables are aligned on their way") {
        World world;
        Commands& later = world.commands();
        std::vector<Entity> ids;
        for (int i = 0; i < 40; ++i) {
            ids.push_back(later.spawn(Page{i}, Position{i, i}, Quarter{i}));
            if (i % 3 == 0) later.set(ids.back(), Wide{i}, Quarter{i + 1});
            if (i % 5 == 0) {
                later.run([page = Page{i}, i](World&) {
                    CHECK(is_aligned(page));
                    CHECK(page.number == i);
                });
            }
        }
        world.flush();
        for (int i = 0; i < 40; ++i) {
            const Entity e = ids[static_cast<std::size_t>(i)];
            CHECK(world.get<const Page>(e).number == i);
            CHECK(is_aligned(world.get<const Page>(e)));
            CHECK(world.get<const Quarter>(e).number == (i % 3 == 0 ? i + 1 : i));
        }
        world.check();
    }

    TEST_CASE("values of a megabyte arrive, and their memory is used again") {
        World world;
        Commands& later = world.commands();
        auto huge = std::make_unique<Huge>();
        for (std::size_t i = 0; i < sizeof huge->bytes; ++i) huge->bytes[i] = static_cast<unsigned char>(i * 7);
        const Entity e = world.spawn();
        for (int round = 0; round < 5; ++round) {
            huge->bytes[0] = static_cast<unsigned char>(round);
            later.add<Red>(e);
            later.set(e, *huge);
            const Entity f = later.spawn(*huge);
            later.run([held = *huge](World&) { CHECK(held.bytes[1] == 7); });
            CHECK(world.flush().applied == 4);
            CHECK(std::memcmp(world.get<const Huge>(e).bytes, huge->bytes, sizeof huge->bytes) == 0);
            CHECK(world.get<const Huge>(f).bytes[0] == round);
            world.despawn(f);
        }
    }

    TEST_CASE("recording and flushing in a steady state allocates nothing") {
        World world;
        std::vector<Entity> ids;
        for (int i = 0; i < 2000; ++i) ids.push_back(world.spawn(Position{i, 0}, Velocity{}));
        Commands own{world};
        const auto frame = [&](Commands& later) {
            for (const Entity e : ids) {
                later.set(e, Position{1, 1}, Wide{2});
                later.add<Red>(e);
                later.remove<Wide>(e);
            }
            for (const Entity e : ids) later.remove<Red>(e);
            for (int i = 0; i < 500; ++i) later.despawn(later.spawn(Position{}, Velocity{}));
            later.flush();
        };
        for (int i = 0; i < 4; ++i) {
            frame(own);
            frame(world.commands());
        }
        const std::uint64_t before = allocations_of_thread();
        for (int i = 0; i < 4; ++i) {
            frame(own);
            frame(world.commands());
        }
        CHECK(allocations_of_thread() == before);
        world.check();
    }

    TEST_CASE("a value may record into the same buffer while it is recorded") {
        World world;
        Commands& later = world.commands();
        const Entity e = world.spawn();
        const Reporting noisy{later, e, true, false};
        const Entity made = later.spawn(noisy, Position{1, 2});
        CHECK(later.size() == 301);
        CHECK(world.flush().applied == 301);
        CHECK(world.get<const Position>(made).y == 2);
        CHECK(world.get<const Name>(e).text == "while copying");
        world.check();
    }

    TEST_CASE("a value may record into the same buffer while it is destroyed") {
        World world;
        Commands& later = world.commands();
        const Entity e = world.spawn();
        later.set(Entity{}, Reporting{later, e, false, true});
        CHECK(world.flush().skipped == 1);
        CHECK(world.get<const Name>(e).text == "while ending");
        later.set(Entity{}, Reporting{later, e, false, true});
        later.clear();
        CHECK(later.empty());
        Commands own{world};
        own.set(Entity{}, Reporting{own, e, false, true});
    }

    TEST_CASE("a value that throws while it is recorded records nothing") {
        World world;
        Commands& later = world.commands();
        const Counted a{1};
        const Counted2 b{2};
        const std::int64_t before = watched();
        for (std::uint64_t nth = 0; nth < 2; ++nth) {
            const ConstructionFaults faults{nth};
            CHECK_THROWS_AS(later.spawn(a, Name{"kept together"}, b), PlannedFault);
        }
        for (std::uint64_t nth = 0; nth < 2; ++nth) {
            const ConstructionFaults faults{nth};
            CHECK_THROWS_AS(later.set(Entity{}, a, b), PlannedFault);
        }
        CHECK(watched() == before);
        CHECK(later.empty());
        const Entity e = later.spawn(a, b);
        CHECK(e.index() == 0);
        CHECK(world.flush().applied == 1);
        world.check();
    }

    TEST_CASE("references into the world may be recorded: the value is copied at once") {
        World world;
        const Entity e = world.spawn(Name{"original"});
        world.commands().spawn(world.get<const Name>(e));
        world.get<Name>(e).text = "changed";
        const Entity made = world.commands().spawn(world.get<Name>(e));
        world.flush();
        CHECK(world.get<const Name>(made).text == "changed");
    }
}

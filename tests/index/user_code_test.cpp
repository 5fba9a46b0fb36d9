// Code of the user inside an index: hash, comparison, functions and copies of keys that throw, or look at the world and
// at the index itself; comparisons that contradict themselves; and memory that runs out at every point.
#include "support/fault_allocator.hpp"

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace stoa;

namespace {

// Every use of a key may throw; hashing and comparing also call back.
struct Key {
    int value = 0;

    Key() = default;
    explicit Key(int of) : value(of) { ++alive; }
    Key(const Key& other) : value(other.value) {
        if (armed > 0 && --armed == 0) throw 1;
        ++alive;
    }
    Key(Key&& other) noexcept : value(other.value) { ++alive; }
    Key& operator=(const Key&) = default;
    Key& operator=(Key&&) noexcept = default;
    ~Key() { --alive; }

    friend bool operator==(const Key& a, const Key& b) {
        use();
        return a.value == b.value;
    }
    friend bool operator<(const Key& a, const Key& b) {
        use();
        return a.value < b.value;
    }
    static void use() {
        if (armed > 0 && --armed == 0) throw 1;
        if (inside) inside();
    }

    static inline int armed = 0;
    static inline int alive = 0;
    static inline std::function<void()> inside;
};
struct Holder {
    Key key;
};
struct Plain {
    int level = 0;
    std::string name;
};
struct Other {};

template <class F>
Errc code_of(F&& f) {
    try {
        f();
    } catch (const Error& error) {
        return error.code();
    }
    return {};
}

}  // namespace

template <>
struct std::hash<Key> {
    std::size_t operator()(const Key& key) const {
        Key::use();
        return static_cast<std::size_t>(key.value % 5);  // keys share hashes
    }
};

namespace {

template <class Index>
void throw_everywhere() {
    World world;
    Index index{world};
    std::vector<Entity> ids;
    for (int i = 0; i < 40; ++i) ids.push_back(world.spawn(Holder{Key(i % 13)}));
    CHECK(index.count(Key(3)) == 3);
    for (int at = 1;; ++at) {
        for (std::size_t i = 0; i < ids.size(); i += 3)
            world.get<Holder>(ids[i]).key.value = (static_cast<int>(i) + at) % 17;
        if (at % 5 == 0) {
            world.despawn(ids[0]);
            ids[0] = world.spawn(Holder{Key(at % 17)});
        }
        bool thrown = false;
        Key::armed = at;
        try {
            static_cast<void>(index.count(Key(3)));
        } catch (int) {
            thrown = true;
        }
        const bool ended = Key::armed > 0;
        Key::armed = 0;
        REQUIRE(thrown == !ended);
        // Nothing is lost, and the structure is not locked.
        world.add<Other>(ids[1]);
        world.remove<Other>(ids[1]);
        for (int key = 0; key < 17; ++key) {
            std::size_t expected = 0;
            for (const Entity entity : ids) expected += world.get<const Holder>(entity).key.value == key;
            REQUIRE(index.count(Key(key)) == expected);
        }
        REQUIRE(detail::IndexAccess::field_index(index)->check() == nullptr);
        if (ended) break;
    }
}

}  // namespace

TEST_CASE("a hash, a comparison or a copy of a key that throws leaves everything whole") {
    const int alive = Key::alive;
    throw_everywhere<HashIndex<&Holder::key>>();
    throw_everywhere<OrderedIndex<&Holder::key>>();
    CHECK(Key::alive == alive);
}

namespace {

template <class Index>
void reenter() {
    World world;
    Index index{world};
    for (int i = 0; i < 20; ++i) world.spawn(Holder{Key(i)});
    const Entity victim = world.spawn(Holder{Key(99)});
    int calls = 0;
    Key::inside = [&] {
        if (++calls % 7 != 0) return;
        const auto outer = std::exchange(Key::inside, nullptr);
        CHECK(code_of([&] { world.despawn(victim); }) == Errc::locked);
        CHECK(code_of([&] { world.spawn(Holder{}); }) == Errc::locked);
        static_cast<void>(index.count(Key(4)));
        static_cast<void>(index.find(Key(77)));
        static_cast<void>(world.query<const Holder>().where(index == Key(4)).count());
        world.get<Holder>(victim).key.value += 100;  // writing is fine, and is seen next time
        Key::inside = outer;
    };
    CHECK(index.count(Key(4)) == 1);
    CHECK(index.count(Key(1)) == 1);
    CHECK(world.query<const Holder>().where(index == Key(4)).count() == 1);
    static_cast<void>(world.query<const Holder>().where(!(index == Key(4))).count());
    Key::inside = nullptr;
    CHECK(calls > 7);
    CHECK(index.count(world.get<const Holder>(victim).key) == 1);
    CHECK(index.size() == 21);
    CHECK(detail::IndexAccess::field_index(index)->check() == nullptr);
    world.despawn(victim);
    CHECK(index.size() == 20);
}

}  // namespace

TEST_CASE("a hash or a comparison that looks at the world finds it locked, and the index readable") {
    reenter<HashIndex<&Holder::key>>();
    reenter<OrderedIndex<&Holder::key>>();
}

TEST_CASE("the handle of an index may be dropped by code that runs inside it") {
    World world;
    auto* index = new OrderedIndex<&Holder::key>{world};
    for (int i = 0; i < 20; ++i) world.spawn(Holder{Key(i)});
    Key::inside = [&] {
        delete std::exchange(index, nullptr);
        Key::inside = nullptr;
    };
    index->refresh();
    CHECK(index == nullptr);
    auto* other = new HashIndex<&Holder::key>{world};
    other->each(Key(3), [&](Entity) { delete std::exchange(other, nullptr); });
    CHECK(other == nullptr);
}

namespace {

// Not an order at all.
struct Moody {
    int value = 0;
    static inline unsigned mood = 1;
    friend bool operator<(const Moody&, const Moody&) {
        mood = mood * 1664525u + 1013904223u;
        return (mood >> 16) % 3 == 0;
    }
};
struct MoodHolder {
    Moody key;
};

}  // namespace

TEST_CASE("a comparison that contradicts itself harms nothing but its own answers") {
    World world;
    OrderedIndex<&MoodHolder::key> index{world};
    std::vector<Entity> ids;
    for (int round = 0; round < 30; ++round) {
        for (int i = 0; i < 60; ++i) ids.push_back(world.spawn(MoodHolder{{i}}));
        index.refresh();
        static_cast<void>(world.query<const MoodHolder>().where(index >= Moody{3}).count());
        for (std::size_t i = 0; i < ids.size(); i += 2) world.get<MoodHolder>(ids[i]).key.value = round;
        static_cast<void>(index.count(Moody{5}));
        while (ids.size() > 200) {
            world.despawn(ids.back());
            ids.pop_back();
        }
        REQUIRE(index.size() == ids.size());
    }
    world.clear();
    CHECK(index.size() == 0);
}

namespace {

// Runs `attempt(nth)` with a fault at the n-th allocation, until it says that none was hit.
void loop(const std::function<bool(std::uint64_t)>& attempt) {
    attempt(1'000'000);  // what a process keeps for good is there from now on
    for (std::uint64_t nth = 0; nth < 3000; ++nth) {
        CAPTURE(nth);
        const std::int64_t blocks = stoa_test::live_blocks();
        const bool done = attempt(nth);
        REQUIRE(stoa_test::live_blocks() == blocks);
        if (done) return;
    }
    FAIL("the loop does not end");
}

// All of what an index does, with memory that runs out; then the same without faults must give what a scan gives.
template <class Index, class Lookup>
void fault_everywhere(stoa_test::FaultMode mode, Lookup&& lookup) {
    loop([&](std::uint64_t nth) {
        World world;
        for (int i = 0; i < 70; ++i)
            world.spawn(Plain{i % 30, "a name that is longer than a string keeps in place " + std::to_string(i % 20)});
        std::optional<Index> index;
        bool fired = false;
        const auto attempt = [&](auto&& work) {
            const stoa_test::AllocationFaults faults(nth, mode);
            try {
                work();
            } catch (const std::bad_alloc&) {
            }
            fired |= faults.fired();
        };
        attempt([&] { index.emplace(world); });
        if (!index) index.emplace(world);
        attempt([&] { index->refresh(); });
        world.query<Plain>().each([](Entity entity, Plain& plain) {
            plain.level = static_cast<int>(entity.index());
            if (entity.index() % 3 == 0) plain.name += "!";
        });
        for (int i = 0; i < 20; ++i) world.despawn(world.query<Plain>().first());
        attempt([&] { static_cast<void>(index->count(lookup.key())); });
        attempt(
            [&] { world.query<Plain>().where(*index == lookup.key(), !(*index == lookup.key())).each([](Plain&) {}); });
        for (int i = 0; i < 300; ++i)
            world.spawn(Plain{i, "another name that is longer than a string " + std::to_string(i)});
        attempt([&] {
            world.query<Plain>().where(index->in({lookup.key()}) || *index != lookup.key()).each([](Plain&) {});
        });
        attempt([&] { world.despawn(world.query<Plain>().first()); });
        lookup(world, *index);
        REQUIRE(detail::IndexAccess::field_index(*index)->check() == nullptr);
        REQUIRE(detail::IndexAccess::field_index(*index)->repairs() == 0);
        world.check();
        return !fired;
    });
}

struct ByLevel {
    static int key() { return 25; }
    template <class Index>
    void operator()(World& world, const Index& index) const {
        for (int level = 0; level < 300; level += 7) {
            std::size_t expected = 0;
            world.query<const Plain>().each([&](const Plain& plain) { expected += plain.level == level; });
            REQUIRE(index.count(level) == expected);
        }
    }
};
struct ByName {
    static const char* key() { return "a name that is longer than a string keeps in place 7"; }
    template <class Index>
    void operator()(World& world, const Index& index) const {
        for (int i = 0; i < 20; ++i) {
            const std::string name = "a name that is longer than a string keeps in place " + std::to_string(i);
            std::size_t expected = 0;
            world.query<const Plain>().each([&](const Plain& plain) { expected += plain.name == name; });
            REQUIRE(index.count(name) == expected);
        }
    }
};

}  // namespace

TEST_CASE("memory that runs out loses nothing") {
    for (const auto mode : {stoa_test::FaultMode::once, stoa_test::FaultMode::persistent}) {
        fault_everywhere<HashIndex<&Plain::level>>(mode, ByLevel{});
        fault_everywhere<OrderedIndex<&Plain::level>>(mode, ByLevel{});
        fault_everywhere<HashIndex<&Plain::name>>(mode, ByName{});
        fault_everywhere<OrderedIndex<&Plain::name>>(mode, ByName{});
    }
}

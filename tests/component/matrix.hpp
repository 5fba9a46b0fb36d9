// Every verb that a type supports, for one type: what the matrix tests run for each kind and storage. What a type
// supports is told from what the type can do, so that a verb that no longer takes it does not compile. Included by
// matrix_*_test.cpp.
#pragma once

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "component/matrix_kinds.hpp"

namespace matrix {

using stoa::Entity;
using stoa::EntityRef;
using stoa::World;

struct Beside {
    int n = 5;
};

// Says that it has threads, so that a walk is cut into pieces, and has none.
class Pieces final : public stoa::Executor {
  public:
    std::size_t threads() const noexcept override { return 2; }
    void run(Jobs& jobs) override { stoa::SerialExecutor().run(jobs); }
};

// Not a template: the macro is compiled once, and every expectation counts as an assertion.
inline void check_that(bool holds, std::string_view type, const char* what) {
    CHECK_MESSAGE(holds, std::string(type), ": ", what);
}

template <class T>
class Trial {
    static constexpr bool defaults = std::is_default_constructible_v<T>;
    static constexpr bool moves = std::is_move_constructible_v<T>;
    static constexpr bool copies = std::is_copy_constructible_v<T>;
    static constexpr bool from_int = requires(const T& value) { value.number(); };
    static constexpr bool is_tag = std::is_empty_v<T> && std::is_trivial_v<T>;
    static constexpr bool in_tables = stoa::traits<T>.storage == Storage::table;
    // What does not depend on the storage is tried in one of them.
    static constexpr bool is_first = in_tables || !std::is_nothrow_move_constructible_v<T>;

  public:
    static void run() {
        lookups();
        spawns();
        many();
        copied();
        removed();
        commands();
        signals();
        lists();
        if constexpr (is_first) resources();
        if constexpr (is_first && !is_tag) keys();
        if constexpr (!is_tag) {
            walks();
            other_terms();
            tracking();
        } else {
            tags();
        }
        if constexpr (requires { T::alive; }) expect(T::alive == 0, "as many objects end as were made");
    }

  private:
    static void expect(bool holds, const char* what) { check_that(holds, stoa::detail::type_name<T>(), what); }

    static int number(int n) { return Values<T>::read(Values<T>::make(n)); }
    static bool is(const T& value, int n) { return Values<T>::read(value) == number(n); }
    static T& emplace(World& world, Entity entity, int n) {
        if constexpr (from_int) {
            return world.emplace<T>(entity, n);
        } else {
            return world.emplace<T>(entity, Values<T>::make(n));
        }
    }
    static Entity spawn(World& world, int n) {
        if constexpr (moves) {
            return world.spawn(Values<T>::make(n));
        } else {
            const Entity entity = world.spawn();
            emplace(world, entity, n);
            return entity;
        }
    }
    // Whether the world hands out this very object for the entity.
    static bool is_of(World& world, Entity entity, const T& value) {
        return world.find<const T>(entity) == std::addressof(value);
    }

    struct Scene {
        World world;
        Entity one = spawn(world, 1);
        Entity two = spawn(world, 2);
        Entity none = world.spawn(Beside{});
        ~Scene() { world.check(); }
    };

    static void lookups() {
        Scene scene;
        World& world = scene.world;
        const World& reading = world;
        expect(is(world.get<T>(scene.one), 1) && is(reading.get<const T>(scene.two), 2), "get");
        expect(is(*world.find<T>(scene.one), 1) && reading.find<const T>(scene.none) == nullptr, "find");
        expect(is(world.get_unchecked<T>(scene.two), 2), "get_unchecked");
        expect(world.has<T>(scene.one) && !world.has<T>(scene.none), "has");
        expect(world.has_any<T, Beside>(scene.none), "has_any");
        EntityRef ref = world.entity(scene.one);
        expect(ref.has<T>() && is(ref.get<T>(), 1) && is(*ref.find<const T>(), 1), "EntityRef");
        expect(world.components(scene.one).size() == 1 && world.component<T>().alignment == alignof(T),
               "introspection");
    }

    static void spawns() {
        World world;
        const Entity entity = world.spawn(Beside{});
        expect(is_of(world, entity, emplace(world, entity, 1)), "emplace");
        expect(is(emplace(world, entity, 2), 2), "emplace over a value");
        if constexpr (moves) {
            world.set(entity, Values<T>::make(1));
            expect(is(world.get<const T>(entity), 1), "set over a value");
            const Entity other = world.spawn();
            world.set(other, Values<T>::make(2), Beside{});
            world.entity(other).set(Values<T>::make(1));
            expect(is(world.get<const T>(other), 1), "set");
        }
        if constexpr (defaults) {
            expect(world.has<T>(world.spawn<T, Beside>()), "spawn of a default");
            const Entity other = world.spawn();
            expect(world.add<T>(other) && !world.add<T>(other) && !world.add<T>(entity), "add");
            if constexpr (in_tables) {
                world.table<T, Beside>().spawn();
                if constexpr (moves) world.table<T, Beside>().spawn(Values<T>::make(2), Beside{});
                std::size_t rows = 0;
                const auto count = [&](Entity row, auto&... values) {
                    rows += world.has<T>(row) && sizeof...(values) == (is_tag ? 1 : 2);
                };
                world.table<T, Beside>().each(count);
                expect(world.table<T, Beside>().size() == rows, "the rows of a table handle");
            }
        }
        world.reserve<T>(20);
        world.add<Beside>(entity);
        world.remove<Beside>(entity);
        expect(is(world.get<const T>(entity), moves ? 1 : 2), "a value moves with its entity");
        world.check();
    }

    static void many() {
        if constexpr (copies) {
            World world;
            const T value = Values<T>::make(1);
            world.spawn_many(3, value);
            Entity ids[3];
            world.spawn_many(std::span(ids), value);
            expect(is(world.get<const T>(ids[2]), 1), "spawn_many");
            const std::array<T, 3> column{Values<T>::make(1), Values<T>::make(2), Values<T>::make(1)};
            world.spawn_columns(std::span(ids), std::span(column));
            expect(is(world.get<const T>(ids[1]), 2), "spawn_columns");
            expect(world.query<>().set_all(value) == 9, "set_all");
            expect(world.query<>().remove_all<T>() == 9, "remove_all");
            if constexpr (defaults) expect(world.query<>().add_all<T>() == 9, "add_all");
            world.check();
        }
    }

    static void copied() {
        Scene scene;
        World& world = scene.world;
        if constexpr (copies) {
            expect(is(world.get<const T>(world.clone(scene.two)), 2), "clone");
            world.copy(scene.two, scene.none);
            world.copy(scene.one, scene.two);
            expect(is(world.get<const T>(scene.none), 2) && is(world.get<const T>(scene.two), 1), "copy");
            const stoa::Prefab prefab(world, Values<T>::make(2), Beside{});
            prefab.prewarm(4);
            expect(is(world.get<const T>(prefab.spawn()), 2), "a prefab");
            expect(is(world.get<const T>(prefab.spawn(Values<T>::make(1))), 1), "a prefab with another value");
            prefab.spawn_many(2);
        } else {
            bool refused = false;
            try {
                world.clone(scene.two);
            } catch (const stoa::Error& error) {
                refused = error.code() == stoa::Errc::not_copyable;
            }
            expect(refused, "clone of what cannot be copied");
        }
    }

    static void removed() {
        Scene scene;
        World& world = scene.world;
        world.keep_removed<T>();
        expect(world.remove<T>(scene.one) && !world.remove<T>(scene.one), "remove");
        expect(is(*world.find_removed<T>(scene.one), 1), "find_removed");
        world.despawn(scene.two);
        expect(is(*world.find_removed<T>(scene.two), 2), "find_removed after despawn");
        world.end_frame();
        expect(world.find_removed<T>(scene.one) == nullptr, "end_frame");
        spawn(world, 1);
        world.clear();
        expect(world.size() == 0, "clear");
        spawn(world, 1);
    }

    static void commands() {
        Scene scene;
        World& world = scene.world;
        stoa::Commands& later = world.commands();
        if constexpr (moves) {
            const Entity spawned = later.spawn(Values<T>::make(1), Beside{});
            later.set(scene.one, Values<T>::make(2));
            later.set(scene.none, Values<T>::make(1));
            world.flush();
            expect(is(world.get<const T>(spawned), 1), "a recorded spawn");
            expect(is(world.get<const T>(scene.one), 2) && is(world.get<const T>(scene.none), 1), "a recorded set");
            later.spawn(Values<T>::make(1));
            later.clear();
        }
        if constexpr (defaults) {
            later.add<T>(scene.none);
            later.spawn<T>();
            world.flush();
            expect(world.has<T>(scene.none), "a recorded add");
        }
        later.remove<T>(scene.one);
        later.despawn(scene.two);
        world.flush();
        expect(!world.has<T>(scene.one) && !world.alive(scene.two), "a recorded removal");
    }

    static void signals() {
        Scene scene;
        World& world = scene.world;
        int entered = 0;
        int left = 0;
        const auto query = world.query<T>();
        stoa::Subscription enter;
        stoa::Subscription leave;
        if constexpr (is_tag) {
            enter = query.on_enter([&](Entity entity) { entered += world.has<T>(entity); });
            leave = query.on_leave([&](Entity entity) { left += world.has<T>(entity); });
        } else {
            enter = query.on_enter(
                [&](Entity entity, const T& value) { entered += is(value, 1) && is_of(world, entity, value); });
            leave = query.on_leave([&](T& value) { left += is(value, 1); });
        }
        const Entity entity = spawn(world, 1);
        expect(entered == 1, "on_enter");
        world.remove<T>(entity);
        world.despawn(scene.one);
        expect(left == 2, "on_leave");
    }

    static void lists() {
        Scene scene;
        World& world = scene.world;
        auto watch = world.query<T>().watch();
        const auto cache = world.query<T>().cache();
        const Entity entity = spawn(world, 1);
        static_cast<void>(world.get<T>(scene.one));
        world.remove<T>(scene.two);
        expect(watch.added().size() == 1 && watch.removed().size() == 1, "watch");
        expect(watch.changed().size() == (is_tag ? 0 : 1), "the changes of a watch");
        expect(is(*world.find_removed<T>(scene.two), 2), "find_removed for a watch");
        std::size_t rows = 0;
        for (const Entity match : cache) rows += match == entity || match == scene.one;
        expect(rows == 2 && cache.size() == 2, "cache");
    }

    static void keys() {
        Scene scene;
        World& world = scene.world;
        const auto sorted = world.query<const T>().template cache<T>(
            [](const T& a, const T& b) { return Values<T>::read(b) < Values<T>::read(a); });
        int first = -2;
        sorted.each_until([&](const T& value) { return first = Values<T>::read(value), true; });
        expect(first == number(2), "a sorted cache");
        stoa::HashIndex<&Values<T>::read, T> index(world);
        expect(index.count(number(1)) != 0 && index.count(number(2)) != 0, "an index");
    }

    static void resources() {
        World world;
        if constexpr (from_int) {
            expect(is(world.emplace_resource<T>(1), 1), "emplace_resource");
        } else {
            world.set_resource(Values<T>::make(1));
        }
        expect(is(world.resource<const T>(), 1) && world.has_resource<T>(), "resource");
        if constexpr (moves) {
            world.set_resource(Values<T>::make(2));
            expect(is(*world.find_resource<T>(), 2), "set_resource");
        }
        expect(world.remove_resource<T>() && world.find_resource<const T>() == nullptr, "remove_resource");
        if constexpr (from_int) world.emplace_resource<T>(1);
    }

    static void tags() {
        Scene scene;
        World& world = scene.world;
        std::size_t rows = 0;
        world.query<T>().each([&] { ++rows; });
        for (auto [entity] : world.query<T, stoa::Changed<T>>()) rows += world.has<T>(entity);
        world.query<stoa::Maybe<T>>().each([&](const T* tag) { rows += tag != nullptr; });
        expect(rows == 6, "walks over a tag");
    }

    static void walks() {
        Scene scene;
        World& world = scene.world;
        const auto query = world.query<T>();
        std::size_t rows = 0;
        const auto visit = [&](Entity entity, T& value) { rows += is_of(world, entity, value); };
        query.each(visit);
        query.reversed().each(visit);
        expect(rows == 4, "each");
        for (auto [entity, value] : query) rows += is_of(world, entity, value);
        expect(rows == 6, "range-for");
        expect(query.fetch(scene.two, visit) && rows == 7, "fetch");
        expect(query.each_until([&](T& value) { return is(value, 2); }), "each_until");
        Pieces pieces;
        query.par_each(pieces, visit);
        stoa::SerialExecutor serial;
        query.par_each(serial, visit);
        expect(rows == 11, "par_each");
        if constexpr (in_tables) {
            query.each_table([&](stoa::TableRows& table) { visit(table.entity(0), table.get<T>(0)); });
            expect(rows == 12, "each_table");
        }
    }

    static void other_terms() {
        Scene scene;
        World& world = scene.world;
        std::size_t rows = 0;
        const auto count = [&](std::span<const Entity> ids, auto values) {
            for (std::size_t i = 0; i < values.size(); ++i) rows += is_of(world, ids[i], values[i]);
        };
        world.query<T>().each_chunk(count);
        world.query<stoa::Maybe<T>>().each_chunk(count);
        expect(rows == 4, "each_chunk");
        world.query<const T>().each([&](Entity entity, const T& value) { rows += is_of(world, entity, value); });
        expect(rows == 6, "a const term");
        world.query<stoa::Maybe<T>>().each(
            [&](Entity entity, T* value) { rows += value == world.find<const T>(entity); });
        expect(rows == 9, "Maybe");
        world.query<stoa::Mut<T>>().each([&](Entity entity, stoa::Mut<T> value) {
            rows += is_of(world, entity, *value) && is_of(world, entity, value.write()) &&
                    value.operator->() == std::addressof(*value);
        });
        expect(rows == 11, "Mut");
    }

    static void tracking() {
        Scene scene;
        World& world = scene.world;
        std::size_t rows = 0;
        const auto changed = world.query<const T, stoa::Changed<T>>();
        const auto count = [&](const T& value) { rows += is(value, 1) || is(value, 2); };
        changed.each(count);
        expect(rows == 2, "Changed sees everything first");
        static_cast<void>(world.get<T>(scene.two));
        changed.each(count);
        expect(rows == 3, "Changed");
        const auto added = world.query<T, stoa::Added<T>>();
        for (auto [entity, value] : added) rows += is_of(world, entity, value);
        spawn(world, 1);
        for (auto [entity, value] : added) rows += is_of(world, entity, value);
        expect(rows == 6, "Added");
    }
};

// Runs the kinds in both storages. A kind that tables do not take is tried sparse alone, and says `void` where it has
// no twin.
template <template <Storage> class... Kinds>
void try_kinds() {
    const auto run = []<class T>(std::type_identity<T>) {
        if constexpr (!std::is_void_v<T>) {
            if constexpr (stoa::traits<T>.storage == Storage::sparse || std::is_nothrow_move_constructible_v<T>)
                Trial<T>::run();
        }
    };
    (run(std::type_identity<Kinds<Storage::table>>{}), ...);
    (run(std::type_identity<Kinds<Storage::sparse>>{}), ...);
}

}  // namespace matrix

// The verbs of one set of components, written once for any list of types. Called by the files that list the sets.
#pragma once

#include "combos.hpp"

#include "../support/values.hpp"

#include <cstdint>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace stoa_test {

template <class... Cs>
struct ComboVerbs {
    using Order = std::index_sequence_for<Cs...>;
    static constexpr bool movable = (std::is_move_constructible_v<Cs> && ...);
    static constexpr bool copyable = (std::is_copy_constructible_v<Cs> && ...);
    static constexpr bool in_tables = ((stoa::traits<Cs>.storage == stoa::Storage::table) && ...);
    static constexpr bool tags = (std::is_empty_v<Cs> || ...);

    static stoa::Entity spawn_defaults(stoa::World& world) { return world.spawn<Cs...>(); }

    static stoa::Entity spawn_values(stoa::World& world, const Numbers& numbers) {
        return with(numbers, [&](auto&&... values) { return world.spawn(std::move(values)...); });
    }

    static void spawn_many(stoa::World& world, std::size_t count, const Numbers& numbers) {
        with(numbers, [&](auto&&... values) { world.spawn_many(count, values...); });
    }

    static void spawn_many_ids(stoa::World& world, std::span<stoa::Entity> ids, const Numbers& numbers) {
        with(numbers, [&](auto&&... values) { world.spawn_many(ids, values...); });
    }

    static void spawn_columns(stoa::World& world, std::span<stoa::Entity> ids, std::span<const Numbers> rows) {
        std::tuple<std::vector<Cs>...> columns;
        fill(columns, rows, Order{});
        std::apply([&](auto&... column) { world.spawn_columns(ids, std::span{column}...); }, columns);
        // The columns are the caller's: they must be left as they were.
        std::tuple<std::vector<Cs>...> again;
        fill(again, rows, Order{});
        if (!same(columns, again, Order{})) {
            throw std::runtime_error("spawn_columns changed the values it was given");
        }
    }

    static bool add(stoa::World& world, stoa::Entity entity) { return world.add<Cs...>(entity); }

    static bool add_values(stoa::World& world, stoa::Entity entity, const Numbers& numbers) {
        return with(numbers, [&](auto&&... values) { return world.add(entity, std::move(values)...); });
    }

    static void set(stoa::World& world, stoa::Entity entity, const Numbers& numbers) {
        with(numbers, [&](auto&&... values) { world.set(entity, std::move(values)...); });
    }

    static bool remove(stoa::World& world, stoa::Entity entity) { return world.remove<Cs...>(entity); }
    static bool has(stoa::World& world, stoa::Entity entity) { return world.has<Cs...>(entity); }
    static bool has_any(stoa::World& world, stoa::Entity entity) { return world.has_any<Cs...>(entity); }
    static void reserve(stoa::World& world, std::size_t count) { world.reserve<Cs...>(count); }

    static stoa::Entity table_spawn(stoa::World& world, TableSpawn how, const Numbers& numbers) {
        auto table = world.table<Cs...>();
        if (how == TableSpawn::values) {
            return with(numbers, [&](auto&&... values) { return table.spawn(std::move(values)...); });
        }
        if constexpr (!tags) {
            stoa::Entity inside;
            if (how == TableSpawn::callable) {
                return table.spawn([&](Cs&... values) { assign(numbers, Order{}, values...); });
            }
            if (how == TableSpawn::callable_with_entity) {
                const stoa::Entity made = table.spawn([&](stoa::Entity self, Cs&... values) {
                    inside = self;
                    assign(numbers, Order{}, values...);
                });
                return made == inside ? made : stoa::Entity{};
            }
        }
        return table.spawn();
    }

    static std::size_t table_size(stoa::World& world) { return world.table<Cs...>().size(); }
    static void table_reserve(stoa::World& world, std::size_t count) { world.table<Cs...>().reserve(count); }

    static Combo combo() {
        Combo made;
        made.mask = ((KindMask{1} << kind_of<Cs>) | ...);
        made.kinds = {kind_of<Cs>...};
        made.spawn_defaults = &spawn_defaults;
        made.add = &add;
        made.remove = &remove;
        made.has = &has;
        made.has_any = &has_any;
        made.reserve = &reserve;
        if constexpr (movable) {
            made.spawn_values = &spawn_values;
            made.set = &set;
            made.add_values = &add_values;
        }
        if constexpr (copyable) {
            made.spawn_many = &spawn_many;
            made.spawn_many_ids = &spawn_many_ids;
            made.spawn_columns = &spawn_columns;
        }
        if constexpr (in_tables && movable) {
            made.table_spawn = &table_spawn;
            made.table_size = &table_size;
            made.table_reserve = &table_reserve;
        }
        return made;
    }

  private:
    // Calls `use` with one value per component, each carrying its number.
    template <class Use>
    static decltype(auto) with(const Numbers& numbers, Use&& use) {
        return with(numbers, use, Order{});
    }
    template <class Use, std::size_t... I>
    static decltype(auto) with(const Numbers& numbers, Use& use, std::index_sequence<I...>) {
        std::tuple<Cs...> values{make<Cs>(numbers[I])...};
        return use(std::get<I>(values)...);
    }

    template <std::size_t... I>
    static void assign(const Numbers& numbers, std::index_sequence<I...>, Cs&... values) {
        (write(values, numbers[I]), ...);
    }

    template <std::size_t... I>
    static void fill(std::tuple<std::vector<Cs>...>& columns, std::span<const Numbers> rows,
                     std::index_sequence<I...>) {
        (std::get<I>(columns).reserve(rows.size()), ...);
        for (const Numbers& row : rows) {
            (std::get<I>(columns).push_back(make<Cs>(row[I])), ...);
        }
    }

    template <std::size_t... I>
    static bool same(const std::tuple<std::vector<Cs>...>& a, const std::tuple<std::vector<Cs>...>& b,
                     std::index_sequence<I...>) {
        return (same_column(std::get<I>(a), std::get<I>(b)) && ...);
    }
    template <class C>
    static bool same_column(const std::vector<C>& a, const std::vector<C>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) {
            if (read(a[i]) != read(b[i])) {
                return false;
            }
        }
        return a.size() == b.size();
    }
};

template <class A, class B>
bool replace_first(stoa::World& world, stoa::Entity entity, const Numbers& numbers) {
    return world.replace<A>(entity, make<B>(numbers[1]));
}

template <class A, class B, class C>
void chain_edits(stoa::World& world, stoa::Entity entity, const Numbers& numbers) {
    stoa::EntityRef ref = world.entity(entity);
    ref.template add<A>().set(make<B>(numbers[1])).template remove<C>();
}

}  // namespace stoa_test

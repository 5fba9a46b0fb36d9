// Initializers: callables that get a reference to each component of a row that is being built, optionally preceded by
// an Entity or an EntityRef. Tags are not passed. Used by table handles and by commands.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/types.hpp"
#include "stoa/detail/query/calls.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/spawn_parts.hpp"
#include "stoa/detail/storage/verbs.hpp"

namespace stoa::detail {

// Those of Ts that have data: tags are passed to no callback.
template <class Chosen, class... Ts>
struct DataTypes {
    using type = Chosen;
};
template <class... Chosen, class T, class... Ts>
struct DataTypes<Types<Chosen...>, T, Ts...>
    : DataTypes<std::conditional_t<is_tag<T>, Types<Chosen...>, Types<Chosen..., T>>, Ts...> {};

template <class F, class... Ts>
consteval bool accepts(Types<Ts...>) {
    return takes<F, Ts&...>;
}

// `cells` has one address for each of Ts, tags included.
template <class... Ts, class F>
void call_initializer(F& f, Store& store, Entity entity, void* const* cells) {
    // The i-th type with data is in the i-th cell that is not a tag's.
    void* data[sizeof...(Ts) + 1] = {};
    [[maybe_unused]] std::size_t from = 0;
    [[maybe_unused]] std::size_t to = 0;
    ((is_tag<Ts> ? void() : void(data[to++] = cells[from]), ++from), ...);
    const auto pass = [&]<class... Ds, std::size_t... Is>(Types<Ds...>, std::index_sequence<Is...>) {
        static_assert(WantedSignature<void(Ds & ...), F>::fits);
        call(f, store, entity, *column<Ds>(static_cast<std::byte*>(data[Is]), 0)...);
    };
    using Data = typename DataTypes<Types<>, Ts...>::type;
    pass(Data{}, std::make_index_sequence<sizeof...(Ts) - (std::size_t{0} + ... + (is_tag<Ts> ? 1 : 0))>{});
}

// Calls an initializer of Ts, whose cells come first.
template <class F, class... Ts>
class CalledInitializer final : public Initializer {
  public:
    CalledInitializer(Store& store, F& f) : store_(store), f_(f) {}

    void operator()(Entity entity, std::span<RowPart> parts) override {
        void* cells[sizeof...(Ts) + 1] = {};
        for (std::size_t i = 0; i < sizeof...(Ts); ++i) cells[i] = parts[i].cell;
        call_initializer<Ts...>(f_, store_, entity, cells);
    }

  private:
    Store& store_;
    F& f_;
};

// Spawns an entity with default-constructed Ts and More, as spawn_initialized does.
template <class... Ts, class... More, class F>
Entity spawn_initialized_with(Store& store, F& f, Types<More...>) {
    RowPart parts[] = {RowPart::constructed(type_handle<Ts>)..., RowPart::constructed(type_handle<More>)...};
    CalledInitializer<F, Ts...> initialize(store, f);
    return spawn_parts(store, TypeListOf<Ts..., More...>::list, parts, initialize);
}

// Spawns an entity with default-constructed Ts, and calls f for it before any lookup finds it. Ds are those of Ts that
// have data. Throws what World::spawn and f throw; then nothing was spawned.
template <class... Ts, class F, class... Ds>
Entity spawn_initialized(Store& store, F& f, Types<Ds...>) {
    static_assert((is_default_built<Ts>() && ...));
    static_assert(WantedSignature<void(Ds & ...), F>::fits);
    if constexpr (requires_more<Ts...>) return spawn_initialized_with<Ts...>(store, f, RequiredBy<Ts...>{});
    Table& table = store.prepare_spawn(TypeListOf<Ts...>::list);
    RowPart parts[] = {new_part<Ts>(store, table)..., {}};
    RowDraft draft(store, table, {parts, sizeof...(Ts)});
    // Reserved, because the initializer sees the id and may itself reserve ids.
    const Entity entity = draft.reserve_id();
    build_parts<Ts...>(store, draft, default_for<Ts>()...);
    {
        const Store::SharedLock lock(store);
        call(f, store, entity,
             value_at<Ds>(table.tail_base(), store.column_of<Ds>(table.map()).offset, table.tail_rows())...);
    }
    draft.commit();
    return entity;
}

}  // namespace stoa::detail

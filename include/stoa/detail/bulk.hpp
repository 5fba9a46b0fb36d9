// Spawning many entities at once, typed: columns are filled one after the other behind the last row of a table, then all
// rows get their ids together. Called by World.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/verbs.hpp"

namespace stoa::detail {

// The same value for every entity.
template <class T>
struct Repeated {
    static_assert(std::is_copy_constructible_v<T>,
                  "spawn_many gives each entity a copy, so its values must be copyable: spawn others one by one");
    T value;

    const T& operator[](std::size_t) const { return value; }
};

// One value an entity, from an array. Values that lie in storage that is about to grow are copied out first.
template <class T>
class Listed {
    static_assert(std::is_copy_constructible_v<T>,
                  "spawn_columns copies from its columns, so their values must be copyable: spawn others one by one");

  public:
    explicit Listed(std::span<const T> values) : values_(values.data()) {}

    void keep(std::size_t count) {
        kept_.reserve(count);
        for (std::size_t i = 0; i < count; ++i) kept_.push_back({values_[i]});
    }
    const T& operator[](std::size_t i) const { return kept_.empty() ? values_[i] : kept_[i].value; }
    const T* contiguous() const { return kept_.empty() ? values_ : nullptr; }
    const void* data() const { return values_; }

  private:
    struct Kept {
        T value;
    };
    const T* values_;
    std::vector<Kept> kept_;
};

// Fills one column of a bulk, and empties it again unless told to keep.
template <class T>
class Filling {
  public:
    Filling(Store& store, const Bulk& bulk) : store_(store), bulk_(bulk) {}
    Filling(const Filling&) = delete;
    Filling& operator=(const Filling&) = delete;
    ~Filling() {
        if constexpr (!is_tag<T> && !std::is_trivially_destructible_v<T>) {
            if (!kept_) each_cell(built_, [](void* cell, std::size_t) { static_cast<T*>(cell)->~T(); });
        }
    }

    template <class Source>
    void fill(const Source& from) {
        if constexpr (!is_tag<T>) {
            if constexpr (!is_sparse<T> && is_trivial<T> && requires { from.contiguous(); }) {
                if (const T* values = from.contiguous()) {
                    each_run(bulk_.count, [&](const Run& run, std::size_t done) {
                        std::memcpy(cell<T>(run.base, offset(), run.row), values + done, sizeof(T) * run.count);
                    });
                    built_ = bulk_.count;
                    return;
                }
            }
            each_cell(bulk_.count, [&](void* cell, std::size_t i) {
                if constexpr (requires { from.build(store_, cell); }) {
                    from.build(store_, cell);
                } else {
                    ::new (cell) T(from[i]);
                }
                ++built_;
            });
        }
    }
    void keep() { kept_ = true; }

  private:
    std::uint32_t offset() const { return store_.column_of<T>(bulk_.table->map()).offset; }

    template <class Visit>
    void each_run(std::uint64_t count, Visit&& visit) const {
        for (std::uint64_t done = 0; done < count;) {
            Run run = store_.run_of(bulk_, done);
            if (run.count > count - done) run.count = static_cast<std::uint32_t>(count - done);
            visit(run, done);
            done += run.count;
        }
    }
    template <class Visit>
    void each_cell(std::uint64_t count, Visit&& visit) const {
        if constexpr (is_sparse<T>) {
            SparseSet& set = sparse_set_of<T>(store_);
            std::uint32_t slot = set.first_free();
            for (std::size_t i = 0; i < count; ++i, slot = set.next_free(slot)) visit(set.value(slot), i);
        } else {
            each_run(count, [&](const Run& run, std::size_t done) {
                auto* cells = static_cast<std::byte*>(cell<T>(run.base, offset(), run.row));
                for (std::size_t i = 0; i < run.count; ++i) visit(cells + i * sizeof(T), done + i);
            });
        }
    }

    Store& store_;
    const Bulk& bulk_;
    std::uint64_t built_ = 0;
    bool kept_ = false;
};

template <class T>
void link_bulk(Store& store, const Bulk& bulk) {
    if constexpr (is_sparse<T>) {
        for (std::uint64_t done = 0; done < bulk.count;) {
            const Run run = store.run_of(bulk, done);
            for (std::uint32_t i = 0; i < run.count; ++i) {
                store.insert_sparse(sparse_set_of<T>(store), entities(run.base)[run.row + i]);
            }
            done += run.count;
        }
    }
}

template <class T>
void prepare_bulk(Store& store, std::uint64_t count) {
    if constexpr (is_sparse<T>) store.prepare_sparse_many(sparse_set_of<T>(store), count);
}

// Spawns `count` entities; component T of entity i is built from the T's source at i. Writes ids to `out` unless null.
template <class... Ts, class... Sources>
void spawn_bulk(Store& store, std::uint64_t count, Entity* out, const Sources&... from) {
    static_assert(are_components<Ts...>());
    const Bulk bulk = store.begin_bulk(TypeListOf<Ts...>::list, count);
    (prepare_bulk<Ts>(store, count), ...);
    const auto fill_all = [&](Filling<Ts>&&... columns) {
        [[maybe_unused]] const LockIf<!(is_trivial<Ts> && ...)> lock(store);
        (columns.fill(from), ...);
        // A copy constructor may have reserved ids.
        if constexpr (!(is_trivial<Ts> && ...)) {
            store.ready_ids(count);
            (prepare_bulk<Ts>(store, count), ...);
        }
        (columns.keep(), ...);
    };
    fill_all(Filling<Ts>(store, bulk)...);
    store.commit_bulk(bulk, out);
    (link_bulk<Ts>(store, bulk), ...);
    if (bulk.table->watched != 0) store.tell_spawns(bulk);
}

}  // namespace stoa::detail

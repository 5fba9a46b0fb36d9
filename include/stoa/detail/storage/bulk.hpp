// Spawning many entities at once, typed: columns are filled one after the other behind the last row of a table, then
// all rows get their ids together. Called by World.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "stoa/detail/storage/verbs.hpp"

namespace stoa::detail {

// The same value for every entity.
template <class T>
struct Repeated {
    static_assert(std::is_copy_constructible_v<T>,
                  "spawn_many gives each entity a copy, so its values must be copyable: spawn others one by one");
    T value;

    const T& operator[](std::size_t) const { return value; }
};

// A default-constructed value for every entity.
template <class T>
struct Defaulted {
    void build(Store& store, void* cell) const { build_value<T>(store, cell, Default{}); }
};

// Whether filling a column of T runs no user code.
template <class T, class Source>
inline constexpr bool fills_quietly = is_trivial<T>;
template <class T>
inline constexpr bool fills_quietly<T, Defaulted<T>> = builds_quietly<T, Default>();

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

// One column of rows under construction.
struct BulkColumn {
    const ComponentType* type = nullptr;
    SparseSet* set = nullptr;  // null for a component in a table
    std::uint32_t offset = 0;
    std::uint64_t built = 0;  // values, in order of rows
};

// Many rows under construction: a RowDraft for a whole bulk. Columns are filled one after the other.
class STOA_API BulkDraft {
  public:
    // Makes room for `count` rows with the components of `list`, one for each of `columns`. Throws Errc::locked,
    // Errc::capacity, std::bad_alloc.
    BulkDraft(Store& store, TypeList& list, std::uint64_t count, std::span<BulkColumn> columns);
    BulkDraft(const BulkDraft&) = delete;
    BulkDraft& operator=(const BulkDraft&) = delete;
    ~BulkDraft() {
        if (!committed_) undo();
    }

    // Component T of row i is built from the source at i.
    template <class T, class Source>
    void fill(std::size_t at, const Source& from) {
        if constexpr (!is_tag<T>) {
            BulkColumn& column = columns_[at];
            // No cell can overlap a copy of a plain source, so its value stays in a register.
            std::conditional_t<std::is_trivially_copyable_v<Source>, const Source, const Source&> source = from;
            if constexpr (!is_sparse<T> && is_trivial<T> && requires { from.contiguous(); }) {
                if (const T* values = from.contiguous()) {
                    each_piece(bulk_.count, [&](const BulkPiece& piece, std::size_t done) {
                        std::memcpy(cell<T>(piece.base, column.offset, piece.row), values + done,
                                    sizeof(T) * piece.count);
                    });
                    return;
                }
            }
            each_cell(column, sizeof(T), bulk_.count, [&](void* cell, std::size_t i) {
                if constexpr (requires { source.build(store_, cell); }) {
                    source.build(store_, cell);
                } else {
                    detail::build<T>(cell, source[i]);
                }
                ++column.built;
            });
        }
    }
    // Makes sure that there are ids for all, after user code may have reserved some. Throws as the constructor.
    void prepare_ids();
    // Makes entities of the rows, writes their ids to `out` unless null, and notifies observers. Throws what a callback
    // throws; the entities stay.
    void commit(Entity* out);

  private:
    template <class Visit>
    void each_piece(std::uint64_t count, Visit&& visit) const {
        for (std::uint64_t done = 0; done < count;) {
            BulkPiece piece = bulk_.piece(store_.chunks(), done);
            if (piece.count > count - done) piece.count = static_cast<std::uint32_t>(count - done);
            visit(piece, done);
            done += piece.count;
        }
    }
    template <class Visit>
    void each_cell(const BulkColumn& column, std::size_t size, std::uint64_t count, Visit&& visit) const {
        if (column.set != nullptr) {
            SparseSlot slot = column.set->next_free_slot();
            for (std::size_t i = 0; i < count; ++i, slot = column.set->free_slot_after(slot))
                visit(column.set->value(slot), i);
            return;
        }
        each_piece(count, [&](const BulkPiece& piece, std::size_t done) {
            std::byte* const cells = piece.base + column.offset + piece.row * size;
            for (std::size_t i = 0; i < piece.count; ++i) visit(cells + i * size, done + i);
        });
    }
    void commit_rows(Entity* out) noexcept;
    void undo() noexcept;

    Store& store_;
    std::span<BulkColumn> columns_;
    Bulk bulk_;
    bool committed_ = false;
};

template <class... Ts, class... More, class... Sources>
void spawn_bulk_with(Store& store, std::uint64_t count, Entity* out, Types<More...>, const Sources&... from);

// Spawns `count` entities; component T of entity i is built from the T's source at i. Writes ids to `out` unless null.
template <class... Ts, class... Sources>
void spawn_bulk(Store& store, std::uint64_t count, Entity* out, const Sources&... from) {
    static_assert(are_components<Ts...>());
    if constexpr (requires_more<Ts...>) return spawn_bulk_with<Ts...>(store, count, out, RequiredBy<Ts...>{}, from...);
    BulkColumn columns[sizeof...(Ts) + 1] = {};
    BulkDraft draft(store, TypeListOf<Ts...>::list, count, {columns, sizeof...(Ts)});
    constexpr bool quiet = (fills_quietly<Ts, Sources> && ...);
    {
        [[maybe_unused]] const LockIf<!quiet> lock(store);
        [[maybe_unused]] std::size_t at = 0;
        (draft.fill<Ts>(at++, from), ...);
    }
    // A copy constructor may have reserved ids.
    if constexpr (!quiet) draft.prepare_ids();
    draft.commit(out);
}

// The same with required components.
template <class... Ts, class... More, class... Sources>
void spawn_bulk_with(Store& store, std::uint64_t count, Entity* out, Types<More...>, const Sources&... from) {
    spawn_bulk<Ts..., More...>(store, count, out, from..., Defaulted<More>{}...);
}

// What World::spawn_columns accepts: spans are columns, any other value is the same for all entities.
template <class V>
inline constexpr bool is_span = false;
template <class T, std::size_t Extent>
inline constexpr bool is_span<std::span<T, Extent>> = true;
template <class V>
inline constexpr bool is_vector = false;
template <class T, class Allocator>
inline constexpr bool is_vector<std::vector<T, Allocator>> = true;

template <class V>
std::size_t length_of(const V& column, [[maybe_unused]] std::size_t otherwise) {
    static_assert(!is_vector<V>,
                  "spawn_columns: give a std::span over the vector for a value an entity; a component that holds a "
                  "vector needs a type of its own");
    if constexpr (is_span<V>) {
        return column.size();
    } else {
        return otherwise;
    }
}

template <class V>
auto column_from(Store& store, V&& column) {
    using Value = std::remove_cvref_t<V>;
    if constexpr (is_span<Value>) {
        using T = std::remove_const_t<typename Value::element_type>;
        return Listed<T>(std::span<const T>(column));
    } else {
        return Repeated<Value>{taken<V>(store, std::forward<V>(column))};
    }
}

// Copies out values that are in the table that is about to grow.
template <class T>
void keep_values(const Table& table, Listed<T>& column, std::size_t count) {
    if (table.may_move(column.data())) column.keep(count);
}
template <class T>
void keep_values(const Table&, const Repeated<T>&, std::size_t) {}

template <template <class> class... Columns, class... Ts>
void spawn_columns(Store& store, std::span<Entity> ids, Columns<Ts>... columns) {
    static_assert(are_components<Ts...>());
    store.require_unlocked("spawn_columns");
    const Table& table = store.table_of(FullListOf<Ts...>::list);
    (keep_values(table, columns, ids.size()), ...);
    spawn_bulk<Ts...>(store, ids.size(), ids.data(), columns...);
}

}  // namespace stoa::detail

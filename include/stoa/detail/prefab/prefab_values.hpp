// The values of a prefab, shared by the copies of a handle. PrefabValues knows their types; a handle refers to the base
// class. Invariant: the values never change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/storage/bulk.hpp"
#include "stoa/detail/storage/type_user.hpp"
#include "stoa/detail/storage/verbs.hpp"

namespace stoa::detail {

class STOA_API PrefabBase : public RefCounted<PrefabBase>, TypeUser {
  public:
    explicit PrefabBase(Store& store) noexcept : TypeUser(store.link()) {}
    virtual ~PrefabBase() = default;

    // Throws Errc::world_gone.
    Store& store() const {
        Store* store = find_store();
        if (store == nullptr) [[unlikely]]
            fail_gone();
        return *store;
    }

    virtual Entity spawn(Store& store) const = 0;
    // Spawns with the given values, which replace stored values of the same type or are added.
    virtual Entity spawn_given(TypeList& list, std::span<const RowPart> given) const = 0;
    virtual void spawn_many(Store& store, std::uint64_t count, Entity* out) const = 0;
    virtual TypeList& list() const = 0;
    virtual std::size_t size() const = 0;
    virtual void parts(RowPart* out) const = 0;

    void prewarm(std::uint64_t count) const;

  protected:
    // The general case: each value is one part.
    Entity spawn_parts(TypeList& list, std::span<const RowPart> overrides) const;

  private:
    void name_uses(const LibraryTypes& types, UsesLeft& uses) const override;
    [[noreturn]] static void fail_gone();
};

// Throws Errc::world_gone.
[[noreturn]] STOA_API void fail_prefab_moved();

// Copies a value; for a pooled component into a recycled object if there is one, which keeps its capacity.
// Safe: a part names this function beside a value of T, and take_pooled leaves a T in the cell.
template <class T>
void build_copy(Store& store, void* cell, void* value) {
    const T& from = *object_at<T>(value);
    if constexpr (traits<T>.pooled && std::is_copy_assignable_v<T>) {
        if (take_pooled(store, store.id_of<T>(), cell)) {
            T* const object = object_at<T>(cell);
            ScopeGuard destroy([object]() noexcept { object->~T(); });
            *object = from;
            destroy.dismiss();
            return;
        }
    }
    build_value<T>(store, cell, from);
}

// The same value for each entity of spawn_bulk.
template <class T>
struct Borrowed {
    const T& value;

    const T& operator[](std::size_t) const { return value; }
    void build(Store& store, void* cell) const
        requires(traits<T>.pooled)
    {
        // Safe: build_copy only reads the value.
        build_copy<T>(store, cell, const_cast<T*>(detail::address_of(value)));
    }
};

template <class T>
struct PrefabValue {
    T value;
};

template <class... Ts>
class PrefabValues final : public PrefabBase, PrefabValue<Ts>... {
    static constexpr bool pools = (traits<Ts>.pooled || ...);
    static constexpr bool is_bytes = !pools && (is_trivial<Ts> && ...);

  public:
    template <class... Vs>
    explicit PrefabValues(Store& store, Vs&&... values)
        : PrefabBase(store), PrefabValue<Ts>{Ts(std::forward<Vs>(values))}... {}

    Entity spawn(Store& store) const override {
        if constexpr (pools) {
            return spawn_parts(TypeListOf<>::list, {});
        } else {
            return detail::spawn<Ts...>(store, value<Ts>()...);
        }
    }
    Entity spawn_given(TypeList& list, std::span<const RowPart> given) const override {
        if constexpr (is_bytes) {
            // A given value that is not found here is an additional component, or its type comes from another shared
            // library.
            const std::size_t own = (std::size_t{0} + ... + (find<Ts>(given) != nullptr ? 1 : 0));
            if (own == given.size()) [[likely]]
                return detail::spawn<Ts...>(store(), value_among<Ts>(given)...);
        }
        return spawn_parts(list, given);
    }
    void spawn_many(Store& store, std::uint64_t count, Entity* out) const override {
        spawn_bulk<Ts...>(store, count, out, Borrowed<Ts>{value<Ts>()}...);
    }
    TypeList& list() const override { return FullListOf<Ts...>::list; }
    std::size_t size() const override { return FullListOf<Ts...>::list.count; }
    void parts([[maybe_unused]] RowPart* out) const override {
        // Safe: build_copy only reads the values.
        ((*out++ =
              RowPart::built_by(&build_copy<Ts>, type_handle<Ts>, const_cast<Ts*>(detail::address_of(value<Ts>())))),
         ...);
        add_constructed(RequiredBy<Ts...>{}, out);
    }

  private:
    template <class... More>
    static void add_constructed(Types<More...>, [[maybe_unused]] RowPart* out) {
        ((*out++ = RowPart::constructed(type_handle<More>)), ...);
    }
    template <class T>
    static const T* find(std::span<const RowPart> given) {
        for (const RowPart& part : given) {
            // Safe: the handle is that of the type of the value.
            if (part.handle == &type_handle<T>) return object_at<T>(part.value);
        }
        return nullptr;
    }
    template <class T>
    const T& value_among(std::span<const RowPart> given) const {
        const T* found = find<T>(given);
        return found != nullptr ? *found : value<T>();
    }
    template <class T>
    const T& value() const {
        return static_cast<const PrefabValue<T>&>(*this).value;
    }
};

}  // namespace stoa::detail

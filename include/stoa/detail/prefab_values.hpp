// The values of a prefab: typed where they are kept and copied, known to the handle by a base class. Shared by the copies of a
// handle, and never changed. Called by Prefab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "stoa/detail/bulk.hpp"
#include "stoa/detail/verbs.hpp"

namespace stoa::detail {

class STOA_API PrefabBase {
  public:
    explicit PrefabBase(Store& store) noexcept : link_(&store.link()) { link_->hold(); }
    PrefabBase(const PrefabBase&) = delete;
    PrefabBase& operator=(const PrefabBase&) = delete;
    virtual ~PrefabBase() { link_->drop(); }

    void hold() noexcept { __atomic_fetch_add(&holders_, 1, __ATOMIC_RELAXED); }
    void drop() noexcept {
        if (__atomic_sub_fetch(&holders_, 1, __ATOMIC_ACQ_REL) == 0) delete this;
    }

    // Throws Errc::world_gone.
    Store& store() const {
        Store* store = link_->store();
        if (store == nullptr) [[unlikely]] fail_gone();
        return *store;
    }

    virtual Entity spawn(Store& store) const = 0;
    // With these values instead of some, or beside them.
    virtual Entity spawn_given(TypeList& list, std::span<const SpawnPart> given) const = 0;
    virtual void spawn_many(Store& store, std::uint64_t count, Entity* out) const = 0;
    virtual TypeList& list() const = 0;
    virtual std::size_t size() const = 0;
    virtual void parts(SpawnPart* out) const = 0;

    void prewarm(std::uint64_t count) const;

  protected:
    // The way that works for all types: part by part.
    Entity spawn_parts(TypeList& list, std::span<const SpawnPart> overrides) const;

  private:
    [[noreturn]] static void fail_gone();

    StoreLink* link_;
    std::uint32_t holders_ = 1;
};

// Throws Errc::world_gone.
[[noreturn]] STOA_API void fail_prefab_moved();

// A copy of a value; of a pooled component in a recycled object where there is one, which keeps its capacity.
template <class T>
void build_copy(Store& store, void* cell, const void* value) {
    const T& from = *static_cast<const T*>(value);
    if constexpr (traits<T>.pooled && std::is_copy_assignable_v<T>) {
        if (store.take_pooled(store.id_of<T>(), cell)) {
            struct Guard {
                T* object;
                ~Guard() {
                    if (object != nullptr) object->~T();
                }
            } guard{static_cast<T*>(cell)};
            *guard.object = from;
            guard.object = nullptr;
            return;
        }
    }
    build_value<T>(store, cell, from);
}

// The value that a caller gave; it is moved from.
template <class T>
void build_given(Store& store, void* cell, const void* value) {
    // Safe: the library passes values of its own that are not const.
    build_value<T>(store, cell, std::move(*static_cast<T*>(const_cast<void*>(value))));
}

// The same value for every entity of a bulk.
template <class T>
struct Borrowed {
    const T& value;

    const T& operator[](std::size_t) const { return value; }
    void build(Store& store, void* cell) const
        requires(traits<T>.pooled)
    {
        build_copy<T>(store, cell, detail::address_of(value));
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
    explicit PrefabValues(Store& store, Vs&&... values) : PrefabBase(store), PrefabValue<Ts>{Ts(std::forward<Vs>(values))}... {}

    Entity spawn(Store& store) const override {
        if constexpr (pools) {
            return spawn_parts(TypeListOf<>::list, {});
        } else {
            return detail::spawn<Ts...>(store, value<Ts>()...);
        }
    }
    Entity spawn_given(TypeList& list, std::span<const SpawnPart> given) const override {
        if constexpr (is_bytes) {
            // A part that is not found here is a further component, or comes from another shared library.
            const std::size_t own = (std::size_t{0} + ... + (find<Ts>(given) != nullptr ? 1 : 0));
            if (own == given.size()) [[likely]] return detail::spawn<Ts...>(store(), value_among<Ts>(given)...);
        }
        return spawn_parts(list, given);
    }
    void spawn_many(Store& store, std::uint64_t count, Entity* out) const override {
        spawn_bulk<Ts...>(store, count, out, Borrowed<Ts>{value<Ts>()}...);
    }
    TypeList& list() const override { return TypeListOf<Ts...>::list; }
    std::size_t size() const override { return sizeof...(Ts); }
    void parts([[maybe_unused]] SpawnPart* out) const override {
        ((*out++ = {&type_slot<Ts>, detail::address_of(value<Ts>()), &build_copy<Ts>}), ...);
    }

  private:
    template <class T>
    static const T* find(std::span<const SpawnPart> given) {
        for (const SpawnPart& part : given) {
            if (part.slot == &type_slot<T>) return static_cast<const T*>(part.value);
        }
        return nullptr;
    }
    template <class T>
    const T& value_among(std::span<const SpawnPart> given) const {
        const T* found = find<T>(given);
        return found != nullptr ? *found : value<T>();
    }
    template <class T>
    const T& value() const {
        return static_cast<const PrefabValue<T>&>(*this).value;
    }
};

}  // namespace stoa::detail

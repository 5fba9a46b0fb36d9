// How typed calls find the id of a component type, and the number of a list of types, without hashing: there is one
// `TypeHandle` for each type and one `TypeList` for each list, and both cache the answer.
//
// Invariant: once a CachedNumber is set, it changes only when the registry forgets its type.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/component.hpp"
#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/component/required.hpp"

namespace stoa::detail {

class Registry;

// A number and the registry that gave it, in one word. Any thread can read it without ordering, and one subtraction
// both checks the registry and yields the number. Zero until the first use.
class CachedNumber {
  public:
    static constexpr std::uint32_t bits = 16;
    static constexpr std::uint64_t limit = std::uint64_t{1} << bits;

    // Pointers have at most 48 significant bits, so a registry and a number fit.
    static std::uint64_t key(const Registry* registry) { return reinterpret_cast<std::uintptr_t>(registry) << bits; }

    // Returns: the number in the registry with this key, or at least `limit` when the number is of another registry.
    std::uint64_t in(std::uint64_t registry_key) const { return read() - registry_key; }
    bool is_set() const { return read() != 0; }
    void set(std::uint64_t registry_key, std::uint64_t number) {
        __atomic_store_n(&word_, registry_key + number, __ATOMIC_RELAXED);
    }
    void reset() { __atomic_store_n(&word_, std::uint64_t{0}, __ATOMIC_RELAXED); }

  private:
    std::uint64_t read() const { return __atomic_load_n(&word_, __ATOMIC_RELAXED); }

    std::uint64_t word_ = 0;
};

// The id of a component type, for typed calls.
struct TypeHandle {
    const ComponentType* type;
    CachedNumber cached_number;
};

template <class T>
inline constinit TypeHandle type_handle{&component_type<T>, {}};

// Finds or makes the id of the type in `registry`. Throws std::bad_alloc. Threads: safe.
STOA_API ComponentId resolve(Registry& registry, TypeHandle& handle);

// The same for questions: returns an id of no component when there is no memory. Declared pure, since callers cannot
// observe its effect; so compilers keep values in registers across calls.
[[gnu::pure]] STOA_API ComponentId resolve_or_none(Registry& registry, TypeHandle& handle) noexcept;

// The number of a type list in a registry.
enum class ListNumber : std::uint32_t {};

constexpr std::uint32_t index_of(ListNumber number) { return static_cast<std::uint32_t>(number); }

// A type list: component types in the order of one call, such as the values of a spawn. Its number is dense within a
// registry, so that a world can store data about lists in an array.
struct TypeList {
    TypeHandle* const* types;
    std::uint32_t count;
    bool has_table;
    bool has_sparse;
    CachedNumber cached_number;
};

// Finds or makes the number of a type list or of the terms of a query in `registry`. Threads: safe.
[[gnu::pure]] STOA_API std::uint32_t resolve(Registry& registry, CachedNumber& cached_number);

template <class... Ts>
struct TypeListOf {
    static constexpr TypeHandle* types[sizeof...(Ts) + 1] = {&type_handle<Ts>..., nullptr};
    static inline constinit TypeList list{types, sizeof...(Ts), (!is_sparse<Ts> || ...), (is_sparse<Ts> || ...), {}};
};

// The list of Ts and of the types in `More`.
template <class More, class... Ts>
struct JoinedListOf;
template <class... More, class... Ts>
struct JoinedListOf<Types<More...>, Ts...> : TypeListOf<Ts..., More...> {};

// The list of Ts and of all that they require.
template <class... Ts>
using FullListOf = JoinedListOf<RequiredBy<Ts...>, Ts...>;

template <class T>
struct RequiredHandles : JoinedListOf<RequiredBy<T>> {};

}  // namespace stoa::detail

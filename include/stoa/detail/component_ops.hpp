// Component types become bytes here. `ComponentType` is the record that the compiled core works with: sizes, traits and
// a handful of function pointers; `component_type<T>` fills it in for T. `TypeSlot` and `TypeList` are the per-type
// statics through which typed calls find their id, and their table, without hashing.
//
// Invariant: once the ticket of a slot is set, it never changes again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>
#if defined(__cpp_rtti)
#include <typeinfo>
#endif

#include "stoa/component.hpp"
#include "stoa/detail/config.hpp"
#include "stoa/detail/type_name.hpp"

namespace stoa::detail {

inline constexpr std::size_t max_alignment = 4096;

// What tells a type from all others, across shared libraries too.
struct TypeIdentity {
    std::string_view type_name;
    const void* anchor;      // an address of its own for each type, which all files of a program or library agree on
    const void* module;      // an address of its own for each program or shared library
    const void* type_info;   // std::type_info of the type, or null where there is no RTTI
    std::uint32_t size;      // of a component: 0 for tags
    std::uint32_t alignment;
};

// Whether they describe the same type, also where two shared libraries have made them.
STOA_API bool is_same_type(const TypeIdentity& a, const TypeIdentity& b);

// A null function pointer means: `relocate` is memcpy (if the type is relocatable), `destroy` is nothing, `construct`,
// `copy` and `reset` do not exist.
struct ComponentType : TypeIdentity {
    Traits traits;
    bool relocatable;        // can be moved without a throw; always so in tables
    void (*construct)(void* to);
    void (*copy)(void* to, const void* from);
    void (*relocate)(void* to, void* from, std::size_t count) noexcept;  // moves there, destroys here
    void (*destroy)(void* at, std::size_t count) noexcept;
    void (*reset)(void* at) noexcept;

    bool is_sparse() const { return traits.storage == Storage::sparse; }
    std::string_view name() const { return traits.name.empty() ? type_name : traits.name; }
};

// The address of an object of the user, whatever its operator& does. Of its own, because std::addressof is in <memory>.
template <class T>
[[gnu::always_inline]] constexpr T* address_of(T& value) noexcept {
    return __builtin_addressof(value);
}

// A trivial empty type is a tag: it has no state and no code to run, so nothing is stored.
template <class T>
inline constexpr bool is_tag = std::is_empty_v<T> && std::is_trivially_default_constructible_v<T> &&
                               std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;

template <class T>
inline constexpr bool is_sparse = traits<T>.storage == Storage::sparse;

// Bytes may simply be copied to a new place, and no code of the user runs.
template <class T>
inline constexpr bool is_trivial = std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;

// True when making a T from Args runs no code of the user.
template <class T, class... Args>
inline constexpr bool builds_trivially = std::is_trivially_constructible_v<T, Args...> && std::is_trivially_destructible_v<T>;

// What stands for something else and is no value of its own: views into a world, each of which says so where it is
// defined, and references.
template <class T>
inline constexpr bool is_handle = !std::is_same_v<std::unwrap_reference_t<T>, T>;

template <class T>
concept IsComplete = requires { sizeof(T); };

template <class T>
consteval bool is_component() {
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
                  "a component is a plain object type, without const, reference or array");
    static_assert(!std::is_object_v<T> || std::is_array_v<T> || IsComplete<T>,
                  "a component is a complete type here: include the header that defines it");
    static_assert(
        !is_handle<T>,
        "a handle of the library or a std::reference_wrapper is no component: give the value itself, or an Entity");
    if constexpr (std::is_object_v<T> && !std::is_array_v<T> && IsComplete<T>) {
        static_assert(alignof(T) <= max_alignment, "a component may be aligned to at most 4096 bytes");
        static_assert(is_sparse<T> || (std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>),
                      "a component stored in tables must be nothrow move-constructible and nothrow destructible; "
                      "use Storage::sparse for other types");
        if constexpr (traits<T>.pooled) {
            static_assert(requires(T& value) { { value.reset() } noexcept; },
                          "a pooled component needs a member `void reset() noexcept`");
            static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                          "a pooled component must be nothrow move-constructible: it moves between the pool and the world");
        }
    }
    return true;
}

// Builds a T at `at`: from parentheses where they fit, else as an aggregate.
// Safe: callers pass storage of the size and alignment of T that holds no object.
template <class T, class... Args>
T* build(void* at, Args&&... args) {
    if constexpr (std::is_constructible_v<T, Args...>) {
        return ::new (at) T(std::forward<Args>(args)...);
    } else {
        static_assert(requires { T{std::forward<Args>(args)...}; }, "the component cannot be built from these arguments");
        return ::new (at) T{std::forward<Args>(args)...};
    }
}

// Safe: the storage functions below are only ever handed storage of their own T, alive or raw as their names say.
template <class T>
struct Operations {
    static void construct(void* to) { ::new (to) T(); }
    static void copy(void* to, const void* from) { ::new (to) T(*static_cast<const T*>(from)); }
    static void destroy(void* at, std::size_t count) noexcept {
        for (T *value = static_cast<T*>(at), *end = value + count; value != end; ++value) value->~T();
    }
    static void relocate(void* to, void* from, std::size_t count) noexcept {
        T* source = static_cast<T*>(from);
        for (T *target = static_cast<T*>(to), *end = target + count; target != end; ++target, ++source) {
            ::new (static_cast<void*>(target)) T(std::move(*source));
            source->~T();
        }
    }
    static void reset(void* at) noexcept { static_cast<T*>(at)->reset(); }
};

// One address per program or shared library: hidden, so that the dynamic linker never merges two of them.
#if defined(__GNUC__)
[[gnu::visibility("hidden")]]
#endif
inline constinit char module_anchor = 0;

// One address per type within a program or shared library: the linker merges those of equal types, and only those.
template <class T>
inline constinit char type_anchor = 0;

template <class T>
consteval TypeIdentity identify(std::size_t size) {
    TypeIdentity type{};
    type.type_name = type_name<T>();
    type.anchor = &type_anchor<T>;
    type.module = &module_anchor;
#if defined(__cpp_rtti)
    type.type_info = &typeid(T);
#endif
    type.size = static_cast<std::uint32_t>(size);
    type.alignment = static_cast<std::uint32_t>(alignof(T));
    return type;
}

template <class T>
consteval ComponentType describe() {
    ComponentType type{};
    static_cast<TypeIdentity&>(type) = identify<T>(is_tag<T> ? 0 : sizeof(T));
    type.traits = traits<T>;
    type.relocatable = std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>;
    if constexpr (is_tag<T>) {
        type.traits.pooled = false;  // there is nothing to recycle
        return type;
    }
    if constexpr (std::is_default_constructible_v<T>) type.construct = &Operations<T>::construct;
    if constexpr (std::is_copy_constructible_v<T>) type.copy = &Operations<T>::copy;
    if constexpr (std::is_nothrow_move_constructible_v<T> && !is_trivial<T>) type.relocate = &Operations<T>::relocate;
    if constexpr (!std::is_trivially_destructible_v<T>) type.destroy = &Operations<T>::destroy;
    if constexpr (traits<T>.pooled) type.reset = &Operations<T>::reset;
    return type;
}

template <class T>
inline constexpr ComponentType component_type = describe<T>();

class Registry;

// A number together with the registry that gave it, in one word: it can be read from any thread without ordering, and one
// subtraction both checks the owner and yields the number. Zero until the first use.
class Ticket {
  public:
    static constexpr std::uint32_t bits = 16;
    static constexpr std::uint64_t limit = std::uint64_t{1} << bits;

    // Pointers have at most 48 significant bits, so a registry and a number fit.
    static std::uint64_t key(const Registry* registry) { return reinterpret_cast<std::uintptr_t>(registry) << bits; }

    // The number in the registry with this key; `limit` or more when the ticket is not one of that registry.
    std::uint64_t number(std::uint64_t registry_key) const { return read() - registry_key; }
    bool is_set() const { return read() != 0; }
    void set(std::uint64_t registry_key, std::uint64_t number) { __atomic_store_n(&word_, registry_key + number, __ATOMIC_RELAXED); }

  private:
    std::uint64_t read() const { return __atomic_load_n(&word_, __ATOMIC_RELAXED); }

    std::uint64_t word_ = 0;
};

// Where a type keeps the id it has in a registry.
struct TypeSlot {
    const ComponentType* type;
    Ticket ticket;
};

template <class T>
inline constinit TypeSlot type_slot{&component_type<T>, {}};

// Finds or makes the id of the slot's type in `registry`. Threads: safe. Throws std::bad_alloc.
STOA_API ComponentId resolve(Registry& registry, TypeSlot& slot);

// The same for questions: an id that stands for no component when there is no memory. Pure in effect, and saying so lets
// loops keep what they have in registers.
[[gnu::pure]] STOA_API ComponentId resolve_or_none(Registry& registry, TypeSlot& slot) noexcept;

// A list of component types in the order of one call, such as the values of a spawn. The number is dense within a
// registry, so that a world can keep what it knows about the list in an array.
struct TypeList {
    TypeSlot* const* types;
    std::uint32_t count;
    bool has_table;
    bool has_sparse;
    Ticket ticket;
};

// Finds or makes a number in `registry` for what `ticket` belongs to: a type list, or the terms of a query. Threads: safe.
[[gnu::pure]] STOA_API std::uint32_t resolve(Registry& registry, Ticket& ticket);

template <class... Ts>
struct TypeListOf {
    static constexpr TypeSlot* types[sizeof...(Ts) + 1] = {&type_slot<Ts>..., nullptr};
    static inline constinit TypeList list{types, sizeof...(Ts), (!is_sparse<Ts> || ...), (is_sparse<Ts> || ...), {}};
};

template <class T, class... Ts>
inline constexpr int count_of = (0 + ... + (std::is_same_v<T, Ts> ? 1 : 0));

// Checks a list of component types as named in one call.
template <class... Ts>
consteval bool are_components() {
    static_assert((is_component<Ts>() && ...));
    static_assert(((count_of<Ts, Ts...> == 1) && ...), "a component type is named twice in this call");
    return true;
}

// Checks the argument of a call that takes values: arrays and functions would silently become pointers.
template <class V>
consteval bool is_value() {
    static_assert(!std::is_array_v<std::remove_reference_t<V>> && !std::is_function_v<std::remove_reference_t<V>>,
                  "a component is a plain object type, without const, reference or array");
    return true;
}

template <class T>
consteval bool is_default_built() {
    static_assert(std::is_default_constructible_v<T>, "a component that is default-constructed here has no default constructor");
    return true;
}

}  // namespace stoa::detail

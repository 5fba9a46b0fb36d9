// Component types as data. `ComponentType` is the description that the compiled core works with: sizes, traits and a
// few function pointers; `component_type<T>` is that of T. The rest are checks that typed calls apply to component
// types.
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
#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/type_name.hpp"

namespace stoa::detail {

inline constexpr std::size_t max_alignment = 4096;

// What identifies a type, also across shared libraries.
struct TypeIdentity {
    std::string_view type_name;
    const void* anchor;     // one address for each type in a program or shared library
    const void* module;     // one address for each program or shared library
    const void* type_info;  // std::type_info of the type, or null where there is no RTTI
    std::uint32_t size;     // of a component: 0 for tags
    std::uint32_t alignment;
};

// Returns: whether they describe the same type, also when they are from two shared libraries.
STOA_API bool is_same_type(const TypeIdentity& a, const TypeIdentity& b);

struct TypeHandle;

// A null function pointer means: `relocate` is memcpy (if the type is relocatable), `destroy` is nothing, `construct`,
// `copy` and `reset` do not exist.
struct ComponentType : TypeIdentity {
    Traits traits;
    bool relocatable;  // can be moved without a throw; always so in tables
    void (*construct)(void* to);
    void (*copy)(void* to, const void* from);
    void (*relocate)(void* to, void* from, std::size_t count) noexcept;
    void (*destroy)(void* at, std::size_t count) noexcept;
    void (*reset)(void* at) noexcept;
    TypeHandle* const* required;  // the types that it requires, directly or through others; null at the end, or at all

    bool is_sparse() const { return traits.storage == Storage::sparse; }
    // Whether values are plain bytes: copying the bytes relocates them, and destroying them does nothing.
    bool is_bytes() const { return relocate == nullptr && destroy == nullptr && !traits.pooled; }

    // Relocates `count` values to raw storage; `from` is raw storage then. Requires: relocatable; the ranges do not
    // overlap.
    void relocate_values(void* to, void* from, std::size_t count = 1) const noexcept {
        if (relocate != nullptr) {
            relocate(to, from, count);
        } else if (size != 0) {
            __builtin_memcpy(to, from, count * size);
        }
    }
    // Destroys `count` values; `at` is raw storage then.
    void destroy_values(void* at, std::size_t count = 1) const noexcept {
        if (destroy != nullptr) destroy(at, count);
    }
    std::string_view name() const { return traits.name.empty() ? type_name : traits.name; }
};

// The address of an object whose type may overload operator&. Not std::addressof, because that is in <memory>.
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

// Values are plain bytes: copying the bytes relocates them, and no user code runs.
template <class T>
inline constexpr bool is_trivial = std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>;

// Whether constructing a T from Args runs no user code.
template <class T, class... Args>
inline constexpr bool builds_trivially =
    std::is_trivially_constructible_v<T, Args...> && std::is_trivially_destructible_v<T>;

// Whether T refers to something else and is no value itself: views into a world, which specialise this where they are
// defined, and std::reference_wrapper.
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
            static_assert(
                requires(T& value) {
                    { value.reset() } noexcept;
                }, "a pooled component needs a member `void reset() noexcept`");
            static_assert(
                std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>,
                "a pooled component must be nothrow move-constructible: it moves between the pool and the world");
        }
    }
    return true;
}

// Constructs a T at `at`: with parentheses where that is possible, else as an aggregate.
// Safe: callers pass storage of the size and alignment of T that holds no object.
template <class T, class... Args>
[[gnu::always_inline]] inline T* build(void* at, Args&&... args) {
    if constexpr (std::is_constructible_v<T, Args...>) {
        return ::new (at) T(std::forward<Args>(args)...);
    } else {
        static_assert(
            requires { T{std::forward<Args>(args)...}; }, "the component cannot be built from these arguments");
        return ::new (at) T{std::forward<Args>(args)...};
    }
}

// The T that lives at an address. Safe: every caller says why it is a T; `tools/check.py doors` asks for that.
template <class T>
[[gnu::always_inline]] inline T* object_at(void* at) noexcept {
    return static_cast<T*>(at);
}
template <class T>
[[gnu::always_inline]] inline const T* object_at(const void* at) noexcept {
    return static_cast<const T*>(at);  // Safe: as above
}

// The functions of a ComponentType.
// Safe: callers pass storage for values of T; parameter names say whether it holds values or is raw.
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

// One address for each program or shared library. It is hidden, so that the dynamic linker never merges two of them.
#if defined(__GNUC__)
[[gnu::visibility("hidden")]]
#endif
inline constinit char module_anchor = 0;

// One address for each type within a program or shared library: the linker merges those of equal types, and only those.
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

// The handles of the types that T requires; defined beside TypeHandle.
template <class T>
struct RequiredHandles;

template <class T>
consteval ComponentType describe() {
    ComponentType type{};
    static_cast<TypeIdentity&>(type) = identify<T>(is_tag<T> ? 0 : sizeof(T));
    type.traits = traits<T>;
    type.relocatable = std::is_nothrow_move_constructible_v<T> && std::is_nothrow_destructible_v<T>;
    if constexpr (NamesRequired<T>) type.required = RequiredHandles<T>::types;
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

template <class T, class... Ts>
inline constexpr int count_of = (0 + ... + (std::is_same_v<T, Ts> ? 1 : 0));

// Checks a list of component types as named in one call.
template <class... Ts>
consteval bool are_components() {
    static_assert((is_component<Ts>() && ...));
    static_assert(((count_of<Ts, Ts...> == 1) && ...), "a component type is named twice in this call");
    return true;
}

// Checks an argument of a call that takes values: arrays and functions would become pointers.
template <class V>
consteval bool is_value() {
    static_assert(!std::is_array_v<std::remove_reference_t<V>> && !std::is_function_v<std::remove_reference_t<V>>,
                  "a component is a plain object type, without const, reference or array");
    return true;
}

template <class T>
consteval bool is_default_built() {
    static_assert(std::is_default_constructible_v<T>,
                  "a component that is default-constructed here has no default constructor");
    return true;
}

}  // namespace stoa::detail

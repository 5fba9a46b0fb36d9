// Building components in places that a store has handed out: from values or by default, under the lock where code of the
// user runs, and undone when a later one throws. Called by the verbs.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "stoa/detail/store.hpp"

namespace stoa::detail {

// Stands for a value that is to be default-constructed.
struct Default {};

// The same object once for each type of a pack.
template <class>
constexpr Default& repeated(Default& value) {
    return value;
}

// Builds one component in raw storage. Nothing is stored for a tag.
template <class T, class V>
void build_value(Store& store, void* at, V&& from) {
    if constexpr (is_tag<T>) {
        static_cast<void>(from);
    } else if constexpr (std::is_same_v<std::remove_cvref_t<V>, Default>) {
        if constexpr (traits<T>.pooled) {
            if (store.take_pooled(store.id_of<T>(), at)) return;
        }
        ::new (at) T();
    } else {
        ::new (at) T(std::forward<V>(from));
    }
}

template <class T, class V>
consteval bool builds_quietly() {
    if constexpr (is_tag<T>) return true;
    if constexpr (std::is_same_v<std::remove_cvref_t<V>, Default>) return builds_trivially<T> && !traits<T>.pooled;
    return builds_trivially<T, V>;
}

template <class T, class V>
consteval bool builds_nothrow() {
    if constexpr (is_tag<T>) return true;
    if constexpr (std::is_same_v<std::remove_cvref_t<V>, Default>) return std::is_nothrow_default_constructible_v<T>;
    return std::is_nothrow_constructible_v<T, V>;
}

// Keeps the structure locked while code of the user may run; nothing otherwise.
template <bool Needed>
struct LockIf {
    explicit LockIf(Store&) {}
};
template <>
struct LockIf<true> : Store::Lock {
    using Store::Lock::Lock;
};

// Destroys the values that were built, in case a later one throws.
template <class... Ts>
struct Unwind {
    void* cells[sizeof...(Ts) + 1] = {};
    std::size_t built = 0;

    Unwind() = default;
    Unwind(const Unwind&) = delete;
    Unwind& operator=(const Unwind&) = delete;
    ~Unwind() {
        [[maybe_unused]] std::size_t at = 0;
        ((at < built ? end<Ts>(cells[at]) : void(), ++at), ...);
    }

  private:
    template <class T>
    static void end(void* cell) {
        if constexpr (!is_tag<T> && !std::is_trivially_destructible_v<T>) {
            if (cell != nullptr) static_cast<T*>(cell)->~T();
        }
    }
};

// Nothing to do when the values have been built.
struct NoCheck {
    void operator()() const noexcept {}
};

// Builds the values in their cells; a null cell is passed over. Where code of the user runs, `check` runs after it, and may
// throw as well.
template <class... Ts, class Check, class... Vs>
void build_values_and(Store& store, void* const (&cells)[sizeof...(Ts) + 1], Check&& check, Vs&&... from) {
    constexpr bool quiet = (builds_quietly<Ts, Vs>() && ...);
    [[maybe_unused]] const LockIf<!quiet> lock(store);
    [[maybe_unused]] std::size_t at = 0;
    if constexpr (quiet || (std::is_same_v<std::decay_t<Check>, NoCheck> && (builds_nothrow<Ts, Vs>() && ...))) {
        ((cells[at] != nullptr ? build_value<Ts>(store, cells[at], std::forward<Vs>(from)) : void(), ++at), ...);
    } else {
        Unwind<Ts...> unwind;
        ((cells[at] != nullptr ? build_value<Ts>(store, cells[at], std::forward<Vs>(from)) : void(),
          unwind.cells[at] = cells[at], ++at, unwind.built = at),
         ...);
        check();
        unwind.built = 0;
    }
}
template <class... Ts, class... Vs>
void build_values(Store& store, void* const (&cells)[sizeof...(Ts) + 1], Vs&&... from) {
    build_values_and<Ts...>(store, cells, NoCheck{}, std::forward<Vs>(from)...);
}

// The value that an argument stands for, made under the lock. Verbs whose storage may move take their values this way.
template <class V>
std::decay_t<V> taken(Store& store, V&& value) {
    static_assert(is_value<V>());
    [[maybe_unused]] const LockIf<!builds_trivially<std::decay_t<V>, V>> lock(store);
    return std::forward<V>(value);
}

}  // namespace stoa::detail

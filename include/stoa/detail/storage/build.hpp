// Building one component in raw storage: from a value or by default, under the lock where user code runs. Used by row
// drafts, by the verbs and by commands.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// Puts a recycled object of a pooled component at `to`. Returns: false if its pool is empty.
STOA_API bool take_pooled(Store& store, ComponentId id, void* to) noexcept;

// Stands for a value that is to be default-constructed.
struct Default {};
// One for each type of a pack.
template <class>
constexpr Default default_for() {
    return {};
}

// The same object once for each type of a pack.
template <class>
constexpr Default& repeated(Default& value) {
    return value;
}

// Stands for a value that is used only where the component is missing.
template <class T>
struct IfMissing {
    T& value;
};
template <class V>
inline constexpr bool is_if_missing = false;
template <class T>
inline constexpr bool is_if_missing<IfMissing<T>> = true;
// Whether a V in a put overwrites a component that is present.
template <class V>
inline constexpr bool overwrites = !std::is_same_v<V, Default> && !is_if_missing<V>;

// Builds one component in raw storage. Nothing is stored for a tag.
template <class T, class V>
void build_value(Store& store, void* at, V&& from) {
    if constexpr (is_tag<T>) {
        static_cast<void>(from);
    } else if constexpr (is_if_missing<std::remove_cvref_t<V>>) {
        build<T>(at, std::move(from.value));
    } else if constexpr (std::is_same_v<std::remove_cvref_t<V>, Default>) {
        if constexpr (traits<T>.pooled) {
            if (take_pooled(store, store.id_of<T>(), at)) return;
        }
        build<T>(at);
    } else {
        build<T>(at, std::forward<V>(from));
    }
}

// Moves a value into raw storage, for parts and records that do not know its type.
// Safe: it is named beside the handle of T, with a value of T and raw storage for another one.
template <class T>
void move_value(Store&, void* to, void* from) {
    build<T>(to, std::move(*object_at<T>(from)));
}

template <class T, class V>
consteval bool builds_quietly() {
    if constexpr (is_tag<T>) return true;
    if constexpr (is_if_missing<std::remove_cvref_t<V>>) return builds_trivially<T, T>;
    if constexpr (std::is_same_v<std::remove_cvref_t<V>, Default>) return builds_trivially<T> && !traits<T>.pooled;
    return builds_trivially<T, V>;
}

template <class T, class V>
consteval bool builds_nothrow() {
    if constexpr (is_tag<T>) return true;
    if constexpr (std::is_same_v<std::remove_cvref_t<V>, Default>) return std::is_nothrow_default_constructible_v<T>;
    return std::is_nothrow_constructible_v<T, V>;
}

// Keeps the structure locked while user code may run; nothing otherwise.
template <bool Needed>
struct LockIf {
    explicit LockIf(Store&) {}
};
template <>
struct LockIf<true> : Store::Lock {
    using Store::Lock::Lock;
};

// Destroys the values that were built in a command record, in case a later one throws. Rows have RowDraft.
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
            // Safe: build_value has built a T in this cell.
            if (cell != nullptr) object_at<T>(cell)->~T();
        }
    }
};

// The value that an argument stands for, made under the lock. Verbs whose storage may move take their values this way.
template <class V>
std::decay_t<V> taken(Store& store, V&& value) {
    static_assert(is_value<V>());
    [[maybe_unused]] const LockIf<!builds_trivially<std::decay_t<V>, V>> lock(store);
    return std::forward<V>(value);
}

}  // namespace stoa::detail

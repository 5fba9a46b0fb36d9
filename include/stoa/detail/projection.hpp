// From what a user names (a member, the whole component, a function of it) to a component and its key, and to the functions
// by which the compiled half reads keys. Called by HashIndex and OrderedIndex.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/component_ops.hpp"
#include "stoa/detail/key.hpp"

namespace stoa {

// As the field of an index: the component itself is the key.
template <class T>
struct Whole {};
template <class T>
inline constexpr Whole<T> whole{};

namespace detail {

template <class C, class R>
struct FunctionOf {
    using Component = std::remove_cvref_t<C>;
};
template <class F>
struct SignatureOf;
template <class F, class R, class C>
struct SignatureOf<R (F::*)(C) const> : FunctionOf<C, R> {};
template <class F, class R, class C>
struct SignatureOf<R (F::*)(C) const noexcept> : FunctionOf<C, R> {};

// `key(component)`: the key itself where it stands in the component, else a value.
template <auto Field, class F = std::remove_cv_t<decltype(Field)>>
struct Projection : SignatureOf<decltype(&F::operator())> {
    static decltype(auto) key(const typename Projection::Component& component) { return Field(component); }
};
template <auto Field, class M, class C>
struct Projection<Field, M C::*> {
    using Component = C;
    static const M& key(const C& component) { return component.*Field; }
};
template <auto Field, class R, class C>
struct Projection<Field, R (C::*)() const> {
    using Component = C;
    static decltype(auto) key(const C& component) { return (component.*Field)(); }
};
template <auto Field, class R, class C>
struct Projection<Field, R (C::*)() const noexcept> {
    using Component = C;
    static decltype(auto) key(const C& component) { return (component.*Field)(); }
};
template <auto Field, class R, class C>
struct Projection<Field, R (*)(C)> : FunctionOf<C, R> {
    static decltype(auto) key(const std::remove_cvref_t<C>& component) { return Field(component); }
};
template <auto Field, class R, class C>
struct Projection<Field, R (*)(C) noexcept> : FunctionOf<C, R> {
    static decltype(auto) key(const std::remove_cvref_t<C>& component) { return Field(component); }
};
template <auto Field, class T>
struct Projection<Field, Whole<T>> {
    using Component = T;
    static const T& key(const T& component) { return component; }
};
template <auto Field, class T, class Tag>
struct Projection<Field, Whole<Alias<T, Tag>>> {
    using Component = Alias<T, Tag>;
    static const T& key(const Component& component) { return component.value; }
};

template <auto Field>
using ComponentOf = typename Projection<Field>::Component;
template <auto Field>
using KeyOf = std::remove_cvref_t<decltype(Projection<Field>::key(std::declval<const ComponentOf<Field>&>()))>;

// What follows names the component beside the field: g++ 12 takes two members of the same name, of classes of the same name in
// unnamed namespaces of two files, for one argument.

template <auto Field, class Component>
void read_words(const void* components, const std::uint16_t* picks, std::uint32_t count, std::uint64_t* out) {
    const auto* from = static_cast<const Component*>(components);
    for (std::uint32_t i = 0; i < count; ++i) out[i] = word_of<KeyOf<Field>>(Projection<Field>::key(from[picks != nullptr ? picks[i] : i]));
}

template <auto Field, class Component>
void read_key(const void* component, void* context, void (*then)(void* context, const Probe& key)) {
    using Key = KeyOf<Field>;
    decltype(auto) key = Projection<Field>::key(*static_cast<const Component*>(component));
    if constexpr (is_text<Key>) {
        const std::string_view text = text_of<Key>(key);
        then(context, {0, text.data(), text.size(), false, Side::within});
    } else {
        const Key& object = key;
        then(context, {0, detail::address_of(object), 0, false, Side::within});
    }
}

template <auto Field, class Component, bool Ordered>
constexpr KeyOps key_ops() {
    using Key = KeyOf<Field>;
    KeyOps ops{};
    ops.ordered = Ordered;
    ops.component_size = sizeof(Component);
    if constexpr (is_word<Key>) {
        ops.kind = KeyKind::word;
        ops.words = &read_words<Field, Component>;
        ops.has_odd_word = is_number<Key>;
        ops.narrow = (std::is_integral_v<Key> || std::is_enum_v<Key>) && sizeof(Key) <= 4;
    } else if constexpr (is_text<Key>) {
        ops.kind = KeyKind::text;
        ops.project = &read_key<Field, Component>;
    } else {
        static_assert(std::is_copy_constructible_v<Key>, "an index keeps a copy of each key, so the key must be copyable");
        ops.kind = KeyKind::object;
        ops.project = &read_key<Field, Component>;
        ops.size = sizeof(Key);
        ops.alignment = alignof(Key);
        // Safe: the library passes the addresses of keys of this index only.
        if constexpr (Ordered) {
            ops.less = [](const void* a, const void* b) { return static_cast<bool>(*static_cast<const Key*>(a) < *static_cast<const Key*>(b)); };
        } else {
            ops.hash = [](const void* key) { return hash_of(*static_cast<const Key*>(key)); };
            ops.equal = [](const void* a, const void* b) { return static_cast<bool>(*static_cast<const Key*>(a) == *static_cast<const Key*>(b)); };
        }
        if constexpr (HasEqual<Key>) {
            ops.odd = [](const void* key) { return !static_cast<bool>(*static_cast<const Key*>(key) == *static_cast<const Key*>(key)); };
        }
        ops.copy = [](void* to, const void* from) { ::new (to) Key(*static_cast<const Key*>(from)); };
        ops.destroy = [](void* key) { static_cast<Key*>(key)->~Key(); };
    }
    return ops;
}

template <auto Field, class Component, bool Ordered>
inline constexpr KeyOps key_ops_of = key_ops<Field, Component, Ordered>();

}  // namespace detail
}  // namespace stoa

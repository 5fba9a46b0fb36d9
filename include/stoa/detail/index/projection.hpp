// Projections: from what a user names (a member, the whole component, a function of it) to a component and its key, and
// to the functions by which the compiled half of an index reads keys.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/component/component_ops.hpp"
#include "stoa/detail/index/key.hpp"

namespace stoa {

template <class T>
struct Whole;  // public, in index.hpp

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

// `key(component)`: a reference where the key is part of the component, else a value.
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

// The templates below have the component as a parameter beside the field: g++ 12 treats equally named members of
// equally named classes in the unnamed namespaces of two files as one template argument.

// Safe: an index calls its functions with values of its own component and with its own keys.
template <auto Field, class Component>
void read_words(const void* components, const std::uint16_t* picks, std::uint32_t count, std::uint64_t* out) {
    const Component* from = object_at<Component>(components);
    for (std::uint32_t i = 0; i < count; ++i)
        out[i] = word_of<KeyOf<Field>>(Projection<Field>::key(from[picks != nullptr ? picks[i] : i]));
}

// Safe: as read_words.
template <auto Field, class Component>
void read_key(const void* component, void* context, void (*then)(void* context, const LookupKey& key)) {
    using Key = KeyOf<Field>;
    decltype(auto) key = Projection<Field>::key(*object_at<Component>(component));
    if constexpr (is_text<Key>) {
        const std::string_view text = text_of<Key>(key);
        then(context, {0, text.data(), text.size(), false, Side::within});
    } else {
        const Key& object = key;
        then(context, {0, detail::address_of(object), 0, false, Side::within});
    }
}

// What an index does with keys that are objects. Safe: as read_words.
template <class Key, bool Ordered>
constexpr void add_object_functions(KeyOps& ops) {
    static_assert(std::is_copy_constructible_v<Key>, "an index keeps a copy of each key, so the key must be copyable");
    ops.size = sizeof(Key);
    ops.alignment = alignof(Key);
    if constexpr (Ordered) {
        ops.less = [](const void* a, const void* b) {
            return static_cast<bool>(*object_at<Key>(a) < *object_at<Key>(b));
        };
    } else {
        ops.hash = [](const void* key) { return hash_of(*object_at<Key>(key)); };
        ops.equal = [](const void* a, const void* b) {
            return static_cast<bool>(*object_at<Key>(a) == *object_at<Key>(b));
        };
    }
    if constexpr (HasEqual<Key>) {
        ops.is_nan = [](const void* key) { return !static_cast<bool>(*object_at<Key>(key) == *object_at<Key>(key)); };
    }
    ops.copy = [](void* to, const void* from) { build<Key>(to, *object_at<Key>(from)); };
    ops.destroy = [](void* key) { object_at<Key>(key)->~Key(); };
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
        ops.has_nan_word = is_number<Key>;
        ops.narrow = (std::is_integral_v<Key> || std::is_enum_v<Key>)&&sizeof(Key) <= 4;
    } else if constexpr (is_text<Key>) {
        ops.kind = KeyKind::text;
        ops.project = &read_key<Field, Component>;
    } else {
        ops.kind = KeyKind::object;
        ops.project = &read_key<Field, Component>;
        add_object_functions<Key, Ordered>(ops);
    }
    return ops;
}

template <auto Field, class Component, bool Ordered>
inline constexpr KeyOps key_ops_of = key_ops<Field, Component, Ordered>();

}  // namespace detail
}  // namespace stoa

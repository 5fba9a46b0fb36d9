// Keys of indexes as data. There are three kinds. Words (integers, enums, bool, floating point, entities, pointers)
// become 64 bits in the order of the keys; texts are bytes; every other key is an object, known by functions. So the
// code of all indexes is compiled once, and only the conversion of keys is typed.
//
// A key that does not equal itself (NaN, or a tuple with one) is a *NaN key*: it equals nothing, no comparison
// holds for it, and it sorts behind all others.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stoa/detail/component/component_ops.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

enum class KeyKind : std::uint8_t { word, text, object };

// Where a number that is looked up lies relative to the range of the key type.
enum class Side : std::uint8_t { within, below, above };

// A key that is looked up or assigned.
struct LookupKey {
    std::uint64_t word = 0;      // words: the key; others: set by with_search_word
    const void* data = nullptr;  // texts: the bytes; objects: the object
    std::size_t length = 0;
    bool is_nan = false;  // objects: set by with_search_word
    Side side = Side::within;
};

// What the compiled half knows of the keys of one index.
struct KeyOps {
    KeyKind kind;
    bool ordered;
    std::uint32_t component_size;
    // Words: the keys of `count` consecutive components, or of those at the positions `picks`, if it is not null.
    void (*words)(const void* components, const std::uint16_t* picks, std::uint32_t count, std::uint64_t* out);
    bool has_nan_word;  // nan_word means NaN
    bool narrow;        // different words have different lower halves
    // Others: calls then(context, key) with the key of a component.
    void (*project)(const void* component, void* context, void (*then)(void* context, const LookupKey& key));
    // Objects.
    std::uint32_t size;
    std::uint32_t alignment;
    std::uint64_t (*hash)(const void* key);
    bool (*equal)(const void* a, const void* b);
    bool (*less)(const void* a, const void* b);
    bool (*is_nan)(const void* key);  // null where every key equals itself
    void (*copy)(void* to, const void* from);
    void (*destroy)(void* key);
};

inline constexpr std::uint64_t nan_word = ~std::uint64_t{0};

inline std::uint64_t mix(std::uint64_t word) {
    word *= 0x9e3779b97f4a7c15u;
    return word ^ (word >> 32);
}
STOA_API std::uint64_t hash_text(const void* bytes, std::size_t length) noexcept;

template <class Key>
inline constexpr bool is_number = std::is_floating_point_v<Key> && sizeof(Key) <= sizeof(double);
template <class Key>
inline constexpr bool is_word =
    std::is_integral_v<Key> || std::is_enum_v<Key> || is_number<Key> || std::is_same_v<Key, Entity> ||
    (std::is_pointer_v<Key> && !std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Key>>, char>);

template <class Key>
inline constexpr bool is_text =
    std::is_same_v<Key, char*> || std::is_same_v<Key, const char*> ||
    (std::is_array_v<Key> && std::is_same_v<std::remove_cv_t<std::remove_extent_t<Key>>, char>);
template <class Key>
    requires std::is_same_v<typename Key::traits_type, std::char_traits<char>>
inline constexpr bool is_text<Key> = std::is_convertible_v<const Key&, std::string_view>;

template <class Key>
std::uint64_t word_of(Key key) {
    if constexpr (std::is_same_v<Key, Entity>) {
        return (std::uint64_t{key.index()} << 32) | key.generation();
    } else if constexpr (std::is_enum_v<Key>) {
        return word_of(static_cast<std::underlying_type_t<Key>>(key));
    } else if constexpr (std::is_floating_point_v<Key>) {
        const auto number = static_cast<double>(key);
        if (number != number) return nan_word;
        const auto bits = std::bit_cast<std::uint64_t>(number == 0 ? 0.0 : number);
        return (bits >> 63) != 0 ? ~bits : bits | (std::uint64_t{1} << 63);
    } else if constexpr (std::is_pointer_v<Key>) {
        return reinterpret_cast<std::uintptr_t>(key);
    } else if constexpr (std::is_signed_v<Key>) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(key)) ^ (std::uint64_t{1} << 63);
    } else {
        return static_cast<std::uint64_t>(key);
    }
}

template <class Key>
std::string_view text_of(const Key& key) {
    if constexpr (std::is_array_v<Key>) {
        std::size_t length = 0;
        while (length < std::extent_v<Key> && key[length] != 0) ++length;
        return {key, length};
    } else if constexpr (std::is_pointer_v<Key>) {
        return key != nullptr ? std::string_view(key) : std::string_view();
    } else {
        return key;
    }
}

// Hashing. Pairs, tuples and arrays are hashed by their elements; other objects by std::hash.
template <class Key>
concept TupleLike = requires { std::tuple_size<Key>::value; };
template <class Key>
concept HasStdHash = requires(const Key& key) { static_cast<std::size_t>(std::hash<Key>{}(key)); };
template <class Key>
concept HasEqual = requires(const Key& key) { static_cast<bool>(key == key); };
template <class Key>
concept HasLess = requires(const Key& key) { static_cast<bool>(key < key); };

template <class Key>
consteval bool has_hash();
template <class Key, std::size_t... Indices>
consteval bool elements_have_hash(std::index_sequence<Indices...>) {
    return (has_hash<std::remove_cvref_t<std::tuple_element_t<Indices, Key>>>() && ...);
}
template <class Key>
consteval bool has_hash() {
    if constexpr (is_word<Key> || is_text<Key> || HasStdHash<Key>) {
        return true;
    } else if constexpr (TupleLike<Key>) {
        return elements_have_hash<Key>(std::make_index_sequence<std::tuple_size<Key>::value>());
    } else {
        return false;
    }
}

template <class Key>
std::uint64_t hash_of(const Key& key) {
    if constexpr (is_word<Key>) {
        return mix(word_of(key));
    } else if constexpr (is_text<Key>) {
        const std::string_view text = text_of(key);
        return hash_text(text.data(), text.size());
    } else if constexpr (HasStdHash<Key>) {
        return mix(static_cast<std::uint64_t>(std::hash<Key>{}(key)));
    } else {
        std::uint64_t all = 0;
        [&]<std::size_t... Indices>(std::index_sequence<Indices...>) {
            ((all = mix(all ^ hash_of<std::remove_cvref_t<std::tuple_element_t<Indices, Key>>>(get<Indices>(key)))),
             ...);
        }(std::make_index_sequence<std::tuple_size<Key>::value>());
        return all;
    }
}

template <class Key>
inline constexpr bool is_hash_key = is_word<Key> || is_text<Key> || (has_hash<Key>() && HasEqual<Key>);
template <class Key>
inline constexpr bool is_ordered_key = is_word<Key> || is_text<Key> || HasLess<Key>;

// What a lookup takes for a key: integers of any type, so that one that the key type cannot hold is not converted to
// another one.
template <class Key>
class IntegerLookup {
  public:
    template <class Integer>
        requires std::is_integral_v<Integer>
    constexpr IntegerLookup(Integer value) noexcept
        : value_(static_cast<Key>(value)),
          side_(std::in_range<Key>(+value) ? Side::within
                : std::cmp_less(+value, 0) ? Side::below
                                           : Side::above) {}
    LookupKey lookup_key() const { return {word_of(value_), nullptr, 0, false, side_}; }

  private:
    Key value_;
    Side side_;
};
struct NumberLookup {
    constexpr NumberLookup(double value) noexcept : value_(value) {}
    LookupKey lookup_key() const { return {word_of(value_), nullptr, 0, value_ != value_, Side::within}; }

  private:
    double value_;
};
struct TextLookup {
    template <class Text>
        requires std::is_convertible_v<const Text&, std::string_view>
    constexpr TextLookup(const Text& text) : text_(text) {}
    LookupKey lookup_key() const { return {0, text_.data(), text_.size(), false, Side::within}; }

  private:
    std::string_view text_;
};
template <class Key>
struct WordLookup {
    constexpr WordLookup(Key key) noexcept : key_(key) {}
    LookupKey lookup_key() const { return {word_of(key_), nullptr, 0, false, Side::within}; }

  private:
    Key key_;
};
template <class Key>
struct ObjectLookup {
    ObjectLookup(const Key& key) noexcept : key_(detail::address_of(key)) {}
    LookupKey lookup_key() const { return {0, key_, 0, false, Side::within}; }

  private:
    const Key* key_;
};

// The integers that std::in_range accepts.
template <class Key>
inline constexpr bool is_plain_integer =
    std::is_integral_v<Key> && !std::is_same_v<Key, bool> && !std::is_same_v<Key, char> &&
    !std::is_same_v<Key, wchar_t> && !std::is_same_v<Key, char8_t> && !std::is_same_v<Key, char16_t> &&
    !std::is_same_v<Key, char32_t>;

template <class Key>
using LookupFor = std::conditional_t<
    is_plain_integer<Key>, IntegerLookup<Key>,
    std::conditional_t<is_number<Key>, NumberLookup,
                       std::conditional_t<is_text<Key>, TextLookup,
                                          std::conditional_t<is_word<Key>, WordLookup<Key>, ObjectLookup<Key>>>>>;

// The parameter type of a lookup. Objects are taken as they are, so that `find({1, 2})` can construct a Point.
template <class Key>
using KeyArgument = std::conditional_t<is_word<Key> || is_text<Key>, LookupFor<Key>, Key>;

}  // namespace stoa::detail

// Keys of indexes: what a key is as data. Three kinds are told apart. Words (integers, enums, bool, floating point, entities,
// pointers) become 64 bits that are in the order of the keys; texts are bytes; everything else is an object, known by functions.
// So all indexes are compiled once, and only the conversion is typed. Called by HashIndex and OrderedIndex.
//
// A key that does not equal itself (NaN, or a tuple with one) is *odd*: it equals nothing, no comparison holds for it, and its
// place is behind all others.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "stoa/detail/component_ops.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

enum class KeyKind : std::uint8_t { word, text, object };

// Where a sought number lies that the type of the key cannot hold.
enum class Side : std::uint8_t { within, below, above };

// A key that is looked up or taken in.
struct Probe {
    std::uint64_t word = 0;      // of words the key, else for the library to use
    const void* data = nullptr;  // of texts the bytes, of objects the object
    std::size_t length = 0;
    bool odd = false;            // of objects, found out by the library
    Side side = Side::within;
};

// What the compiled half knows of the keys of one index.
struct KeyOps {
    KeyKind kind;
    bool ordered;
    std::uint32_t component_size;
    // Words: the keys of consecutive components, or of those that the picks name, if they are not null.
    void (*words)(const void* components, const std::uint16_t* picks, std::uint32_t count, std::uint64_t* out);
    bool has_odd_word;  // odd_word stands for NaN
    bool narrow;        // words differ in their lower halves already
    // Others: calls then(context, key) with the key of a component.
    void (*project)(const void* component, void* context, void (*then)(void* context, const Probe& key));
    // Objects.
    std::uint32_t size;
    std::uint32_t alignment;
    std::uint64_t (*hash)(const void* key);
    bool (*equal)(const void* a, const void* b);
    bool (*less)(const void* a, const void* b);
    bool (*odd)(const void* key);  // null where every key equals itself
    void (*copy)(void* to, const void* from);
    void (*destroy)(void* key);
};

inline constexpr std::uint64_t odd_word = ~std::uint64_t{0};

inline std::uint64_t mix(std::uint64_t word) {
    word *= 0x9e3779b97f4a7c15u;
    return word ^ (word >> 32);
}
STOA_API std::uint64_t hash_text(const void* bytes, std::size_t length) noexcept;

template <class Key>
inline constexpr bool is_number = std::is_floating_point_v<Key> && sizeof(Key) <= sizeof(double);
template <class Key>
inline constexpr bool is_word = std::is_integral_v<Key> || std::is_enum_v<Key> || is_number<Key> || std::is_same_v<Key, Entity> ||
                                (std::is_pointer_v<Key> && !std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Key>>, char>);

template <class Key>
inline constexpr bool is_text = std::is_same_v<Key, char*> || std::is_same_v<Key, const char*> || (std::is_array_v<Key> && std::is_same_v<std::remove_cv_t<std::remove_extent_t<Key>>, char>);
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
        if (number != number) return odd_word;
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
    if constexpr (is_word<Key> || is_text<Key>) {
        return true;
    } else if constexpr (HasStdHash<Key>) {
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
            ((all = mix(all ^ hash_of<std::remove_cvref_t<std::tuple_element_t<Indices, Key>>>(get<Indices>(key)))), ...);
        }(std::make_index_sequence<std::tuple_size<Key>::value>());
        return all;
    }
}

template <class Key>
inline constexpr bool is_hash_key = is_word<Key> || is_text<Key> || (has_hash<Key>() && HasEqual<Key>);
template <class Key>
inline constexpr bool is_ordered_key = is_word<Key> || is_text<Key> || HasLess<Key>;

// What a lookup takes for a key. Integers of any type, so that one that does not fit is not taken for another one.
template <class Key>
class SoughtInteger {
  public:
    template <class Integer>
        requires std::is_integral_v<Integer>
    constexpr SoughtInteger(Integer value) noexcept
        : value_(static_cast<Key>(value)),
          side_(std::in_range<Key>(+value) ? Side::within : std::cmp_less(+value, 0) ? Side::below : Side::above) {}
    Probe probe() const { return {word_of(value_), nullptr, 0, false, side_}; }

  private:
    Key value_;
    Side side_;
};
struct SoughtNumber {
    constexpr SoughtNumber(double value) noexcept : value_(value) {}
    Probe probe() const { return {word_of(value_), nullptr, 0, value_ != value_, Side::within}; }
    double value_;
};
struct SoughtText {
    template <class Text>
        requires std::is_convertible_v<const Text&, std::string_view>
    constexpr SoughtText(const Text& text) : text_(text) {}
    Probe probe() const { return {0, text_.data(), text_.size(), false, Side::within}; }
    std::string_view text_;
};
template <class Key>
struct SoughtWord {
    constexpr SoughtWord(Key key) noexcept : key_(key) {}
    Probe probe() const { return {word_of(key_), nullptr, 0, false, Side::within}; }
    Key key_;
};
template <class Key>
struct SoughtObject {
    SoughtObject(const Key& key) noexcept : key_(detail::address_of(key)) {}
    Probe probe() const { return {0, key_, 0, false, Side::within}; }
    const Key* key_;
};

// std::in_range is not for these.
template <class Key>
inline constexpr bool is_plain_integer =
    std::is_integral_v<Key> && !std::is_same_v<Key, bool> && !std::is_same_v<Key, char> && !std::is_same_v<Key, wchar_t> &&
    !std::is_same_v<Key, char8_t> && !std::is_same_v<Key, char16_t> && !std::is_same_v<Key, char32_t>;

template <class Key>
using Sought = std::conditional_t<
    is_plain_integer<Key>, SoughtInteger<Key>,
    std::conditional_t<is_number<Key>, SoughtNumber,
                       std::conditional_t<is_text<Key>, SoughtText, std::conditional_t<is_word<Key>, SoughtWord<Key>, SoughtObject<Key>>>>>;

// What a lookup takes, as a parameter: so that `find({1, 2})` can be a Point.
template <class Key>
using KeyArgument = std::conditional_t<is_word<Key> || is_text<Key>, Sought<Key>, Key>;

}  // namespace stoa::detail

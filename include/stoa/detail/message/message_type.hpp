// What the library knows of a message type. It has a number of its own among the resource types, under a key that is
// not the type itself: a type may be a message and a resource, and the two have nothing to do with each other. The
// number finds the queue of a type, and stands for it in access sets.
#pragma once

#include <cstddef>
#include <string_view>
#include <type_traits>

#include "stoa/detail/storage/resources.hpp"

namespace stoa::detail {

template <class T>
consteval bool is_message() {
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && std::is_same_v<T, std::remove_cv_t<T>>,
                  "a message is a plain object type, without const, reference or array");
    static_assert(!std::is_object_v<T> || std::is_array_v<T> || std::is_move_constructible_v<T>,
                  "a message must be movable: send() moves or copies it into the world");
    return true;
}

template <class T>
struct MessageKey {};

// Messages<T>, as systems write it, with a name of T.
template <std::size_t Length>
struct MessageText {
    static constexpr std::string_view before = "Messages<";

    char text[before.size() + Length + 1] = {};

    consteval explicit MessageText(std::string_view name) {
        char* to = text;
        for (const char letter : before) *to++ = letter;
        for (const char letter : name) *to++ = letter;
        *to = '>';
    }
    constexpr std::string_view view() const { return {text, sizeof text}; }
};

// The name in reports and errors.
template <class T>
inline constexpr std::string_view short_name = traits<T>.name.empty() ? type_name<T>() : traits<T>.name;
template <class T>
inline constexpr MessageText<short_name<T>.size()> message_name{short_name<T>};
// The name by which libraries agree on the type. Compilers print the name of MessageKey<T> in different ways.
template <class T>
inline constexpr MessageText<type_name<T>().size()> message_type_name{type_name<T>()};

template <class T>
consteval ResourceType describe_message() {
    ResourceType type{};
    static_cast<TypeIdentity&>(type) = identify<MessageKey<T>>(sizeof(T));
    type.type_name = message_type_name<T>.view();
    type.alignment = static_cast<std::uint32_t>(alignof(T));
    type.name = message_name<T>.view();
    type.bytes = sizeof(T);
    // Safe: only ever handed a living T.
    if constexpr (!std::is_trivially_destructible_v<T>)
        type.destroy = [](void* at) noexcept { object_at<T>(at)->~T(); };
    return type;
}

template <class T>
inline constexpr ResourceType message_type = describe_message<T>();

template <class T>
inline constinit ResourceHandle message_handle{&message_type<T>, {}};

}  // namespace stoa::detail

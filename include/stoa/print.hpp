// Text for handles: `std::cout << entity` and, where the standard library has std::format, `std::format("{}", entity)`.
// An entity is written as its index and its generation, `12v3`, and the null entity as `null`. Not part of
// <stoa/stoa.hpp>, because <ostream> is costly.
#pragma once

#include <ostream>
#include <version>
#if defined(__cpp_lib_format)
#include <format>
#endif

#include "stoa/entity.hpp"

namespace stoa {

/// Effects: writes `12v3`, or `null`. Width and other flags of the stream apply to the index.
/// Returns: the stream.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, Entity entity) {
    if (!entity) return out << "null";
    return out << entity.index() << 'v' << entity.generation();
}

}  // namespace stoa

#if defined(__cpp_lib_format)
/// The format of the stream operator, without options.
template <>
struct std::formatter<stoa::Entity> {
    constexpr auto parse(std::format_parse_context& context) { return context.begin(); }
    auto format(stoa::Entity entity, std::format_context& context) const {
        if (!entity) return std::format_to(context.out(), "null");
        return std::format_to(context.out(), "{}v{}", entity.index(), entity.generation());
    }
};
#endif

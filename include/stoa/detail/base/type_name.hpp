// The full name of a type as text, taken from the compiler at compile time: identity of component types across shared
// libraries, default names for tools, and the names in error messages. Works without RTTI.
#pragma once

#include <string_view>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

template <class T>
constexpr std::string_view signature_of() {
#if defined(__GNUC__)
    return __PRETTY_FUNCTION__;
#else
    return __FUNCSIG__;
#endif
}

// Everything around the name is the same for all types, so one known type shows where the name begins and ends.
template <class T>
constexpr std::string_view type_name() {
    constexpr std::string_view probe = signature_of<double>();
    constexpr std::size_t before = probe.find("double");
    constexpr std::size_t after = probe.size() - before - std::string_view("double").size();
    constexpr std::string_view whole = signature_of<T>();
    return whole.substr(before, whole.size() - before - after);
}

// Returns: true when another type may have the same name: types in anonymous namespaces and local types.
// (g++ writes `{anonymous}` and `f()::Local`, clang `(anonymous namespace)`.)
constexpr bool names_local_type(std::string_view name) {
    return name.find("{anonymous}") != name.npos || name.find("(anonymous") != name.npos ||
           name.find(")::") != name.npos || name.find("<lambda") != name.npos || name.find("(lambda") != name.npos ||
           name.find("<unnamed") != name.npos || name.find("(unnamed") != name.npos;
}

}  // namespace stoa::detail

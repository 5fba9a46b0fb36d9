// What a user can say about a component type, and what the library says about it. Any object type is a component as it
// is; `Traits` are for the few that need more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stoa/detail/base/config.hpp"

namespace stoa {

/// Where the values of a component are.
enum class Storage : std::uint8_t {
    /// In columns beside the other components of the entity. Walks are fastest; a structural change of an entity moves
    /// its values and invalidates references to them.
    table,
    /// Outside the tables. Adding and removing the component moves nothing, and types that cannot be moved are allowed.
    /// References stay valid until the value is removed or, if the move constructor of the type may throw or does not
    /// exist, overwritten.
    sparse
};

/// How precisely changes of a component are recorded from the start.
enum class Track : std::uint8_t {
    /// For each chunk of a table. Costs nothing. The first query that asks for changes of single entities switches to
    /// `rows`.
    chunks,
    /// For each value, at eight bytes a value.
    rows
};

/// Options of a component type.
struct Traits {
    /// Where values are.
    Storage storage = Storage::table;
    /// A despawned entity keeps this component, and stays as a ghost until it is removed.
    bool cleanup = false;
    /// Values are recycled instead of destroyed: `void reset() noexcept` is called, and a default-constructed value
    /// comes from the recycled ones.
    bool pooled = false;
    /// How precisely changes are recorded.
    Track track = Track::chunks;
    /// The name in files and tools; empty: the name of the type. Requires: it lives as long as the program, or as the
    /// library that defines it.
    std::string_view name = {};
};

/// The components that A requires: `static constexpr stoa::Requires<B, C> stoa_requires{};` in A or in a base of A.
///
/// A call that gives an A to an entity that has none also adds those of B and C that the entity lacks, and what they
/// require in turn: default-constructed, in the same move, for observers in the same change. Values that are given or
/// present stay. A requirement is about adding only: B may be removed while A stays. Cycles are allowed.
/// Requires: default-constructible components; checked when a call that may add an A is compiled.
template <class... Ts>
struct Requires {};

namespace detail {

template <class T>
concept NamesRequired = requires { T::stoa_requires; };

template <class T>
constexpr Traits default_traits() {
    if constexpr (requires { T::stoa_traits; }) {
        return T::stoa_traits;
    } else {
        return {};
    }
}

}  // namespace detail

/// The traits of T: `static constexpr stoa::Traits stoa_traits` in T or in a base of T, else the defaults.
///
/// For a type that is not yours, specialise it before the first use of the type:
///     template <> inline constexpr stoa::Traits stoa::traits<lib::Foreign> = {.cleanup = true};
template <class T>
inline constexpr Traits traits = detail::default_traits<T>();

/// A component of its own that holds a T: Alias<Vec3, struct Home> and Alias<Vec3, struct Target> are two components.
template <class T, class Tag>
struct Alias {
    T value;

    friend bool operator==(const Alias&, const Alias&) = default;
};

/// Names a component type within the process: dense from 0, in order of first use. Not stable between runs.
enum class ComponentId : std::uint32_t {};

/// The description of one component type, for tools. Names live as long as the program, or until
/// World::forget_types.
struct ComponentInfo {
    ComponentId id{};
    std::string_view name;
    std::size_t size = 0;  ///< in bytes; 0 for tags
    std::size_t alignment = 1;
    Storage storage = Storage::table;
    bool cleanup = false;
    bool pooled = false;
};

}  // namespace stoa

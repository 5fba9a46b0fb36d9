// What a user can say about a component type, and what the library says about it. Any object type is a component as it
// is; `Traits` are for the few that want more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stoa/detail/config.hpp"

namespace stoa {

// Where values live. `table`: in columns beside the entity's other components; walks are fastest. `sparse`: outside the
// tables; adding and removing moves nothing, addresses are stable, and types that cannot be moved are welcome.
enum class Storage : std::uint8_t { table, sparse };

// How finely changes are recorded from the start. `rows` costs eight bytes a value; it is switched on by itself when
// something asks for row-precise changes.
enum class Track : std::uint8_t { chunks, rows };

struct Traits {
    Storage storage = Storage::table;
    bool cleanup = false;              // survives despawn: the entity stays as a ghost until it is removed
    bool pooled = false;               // recycled through `void reset() noexcept` instead of destroyed
    Track track = Track::chunks;
    std::string_view name = {};        // for files and tools; default: the type's own name
};

namespace detail {

template <class T>
constexpr Traits default_traits() {
    if constexpr (requires { T::stoa_traits; }) {
        return T::stoa_traits;
    } else {
        return {};
    }
}

}  // namespace detail

// The traits of T: `static constexpr stoa::Traits stoa_traits` in T or in a base of it. Specialise for types that are
// not yours: template <> inline constexpr stoa::Traits stoa::traits<lib::Foreign> = {.cleanup = true};
template <class T>
inline constexpr Traits traits = detail::default_traits<T>();

// A component of its own that holds a T: Alias<Vec3, struct Home> and Alias<Vec3, struct Target> are two components.
template <class T, class Tag>
struct Alias {
    T value;

    friend bool operator==(const Alias&, const Alias&) = default;
};

// Names a component type within the process. Dense from 0 in order of first use; not stable between runs.
enum class ComponentId : std::uint32_t {};

// The description of one component type, for tools. Names live as long as the program.
struct ComponentInfo {
    ComponentId id{};
    std::string_view name;
    std::size_t size = 0;              // 0 for tags
    std::size_t alignment = 1;
    Storage storage = Storage::table;
    bool cleanup = false;
    bool pooled = false;
};

}  // namespace stoa

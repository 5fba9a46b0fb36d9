// What the host and the library of the forgetting test agree on: forget_host.cpp loads the library made of
// forget_plugin.cpp, lets it hold its types in every way, and makes the world forget them.
#pragma once

#include <stoa/stoa.hpp>

#include <string>

namespace forget_test {

// The host is the first to use these.

struct Position {
    double x = 0;
};

struct Score {
    std::string text;
};

struct Note {
    std::string text;
};

// The library is the first to use these; the host uses them too.

struct Label {
    std::string text;
};

struct Scar {
    std::string text;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

// The ways in which a library can hold a type.
enum class Way {
    value,
    tag,
    sparse_value,
    ghost,
    recycled,
    shared_value,
    shared_sparse_value,
    removed_value,
    resource,
    message,
    reader,
    query,
    query_without,
    family,
    subscription,
    released_subscription,
    subscription_to_host,
    watch,
    cache,
    index,
    prefab,
    prefab_of_host,
    command,
    command_for_host,
    command_to_run,
    system,
    system_for_host,
    system_with_resource,
    condition,
    condition_of_phase,
    state,
    end
};

// What the library exports.
struct Functions {
    int version;
    // Holds a type in this way, and lets go of it.
    void (*hold)(Way, stoa::World&, stoa::Schedule&);
    void (*let_go)(Way, stoa::World&, stoa::Schedule&);
    // Adds and removes a system that moves positions by the version.
    void (*start)(stoa::World&, stoa::Schedule&);
    void (*stop)(stoa::World&, stoa::Schedule&);
    // How many bytes a Cargo has, and whether a world reads back what it was given.
    unsigned cargo_bytes;
    bool (*carries)(stoa::World&);
};

using FunctionsFunction = const Functions* (*)();

}  // namespace forget_test

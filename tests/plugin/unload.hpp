// What the host and the library of the unloading test agree on: unload_host.cpp loads the library made of
// unload_plugin.cpp, lets it use a world, and closes it while the world is full of its types.
#pragma once

#include <stoa/stoa.hpp>

#include <string>

namespace unload_test {

struct Position {
    double x = 0;
};

// Known to both sides. The library is the first to use it.
struct Label {
    std::string text;
};

using UseFunction = void (*)(stoa::World&, stoa::Schedule&, int entities);

}  // namespace unload_test

// The components that the host program and the plugin agree on. Each side compiles this header for itself; every type
// in it must be one component on both sides.
#pragma once

#include <stoa/stoa.hpp>

#include <string>
#include <vector>

namespace plugin_test {

// Used by the host before the plugin is loaded.
struct Position {
    double x = 0;
    double y = 0;
};

struct Name {
    std::string text;
};

// Used by the plugin first.
struct Velocity {
    double x = 0;
    double y = 0;
};

struct Inventory {
    std::vector<std::string> items;
    void reset() noexcept { items.clear(); }
    static constexpr stoa::Traits stoa_traits{.pooled = true};
};

struct Burning {
    int heat = 0;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Body {
    int handle = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true, .name = "physics.body"};
};

struct Visible {};

template <class T>
struct Boxed {
    T value{};
};

// Constants of different types make different components, also where a compiler prints them alike.
template <auto Value>
struct Constant {
    int value = 0;
};

using Home = stoa::Alias<Position, struct HomeTag>;

// A component whose destructor can be seen from outside.
struct Traced {
    Traced() = default;
    explicit Traced(int* counter) noexcept : deaths(counter) {}
    Traced(Traced&& other) noexcept : deaths(other.deaths) { other.deaths = nullptr; }
    Traced& operator=(Traced&& other) noexcept {
        finish();
        deaths = other.deaths;
        other.deaths = nullptr;
        return *this;
    }
    ~Traced() { finish(); }

    int* deaths = nullptr;

  private:
    void finish() noexcept {
        if (deaths != nullptr) ++*deaths;
    }
};

// What the plugin exports, by these names, with C linkage.
struct Report {
    stoa::Entity spawned[4];
    unsigned secret_id = 0;
    unsigned position_id = 0;
    unsigned velocity_id = 0;
    unsigned local_id = 0;
    unsigned unnamed_id = 0;
    unsigned constant_id = 0;
    int checks_failed = 0;
};

using RunFunction = void (*)(stoa::World&, stoa::Entity, Report&);
using CountFunction = int (*)(stoa::World&, const stoa::Entity*, int);
using ThrowFunction = void (*)(stoa::World&, stoa::Entity);
using TracedFunction = void (*)(stoa::World&, int*, stoa::Entity&);
using MakeFunction = stoa::World* (*)();
using EndFunction = void (*)(stoa::World*);

}  // namespace plugin_test

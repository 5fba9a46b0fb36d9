// The library of the unloading test: fills a world with types of its own in every kind of storage, and leaves its
// functions wherever a world keeps functions.
#include "unload.hpp"

#include <memory>

using namespace unload_test;

namespace plugin_own {

struct Cargo {
    std::string text = "a text that is long enough to be allocated";
    std::shared_ptr<int> counted = std::make_shared<int>(1);
};

struct Wound {
    std::string text = "in a sparse set, and long enough to be allocated";
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Shell {
    std::string text = "recycled, and long enough to be allocated";
    void reset() noexcept { text.assign("recycled, and long enough to be allocated"); }
    static constexpr stoa::Traits stoa_traits{.pooled = true};
};

struct Handle {
    int number = 0;
    static constexpr stoa::Traits stoa_traits{.cleanup = true, .name = "plugin.handle"};
};

struct Marked {};

struct Settings {
    std::string text = "a resource, and long enough to be allocated";
};

struct Driver {
    int runs = 0;
    void update(stoa::Query<Position, const Cargo> movers) {
        ++runs;
        movers.each([](Position& position, const Cargo&) { position.x += 1; });
    }
};

}  // namespace plugin_own

using namespace plugin_own;

extern "C" [[gnu::visibility("default")]] void plugin_use(stoa::World& world, stoa::Schedule& schedule, int entities) {
    world.set_resource(Settings{});
    for (int i = 0; i < entities; ++i) {
        world.spawn(Position{}, Cargo{}, Shell{}, Label{"a label that is long enough to be allocated"});
        world.spawn(Position{}, Wound{}, Handle{i});
    }
    world.query<Position, stoa::With<Cargo>>().add_all<Marked>();
    auto& commands = world.commands();
    commands.spawn(Position{}, Cargo{}, Wound{});
    world.flush();
    schedule.phase("update").add<Driver>();
}

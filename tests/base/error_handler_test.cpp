// Guards set_error_handler in builds with exceptions: the handler sees each error before it is thrown, and the
// previous handler comes back, so that a tool can step in for a while.

#include "thrown.hpp"

#include <doctest/doctest.h>

#include <string>

using stoa::Entity;
using stoa::Errc;
using stoa::World;

namespace {

struct Health {
    int points = 0;
};

struct Seen {
    int calls = 0;
    Errc code{};
    std::string text;
};

Seen seen;

void remember(const stoa::Error& error) {
    ++seen.calls;
    seen.code = error.code();
    seen.text = error.what();
}

void ignore(const stoa::Error&) {}

// Restores the handler that was installed before the test, also when the test ends early.
class Installed {
  public:
    explicit Installed(void (*handler)(const stoa::Error&)) : previous_(stoa::set_error_handler(handler)) { seen = {}; }
    Installed(const Installed&) = delete;
    Installed& operator=(const Installed&) = delete;
    ~Installed() { stoa::set_error_handler(previous_); }

  private:
    void (*previous_)(const stoa::Error&);
};

}  // namespace

TEST_CASE("the error handler sees an error once, before it is thrown") {
    const Installed installed{&remember};
    World world;
    const Entity e = world.spawn();
    bool called_before = false;
    try {
        world.get<Health>(e);
    } catch (const stoa::Error& error) {
        called_before = seen.calls == 1;
        CHECK(seen.code == error.code());
        CHECK(seen.text == error.what());
    }
    CHECK(called_before);
    CHECK(seen.calls == 1);
}

TEST_CASE("a handler that returns does not stop the error from being thrown") {
    const Installed installed{&ignore};
    World world;
    CHECK(api_test::throws(Errc::dead_entity, [&] { world.get<Health>(Entity{}); }));
}

TEST_CASE("questions do not reach the error handler") {
    const Installed installed{&remember};
    World world;
    CHECK_FALSE(world.alive(Entity{}));
    CHECK_FALSE(world.has<Health>(Entity{}));
    CHECK(world.find<Health>(Entity{}) == nullptr);
    CHECK_FALSE(world.despawn(Entity{}));
    CHECK_FALSE(world.add<Health>(Entity{}));
    CHECK_FALSE(world.remove<Health>(Entity{}));
    CHECK(seen.calls == 0);
}

TEST_CASE("installing an error handler gives back the previous one") {
    const Installed installed{&remember};
    CHECK((stoa::set_error_handler(&ignore) == &remember));
    CHECK((stoa::set_error_handler(&remember) == &ignore));
}

TEST_CASE("no error handler at all is fine") {
    const Installed installed{nullptr};
    World world;
    CHECK(api_test::throws(Errc::dead_entity, [&] { world.get<Health>(Entity{}); }));
    CHECK(seen.calls == 0);
}

// A scene in which everything that happens is told: callbacks for entities that begin or cease to match many queries
// and for a family, watches and caches of the same. Every callback may throw at its turn (CallbackFaults). Called by
// the fault loops over callbacks.
#pragma once

#include "../support/scene.hpp"

#include <stoa/stoa.hpp>

#include <memory>
#include <vector>

namespace stoa_test {

/// A resource that makes the family of the scene active.
struct Gate {
    int width = 0;
};

/// What one query is followed by.
class Follower {
  public:
    virtual ~Follower() = default;
    /// The lists of the library hear of every change, whichever callback throws: a cache holds what matches, and a
    /// watch has noted who came and who went since the follower was made.
    virtual void check() = 0;
};

struct ToldScene {
    explicit ToldScene(const SceneSettings& settings);
    ToldScene(const ToldScene&) = delete;
    ToldScene& operator=(const ToldScene&) = delete;

    /// Looks at the whole world: its invariants, its ids and the lists that follow it.
    void check();
    /// The same, and that ids are handed out once: makes entities until every id that was given back is in use again.
    void check_and_fill();

    Scene scene;
    std::vector<std::unique_ptr<Follower>> followers;
    std::vector<stoa::Subscription> subscriptions;
};

}  // namespace stoa_test

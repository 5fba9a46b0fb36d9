// Builds the scene; callback_scene.hpp describes it.
#include "callback_scene.hpp"

#include "../support/components.hpp"
#include "../support/ledger.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace stoa_test {
namespace {

using Ids = std::vector<stoa::Entity>;

template <class Query>
Ids sorted_matches(const Query& query) {
    Ids ids;
    query.ordered().collect(ids);
    return ids;
}

bool contains(std::span<const stoa::Entity> all, stoa::Entity one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

template <class... Terms>
class FollowerOf final : public Follower {
  public:
    FollowerOf(stoa::World& world, std::vector<stoa::Subscription>& subscriptions)
        : query_(world.query<Terms...>()),
          before_(sorted_matches(query_)),
          watch_(query_.watch()),
          cache_(query_.cache()) {
        subscriptions.push_back(query_.on_enter([](stoa::Entity) { CallbackFaults::spend(); }));
        subscriptions.push_back(query_.on_leave([](stoa::Entity) { CallbackFaults::spend(); }));
        static_cast<void>(cache_.size());
    }

    void check() override {
        const Ids now = sorted_matches(query_);
        Ids cached;
        cache_.collect(cached);
        CHECK(cached == now);
        for (const stoa::Entity entity : now) {
            if (!contains(before_, entity)) {
                CHECK(contains(watch_.added(), entity));
            }
        }
        for (const stoa::Entity entity : before_) {
            if (!contains(now, entity)) {
                CHECK(contains(watch_.removed(), entity));
            }
        }
    }

  private:
    stoa::Query<Terms...> query_;
    Ids before_;
    stoa::Watch<Terms...> watch_;
    stoa::Cache<Terms...> cache_;
};

}  // namespace

ToldScene::ToldScene(const SceneSettings& settings) : scene(make_scene(settings)) {
    stoa::World& world = scene.world;
    const auto follow = [&]<class... Terms>() {
        followers.push_back(std::make_unique<FollowerOf<Terms...>>(world, subscriptions));
    };
    follow.operator()<>();
    follow.operator()<const Position, stoa::Without<Red>>();
    follow.operator()<const Counted>();
    follow.operator()<const SparseCounted, stoa::Maybe<const Pinned>>();
    follow.operator()<stoa::AnyOf<Name, Note>>();
    follow.operator()<const Clumsy>();
    subscriptions.push_back(
        world.query<const Counted>().on_enter([](const Counted& value) { value.checked(), CallbackFaults::spend(); }));
    const auto family = world.query<const Position, stoa::Needs<Gate>>();
    subscriptions.push_back(family.on_activate([] { CallbackFaults::spend(); }));
    subscriptions.push_back(family.on_deactivate([] { CallbackFaults::spend(); }));
    subscriptions.push_back(family.on_enter([] { CallbackFaults::spend(); }));
    subscriptions.push_back(family.on_leave([] { CallbackFaults::spend(); }));
}

void ToldScene::check() {
    scene.world.check();
    for (const auto& follower : followers) {
        follower->check();
    }
    Ids all = sorted_matches(scene.world.query<>());
    CHECK(all.size() == scene.world.size());
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}

void ToldScene::check_and_fill() {
    check();
    Ids fresh;
    const Ids old = sorted_matches(scene.world.query<>());
    for (int i = 0; i < 40; ++i) {
        fresh.push_back(scene.world.spawn());
        CHECK_FALSE(contains(old, fresh.back()));
    }
    std::sort(fresh.begin(), fresh.end());
    CHECK(std::adjacent_find(fresh.begin(), fresh.end()) == fresh.end());
    check();
}

}  // namespace stoa_test

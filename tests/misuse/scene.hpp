// A small world with every kind of handle that must not work, and the means to see that nothing in it changed.
// Used by the misuse tests, which run every verb on every kind of handle.
#pragma once

#include <stoa/stoa.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace misuse_test {

struct Health {
    int value = 100;
};

struct Armour {
    int value = 7;
};

struct Burning {
    int value = 3;
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
};

struct Body {
    int value = 9;
    static constexpr stoa::Traits stoa_traits{.cleanup = true};
};

inline stoa::Entity forge(std::uint32_t index, std::uint32_t generation) {
    return stoa::Entity::from_bits((std::uint64_t{generation} << 32U) | index);
}

struct Scene {
    Scene() {
        filler.resize(40);
        world.spawn_many(std::span{filler}, Health{1}, Armour{2});
        living = world.spawn(Health{50}, Burning{60}, Body{70});

        stale = world.spawn(Health{}, Armour{}, Burning{});
        world.despawn(stale);
        newcomer = world.spawn(Health{11}, Armour{12}, Burning{13});

        ghost = world.spawn(Health{}, Armour{}, Body{21});
        world.despawn(ghost);

        dead = world.spawn(Health{}, Armour{}, Burning{});
        never_used = forge(dead.index(), dead.generation() + 1);
        world.despawn(dead);

        for (int i = 0; i < 500; ++i) foreign = other.spawn(Health{}, Armour{}, Burning{});
    }

    // Everything a verb could have changed, as numbers.
    [[nodiscard]] std::vector<long> fingerprint() const {
        std::vector<long> all{static_cast<long>(world.size()), static_cast<long>(other.size())};
        for (const stoa::Entity e : filler) note(all, e);
        for (const stoa::Entity e : {living, newcomer, ghost, dead, stale}) note(all, e);
        return all;
    }

    stoa::World world;
    stoa::World other;
    std::vector<stoa::Entity> filler;
    stoa::Entity living;      // alive, with Health, Burning and Body
    stoa::Entity stale;       // its slot belongs to `newcomer`
    stoa::Entity newcomer;    // alive
    stoa::Entity ghost;       // despawned, Body is left
    stoa::Entity dead;        // its slot is free
    stoa::Entity never_used;  // the generation that the free slot would get next
    stoa::Entity foreign;     // alive in `other`, beyond the directory of `world`

  private:
    void note(std::vector<long>& all, stoa::Entity e) const {
        all.push_back(world.alive(e) ? 1 : 0);
        all.push_back(static_cast<long>(world.components(e).size()));
        all.push_back(value_of<Health>(e));
        all.push_back(value_of<Armour>(e));
        all.push_back(value_of<Burning>(e));
        all.push_back(value_of<Body>(e));
    }

    template <class C>
    [[nodiscard]] long value_of(stoa::Entity e) const {
        const C* value = world.find<const C>(e);
        return value == nullptr ? -1 : value->value;
    }
};

}  // namespace misuse_test

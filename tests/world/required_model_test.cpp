// Random calls on components that require others, at once and recorded, against a naive model of who has what.
#include <stoa/stoa.hpp>

#include "support/random.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

using stoa::Entity;
using stoa::Requires;
using stoa::Storage;
using stoa::Traits;
using stoa::World;

namespace {

struct Base {
    int value = 0;
};
struct Text {
    std::string text = "a text that is too long for the object itself";
};
struct Side {
    std::string text = "side";
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
};
struct Mid {
    int value = 0;
    static constexpr Requires<Base> stoa_requires{};
};
struct Top {
    std::string text;
    static constexpr Requires<Mid, Text> stoa_requires{};
};
struct Mark {
    static constexpr Requires<Base> stoa_requires{};
};
struct Glow {
    int value = 0;
    static constexpr Traits stoa_traits{.storage = Storage::sparse};
    static constexpr Requires<Side, Mark> stoa_requires{};
};
struct Lamp {
    std::string text;
    static constexpr Requires<Side> stoa_requires{};
};
struct Egg;
struct Hen {
    static constexpr Requires<Egg, Text> stoa_requires{};
};
struct Egg {
    int value = 0;
    static constexpr Requires<Hen> stoa_requires{};
};

using Mask = std::uint32_t;
using Kinds = std::tuple<Base, Text, Side, Mid, Top, Mark, Glow, Lamp, Hen, Egg>;
constexpr std::uint32_t kind_count = 10;
enum : Mask { base = 1, text = 2, side = 4, mid = 8, top = 16, mark = 32, glow = 64, lamp = 128, hen = 256, egg = 512 };

// What a kind requires in the end.
constexpr Mask required[kind_count] = {0,    0,          0,         base, mid | base | text, base, side | mark | base,
                                       side, egg | text, hen | text};

// What an entity with `has` has when it is given the kinds of `named`.
Mask given(Mask has, Mask named) {
    Mask after = has | named;
    for (std::uint32_t kind = 0; kind < kind_count; ++kind) {
        if ((named & ~has) >> kind & 1) after |= required[kind];
    }
    return after;
}

template <class Call, std::size_t... I>
void with_kind(std::uint32_t kind, Call&& call, std::index_sequence<I...>) {
    ((I == kind ? call.template operator()<std::tuple_element_t<I, Kinds>>() : void()), ...);
}
template <class Call>
void with_kind(std::uint32_t kind, Call&& call) {
    with_kind(kind, call, std::make_index_sequence<kind_count>{});
}

class RequiredModel {
  public:
    explicit RequiredModel(std::uint64_t seed) : random_(seed) {}

    void run(int steps) {
        for (int i = 0; i < steps; ++i) {
            step();
            if (random_.one_in(8)) settle();
        }
        settle();
    }

  private:
    void step() {
        const std::uint32_t kind = random_.below(kind_count);
        const Mask bit = Mask{1} << kind;
        const bool recorded = random_.one_in(2);
        if (!recorded) settle();
        if (has_.empty() || random_.one_in(5)) return spawn(kind, recorded);
        auto at = has_.begin();
        std::advance(at, random_.below(static_cast<std::uint32_t>(has_.size())));
        auto& [e, has] = *at;
        with_kind(kind, [&, entity = e]<class T>() {
            switch (random_.below(4)) {
                case 0:
                    recorded ? later_.add<T>(entity) : void(world_.add<T>(entity));
                    has = given(has, bit);
                    break;
                case 1:
                    recorded ? later_.set(entity, T{}) : world_.set(entity, T{});
                    has = given(has, bit);
                    break;
                case 2:
                    recorded ? later_.remove<T>(entity) : void(world_.remove<T>(entity));
                    has &= ~bit;
                    break;
                default:
                    replace<T>(entity, has, bit, recorded);
            }
        });
    }
    template <class T>
    void replace(Entity e, Mask& has, Mask bit, bool recorded) {
        using Partner = std::conditional_t<std::is_same_v<T, Top> || std::is_same_v<T, Text> ||
                                               std::is_same_v<T, Mid> || std::is_same_v<T, Base>,
                                           Lamp, Top>;
        const Mask partner = std::is_same_v<Partner, Top> ? Mask{top} : Mask{lamp};
        recorded ? later_.replace<T>(e, Partner{}) : void(world_.replace<T>(e, Partner{}));
        if ((has & bit) != 0) has = given(has, partner) & ~bit;
    }
    void spawn(std::uint32_t kind, bool recorded) {
        if (!has_.empty() && random_.one_in(3)) {
            const auto& [model, has] = *has_.begin();
            const Entity copy = recorded ? later_.clone(model) : world_.clone(model);
            has_[copy] = given(0, has);
            return;
        }
        with_kind(kind, [&]<class T>() {
            const Entity e = recorded            ? (random_.one_in(2) ? later_.spawn(T{}) : later_.spawn<T>())
                             : random_.one_in(2) ? world_.spawn(T{})
                                                 : world_.spawn<T>();
            has_[e] = given(0, Mask{1} << kind);
        });
        if (has_.size() <= 30) return;
        settle();
        const Entity last = has_.rbegin()->first;
        world_.despawn(last);
        has_.erase(last);
    }
    void settle() {
        world_.flush();
        world_.check();
        for (const auto& [e, has] : has_) {
            Mask found = 0;
            for (std::uint32_t kind = 0; kind < kind_count; ++kind) {
                with_kind(kind, [&, entity = e]<class T>() { found |= world_.has<T>(entity) ? Mask{1} << kind : 0; });
            }
            REQUIRE(found == has);
        }
    }

    stoa_test::Random random_;
    World world_;
    stoa::Commands& later_ = world_.commands();
    std::map<Entity, Mask> has_;
};

}  // namespace

TEST_CASE("random calls give entities what their components require") {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        CAPTURE(seed);
        RequiredModel(seed).run(600);
    }
}

// A market: goods, sellers and buyers, found by what is in their components. Shows field indexes (by name, by owner, by
// price), filters that combine them, and prefabs. Prints what happens on some days, and ends with 1 if the books do not
// agree.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <stoa/stoa.hpp>

enum class Kind { fruit, tool, jewel };

struct Name {
    std::string text;
};
struct Purse {
    int coins = 0;
};
struct Good {
    Kind kind = Kind::fruit;
    int price = 0;
};
struct Owner {
    stoa::Entity who;
};
struct Rotten {};

namespace {

// The same numbers in every run.
class Dice {
  public:
    int roll(int sides) {
        state_ = state_ * 1664525u + 1013904223u;
        return static_cast<int>((state_ >> 8) % static_cast<unsigned>(sides));
    }

  private:
    unsigned state_ = 7;
};

class Market {
  public:
    Market() {
        for (const char* name : {"Ann", "Bob", "Cid", "Dora"}) world_.spawn(Name{name}, Purse{100});
    }

    // Goods are stamped out of prefabs; what differs is given.
    void deliver(std::string_view to, const stoa::Prefab& what, int count) {
        for (int i = 0; i < count; ++i) what.spawn(Owner{person(to)});
    }

    // The buyer takes the cheapest good of a kind that somebody else sells and that can be paid for.
    bool buy(std::string_view name, Kind kind) {
        const stoa::Entity buyer = person(name);
        stoa::Entity cheapest;
        int price = world_.get<const Purse>(buyer).coins + 1;
        const auto offers = goods_.where(by_kind_ == kind, by_owner_ != buyer, by_price_ < price);
        offers.each([&](stoa::Entity good, const Good& offer, const Owner&) {
            if (offer.price >= price) return;
            price = offer.price;
            cheapest = good;
        });
        if (!cheapest) return false;
        // Written in place. The next lookup by owner or by price knows.
        Owner& owner = world_.get<Owner>(cheapest);
        world_.get<Purse>(buyer).coins -= price;
        world_.get<Purse>(owner.who).coins += price;
        owner.who = buyer;
        return true;
    }

    // What is old costs less, and rots when it costs nothing.
    void night() {
        world_.query<Good>().where(by_kind_ == Kind::fruit).each([](Good& good) { good.price -= 1; });
        goods_.where(by_price_ <= 0).add_all<Rotten>();
        world_.query<stoa::With<Rotten>>().despawn_all();
    }

    void report(int day) {
        std::printf("day %2d:", day);
        people_.each([&](stoa::Entity who, const Name& name, const Purse& purse) {
            std::printf("  %s %3d coins %2zu goods", name.text.c_str(), purse.coins, by_owner_.count(who));
        });
        std::printf("  | %zu of 5 to 20 coins\n", goods_.where(by_price_.between(5, 20)).count());
    }

    std::string plan(Kind kind) const { return goods_.where(by_kind_ == kind, by_price_ < 10).explain(); }

    // Money only changes hands, and each good has one owner.
    bool agrees(int coins) {
        int found = 0;
        std::size_t owned = 0;
        people_.each([&](stoa::Entity who, const Name&, const Purse& purse) {
            found += purse.coins;
            owned += by_owner_.count(who);
        });
        return found == coins && owned == goods_.count();
    }

    stoa::World& world() { return world_; }

  private:
    stoa::Entity person(std::string_view name) const { return by_name_.find(name); }

    stoa::World world_;
    stoa::HashIndex<&Name::text> by_name_{world_};
    stoa::HashIndex<&Good::kind> by_kind_{world_};
    stoa::HashIndex<&Owner::who> by_owner_{world_};
    stoa::OrderedIndex<&Good::price> by_price_{world_};
    stoa::Query<const Good, const Owner> goods_ = world_.query<const Good, const Owner>();
    stoa::Query<const Name, const Purse> people_ = world_.query<const Name, const Purse>();
};

}  // namespace

int main() {
    Market market;
    const stoa::Prefab apple{market.world(), Good{Kind::fruit, 6}};
    const stoa::Prefab hammer{market.world(), Good{Kind::tool, 20}};
    const stoa::Prefab pearl{market.world(), Good{Kind::jewel, 45}};
    market.deliver("Cid", hammer, 10);
    market.deliver("Dora", pearl, 4);

    const std::vector<std::string_view> names{"Ann", "Bob", "Cid", "Dora"};
    Dice dice;
    for (int day = 1; day <= 30; ++day) {
        market.deliver(names[static_cast<std::size_t>(dice.roll(4))], apple, 5);
        for (int deal = 0; deal < 6; ++deal) {
            market.buy(names[static_cast<std::size_t>(dice.roll(4))], static_cast<Kind>(dice.roll(3)));
        }
        market.night();
        if (day % 6 == 0) market.report(day);
    }
    std::printf("\ncheap fruit is found like this:\n%s\n", market.plan(Kind::fruit).c_str());
    if (market.agrees(400)) return EXIT_SUCCESS;
    std::puts("the books do not agree");
    return EXIT_FAILURE;
}

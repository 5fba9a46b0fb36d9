// Compares random conditions with a naive evaluator: the answer, which parts are asked, and in which order.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "support/order_executor.hpp"

using namespace stoa;

namespace {

constexpr int facts = 6;

struct Facts {
    bool all[facts] = {};
};

// An expression over facts, as a tree.
struct Expression {
    char kind = 'f';  // a fact, or & | !
    int fact = 0;
    std::shared_ptr<Expression> left, right;

    bool value(const Facts& known, std::string& asked) const {
        switch (kind) {
            case '&':
                return left->value(known, asked) && right->value(known, asked);
            case '|':
                return left->value(known, asked) || right->value(known, asked);
            case '!':
                return !left->value(known, asked);
            default:
                asked += static_cast<char>('0' + fact);
                return known.all[fact];
        }
    }
    Condition condition(std::string& asked) const {
        switch (kind) {
            case '&':
                return left->condition(asked) && right->condition(asked);
            case '|':
                return left->condition(asked) || right->condition(asked);
            case '!':
                return !left->condition(asked);
            default:
                return Condition{"fact", [&asked, number = fact](Res<const Facts> known) {
                                     asked += static_cast<char>('0' + number);
                                     return known->all[number];
                                 }};
        }
    }
};

std::shared_ptr<Expression> any_expression(std::mt19937& random, int depth) {
    auto made = std::make_shared<Expression>();
    made->kind = depth == 0 ? 'f' : "f&|!&|"[random() % 6];
    made->fact = static_cast<int>(random() % facts);
    if (made->kind != 'f') made->left = any_expression(random, depth - 1);
    if (made->kind == '&' || made->kind == '|') made->right = any_expression(random, depth - 1);
    return made;
}

}  // namespace

TEST_CASE("random conditions answer as a naive evaluator does, and ask the same parts") {
    std::mt19937 random{41};
    for (int round = 0; round < 60; ++round) {
        World world;
        world.set_resource(Facts{});
        Schedule schedule{world};
        Phase& phase = schedule.add_phase("p");
        std::vector<std::shared_ptr<Expression>> expressions;
        std::string asked, ran;
        for (int i = 0; i < 8; ++i) {
            expressions.push_back(any_expression(random, 5));
            // Each system changes a fact, which those behind it see.
            phase.add(std::string(1, static_cast<char>('a' + i)),
                      [&ran, i](Res<Facts> known) {
                          ran += static_cast<char>('a' + i);
                          known->all[i % facts] = !known->all[i % facts];
                      },
                      {.when = expressions.back()->condition(asked)});
        }
        for (int update = 0; update < 20; ++update) {
            auto& known = world.resource<Facts>();
            for (bool& fact : known.all) fact = random() % 2 == 0;
            Facts expected = known;
            std::string expected_asked, expected_ran;
            for (int i = 0; i < 8; ++i) {
                if (!expressions[static_cast<std::size_t>(i)]->value(expected, expected_asked)) continue;
                expected_ran += static_cast<char>('a' + i);
                expected.all[i % facts] = !expected.all[i % facts];
            }
            asked.clear();
            ran.clear();
            schedule.update(0);
            REQUIRE(asked == expected_asked);
            REQUIRE(ran == expected_ran);
        }
    }
}

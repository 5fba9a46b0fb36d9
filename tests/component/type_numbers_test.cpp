// Guards TypeNumbers as a class: what one library knows can be forgotten. A type that another library uses keeps its
// number, and is described by that library from then on; any other type is new when it is asked for again.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "component/registry.hpp"
#include "support/seeds.hpp"

using stoa::detail::AddressRange;
using stoa::detail::CachedNumber;
using stoa::detail::TypeIdentity;
using stoa::detail::TypeNumbers;
using stoa_test::Random;

namespace {

constexpr std::uint32_t names = 12;
constexpr std::uint32_t modules = 3;
constexpr std::uint64_t key = std::uint64_t{77} << CachedNumber::bits;

// The types of one library, side by side, so that they form a range of addresses. Names are text of the library.
struct Module {
    explicit Module(std::uint32_t) {
        for (std::uint32_t name = 0; name < names; ++name) texts.push_back("type" + std::to_string(name));
        types.reserve(names);
        for (std::uint32_t name = 0; name < names; ++name)
            types.push_back({texts[name], &anchors[name], this, nullptr, 4, 4});
        cached.resize(names);
    }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;

    AddressRange range() const {
        return {reinterpret_cast<std::uintptr_t>(types.data()), reinterpret_cast<std::uintptr_t>(types.data() + names)};
    }

    std::vector<std::string> texts;
    std::vector<TypeIdentity> types;
    std::vector<CachedNumber> cached;
    char anchors[names] = {};
};

// What the numbers should be.
struct Model {
    struct Type {
        int number = -1;
        std::vector<std::uint32_t> users;  // modules, the first one first
    };

    void use(std::uint32_t name, std::uint32_t module) {
        Type& type = types[name];
        if (type.number < 0) type.number = next++;
        if (std::find(type.users.begin(), type.users.end(), module) == type.users.end()) type.users.push_back(module);
    }
    void forget(std::uint32_t module) {
        for (Type& type : types) {
            std::erase(type.users, module);
            if (type.users.empty()) type.number = -1;
        }
    }

    Type types[names];
    int next = 0;
};

}  // namespace

TEST_SUITE("type numbers") {
    TEST_CASE("forgetting a library agrees with a model") {
        stoa_test::for_each_seed(20, [](Random& random) {
            Module all[modules] = {Module{0}, Module{1}, Module{2}};
            TypeNumbers numbers;
            Model model;
            for (int step = 0; step < 400; ++step) {
                const std::uint32_t module = random.below(modules);
                if (random.below(25) == 0) {
                    numbers.forget(all[module].range(), key);
                    model.forget(module);
                    for (const CachedNumber& cached : all[module].cached) REQUIRE(!cached.is_set());
                } else {
                    const std::uint32_t name = random.below(names);
                    CachedNumber& cached = all[module].cached[name];
                    const TypeNumbers::Found found = numbers.find_or_add({&all[module].types[name], &cached});
                    model.use(name, module);
                    REQUIRE(found.is_noted);
                    REQUIRE(found.number == static_cast<std::uint32_t>(model.types[name].number));
                    cached.set(key, found.number);
                }
                REQUIRE(numbers.count() == static_cast<std::uint32_t>(model.next));
                std::vector<bool> marks[modules];
                for (std::uint32_t i = 0; i < modules; ++i) numbers.mark(all[i].range(), marks[i]);
                for (std::uint32_t name = 0; name < names; ++name) {
                    const Model::Type& type = model.types[name];
                    if (type.number < 0) continue;
                    const auto number = static_cast<std::uint32_t>(type.number);
                    REQUIRE(&numbers[number] == &all[type.users.front()].types[name]);
                    for (std::uint32_t i = 0; i < modules; ++i) REQUIRE(marks[i][number] == (i == type.users.front()));
                }
            }
        });
    }

    TEST_CASE("a number that another registry has cached stays as it is") {
        Module module{0};
        TypeNumbers numbers;
        module.cached[0].set(key + CachedNumber::limit, 0);
        numbers.find_or_add({&module.types[0], &module.cached[0]});
        numbers.forget(module.range(), key);
        CHECK(module.cached[0].in(key + CachedNumber::limit) == 0);
    }
}

// Guards Registry as a class: ids are dense and in order of first use, a type has one id whoever asks, a cached number
// belongs to one registry, and a failure for lack of memory leaves no trace.

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "component/registry.hpp"
#include "support/fault_allocator.hpp"
#include "support/seeds.hpp"

using stoa::ComponentId;
using stoa::detail::CachedNumber;
using stoa::detail::component_type;
using stoa::detail::ComponentType;
using stoa::detail::Registry;
using stoa::detail::TypeHandle;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::Random;

namespace {

struct First {};
struct Second {
    int value;
};

// Descriptions as several shared libraries would bring them: in each module, every name has an anchor of its own.
class Descriptions {
  public:
    Descriptions(std::size_t names, std::size_t modules) : modules_(modules, 0), anchors_(names * modules, 0) {
        for (std::size_t name = 0; name < names; ++name) names_.push_back("type" + std::to_string(name));
        for (std::size_t module = 0; module < modules; ++module) {
            for (std::size_t name = 0; name < names; ++name) {
                ComponentType type = component_type<Second>;
                type.type_name = names_[name];
                type.type_info = nullptr;
                type.module = &modules_[module];
                type.anchor = &anchors_[module * names + name];
                types.push_back(type);
                handles.push_back({&types.back(), {}});
            }
        }
    }

    std::deque<ComponentType> types;
    std::deque<TypeHandle> handles;

  private:
    std::deque<std::string> names_;
    std::vector<char> modules_;
    std::vector<char> anchors_;
};

std::uint32_t number(ComponentId id) { return static_cast<std::uint32_t>(id); }

}  // namespace

TEST_SUITE("registry") {
    TEST_CASE("ids are dense, in order of first use, and the same for every library") {
        stoa_test::for_each_seed(5, [](Random& random) {
            constexpr std::uint32_t names = 40;
            constexpr std::uint32_t modules = 3;
            Descriptions descriptions(names, modules);
            Registry registry;
            std::vector<int> known(names, -1);  // the id of each name
            std::uint32_t count = 0;
            std::vector<const ComponentType*> first_users;
            for (int step = 0; step < 400; ++step) {
                const std::uint32_t at = random.below(names * modules);
                const std::uint32_t id = number(registry.id(descriptions.handles[at]));
                int& expected = known[at % names];
                if (expected < 0) {
                    expected = static_cast<int>(count++);
                    first_users.push_back(&descriptions.types[at]);
                }
                REQUIRE(id == static_cast<std::uint32_t>(expected));
                REQUIRE(registry.component_count() == count);
                REQUIRE(&registry.type(ComponentId{id}) == first_users[id]);
            }
        });
    }

    TEST_CASE("two types of one name in one library are two types") {
        ComponentType one = component_type<Second>;
        ComponentType two = one;
        const char anchor = 0;
        two.anchor = &anchor;
        TypeHandle handle_one{&one, {}};
        TypeHandle handle_two{&two, {}};
        Registry registry;
        CHECK(registry.id(handle_one) != registry.id(handle_two));
    }

    TEST_CASE("a cached number belongs to the first registry that sets it") {
        TypeHandle first{&component_type<First>, {}};
        TypeHandle second{&component_type<Second>, {}};
        Registry one;
        Registry two;
        CHECK(number(one.id(first)) == 0);
        CHECK(number(one.id(second)) == 1);
        CHECK(number(two.id(second)) == 0);
        CHECK(number(two.id(first)) == 1);
        CHECK(first.cached_number.in(CachedNumber::key(&one)) == 0);
        CHECK(second.cached_number.in(CachedNumber::key(&one)) == 1);
        CHECK(second.cached_number.in(CachedNumber::key(&two)) >= CachedNumber::limit);
        CHECK(number(two.id(second)) == 0);
    }

    TEST_CASE("numbers of lists are dense in each registry, and independent of ids and resources") {
        stoa_test::for_each_seed(5, [](Random& random) {
            Registry registries[2];
            std::deque<CachedNumber> lists(50);
            std::vector<std::vector<int>> known(2, std::vector<int>(lists.size(), -1));
            std::uint32_t counts[2] = {0, 0};
            TypeHandle handle{&component_type<Second>, {}};
            registries[0].id(handle);
            for (int step = 0; step < 500; ++step) {
                const std::uint32_t which = random.below(2);
                const std::uint32_t list = random.below(50);
                int& expected = known[which][list];
                if (expected < 0) expected = static_cast<int>(counts[which]++);
                REQUIRE(registries[which].number(lists[list]) == static_cast<std::uint32_t>(expected));
            }
            CachedNumber resource;
            CHECK(registries[0].resource(component_type<Second>, resource) == 0);
        });
    }

    TEST_CASE("without memory a new type is refused, and found later") {
        Registry registry;
        TypeHandle first{&component_type<First>, {}};
        TypeHandle second{&component_type<Second>, {}};
        registry.id(first);
        for (std::uint64_t nth = 0;; ++nth) {
            bool fired = false;
            {
                const AllocationFaults faults(nth, FaultMode::persistent);
                const ComponentId id = resolve_or_none(registry, second);
                fired = faults.fired();
                CHECK((number(id) == 1) == !fired);
            }
            if (!fired) break;
            CHECK(registry.component_count() == 1);
            CHECK(!second.cached_number.is_set());
        }
        CHECK(registry.component_count() == 2);
        CHECK(number(registry.id(second)) == 1);
    }

    TEST_CASE("threads that ask at the same time agree") {
        Registry registry;
        Descriptions descriptions(60, 2);
        std::vector<std::vector<std::uint32_t>> seen(4);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < seen.size(); ++t) {
            threads.emplace_back([&, t] {
                for (std::size_t i = 0; i < 120; ++i)
                    seen[t].push_back(number(registry.id(descriptions.handles[(i + 30 * t) % 120])));
            });
        }
        for (std::thread& thread : threads) thread.join();
        CHECK(registry.component_count() == 60);
        for (std::size_t t = 0; t < seen.size(); ++t) {
            for (std::size_t i = 0; i < 120; ++i) {
                const std::size_t at = (i + 30 * t) % 120;
                CHECK(registry.type(ComponentId{seen[t][i]}).type_name == descriptions.types[at].type_name);
            }
        }
    }
}

// Guards ObjectPool as a class: objects are reset and come back last in, first out, none is lost or ended twice, and
// lack of memory ends an object instead of failing.

#include <doctest/doctest.h>

#include <cstddef>
#include <new>
#include <vector>

#include "storage/object_pool.hpp"
#include "support/fault_allocator.hpp"
#include "support/seeds.hpp"
#include "support/traced.hpp"

using stoa::detail::component_type;
using stoa::detail::ObjectPool;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::Random;

namespace {

struct Family;

// What it was before a reset stays readable, to see which object came back.
struct Pooled : stoa_test::Traced<Family> {
    static constexpr stoa::Traits stoa_traits{.pooled = true};
    using Traced::Traced;
    void reset() noexcept { resets += checked() == value; }
    int resets = 0;
};

stoa_test::Ledger& ledger() { return Pooled::ledger(); }

// Storage for one object.
class Cell {
  public:
    void* at() { return bytes_; }
    Pooled& object() { return *std::launder(reinterpret_cast<Pooled*>(bytes_)); }  // Safe: tests build it first
    void build(int number) { ::new (bytes_) Pooled(number); }
    int end() {
        const int number = object().checked();
        object().~Pooled();
        return number;
    }

  private:
    alignas(Pooled) std::byte bytes_[sizeof(Pooled)];
};

}  // namespace

TEST_SUITE("object pool") {
    TEST_CASE("it agrees with a stack, and no object is lost") {
        stoa_test::for_each_seed(5, [](Random& random) {
            ledger().reset();
            {
                ObjectPool pool(component_type<Pooled>);
                std::vector<int> stack;
                Cell cell;
                for (int step = 1; step <= 1000; ++step) {
                    if (random.one_in(100)) {
                        pool.clear();
                        stack.clear();
                    } else if (random.one_in(2)) {
                        cell.build(step);
                        pool.stash(cell.at());
                        stack.push_back(step);
                    } else {
                        REQUIRE(pool.take(cell.at()) == !stack.empty());
                        if (stack.empty()) continue;
                        REQUIRE(cell.object().resets > 0);
                        REQUIRE(cell.end() == stack.back());
                        stack.pop_back();
                    }
                    REQUIRE(ledger().alive == static_cast<std::int64_t>(stack.size()));
                }
                CHECK(pool.bytes() >= stack.size() * sizeof(Pooled));
            }
            CHECK(ledger().alive == 0);
            CHECK(ledger().wrong == 0);
        });
    }

    TEST_CASE("without memory an object ends instead of being kept") {
        ledger().reset();
        {
            ObjectPool pool(component_type<Pooled>);
            Cell cell;
            cell.build(1);
            {
                const AllocationFaults faults(0, FaultMode::persistent);
                pool.stash(cell.at());
                CHECK(faults.fired());
            }
            CHECK(ledger().alive == 0);
            CHECK(!pool.take(cell.at()));
            // Those that are there stay when there is no memory for more.
            int kept = 0;
            for (; pool.bytes() == 0 || pool.bytes() / sizeof(Pooled) > static_cast<std::size_t>(kept); ++kept) {
                cell.build(kept);
                pool.stash(cell.at());
            }
            cell.build(-1);
            {
                const AllocationFaults faults(0, FaultMode::persistent);
                pool.stash(cell.at());
                CHECK(faults.fired());
            }
            CHECK(ledger().alive == kept);
            while (kept-- > 0) {
                REQUIRE(pool.take(cell.at()));
                CHECK(cell.end() == kept);
            }
        }
        CHECK(ledger().alive == 0);
        CHECK(ledger().wrong == 0);
    }
}

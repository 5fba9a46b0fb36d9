// Guards RemovedValues and ObjectPools as classes: a value that leaves is kept in its log, recycled or destroyed,
// exactly one of the three, and never lost for lack of memory.

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <new>

#include "storage/removed_values.hpp"
#include "support/fault_allocator.hpp"
#include "support/seeds.hpp"
#include "support/traced.hpp"

using stoa::ComponentId;
using stoa::Entity;
using stoa::detail::BlockPool;
using stoa::detail::component_type;
using stoa::detail::ObjectPools;
using stoa::detail::RemovedValues;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::Random;

namespace {

struct Plain : stoa_test::Traced<struct PlainFamily> {
    using Traced::Traced;
};
struct Pooled : stoa_test::Traced<struct PooledFamily> {
    static constexpr stoa::Traits stoa_traits{.pooled = true};
    using Traced::Traced;
    void reset() noexcept {}
};

constexpr ComponentId plain{3};
constexpr ComponentId pooled{5};

Entity owner_of(std::uint32_t number) { return Entity::from_bits((std::uint64_t{1} << 32) | number); }

template <class T>
struct Cell {
    alignas(T) std::byte bytes[sizeof(T)];
    void* build(int number) { return ::new (bytes) T(number); }
    // Safe: a T has been moved here.
    int end() {
        T& value = *std::launder(reinterpret_cast<T*>(bytes));
        const int number = value.checked();
        value.~T();
        return number;
    }
};

// In the order of their construction: the values go before the pools.
struct Kept {
    Kept() {
        Plain::ledger().reset();
        Pooled::ledger().reset();
        pools.prepare(pooled, component_type<Pooled>);
    }
    void log_all() {
        values.prepare(plain, component_type<Plain>);
        values.prepare(pooled, component_type<Pooled>);
        values.use(plain);
        values.use(pooled);
    }
    template <class T>
    void remove(std::uint32_t owner, ComponentId id, int number) {
        Cell<T> cell;
        values.keep_or_destroy(owner_of(owner), component_type<T>, id, cell.build(number));
    }

    BlockPool memory;
    ObjectPools pools{memory};
    RemovedValues values{memory, pools};
};

}  // namespace

TEST_SUITE("removed values") {
    TEST_CASE("without a log a value is destroyed, or recycled") {
        {
            Kept kept;
            CHECK(!kept.values.is_logged(plain));
            CHECK(!kept.values.any());
            kept.remove<Plain>(1, plain, 7);
            CHECK(Plain::ledger().alive == 0);
            kept.remove<Pooled>(1, pooled, 8);
            CHECK(Pooled::ledger().alive == 1);
            Cell<Pooled> cell;
            CHECK(kept.pools.take(pooled, cell.bytes));
            CHECK(cell.end() == 8);
            CHECK(!kept.pools.take(pooled, cell.bytes));
            CHECK(!kept.pools.take(plain, cell.bytes));
            CHECK(kept.values.find(plain, owner_of(1)) == nullptr);
        }
        CHECK(Plain::ledger().wrong + Pooled::ledger().wrong == 0);
    }

    TEST_CASE("a log that is prepared keeps nothing before it is used") {
        Kept kept;
        kept.values.prepare(plain, component_type<Plain>);
        CHECK(!kept.values.is_logged(plain));
        kept.remove<Plain>(1, plain, 7);
        CHECK(Plain::ledger().alive == 0);
    }

    TEST_CASE("logged values agree with a model, from frame to frame") {
        stoa_test::for_each_seed(5, [](Random& random) {
            {
                Kept kept;
                kept.log_all();
                for (int frame = 0; frame < 10; ++frame) {
                    std::map<std::uint32_t, int> newest[2];
                    std::int64_t counts[2] = {0, 0};
                    const std::uint32_t removals = random.below(300);
                    for (std::uint32_t i = 0; i < removals; ++i) {
                        const std::uint32_t which = random.below(2);
                        const std::uint32_t owner = random.below(100);
                        which == 0 ? kept.remove<Plain>(owner, plain, static_cast<int>(i))
                                   : kept.remove<Pooled>(owner, pooled, static_cast<int>(i));
                        newest[which][owner] = static_cast<int>(i);
                        ++counts[which];
                    }
                    REQUIRE(Plain::ledger().alive == counts[0]);
                    REQUIRE(kept.values.check() == nullptr);
                    for (std::uint32_t owner = 0; owner < 100; ++owner) {
                        // Safe: the logs hold values of these types.
                        const auto* const one = static_cast<const Plain*>(kept.values.find(plain, owner_of(owner)));
                        const auto* const two = static_cast<const Pooled*>(kept.values.find(pooled, owner_of(owner)));
                        REQUIRE((one != nullptr) == newest[0].contains(owner));
                        REQUIRE((two != nullptr) == newest[1].contains(owner));
                        if (one != nullptr) REQUIRE(one->checked() == newest[0][owner]);
                        if (two != nullptr) REQUIRE(two->checked() == newest[1][owner]);
                    }
                    kept.values.forget();
                    REQUIRE(Plain::ledger().alive == 0);
                    REQUIRE(kept.values.bytes_used() == 0);
                    // Pooled values have been recycled.
                    Cell<Pooled> cell;
                    for (; counts[1] != 0; --counts[1]) {
                        REQUIRE(kept.pools.take(pooled, cell.bytes));
                        cell.end();
                    }
                    REQUIRE(!kept.pools.take(pooled, cell.bytes));
                    if (random.one_in(3)) kept.values.shrink();
                }
            }
            CHECK(Plain::ledger().alive + Pooled::ledger().alive == 0);
            CHECK(Plain::ledger().wrong + Pooled::ledger().wrong == 0);
        });
    }

    TEST_CASE("a value that finds no memory, or comes after the stop, ends at once") {
        {
            Kept kept;
            kept.log_all();
            {
                const AllocationFaults faults(0, FaultMode::persistent);
                kept.remove<Plain>(1, plain, 7);
                kept.remove<Pooled>(1, pooled, 8);
            }
            CHECK(Plain::ledger().alive == 0);
            CHECK(Pooled::ledger().alive == 0);
            CHECK(kept.values.find(plain, owner_of(1)) == nullptr);
            CHECK(kept.values.check() == nullptr);
            kept.values.stop();
            kept.remove<Plain>(1, plain, 9);
            CHECK(Plain::ledger().alive == 0);
        }
        CHECK(Plain::ledger().wrong + Pooled::ledger().wrong == 0);
    }
}

// Queries when memory runs out: a table that came without memory to note it is seen all the same, at the next use.
#include <doctest/doctest.h>

#include <new>
#include <stoa/stoa.hpp>

#include "support/fault_allocator.hpp"

using namespace stoa;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;

namespace {

struct A {
    int value = 0;
};
struct B {
    int value = 0;
};

}  // namespace

TEST_CASE("a table that a removal made without memory is not missed by queries that exist") {
    World world;
    const Entity e = world.spawn(A{1}, B{2});
    auto query = world.query<const A, Without<B>>();
    CHECK(query.count() == 0);
    {
        const AllocationFaults faults{0, FaultMode::persistent};
        CHECK(world.remove<B>(e));
    }
    CHECK(query.count() == 1);
    CHECK(query.first() == e);
    world.check();
}

TEST_CASE("a query that cannot be made for lack of memory changes nothing") {
    for (std::uint64_t nth = 0; nth < 40; ++nth) {
        World world;
        world.spawn(A{1});
        bool failed = false;
        {
            const AllocationFaults faults{nth, FaultMode::once};
            try {
                static_cast<void>(world.query<const A>());
                static_cast<void>(world.query<const A, Or<Changed<A>, With<B>>>());
            } catch (const std::bad_alloc&) {
                failed = true;
            }
        }
        world.check();
        CHECK(world.query<const A>().count() == 1);
        world.spawn(A{2}, B{});
        CHECK(world.query<const A>().count() == 2);
        CHECK(world.query<const A, Or<Changed<A>, With<B>>>().count() == 2);
        if (!failed) return;
    }
    FAIL("every allocation failed");
}

// The fault loop itself. Invariant: faults are armed only while the operation runs, never while a scene is built,
// compared or destroyed. Called by the tests in tests/fault.
#include "loop_faults.hpp"

#include "components.hpp"
#include "type_list.hpp"

#include <doctest/doctest.h>

#include <new>
#include <optional>

namespace stoa_test {
namespace {

constexpr std::uint64_t runaway = 20'000;

struct Balance {
    std::int64_t alive = 0;
    std::uint64_t wrong = 0;
    friend bool operator==(const Balance&, const Balance&) = default;
};

// The sum over all watched components.
Balance watched_objects() {
    Balance sum;
    AllComponents::each([&]<class C>() {
        if constexpr (requires { C::ledger(); }) {
            sum.alive += C::ledger().alive;
            sum.wrong += C::ledger().wrong;
        }
    });
    return sum;
}

// Objects in a pool are alive without belonging to an entity, so they are counted apart.
std::int64_t watched_outside_pools() { return watched_objects().alive - PooledCounted::ledger().alive; }

enum class Outcome { untouched, thrown, absorbed };

template <class Faults>
Outcome attempt(Faults& faults, const Operation& operation, Scene& scene) {
    try {
        operation(scene);
    } catch (const std::bad_alloc&) {
        return Outcome::thrown;
    } catch (const PlannedFault&) {
        return Outcome::thrown;
    }
    return faults.fired() ? Outcome::absorbed : Outcome::untouched;
}

Outcome attempt(FaultKind kind, std::uint64_t nth, const Operation& operation, Scene& scene) {
    if (kind == FaultKind::construction) {
        ConstructionFaults faults{nth};
        return attempt(faults, operation, scene);
    }
    AllocationFaults faults{nth, kind == FaultKind::allocation_once ? FaultMode::once : FaultMode::persistent};
    return attempt(faults, operation, scene);
}

const char* name_of(FaultKind kind) {
    switch (kind) {
        case FaultKind::allocation_once:
            return "one allocation fails";
        case FaultKind::allocation_persistent:
            return "all allocations fail from here on";
        default:
            return "a construction or copy throws";
    }
}

// The world as it was before the operation and as it is after it without faults.
struct Expectation {
    Snapshot before;
    Snapshot after;
    std::int64_t watched_before = 0;
    std::int64_t watched_after = 0;
};

Expectation expect_of(const MakeScene& make, const Operation& operation, const Verify& verify) {
    Expectation expected;
    Scene scene = make();
    expected.before = take_snapshot(scene.world, scene.indices);
    expected.watched_before = watched_outside_pools();
    operation(scene);
    expected.after = take_snapshot(scene.world, scene.indices);
    expected.watched_after = watched_outside_pools();
    scene.world.check();
    if (verify) {
        verify(scene);
    }
    return expected;
}

void check_before(Scene& scene, const Expectation& expected) {
    const Snapshot now = take_snapshot(scene.world, scene.indices);
    if (now != expected.before) {
        FAIL_CHECK("the world is not as it was:\n" << difference(expected.before, now));
    }
    CHECK(watched_outside_pools() == expected.watched_before);
    CHECK_NOTHROW(scene.world.check());
}

void check_after(Scene& scene, const Expectation& expected, const Verify& verify) {
    const Snapshot now = take_snapshot(scene.world, scene.indices);
    if (now != expected.after) {
        FAIL_CHECK("the operation gave another world than without faults:\n" << difference(expected.after, now));
    }
    CHECK(watched_outside_pools() == expected.watched_after);
    CHECK_NOTHROW(scene.world.check());
    if (verify) {
        verify(scene);
    }
}

}  // namespace

FaultCount loop_faults(FaultKind kind, Promise promise, const MakeScene& make, const Operation& operation,
                       const Verify& verify) {
    FaultCount count;
    const Balance at_start = watched_objects();
    const Expectation expected = expect_of(make, operation, verify);
    const bool may_throw = promise == Promise::may_throw || kind == FaultKind::construction;
    const std::string fault = name_of(kind);
    CAPTURE(fault);
    for (std::uint64_t nth = 0; nth < runaway; ++nth) {
        CAPTURE(nth);
        const std::int64_t blocks = live_blocks();
        Outcome outcome = Outcome::untouched;
        {
            Scene scene = make();
            outcome = attempt(kind, nth, operation, scene);
            if (outcome == Outcome::thrown) {
                CHECK_MESSAGE(may_throw, "the operation promises not to fail for lack of memory");
                check_before(scene, expected);
                operation(scene);
            }
            check_after(scene, expected, verify);
        }
        CHECK_MESSAGE(live_blocks() == blocks, "memory leaked");
        CHECK(watched_objects() == at_start);
        if (outcome == Outcome::untouched) {
            return count;
        }
        ++(outcome == Outcome::thrown ? count.thrown : count.absorbed);
    }
    FAIL("the fault loop does not end");
    return count;
}

FaultCount sweep_faults(const std::string& verb, Promise promise, const Operation& operation, const Verify& verify) {
    FaultCount total;
    CAPTURE(verb);
    for (const SceneSettings& settings : all_scenes()) {
        CAPTURE(settings.name);
        const MakeScene make = [&settings] { return make_scene(settings); };
        for (const FaultKind kind :
             {FaultKind::allocation_once, FaultKind::allocation_persistent, FaultKind::construction}) {
            total += loop_faults(kind, promise, make, operation, verify);
        }
    }
    return total;
}

}  // namespace stoa_test

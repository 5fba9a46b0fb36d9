// Guards ScopeGuard and the scoped counters: what happens at the end of a scope, and when it does not.

#include <doctest/doctest.h>

#include <stdexcept>

#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/base/scoped_count.hpp"

using stoa::detail::ScopedCount;
using stoa::detail::ScopeGuard;
using stoa::detail::SharedScopedCount;

TEST_SUITE("scope guard") {
    TEST_CASE("the action of a guard runs at the end of its scope") {
        int runs = 0;
        {
            const ScopeGuard guard([&]() noexcept { ++runs; });
            CHECK(runs == 0);
        }
        CHECK(runs == 1);
    }

    TEST_CASE("the action runs while an exception leaves the scope") {
        int runs = 0;
        CHECK_THROWS_AS(
            [&] {
                const ScopeGuard guard([&]() noexcept { ++runs; });
                throw std::runtime_error("out");
            }(),
            std::runtime_error);
        CHECK(runs == 1);
    }

    TEST_CASE("a dismissed guard does nothing") {
        int runs = 0;
        {
            ScopeGuard guard([&]() noexcept { ++runs; });
            guard.dismiss();
        }
        CHECK(runs == 0);
    }

    TEST_CASE("a scoped counter is raised for the length of its scope, and nests") {
        int one = 0;
        unsigned many = 0;
        {
            const ScopedCount outer(one);
            const SharedScopedCount shared(many);
            {
                const ScopedCount inner(one);
                const SharedScopedCount again(many);
                CHECK(one == 2);
                CHECK(many == 2);
            }
            CHECK(one == 1);
            CHECK(many == 1);
        }
        CHECK(one == 0);
        CHECK(many == 0);
    }
}

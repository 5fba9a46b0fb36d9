// The version can be used by the preprocessor. That it is the project's is checked when CMake configures.
#include <stoa/version.hpp>

#include <doctest/doctest.h>

#if STOA_VERSION < 100
#error "the version is below the first one"
#endif

TEST_CASE("the version is one number") {
    CHECK(STOA_VERSION == 10000 * STOA_VERSION_MAJOR + 100 * STOA_VERSION_MINOR + STOA_VERSION_PATCH);
}

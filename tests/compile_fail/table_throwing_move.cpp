// expect: a component stored in tables must be nothrow move-constructible and nothrow destructible; use Storage::sparse for other types
// A component in tables must not throw when it is moved.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Clumsy {
    Clumsy() = default;
#ifdef STOA_TEST_CONTROL
    Clumsy(Clumsy&& other) noexcept : value(other.value) {}
#else
    Clumsy(Clumsy&& other) noexcept(false) : value(other.value) {}
#endif
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    world.spawn<Clumsy>();
}

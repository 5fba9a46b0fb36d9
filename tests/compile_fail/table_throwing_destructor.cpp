// expect: a component stored in tables must be nothrow move-constructible and nothrow destructible; use Storage::sparse for other types
// A component in tables must not throw when it is destroyed.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Clumsy {
    Clumsy() = default;
    Clumsy(Clumsy&& other) noexcept : value(other.value) {}
#ifdef STOA_TEST_CONTROL
    ~Clumsy() {}
#else
    ~Clumsy() noexcept(false) {}
#endif
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    world.spawn<Clumsy>();
}

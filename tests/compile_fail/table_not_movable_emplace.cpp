// expect: a component stored in tables must be nothrow move-constructible and nothrow destructible; use Storage::sparse for other types
// Building in place does not help: rows of tables move later.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Clumsy {
    Clumsy() = default;
#ifdef STOA_TEST_CONTROL
    Clumsy(Clumsy&&) noexcept = default;
#else
    Clumsy(Clumsy&&) = delete;
#endif
    int value = 0;
};

}  // namespace

int main() {
    stoa::World world;
    world.emplace<Clumsy>(world.spawn());
}

// expect: a resource that can be neither moved nor copied is made with emplace_resource
// What cannot be moved is built in place.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Fixed {
    Fixed() = default;
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
};

}  // namespace

int main() {
    stoa::World world;
#ifdef STOA_TEST_CONTROL
    world.emplace_resource<Fixed>();
#else
    world.set_resource(Fixed{});
#endif
}

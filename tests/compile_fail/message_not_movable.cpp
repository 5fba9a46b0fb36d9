// expect: a message must be movable: send() moves or copies it into the world
// What cannot be moved cannot be sent.
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
    stoa::MessageReader<int> reader{world};
#else
    stoa::MessageReader<Fixed> reader{world};
#endif
}

// expect: a message that cannot be copied is sent by std::move
// An lvalue would be copied.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

#include <memory>
#include <utility>

int main() {
    stoa::World world;
    std::unique_ptr<int> message;
#ifdef STOA_TEST_CONTROL
    world.send(std::move(message));
#else
    world.send(message);
#endif
}

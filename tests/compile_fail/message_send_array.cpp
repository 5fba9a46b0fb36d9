// expect: a message is a plain object type, without const, reference or array
// An array would become a pointer.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

#include <string>

int main() {
    stoa::World world;

#ifdef STOA_TEST_CONTROL
    world.send(std::string("text"));
#else
    world.send("text");
#endif
}

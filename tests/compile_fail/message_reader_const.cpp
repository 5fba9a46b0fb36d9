// expect: a message is a plain object type, without const, reference or array
// A reader names the type of its messages; that it only reads is understood.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.

#include <stoa/stoa.hpp>

namespace {

struct Hit {
    int damage = 0;
};

}  // namespace

int main() {
    stoa::World world;

#ifdef STOA_TEST_CONTROL
    stoa::MessageReader<Hit> reader{world};
#else
    stoa::MessageReader<const Hit> reader{world};
#endif
}

// expect: shuffle: the elements are const; give a span of elements that can be swapped
// What is const stays where it is.
// With STOA_TEST_CONTROL the wrong line is replaced by a right one, and the file must compile.
#include <stoa/stoa.hpp>

void misuse(stoa::Random& random, std::span<int> values) {
#ifdef STOA_TEST_CONTROL
    random.shuffle(values);
#else
    random.shuffle(std::span<const int>(values));
#endif
}

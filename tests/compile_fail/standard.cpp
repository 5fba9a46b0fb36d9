// expect: Stoa needs C++20: compile with -std=c++20
// options: -std=c++17
// One sentence, and no error that follows from it.
#include <stoa/stoa.hpp>

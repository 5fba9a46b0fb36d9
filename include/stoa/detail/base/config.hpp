// What every public header shares, before anything else: which C++ it is, and which symbols the library exports. The
// library is built with hidden visibility, so a symbol is part of the binary interface only when it says STOA_API.
#pragma once

#if __cplusplus < 202002L
#error Stoa needs C++20: compile with -std=c++20
// A header that is missing ends the compilation here, before thousands of errors that follow from the first.
#include <Stoa needs C++20>
#endif

#if defined(__GNUC__)
#define STOA_API [[gnu::visibility("default")]]
#else
#define STOA_API
#endif

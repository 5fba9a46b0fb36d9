// The one switch that every public header shares: which symbols the library exports. The library is built with hidden
// visibility, so a symbol is part of the binary interface only when it says STOA_API.
#pragma once

#if defined(__GNUC__)
#define STOA_API [[gnu::visibility("default")]]
#else
#define STOA_API
#endif

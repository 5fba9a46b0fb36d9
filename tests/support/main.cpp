// The entry point of every test program: doctest's own main and nothing else, so that the framework is compiled once.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

// The version of the library, for programs that support several versions. CMake refuses to configure if it differs from
// the version of the project.
#pragma once

#include "stoa/detail/base/config.hpp"

/// The parts of the version, by the rules of semantic versioning.
#define STOA_VERSION_MAJOR 0
#define STOA_VERSION_MINOR 1
#define STOA_VERSION_PATCH 0

/// One number that can be compared: #if STOA_VERSION >= 100 * 100 * major + 100 * minor + patch.
#define STOA_VERSION (STOA_VERSION_MAJOR * 10000 + STOA_VERSION_MINOR * 100 + STOA_VERSION_PATCH)

// How long single operations take while a world grows, and which of them take long. A median per operation says nothing
// about the one call in a million that copies a whole array; a frame does. Called by main.cpp.
#pragma once

namespace bench {

/// Prints the table. False, with a message on stderr, when a measuring process could not be run.
bool print_latency(bool quick);

}  // namespace bench

// Five common standard headers and nothing else: the measure that small_user.cpp is held against by
// `tools/check.py diet`.
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

int play() { return 0; }

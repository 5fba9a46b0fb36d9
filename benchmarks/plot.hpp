// The results as a picture. Called by main.cpp.
#pragma once

#include "report.hpp"

#include <string>
#include <vector>

namespace bench {

/// Writes an SVG: for each workload and size a mark at Stoa's ratio to raw, on a logarithmic axis, with the figures as
/// text. Returns whether the file could be written.
bool plot(const std::vector<Result>& results, const std::string& file);

}  // namespace bench

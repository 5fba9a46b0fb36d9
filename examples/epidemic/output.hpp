// What the epidemic leaves behind: a table and a chart. Called by main.cpp.
#pragma once

#include "simulation.hpp"

#include <string>
#include <vector>

namespace epidemic {

/// Returns: one line for each day, behind a line of names.
std::string csv(const std::vector<Day>& days);

/// Returns: susceptible, infected and recovered agents by day, as lines; the solution of the equations, dashed.
std::string svg(const std::vector<Day>& days, std::size_t agents);

}  // namespace epidemic

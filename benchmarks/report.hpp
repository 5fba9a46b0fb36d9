// What was measured, and where: results, and their table and JSON lines. Called by main.cpp and plot.cpp.
#pragma once

#include "harness.hpp"

#include <string>

namespace bench {

/// One row of the table.
struct Result {
    const Workload* workload;
    std::size_t n;
    Comparison figures;
};

/// Processor, cores, compiler and date.
std::string circumstances();

void print_header();
void print_row(const Result& result);
void print_json(const Result& result);

}  // namespace bench

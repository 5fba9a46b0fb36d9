// Tables and JSON lines; see report.hpp.
#include "report.hpp"

#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

namespace bench {
namespace {

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("model name", 0) == 0) {
            return line.substr(line.find(':') + 2);
        }
    }
    return "unknown processor";
}

std::string compiler() {
#if defined(__clang__)
    std::string name = "clang " __clang_version__;
#elif defined(__GNUC__)
    std::string name = "g++ " __VERSION__;
#else
    std::string name = "unknown compiler";
#endif
    name.erase(name.find_last_not_of(' ') + 1);
#if !defined(__OPTIMIZE__)
    name += ", NOT OPTIMISED";
#endif
#if !defined(NDEBUG)
    name += ", with assertions";
#endif
    return name;
}

void print_statistics(const Result& result, const char* implementation, const Statistics& figures) {
    std::printf(R"({"name":"%s","n":%zu,"impl":"%s","ns":%.4f,"spread":%.4f,"unit":"%s"})"
                "\n",
                result.workload->name.c_str(), result.n, implementation, figures.median, figures.spread,
                result.workload->unit);
}

}  // namespace

std::string circumstances() {
    char date[32] = "";
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::localtime(&now));
    return processor() + ", " + std::to_string(std::thread::hardware_concurrency()) + " cores; " + compiler() + "; " +
           date;
}

void print_header() {
    std::printf("%s\n\n", circumstances().c_str());
    std::printf("%-22s %9s %12s %12s %8s %8s\n", "workload", "n", "stoa", "raw", "ratio", "spread");
}

void print_row(const Result& result) {
    const Comparison& figures = result.figures;
    const char* unit = result.workload->unit;
    std::printf("%-22s %9zu %9.2f %-2s", result.workload->name.c_str(), result.n, figures.stoa.median, unit);
    if (figures.alone()) {
        std::printf(" %9s    %8s", "-", "-");
    } else {
        std::printf(" %9.2f %-2s %7.2fx", figures.raw.median, unit, figures.ratio());
    }
    std::printf(" %7.1f%%%s\n", figures.stoa.spread * 100, figures.same_work ? "" : "   CHECKSUM MISMATCH");
    std::fflush(stdout);
}

void print_json(const Result& result) {
    if (!result.figures.alone()) {
        print_statistics(result, "raw", result.figures.raw);
    }
    print_statistics(result, "stoa", result.figures.stoa);
    std::fflush(stdout);
}

}  // namespace bench

// Text of the two files; see output.hpp. Numbers are written with a fixed number of digits, so that equal days give
// equal files.
#include "output.hpp"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace epidemic {
namespace {

constexpr double width = 900;
constexpr double height = 520;
constexpr double left = 70;
constexpr double right = 20;
constexpr double top = 50;
constexpr double bottom = 50;

[[gnu::format(printf, 2, 3)]] void append(std::string& text, const char* format, ...) {
    std::array<char, 512> line;
    std::va_list arguments;
    va_start(arguments, format);
    const int length = std::vsnprintf(line.data(), line.size(), format, arguments);
    va_end(arguments);
    text.append(line.data(), static_cast<std::size_t>(length));
}

/// Where the share of a day is in the chart.
struct Scale {
    double days;

    double x(double day) const { return left + day / days * (width - left - right); }
    static double y(double share) { return top + (1 - share) * (height - top - bottom); }
};

void append_axes(std::string& text, const Scale& scale) {
    for (int percent = 0; percent <= 100; percent += 25) {
        const double y = Scale::y(percent / 100.0);
        append(text, "<line x1='%.0f' y1='%.1f' x2='%.0f' y2='%.1f' class='grid'/>\n", left, y, width - right, y);
        append(text, "<text x='%.0f' y='%.1f' text-anchor='end'>%d %%</text>\n", left - 8, y + 4, percent);
    }
    const int interval = scale.days > 120 ? 30 : scale.days > 40 ? 10 : 5;
    for (int day = 0; day <= scale.days; day += interval) {
        append(text, "<text x='%.1f' y='%.0f' text-anchor='middle'>%d</text>\n", scale.x(day), height - bottom + 20,
               day);
    }
    append(text, "<text x='%.0f' y='%.0f' text-anchor='middle'>day</text>\n", (left + width - right) / 2, height - 10);
}

template <class Share>
void append_line(std::string& text, const std::vector<Day>& days, const Scale& scale, const char* name, Share share) {
    append(text, "<polyline class='%s' points='", name);
    for (std::size_t i = 0; i < days.size(); ++i) {
        append(text, "%.1f,%.1f ", scale.x(static_cast<double>(i)), Scale::y(share(days[i])));
    }
    text += "'/>\n";
}

constexpr const char* style = R"(<style>
text { font: 13px sans-serif; fill: #444 }
polyline { fill: none; stroke-width: 2.5 }
.grid { stroke: #ddd }
.equation { stroke-width: 1.5; stroke-dasharray: 5 4 }
.susceptible { stroke: #3468b0 }
.infected { stroke: #c8442f }
.recovered { stroke: #3f8f4f }
</style>
)";

void append_legend(std::string& text) {
    double x = left;
    for (const char* name : {"susceptible", "infected", "recovered"}) {
        append(text, "<polyline class='%s' points='%.0f,26 %.0f,26'/>\n", name, x, x + 24);
        append(text, "<text x='%.0f' y='30'>%s</text>\n", x + 30, name);
        x += 130;
    }
    append(text, "<text x='%.0f' y='30'>solid: agents in homes and workplaces; dashed: SIR equations</text>\n", x);
}

}  // namespace

std::string csv(const std::vector<Day>& days) {
    std::string text =
        "day,susceptible,infected,recovered,infections_at_home,infections_at_work,infections_elsewhere,"
        "infected_housemates,equations_susceptible,equations_infected,equations_recovered\n";
    for (std::size_t i = 0; i < days.size(); ++i) {
        const Day& day = days[i];
        append(text, "%zu,%zu,%zu,%zu,%zu,%zu,%zu,%.6f,%.6f,%.6f,%.6f\n", i, day.susceptible, day.infected,
               day.recovered, day.infections[0], day.infections[1], day.infections[2], day.infected_housemates,
               day.by_equations.susceptible, day.by_equations.infected, day.by_equations.recovered);
    }
    return text;
}

std::string svg(const std::vector<Day>& days, std::size_t agents) {
    const Scale scale{static_cast<double>(days.size() - 1)};
    const auto all = static_cast<double>(agents);
    std::string text;
    append(text, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %.0f %.0f'>\n", width, height);
    text += style;
    append(text, "<rect width='%.0f' height='%.0f' fill='white'/>\n", width, height);
    append_axes(text, scale);
    const auto share = [all](std::size_t count) { return static_cast<double>(count) / all; };
    append_line(text, days, scale, "susceptible", [&](const Day& day) { return share(day.susceptible); });
    append_line(text, days, scale, "infected", [&](const Day& day) { return share(day.infected); });
    append_line(text, days, scale, "recovered", [&](const Day& day) { return share(day.recovered); });
    append_line(text, days, scale, "susceptible equation", [](const Day& d) { return d.by_equations.susceptible; });
    append_line(text, days, scale, "infected equation", [](const Day& d) { return d.by_equations.infected; });
    append_line(text, days, scale, "recovered equation", [](const Day& d) { return d.by_equations.recovered; });
    append_legend(text);
    return text + "</svg>\n";
}

}  // namespace epidemic

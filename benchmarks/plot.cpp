// Draws the results; see plot.hpp. Groups stand below one another in two columns, each with the same logarithmic axis,
// so that a place on it means the same everywhere. Colours come with a background of their own: the picture looks the
// same on a light and on a dark page.
#include "plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string_view>

namespace bench {
namespace {

using Group = std::span<const Result>;

// Measures, in pixels. Inside a column x counts from its left edge.
constexpr double margin = 40;
constexpr double column_width = 700;
constexpr double gap = 56;  // between the columns
constexpr double page_width = 2 * margin + 2 * column_width + gap;
constexpr double top = 150;  // where the first group begins
constexpr double row_height = 17;
constexpr double group_head = 44;
constexpr double group_space = 26;
constexpr double size_x = 206;
constexpr double axis_x = 222;
constexpr double axis_width = 300;
constexpr double ratio_x = 580;
constexpr double stoa_x = 641;
constexpr double raw_x = column_width;

constexpr const char* head =
    R"(<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f">
<style>
text { font: 12px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #262b31; }
.title { font-size: 26px; font-weight: 600; }
.note { font-size: 13px; fill: #5d6670; }
.group { font-size: 16px; font-weight: 600; }
.faint { font-size: 11px; fill: #808892; }
.end { text-anchor: end; }
.mid { text-anchor: middle; }
.grid { stroke: #e7e3da; }
.one { stroke: #262b31; stroke-width: 1.5; }
.near { fill: #1f9268; }
.some { fill: #3a6fd0; }
.far { fill: #d27a1e; }
.bar { fill-opacity: 0.3; }
</style>
<rect width="100%%" height="100%%" rx="14" fill="#fcfbf8"/>
)";

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    std::string result = text;
    for (std::size_t at = result.size(); value >= 1000 && at > 3;) {
        at -= 3;
        result.insert(at, 1, ',');
    }
    return result;
}

std::string short_size(std::size_t n) {
    const double value = static_cast<double>(n);
    char text[32];
    if (n >= 1000000) {
        std::snprintf(text, sizeof text, "%.3gM", value / 1e6);
    } else if (n >= 1000) {
        std::snprintf(text, sizeof text, "%.3gk", value / 1e3);
    } else {
        std::snprintf(text, sizeof text, "%zu", n);
    }
    return text;
}

/// The logarithmic axis, in powers of two. What lies beyond its ends is drawn at them.
class Axis {
  public:
    explicit Axis(const std::vector<Result>& results) {
        for (const Result& result : results) {
            if (!result.figures.alone() && result.figures.ratio() > 0) {
                const double power = std::log2(result.figures.ratio());
                lowest_ = std::clamp(static_cast<int>(std::floor(power)), -3, lowest_);
                highest_ = std::clamp(static_cast<int>(std::ceil(power)), highest_, 6);
            }
        }
    }

    int lowest() const { return lowest_; }
    int highest() const { return highest_; }
    double at(double power) const {
        return axis_x + axis_width * (std::clamp<double>(power, lowest_, highest_) - lowest_) / (highest_ - lowest_);
    }
    bool holds(double power) const { return power >= lowest_ && power <= highest_; }

    static std::string label(int power) {
        char text[32];
        std::snprintf(text, sizeof text, power < 0 ? "1/%d" : "%d×", 1 << std::abs(power));
        return text;
    }

  private:
    int lowest_ = -1;
    int highest_ = 2;
};

class Drawing {
  public:
    explicit Drawing(const std::vector<Result>& results) : axis_(results) {}

    void header() {
        text(margin, 56, "title", "Stoa beside hand-written arrays");
        text(margin, 82, "note", circumstances());
        text(margin, 104, "note",
             "Nanoseconds for an entity or operation, and Stoa's ratio to raw: plain arrays, written by hand, that do "
             "the "
             "same work. Left is faster.");
        legend(page_width - margin - 430, "near", "up to 1.1 × raw");
        legend(page_width - margin - 280, "some", "up to 4 × raw");
        legend(page_width - margin - 140, "far", "beyond");
    }

    static double height_of(Group group) {
        return group_head + row_height * static_cast<double>(group.size()) + group_space;
    }

    void group(Group group, double x, double y) {
        x_ = x;
        const double first = y + group_head;
        const double last = first + row_height * static_cast<double>(group.size());
        text(0, y + 16, "group", group.front().workload->group);
        text(ratio_x, y + 34, "faint end", "ratio");
        text(stoa_x, y + 34, "faint end", std::string("stoa, ") + group.front().workload->unit);
        text(raw_x, y + 34, "faint end", std::string("raw, ") + group.front().workload->unit);
        for (int power = axis_.lowest(); power <= axis_.highest(); ++power) {
            line(power == 0 ? "one" : "grid", axis_.at(power), y + 40, axis_.at(power), last);
            text(axis_.at(power), y + 34, "faint mid", Axis::label(power));
        }
        const Workload* before = nullptr;
        for (std::size_t i = 0; i < group.size(); ++i) {
            row(group[i], group[i].workload != before, first + row_height * static_cast<double>(i));
            before = group[i].workload;
        }
    }

    std::string page(double height) const {
        char start[2048];
        std::snprintf(start, sizeof start, head, page_width, height, page_width, height);
        return start + body_ + "</svg>\n";
    }

  private:
    void row(const Result& result, bool first_of_workload, double y) {
        const double base = y + 13;
        if (first_of_workload) {
            line("grid", 0, y, column_width, y);
            text(0, base, "", result.workload->name);
        }
        text(size_x, base, "faint end", short_size(result.n));
        text(stoa_x, base, "end", number(result.figures.stoa.median));
        if (result.figures.alone()) {
            return;
        }
        text(raw_x, base, "faint end", number(result.figures.raw.median));
        text(ratio_x, base, "end", number(result.figures.ratio()) + " ×");
        mark(result.figures.ratio(), y + row_height / 2);
    }

    /// A bar from 1 to the ratio and a dot at its end, or an arrow where the axis ends.
    void mark(double ratio, double y) {
        const double power = ratio > 0 ? std::log2(ratio) : axis_.lowest();
        const double from = std::min(axis_.at(0), axis_.at(power));
        const double to = std::max(axis_.at(0), axis_.at(power));
        const char* colour = ratio <= 1.1 ? "near" : ratio <= 4 ? "some" : "far";
        append(R"(<rect class="%s bar" x="%.1f" y="%.1f" width="%.1f" height="7"/>)"
               "\n",
               colour, x_ + from, y - 3.5, to - from);
        const double x = x_ + axis_.at(power);
        if (axis_.holds(power)) {
            append(R"(<circle class="%s" cx="%.1f" cy="%.1f" r="4"/>)"
                   "\n",
                   colour, x, y);
        } else {
            const double tip = power < 0 ? -7 : 7;
            append(R"(<path class="%s" d="M%.1f %.1fl%.1f 5l0 -10z"/>)"
                   "\n",
                   colour, x + tip, y, -tip);
        }
    }

    void legend(double x, const char* colour, const char* meaning) {
        append(R"(<circle class="%s" cx="%.1f" cy="51" r="5"/>)"
               "\n",
               colour, x);
        text(x + 12, 56, "note", meaning);
    }

    void line(const char* kind, double x1, double y1, double x2, double y2) {
        append(R"(<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>)"
               "\n",
               kind, x_ + x1, y1, x_ + x2, y2);
    }

    void text(double x, double y, const char* kind, const std::string& what) {
        append(R"(<text class="%s" x="%.1f" y="%.1f">)", kind, x_ + x, y);
        for (const char c : what) {
            c == '<' ? body_ += "&lt;" : c == '&' ? body_ += "&amp;" : body_ += c;
        }
        body_ += "</text>\n";
    }

    void append(const char* format, ...) __attribute__((format(printf, 2, 3))) {
        char piece[256];
        std::va_list values;
        va_start(values, format);
        std::vsnprintf(piece, sizeof piece, format, values);
        va_end(values);
        body_ += piece;
    }

    Axis axis_;
    double x_ = 0;  // of the column that is drawn
    std::string body_;
};

std::vector<Group> groups_of(const std::vector<Result>& results) {
    std::vector<Group> groups;
    for (auto first = results.begin(); first != results.end();) {
        const auto last = std::find_if(first, results.end(), [&](const Result& result) {
            return std::string_view(result.workload->group) != first->workload->group;
        });
        groups.emplace_back(first, last);
        first = last;
    }
    return groups;
}

/// The group with which the second column begins, so that the longer one is as short as can be.
std::size_t second_column(const std::vector<Group>& groups) {
    double right = 0;
    for (const Group group : groups) {
        right += Drawing::height_of(group);
    }
    double left = 0;
    double shortest = right;
    std::size_t turn = groups.size();
    for (std::size_t i = 0; i < groups.size(); ++i) {
        left += Drawing::height_of(groups[i]);
        right -= Drawing::height_of(groups[i]);
        if (std::max(left, right) < shortest) {
            shortest = std::max(left, right);
            turn = i + 1;
        }
    }
    return turn;
}

}  // namespace

bool plot(const std::vector<Result>& results, const std::string& file) {
    const std::vector<Group> groups = groups_of(results);
    const std::size_t turn = second_column(groups);
    Drawing drawing(results);
    drawing.header();
    double y = top;
    double lowest = top;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i == turn) {
            y = top;
        }
        drawing.group(groups[i], i < turn ? margin : margin + column_width + gap, y);
        y += Drawing::height_of(groups[i]);
        lowest = std::max(lowest, y);
    }
    std::ofstream out(file);
    out << drawing.page(lowest + margin - group_space);
    return static_cast<bool>(out.flush());
}

}  // namespace bench

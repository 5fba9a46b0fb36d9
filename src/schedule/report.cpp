// Reports of a schedule: how long systems took, why they did not run, what they touch, and which may overlap.
#include <algorithm>

#include "schedule/run_clock.hpp"
#include "schedule/schedule_state.hpp"

namespace stoa {

using detail::PhaseState;
using detail::Stage;
using detail::SystemEntry;

namespace {

void add_once(std::vector<std::string>& names, std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

std::string why_not(const PhaseState& phase, const SystemEntry& entry) {
    if (!phase.enabled()) return "its phase is disabled";
    if (const detail::OwnCondition* condition = phase.false_condition())
        return "the condition of its phase is false: " + std::string(condition->name());
    if (!entry.enabled()) return "it is disabled";
    return std::string(entry.not_ready().what) + std::string(entry.not_ready().name);
}

SystemReport report_of(const PhaseState& phase, const SystemEntry& entry, double tick) {
    SystemReport report;
    report.name = entry.name();
    report.phase = phase.name();
    report.ran = entry.ran() && phase.false_condition() == nullptr;
    report.runs = entry.times().runs();
    report.last = static_cast<double>(entry.times().last()) * tick;
    report.mean = entry.times().mean() * tick;
    report.exclusive = entry.access().is_exclusive();
    for (const detail::AccessSet::Use& use : entry.access().uses()) {
        if (use.writes) add_once(report.writes, use.name);
    }
    for (const detail::AccessSet::Use& use : entry.access().uses()) {
        const bool written = std::find(report.writes.begin(), report.writes.end(), use.name) != report.writes.end();
        if (!written) add_once(report.reads, use.name);
    }
    if (report.ran) return report;
    report.why_not = why_not(phase, entry);
    return report;
}

void add_reports(const PhaseState& phase, double tick, std::vector<SystemReport>& all) {
    if (!phase.is_planned()) {
        for (const auto& entry : phase.systems()) all.push_back(report_of(phase, *entry, tick));
        return;
    }
    for (const Stage& stage : phase.stages()) {
        for (const SystemEntry* entry : stage.systems()) all.push_back(report_of(phase, *entry, tick));
    }
}

FlushPoint flush_point_of(const PhaseState& phase, const PhaseState::FlushTimes& flushes, const SystemEntry* after,
                          double tick) {
    FlushPoint point;
    point.phase = phase.name();
    if (after != nullptr) point.after = after->name();
    point.runs = flushes.times.runs();
    point.last = static_cast<double>(flushes.times.last()) * tick;
    point.mean = flushes.times.mean() * tick;
    point.commands = flushes.commands;
    return point;
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string touches(const SystemReport& report) {
    if (report.exclusive) return "runs alone";
    std::string text;
    if (!report.reads.empty()) text += "reads " + listed(report.reads);
    if (!report.writes.empty()) text += std::string(text.empty() ? "" : "; ") + "writes " + listed(report.writes);
    return text.empty() ? "touches nothing" : text;
}

// The systems that may run at the same time as system `number` of the stage.
std::string companions(const Stage& stage, std::size_t number) {
    std::string text;
    for (std::size_t other = 0; other < stage.systems().size(); ++other) {
        if (other == number || !stage.may_overlap(number, other)) continue;
        text += (text.empty() ? "" : ", ") + stage.systems()[other]->name();
    }
    return text;
}

std::string quoted(std::string_view name) {
    std::string text = "\"";
    for (const char c : name) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\"";
}

void explain_phase(const PhaseState& phase, std::string& text) {
    text += (phase.is_transition() ? "" : "phase ") + phase.name() + (phase.enabled() ? "\n" : " (disabled)\n");
    for (const Stage& stage : phase.stages()) {
        for (std::size_t i = 0; i < stage.systems().size(); ++i) {
            const SystemEntry& entry = *stage.systems()[i];
            text += "    " + entry.name() + (entry.enabled() ? ": " : " (disabled): ") +
                    touches(report_of(phase, entry, 0)) + "\n";
            if (phase.is_transition()) continue;
            if (const std::string beside = companions(stage, i); !beside.empty())
                text += "        may overlap with " + beside + "\n";
        }
        if (stage.flush_after()) text += "    sync: commands are applied\n";
    }
    text += "    end of phase: commands are applied\n";
}

void draw_phase(const PhaseState& phase, std::size_t number, std::string& text) {
    text += "    subgraph cluster_" + std::to_string(number) + " {\n        label=" + quoted(phase.name()) + ";\n";
    for (const Stage& stage : phase.stages()) {
        for (const SystemEntry* entry : stage.systems()) {
            const char* look = stage.is_exclusive() ? " [style=bold]" : entry->enabled() ? "" : " [style=dashed]";
            text += "        " + quoted(entry->name()) + look + ";\n";
        }
    }
    text += "    }\n";
    const SystemEntry* last = nullptr;  // of the stage before
    for (const Stage& stage : phase.stages()) {
        if (last != nullptr)
            text += "    " + quoted(last->name()) + " -> " + quoted(stage.systems()[0]->name()) + " [style=dotted];\n";
        for (std::size_t i = 0; i < stage.systems().size(); ++i) {
            for (const std::uint32_t follower : stage.followers(i)) {
                text += "    " + quoted(stage.systems()[i]->name()) + " -> " +
                        quoted(stage.systems()[follower]->name()) + ";\n";
            }
        }
        last = stage.systems().back();
    }
}

}  // namespace

std::vector<SystemReport> Schedule::report() const {
    std::vector<SystemReport> all;
    const double tick = detail::seconds_per_tick();
    for (const auto& transition : state_->transitions()) add_reports(*transition, tick, all);
    for (const auto& phase : state_->phases()) add_reports(*phase, tick, all);
    return all;
}

std::vector<FlushPoint> Schedule::flushes() const {
    state_->plan();
    std::vector<FlushPoint> all;
    const double tick = detail::seconds_per_tick();
    for (const auto& phase : state_->phases()) {
        const SystemEntry* last = nullptr;
        for (const Stage& stage : phase->stages()) {
            last = stage.systems().back();
            if (!stage.flush_after()) continue;
            all.push_back(flush_point_of(*phase, phase->sync_flush(last->position().section), last, tick));
        }
        all.push_back(flush_point_of(*phase, phase->end_flush(), last, tick));
    }
    return all;
}

std::string Schedule::explain() const {
    state_->plan();
    std::string text;
    for (const auto& transition : state_->transitions()) explain_phase(*transition, text);
    for (const auto& phase : state_->phases()) explain_phase(*phase, text);
    return text;
}

std::string Schedule::explain_graph() const {
    state_->plan();
    std::string text = "digraph schedule {\n    rankdir=LR;\n    node [shape=box];\n";
    for (std::size_t i = 0; i < state_->phases().size(); ++i) draw_phase(*state_->phases()[i], i, text);
    return text + "}\n";
}

}  // namespace stoa

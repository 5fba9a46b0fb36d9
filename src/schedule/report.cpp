// A schedule explains itself: how long systems took, why they did not run, what they touch, and who may run beside whom.
#include <algorithm>

#include "schedule/state.hpp"

namespace stoa {

using detail::Group;
using detail::PhaseState;
using detail::SystemEntry;

namespace {

void add_once(std::vector<std::string>& names, std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.emplace_back(name);
}

SystemReport report_of(const PhaseState& phase, const SystemEntry& entry, double tick) {
    SystemReport report;
    report.name = entry.name;
    report.phase = phase.name;
    report.ran = entry.ran;
    report.runs = entry.runs;
    report.last = static_cast<double>(entry.last) * tick;
    report.mean = entry.runs != 0 ? static_cast<double>(entry.total) / static_cast<double>(entry.runs) * tick : 0;
    report.exclusive = entry.access.is_exclusive();
    for (const Access::Use& use : entry.access.uses()) {
        if (use.writes) add_once(report.writes, use.name);
    }
    for (const Access::Use& use : entry.access.uses()) {
        const bool written = std::find(report.writes.begin(), report.writes.end(), use.name) != report.writes.end();
        if (!written) add_once(report.reads, use.name);
    }
    if (report.ran) return report;
    report.why_not = !phase.enabled   ? "its phase is disabled"
                     : !entry.enabled ? "it is disabled"
                                      : std::string(entry.not_ready.what) + std::string(entry.not_ready.name);
    return report;
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

// Those that may run while system `number` of the group does.
std::string companions(const Group& group, std::size_t number) {
    std::string text;
    for (std::size_t other = 0; other < group.systems.size(); ++other) {
        if (other == number || group.ancestors[number][other] || group.ancestors[other][number]) continue;
        text += (text.empty() ? "" : ", ") + group.systems[other]->name;
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
    text += "phase " + phase.name + (phase.enabled ? "\n" : " (disabled)\n");
    for (const Group& group : phase.groups) {
        for (std::size_t i = 0; i < group.systems.size(); ++i) {
            const SystemEntry& entry = *group.systems[i];
            text += "    " + entry.name + (entry.enabled ? ": " : " (disabled): ") + touches(report_of(phase, entry, 0)) + "\n";
            if (const std::string beside = companions(group, i); !beside.empty()) text += "        may overlap with " + beside + "\n";
        }
        if (group.flush_after) text += "    sync: commands are applied\n";
    }
    text += "    end of phase: commands are applied\n";
}

void draw_phase(const PhaseState& phase, std::size_t number, std::string& text) {
    text += "    subgraph cluster_" + std::to_string(number) + " {\n        label=" + quoted(phase.name) + ";\n";
    for (const Group& group : phase.groups) {
        for (const SystemEntry* entry : group.systems) {
            const char* look = group.exclusive ? " [style=bold]" : entry->enabled ? "" : " [style=dashed]";
            text += "        " + quoted(entry->name) + look + ";\n";
        }
    }
    text += "    }\n";
    const SystemEntry* last = nullptr;  // of the group before
    for (const Group& group : phase.groups) {
        if (last != nullptr) text += "    " + quoted(last->name) + " -> " + quoted(group.systems[0]->name) + " [style=dotted];\n";
        for (std::size_t i = 0; i < group.systems.size(); ++i) {
            for (const std::uint32_t follower : group.followers[i]) {
                text += "    " + quoted(group.systems[i]->name) + " -> " + quoted(group.systems[follower]->name) + ";\n";
            }
        }
        last = group.systems.back();
    }
}

}  // namespace

std::vector<SystemReport> Schedule::report() const {
    std::vector<SystemReport> all;
    const double tick = detail::seconds_per_tick();
    for (const auto& phase : state_->phases) {
        if (phase->planned) {
            for (const Group& group : phase->groups) {
                for (const SystemEntry* entry : group.systems) all.push_back(report_of(*phase, *entry, tick));
            }
        } else {
            for (const auto& entry : phase->systems) all.push_back(report_of(*phase, *entry, tick));
        }
    }
    return all;
}

std::string Schedule::explain() const {
    state_->plan();
    std::string text;
    for (const auto& phase : state_->phases) explain_phase(*phase, text);
    return text;
}

std::string Schedule::explain_graph() const {
    state_->plan();
    std::string text = "digraph schedule {\n    rankdir=LR;\n    node [shape=box];\n";
    for (std::size_t i = 0; i < state_->phases.size(); ++i) draw_phase(*state_->phases[i], i, text);
    return text + "}\n";
}

}  // namespace stoa

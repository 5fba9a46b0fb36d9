// The plan of a phase: its systems in order, divided into stages. Made when a phase has changed, not in each frame.
#include <algorithm>
#include <queue>
#include <tuple>

#include "base/raise.hpp"
#include "schedule/schedule_errors.hpp"
#include "schedule/schedule_state.hpp"

namespace stoa::detail {
namespace {

auto rank_of(const SystemEntry& entry) { return std::tuple(entry.position().section, entry.priority()); }

[[noreturn]] void fail_cycle(const std::string& message) { raise(Errc::cycle, "update: " + message); }

// The system that a name in `before` or `after` means; null when it is in another phase that runs at the right time.
const SystemEntry* named_system(const PhaseState& phase, const SystemEntry& entry, const std::string& name,
                                bool precedes) {
    const char* word = precedes ? "before" : "after";
    SystemEntry* other = nullptr;
    const PhaseState* home = phase.schedule().phase_of(name, &other);
    if (home == nullptr) {
        raise(Errc::unknown_name, "update: system " + in_quotes(entry.name()) + " must run " + word + " " +
                                      in_quotes(name) + ", and there is no such system" +
                                      hint(name, phase.schedule().system_names()));
    }
    if (other == &entry) fail_cycle("system " + in_quotes(name) + " must run " + word + " itself");
    if (home == &phase) return other;
    const auto phases = phase.schedule().phases();
    const auto position = [&](const PhaseState* which) {
        if (which->is_transition()) return std::ptrdiff_t{-1};  // before all phases
        return std::find_if(phases.begin(), phases.end(), [&](const auto& each) { return each.get() == which; }) -
               phases.begin();
    };
    if ((position(&phase) < position(home)) != precedes) {
        fail_cycle("system " + in_quotes(entry.name()) + " must run " + word + " " + in_quotes(name) + ", but phase " +
                   in_quotes(home->name()) + " runs " + (precedes ? "before" : "after") + " phase " +
                   in_quotes(phase.name()));
    }
    return nullptr;
}

// What `before` and `after` say, sorted.
std::vector<OrderEdge> edges_of(const PhaseState& phase) {
    std::vector<OrderEdge> edges;
    for (const auto& entry : phase.systems()) {
        const auto add = [&](const std::string& name, bool precedes) {
            const SystemEntry* other = named_system(phase, *entry, name, precedes);
            if (other == nullptr) return;
            const OrderEdge edge = precedes ? OrderEdge{entry.get(), other} : OrderEdge{other, entry.get()};
            if (rank_of(*edge.first) > rank_of(*edge.second)) {
                fail_cycle("system " + in_quotes(edge.first->name()) + " is to run before " +
                           in_quotes(edge.second->name()) + ", but priorities or a sync point put it behind");
            }
            edges.push_back(edge);
        };
        for (const std::string& name : entry->before()) add(name, true);
        for (const std::string& name : entry->after()) add(name, false);
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

// The message names a cycle of systems that wait for each other.
[[noreturn]] void fail_circle(const std::vector<SystemEntry*>& sorted, const std::vector<std::uint32_t>& waits,
                              const std::vector<OrderEdge>& edges) {
    std::vector<const SystemEntry*> path;
    const auto waiting = [&](const SystemEntry* entry) {
        const auto at = std::find(sorted.begin(), sorted.end(), entry);
        return at != sorted.end() && waits[static_cast<std::size_t>(at - sorted.begin())] != 0;
    };
    const SystemEntry* at = *std::find_if(sorted.begin(), sorted.end(), waiting);
    while (std::find(path.begin(), path.end(), at) == path.end()) {
        path.push_back(at);
        at = std::find_if(edges.begin(), edges.end(), [&](const OrderEdge& edge) {
                 return edge.second == at && waiting(edge.first);
             })->first;
    }
    // The path was found from back to front.
    std::string circle = in_quotes(at->name());
    for (auto step = path.rbegin(); *step != at; ++step) circle += " before " + in_quotes((*step)->name());
    fail_cycle("before and after make a circle: " + circle + " before " + in_quotes(at->name()));
}

// By section and priority, then by edges, then in the order added.
std::vector<SystemEntry*> sorted(const PhaseState& phase, const std::vector<OrderEdge>& edges) {
    std::vector<SystemEntry*> all;
    for (const auto& entry : phase.systems()) all.push_back(entry.get());
    std::sort(all.begin(), all.end(), [](const SystemEntry* a, const SystemEntry* b) {
        return std::tuple(rank_of(*a), a->position().number) < std::tuple(rank_of(*b), b->position().number);
    });
    std::vector<std::uint32_t> waits(all.size());
    std::vector<std::vector<std::uint32_t>> followers(all.size());
    const auto place = [&](const SystemEntry* entry) {
        return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), entry) - all.begin());
    };
    for (const OrderEdge& edge : edges) {
        followers[place(edge.first)].push_back(place(edge.second));
        ++waits[place(edge.second)];
    }
    // Edges never lead to a lower rank, so taking the first that is free keeps ranks together.
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> free;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
        if (waits[i] == 0) free.push(i);
    }
    std::vector<SystemEntry*> order;
    while (!free.empty()) {
        const std::uint32_t at = free.top();
        free.pop();
        order.push_back(all[at]);
        for (const std::uint32_t follower : followers[at]) {
            if (--waits[follower] == 0) free.push(follower);
        }
    }
    if (order.size() != all.size()) fail_circle(all, waits, edges);
    return order;
}

}  // namespace

void PhaseState::plan() {
    if (planned_) return;
    const std::vector<OrderEdge> edges = edges_of(*this);
    std::vector<Stage> stages;
    const SystemEntry* last = nullptr;
    for (SystemEntry* entry : sorted(*this, edges)) {
        const bool next_section = last != nullptr && last->position().section != entry->position().section;
        if (next_section) stages.back().set_flush_after();
        const bool exclusive = entry->access().is_exclusive();
        if (last == nullptr || next_section || exclusive || stages.back().is_exclusive())
            stages.emplace_back(exclusive);
        stages.back().add(*entry);
        last = entry;
    }
    const bool limited_ids = schedule_.store("update").directory().is_limited();
    for (Stage& stage : stages) stage.connect(edges, limited_ids);
    stages_ = std::move(stages);
    planned_ = true;
}

void ScheduleState::plan() {
    for (const auto& transition : transitions_) transition->plan();
    for (const auto& phase : phases_) phase->plan();
}

}  // namespace stoa::detail

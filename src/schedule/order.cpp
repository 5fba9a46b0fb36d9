// In which order systems run, and which of them wait for each other. Made when a phase has changed, not in each frame.
#include <algorithm>
#include <queue>
#include <tuple>

#include "base/raise.hpp"
#include "schedule/state.hpp"
#include "storage/state.hpp"

namespace stoa::detail {
namespace {

using Edge = std::pair<const SystemEntry*, const SystemEntry*>;  // the first one precedes the second one

auto rank_of(const SystemEntry& entry) { return std::tuple(entry.section, entry.priority); }

[[noreturn]] void fail_cycle(const std::string& sentence) { raise(Errc::cycle, "update: " + sentence); }

// Finds whom a name in `before` or `after` means. Null when it is in another phase, and all is well.
const SystemEntry* partner(const PhaseState& phase, const SystemEntry& entry, const std::string& name, bool precedes) {
    const char* word = precedes ? "before" : "after";
    SystemEntry* other = nullptr;
    const PhaseState* home = phase.schedule.phase_of(name, &other);
    if (home == nullptr) {
        raise(Errc::unknown_name, "update: system " + in_quotes(entry.name) + " is to run " + word + " " +
                                      in_quotes(name) + ", and there is no such system" +
                                      hint(name, phase.schedule.system_names()));
    }
    if (other == &entry) fail_cycle("system " + in_quotes(name) + " is to run " + word + " itself");
    if (home == &phase) return other;
    const auto& phases = phase.schedule.phases;
    const auto position = [&](const PhaseState* which) {
        return std::find_if(phases.begin(), phases.end(), [&](const auto& each) { return each.get() == which; }) - phases.begin();
    };
    if ((position(&phase) < position(home)) != precedes) {
        fail_cycle("system " + in_quotes(entry.name) + " is to run " + word + " " + in_quotes(name) + ", but phase " +
                   in_quotes(home->name) + " runs " + (precedes ? "before" : "after") + " phase " +
                   in_quotes(phase.name));
    }
    return nullptr;
}

// Sorted.
std::vector<Edge> edges_of(const PhaseState& phase) {
    std::vector<Edge> edges;
    for (const auto& entry : phase.systems) {
        const auto add = [&](const std::string& name, bool precedes) {
            const SystemEntry* other = partner(phase, *entry, name, precedes);
            if (other == nullptr) return;
            const Edge edge = precedes ? Edge{entry.get(), other} : Edge{other, entry.get()};
            if (rank_of(*edge.first) > rank_of(*edge.second)) {
                fail_cycle("system " + in_quotes(edge.first->name) + " is to run before " +
                           in_quotes(edge.second->name) + ", but priorities or a sync point put it behind");
            }
            edges.push_back(edge);
        };
        for (const std::string& name : entry->before) add(name, true);
        for (const std::string& name : entry->after) add(name, false);
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

// Names a circle among systems that wait for each other.
[[noreturn]] void fail_circle(const std::vector<SystemEntry*>& sorted, const std::vector<std::uint32_t>& waits, const std::vector<Edge>& edges) {
    std::vector<const SystemEntry*> path;
    const auto waiting = [&](const SystemEntry* entry) {
        const auto at = std::find(sorted.begin(), sorted.end(), entry);
        return at != sorted.end() && waits[static_cast<std::size_t>(at - sorted.begin())] != 0;
    };
    const SystemEntry* at = *std::find_if(sorted.begin(), sorted.end(), waiting);
    while (std::find(path.begin(), path.end(), at) == path.end()) {
        path.push_back(at);
        at = std::find_if(edges.begin(), edges.end(), [&](const Edge& edge) { return edge.second == at && waiting(edge.first); })->first;
    }
    // The path was found from back to front.
    std::string circle = in_quotes(at->name);
    for (auto step = path.rbegin(); *step != at; ++step) circle += " before " + in_quotes((*step)->name);
    fail_cycle("before and after make a circle: " + circle + " before " + in_quotes(at->name));
}

// By rank, then by edges, then by age.
std::vector<SystemEntry*> sorted(const PhaseState& phase, const std::vector<Edge>& edges) {
    std::vector<SystemEntry*> all;
    for (const auto& entry : phase.systems) all.push_back(entry.get());
    std::sort(all.begin(), all.end(), [](const SystemEntry* a, const SystemEntry* b) {
        return std::tuple(rank_of(*a), a->born) < std::tuple(rank_of(*b), b->born);
    });
    std::vector<std::uint32_t> waits(all.size());
    std::vector<std::vector<std::uint32_t>> followers(all.size());
    const auto place = [&](const SystemEntry* entry) {
        return static_cast<std::uint32_t>(std::find(all.begin(), all.end(), entry) - all.begin());
    };
    for (const Edge& edge : edges) {
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

// Who waits for whom. Looking from the nearest back to the first, an ancestor of an ancestor needs no edge of its own.
void link_systems(Group& group, const std::vector<Edge>& edges, bool limited) {
    const std::size_t count = group.systems.size();
    group.followers.resize(count);
    group.ancestors.assign(count, std::vector<bool>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const SystemEntry& later = *group.systems[i];
        std::vector<bool>& mine = group.ancestors[i];
        for (std::size_t j = i; j-- > 0;) {
            const SystemEntry& sooner = *group.systems[j];
            if (mine[j]) continue;
            // Ids are handed out up to a limit: who comes first must not depend on threads.
            const bool share_ids = limited && sooner.takes_commands && later.takes_commands;
            const bool told = std::binary_search(edges.begin(), edges.end(), Edge{&sooner, &later});
            if (!share_ids && !told && !sooner.access.clashes(later.access)) continue;
            group.followers[j].push_back(static_cast<std::uint32_t>(i));
            mine[j] = true;
            for (std::size_t k = 0; k < j; ++k) mine[k] = mine[k] || group.ancestors[j][k];
        }
        if (later.takes_commands && !limited) group.leases.push_back(group.systems[i]->lease.get());
    }
    if (group.leases.size() < 2) group.leases.clear();
}

}  // namespace

void PhaseState::plan() {
    if (planned) return;
    const std::vector<Edge> edges = edges_of(*this);
    std::vector<Group> made;
    const SystemEntry* last = nullptr;
    for (SystemEntry* entry : sorted(*this, edges)) {
        const bool next_section = last != nullptr && last->section != entry->section;
        if (next_section) made.back().flush_after = true;
        const bool exclusive = entry->access.is_exclusive();
        if (last == nullptr || next_section || exclusive || made.back().exclusive) made.emplace_back().exclusive = exclusive;
        made.back().systems.push_back(entry);
        last = entry;
    }
    const bool limited = schedule.store("update").state().options.max_entities != 0;
    for (Group& group : made) link_systems(group, edges, limited);
    groups = std::move(made);
    planned = true;
}

void ScheduleState::plan() {
    for (const auto& phase : phases) phase->plan();
}

}  // namespace stoa::detail

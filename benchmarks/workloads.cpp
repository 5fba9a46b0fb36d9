// Puts the workloads together, group by group; see workloads.hpp.
#include "workloads.hpp"

namespace bench {

std::vector<Workload> all_workloads() {
    // Memory comes first, in a process that has not done anything yet.
    const struct {
        const char* group;
        void (*add)(std::vector<Workload>&);
    } parts[] = {{"memory", add_memory_workloads},         {"creating", add_create_workloads},
                 {"creating", add_signal_workloads},       {"structure", add_structural_workloads},
                 {"access", add_access_workloads},         {"walking", add_iterate_workloads},
                 {"walking", add_swap_workloads},          {"walking", add_fragment_workloads},
                 {"walking", add_mix_workloads},           {"changes", add_change_workloads},
                 {"changes", add_cache_workloads},         {"commands", add_command_workloads},
                 {"messages", add_message_workloads},      {"systems", add_schedule_workloads},
                 {"systems", add_parallel_workloads},      {"indexes", add_index_workloads},
                 {"indexes", add_ordered_index_workloads}, {"random", add_random_workloads},
                 {"growth", add_growth_workloads}};
    std::vector<Workload> list;
    for (const auto& part : parts) {
        const std::size_t before = list.size();
        part.add(list);
        for (std::size_t i = before; i < list.size(); ++i) {
            list[i].group = part.group;
        }
    }
    return list;
}

}  // namespace bench

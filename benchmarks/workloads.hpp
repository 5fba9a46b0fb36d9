// The list of workloads: each file of workloads adds its own. Called by main.cpp.
#pragma once

#include "harness.hpp"

#include <vector>

namespace bench {

void add_create_workloads(std::vector<Workload>& list);
void add_signal_workloads(std::vector<Workload>& list);
void add_structural_workloads(std::vector<Workload>& list);
void add_access_workloads(std::vector<Workload>& list);
void add_iterate_workloads(std::vector<Workload>& list);
void add_swap_workloads(std::vector<Workload>& list);
void add_fragment_workloads(std::vector<Workload>& list);
void add_mix_workloads(std::vector<Workload>& list);
void add_change_workloads(std::vector<Workload>& list);
void add_cache_workloads(std::vector<Workload>& list);
void add_command_workloads(std::vector<Workload>& list);
void add_message_workloads(std::vector<Workload>& list);
void add_schedule_workloads(std::vector<Workload>& list);
void add_parallel_workloads(std::vector<Workload>& list);
void add_index_workloads(std::vector<Workload>& list);
void add_ordered_index_workloads(std::vector<Workload>& list);
void add_random_workloads(std::vector<Workload>& list);
void add_memory_workloads(std::vector<Workload>& list);
void add_growth_workloads(std::vector<Workload>& list);

/// All of them with their groups, in the order of the table.
std::vector<Workload> all_workloads();

/// The three sizes of an ordinary workload.
inline const std::vector<std::size_t> usual_sizes{1000, 100000, 1000000};

}  // namespace bench

// Drives a world and its naive model with the same random operations and compares them. A run is a sequence of epochs;
// each has a new world with options, components and a population of its own. Invariant: everything that happens
// depends on the seed alone, so a printed seed replays the run. Called by the model tests.
#pragma once

#include "combos.hpp"
#include "operation_log.hpp"
#include "reference.hpp"

#include "../support/random.hpp"

#include <stoa/stoa.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stoa_test {

/// The library and the model disagree.
struct Divergence {
    std::string what;
};

class Driver {
  public:
    explicit Driver(std::uint64_t seed);

    /// Runs this many further operations. Throws Divergence.
    void run(std::uint64_t operations);

    /// Returns seed, step, what differs and the last operations, for a person who has to replay it.
    std::string report(const Divergence& divergence) const;

  private:
    using Verb = void (Driver::*)();
    struct Choice {
        std::uint32_t weight;
        Verb verb;
        bool spawns;
    };
    static const std::vector<Choice>& choices();

    // driver.cpp: epochs, steps and choosing
    void begin_epoch();
    void step();
    void steer();
    stoa::Entity living_handle();
    stoa::Entity any_handle();
    stoa::Entity forged_handle();
    const Combo* choose_combo();
    Numbers random_numbers();
    std::uint32_t random_kind();
    void expect(bool holds, const char* what) const;

    // driver_spawn.cpp
    void spawn_empty();
    void spawn_defaults();
    void spawn_values();
    void spawn_bulk();
    void spawn_columns();
    void spawn_in_table();
    void clone();
    void despawn();
    bool refused_for_capacity(std::size_t count, const std::optional<stoa::Errc>& error);
    void born(stoa::Entity entity, const Combo* combo, const Numbers& numbers);
    void forget(stoa::Entity entity);

    // driver_edit.cpp
    void add();
    void set();
    void emplace();
    void remove();
    void remove_all();
    void replace();
    void chain();
    void copy();
    void write();
    void get_or_fail();
    void ask();
    void ask_through_ref();
    void put(ReferenceRow& row, const Combo& combo, const Numbers& numbers);
    void after_removal(stoa::Entity entity);

    // driver_rare.cpp
    void reserve();
    void shrink();
    void clear();
    void move_world();
    void table_questions();

    // driver_compare.cpp
    void compare_touched();
    void compare_entity(stoa::Entity entity);
    void compare_list(stoa::Entity entity);
    void compare_all();
    void compare_ledgers();
    void compare_tables();

    std::uint64_t seed_;
    Random random_;
    OperationLog log_;
    LoggedOperation* now_ = nullptr;
    std::optional<stoa::World> world_;
    std::unique_ptr<Reference> model_;

    std::uint64_t epoch_ends_ = 0;
    KindMask active_ = 0;
    std::vector<const Combo*> active_combos_;
    std::size_t max_entities_ = 0;
    std::size_t population_ = 0;  // the most that this epoch wants
    std::size_t target_ = 0;      // wanders between 0 and population_
    bool compare_soon_ = false;

    std::vector<stoa::Entity> living_;
    std::vector<stoa::Entity> ghosts_;
    std::array<stoa::Entity, 64> stale_{};
    std::size_t stale_next_ = 0;
    std::array<stoa::Entity, 4> touched_{};
    std::vector<std::uint64_t> kind_ids_;
    std::vector<Ledger> ledgers_at_start_;
};

/// Returns the code of the error that the call throws, if it throws one.
template <class Call>
std::optional<stoa::Errc> error_of(Call&& call) {
    try {
        call();
    } catch (const stoa::Error& error) {
        return error.code();
    }
    return std::nullopt;
}

}  // namespace stoa_test

// Epochs, steps and the choice of what to do next and with whom. Called by the model tests.
#include "driver.hpp"

#include "../support/handles.hpp"

#include <algorithm>
#include <sstream>

namespace stoa_test {

Driver::Driver(std::uint64_t seed) : seed_(seed), random_(seed) {
    for (const Kind& kind : kinds()) {
        ledgers_at_start_.push_back(kind.ledger == nullptr ? Ledger{} : kind.ledger());
    }
}

const std::vector<Driver::Choice>& Driver::choices() {
    static const std::vector<Choice> all{
        {20, &Driver::spawn_empty, true},
        {50, &Driver::spawn_defaults, true},
        {70, &Driver::spawn_values, true},
        {14, &Driver::spawn_bulk, true},
        {10, &Driver::spawn_columns, true},
        {40, &Driver::spawn_in_table, true},
        {25, &Driver::clone, true},
        {60, &Driver::despawn, false},
        {130, &Driver::add, false},
        {120, &Driver::set, false},
        {70, &Driver::emplace, false},
        {150, &Driver::remove, false},
        {12, &Driver::remove_all, false},
        {60, &Driver::replace, false},
        {30, &Driver::chain, false},
        {35, &Driver::copy, false},
        {90, &Driver::write, false},
        {60, &Driver::get_or_fail, false},
        {60, &Driver::ask, false},
        {30, &Driver::ask_through_ref, false},
        {6, &Driver::reserve, false},
        {2, &Driver::shrink, false},
        {1, &Driver::clear, false},
        {2, &Driver::move_world, false},
        {4, &Driver::table_questions, false},
    };
    return all;
}

void Driver::run(std::uint64_t operations) {
    for (std::uint64_t done = 0; done < operations; ++done) {
        if (log_.total() == epoch_ends_) {
            begin_epoch();
        }
        step();
    }
    compare_all();
    world_.reset();
    model_.reset();
    compare_ledgers();
    epoch_ends_ = log_.total();
}

std::string Driver::report(const Divergence& divergence) const {
    std::ostringstream out;
    out << "the library and the model disagree: " << divergence.what << "\nreplay with STOA_SEED=" << seed_ << " (step "
        << log_.total() - 1 << ")\nlast operations:\n"
        << log_.tail();
    return out.str();
}

void Driver::begin_epoch() {
    world_.reset();
    model_.reset();
    compare_ledgers();
    epoch_ends_ = log_.total() + random_.between(2'000, 30'000);

    const std::uint32_t wanted = random_.one_in(8) ? 32 : random_.between(3, 9);
    active_ = 0;
    active_combos_.clear();
    for (std::uint32_t i = 0; i < wanted; ++i) {
        active_ |= combos()[random_.below(static_cast<std::uint32_t>(combos().size()))].mask;
    }
    for (const Combo& combo : combos()) {
        if ((combo.mask & ~active_) == 0) {
            active_combos_.push_back(&combo);
        }
    }

    stoa::WorldOptions options;
    population_ = random_.one_in(16) ? 1'500 : random_.between(5, 200);
    max_entities_ = random_.one_in(4) ? random_.between(1, 80) : 0;
    options.max_entities = max_entities_;
    options.signals = !random_.one_in(4);
    options.tagged = random_.one_in(8);
    // The only tagged world has number 1.
    const std::uint32_t number = options.tagged ? 1u << 20 : 0;
    const std::uint32_t last_generation = options.tagged ? number | 0xFFFFFu : 0xFFFFFFFFu;
    if (max_entities_ == 0 && random_.one_in(4)) options.first_generation = last_generation - random_.below(4);
    if (random_.one_in(4)) {
        options.first_tick = 0xFFFFFFFFu - random_.below(1000);
    }
    world_.emplace(options);
    model_ = std::make_unique<Reference>(number | options.first_generation, last_generation);
    if (kind_ids_.empty()) {
        for (const Kind& kind : kinds()) {
            kind_ids_.push_back(kind.id(*world_));
        }
    }
    target_ = population_;
    living_.clear();
    ghosts_.clear();
    stale_ = {};
}

void Driver::step() {
    static const std::uint32_t total = [] {
        std::uint32_t sum = 0;
        for (const Choice& choice : choices()) {
            sum += choice.weight;
        }
        return sum;
    }();
    now_ = &log_.next();
    touched_ = {};
    std::uint32_t draw = random_.below(total);
    const Choice* chosen = &choices().front();
    while (draw >= chosen->weight) {
        draw -= chosen->weight;
        ++chosen;
    }
    if (chosen->spawns && living_.size() >= target_ && !random_.one_in(8)) {
        now_->verb = "despawn";
        despawn();
    } else {
        (this->*chosen->verb)();
    }
    steer();
    compare_touched();
    if (compare_soon_ || now_->step % 64 == 63) {
        compare_soon_ = false;
        compare_all();
    }
}

// Lets the population wander, so that worlds are sometimes nearly empty and sometimes full.
void Driver::steer() {
    if (random_.one_in(500)) {
        target_ = random_.below(static_cast<std::uint32_t>(population_) + 1);
    }
}

stoa::Entity Driver::living_handle() {
    if (living_.empty()) {
        return any_handle();
    }
    return living_[random_.below(static_cast<std::uint32_t>(living_.size()))];
}

// Mostly living entities, and often enough ghosts, dead ones and handles that never existed.
stoa::Entity Driver::any_handle() {
    const std::uint32_t draw = random_.below(32);
    if (draw < 24 && !living_.empty()) {
        return living_[random_.below(static_cast<std::uint32_t>(living_.size()))];
    }
    if (draw < 28 && !ghosts_.empty()) {
        return ghosts_[random_.below(static_cast<std::uint32_t>(ghosts_.size()))];
    }
    if (draw < 30) {
        return stale_[random_.below(static_cast<std::uint32_t>(stale_.size()))];
    }
    return forged_handle();
}

stoa::Entity Driver::forged_handle() {
    const stoa::Entity base =
        living_.empty() ? model_->ids.to_come(0) : living_[random_.below(static_cast<std::uint32_t>(living_.size()))];
    switch (random_.below(8)) {
        case 0:
            return stoa::Entity{};
        case 1:
            return forge(base.index(), base.generation() + 1);
        case 2:
            return forge(base.index(), base.generation() - 1);
        case 3:
            return forge(model_->ids.fresh_index() + random_.below(5000), base.generation());
        case 4:
            return forge(0xFFFFFFFFu - random_.below(2), base.generation());
        case 5:
            return forge(base.index() | 0x80000000u, base.generation());
        case 6:
            return forge(base.index(), 0);
        default:
            return model_->ids.to_come(random_.below(64));
    }
}

const Combo* Driver::choose_combo() {
    now_->combo = active_combos_[random_.below(static_cast<std::uint32_t>(active_combos_.size()))];
    return now_->combo;
}

Numbers Driver::random_numbers() {
    for (int& number : now_->numbers) {
        number = static_cast<int>(random_.between(1, (1u << 20) - 1));
    }
    return now_->numbers;
}

std::uint32_t Driver::random_kind() {
    const Combo& combo = *choose_combo();
    return combo.kinds[random_.below(static_cast<std::uint32_t>(combo.kinds.size()))];
}

void Driver::expect(bool holds, const char* what) const {
    if (!holds) {
        throw Divergence{std::string{now_ == nullptr ? "" : now_->verb} + ": " + what};
    }
}

}  // namespace stoa_test

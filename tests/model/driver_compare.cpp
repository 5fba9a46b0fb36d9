// The comparison of the world with the model: one entity after each step, everything from time to time. Called by
// Driver::step.
#include "driver.hpp"

#include <algorithm>

namespace stoa_test {

void Driver::compare_touched() {
    expect(world_->size() == model_->alive_count(), "size() must count the living");
    for (const stoa::Entity entity : touched_) {
        if (entity) {
            compare_entity(entity);
            if (now_->step % 8 == 0) {
                compare_list(entity);
            }
        }
    }
    compare_entity(any_handle());
}

void Driver::compare_entity(stoa::Entity entity) {
    const ReferenceRow* row = model_->present(entity);
    expect(world_->alive(entity) == (row != nullptr && !row->ghost), "alive must be true exactly for the living");
    for (std::uint32_t number = 0; number < kinds().size(); ++number) {
        const Seen seen = kinds()[number].look(*world_, entity);
        bool has = false;
        int value = 0;
        if (row != nullptr) {
            const auto expected = row->numbers.find(number);
            has = expected != row->numbers.end();
            value = has ? expected->second : 0;
        }
        if (seen.has != has || seen.found != has || (has && seen.number != value)) {
            throw Divergence{std::string{now_->verb} + ": " + describe(entity) + " should " + (has ? "" : "not ") +
                             "have " + kinds()[number].name + (has ? "=" + std::to_string(value) : "") + "; has says " +
                             (seen.has ? "yes" : "no") + ", find says " +
                             (seen.found ? std::to_string(seen.number) : "null")};
        }
    }
}

void Driver::compare_list(stoa::Entity entity) {
    const ReferenceRow* row = model_->present(entity);
    if (row == nullptr || row->ghost) {
        return;
    }
    std::vector<std::uint64_t> expected;
    for (const auto& [number, value] : row->numbers) {
        expected.push_back(kind_ids_[number]);
    }
    std::vector<std::uint64_t> got;
    for (const auto& component : world_->components(entity)) {
        got.push_back(static_cast<std::uint64_t>(component.id));
    }
    std::sort(expected.begin(), expected.end());
    std::sort(got.begin(), got.end());
    expect(got == expected, "components() must list what the entity has");
}

void Driver::compare_all() {
    try {
        world_->check();
    } catch (const stoa::Error& error) {
        throw Divergence{std::string{now_ == nullptr ? "" : now_->verb} + ": check() says: " + error.what()};
    }
    expect(world_->size() == model_->alive_count(), "size() must count the living");
    for (const auto& [entity, row] : model_->rows) {
        compare_entity(entity);
        compare_list(entity);
    }
    for (const stoa::Entity entity : stale_) {
        compare_entity(entity);
    }
    compare_ledgers();
    compare_tables();
}

void Driver::compare_ledgers() {
    std::vector<std::int64_t> expected(kinds().size(), 0);
    if (model_) {
        for (const auto& [entity, row] : model_->rows) {
            for (const auto& [number, value] : row.numbers) {
                ++expected[number];
            }
        }
    }
    for (std::uint32_t number = 0; number < kinds().size(); ++number) {
        const Kind& kind = kinds()[number];
        if (kind.ledger != nullptr) {
            const Ledger& ledger = kind.ledger();
            expect(ledger.alive - ledgers_at_start_[number].alive == expected[number],
                   "as many objects must be alive as entities have the component");
            expect(ledger.wrong == ledgers_at_start_[number].wrong,
                   "no object may be used that was not built, or moved as raw bytes");
        }
    }
}

void Driver::compare_tables() {
    std::size_t rows = 0;
    for (const auto& table : world_->tables()) {
        rows += table.rows;
    }
    expect(rows >= model_->alive_count() && rows <= model_->rows.size(), "tables() must hold every entity once");
    expect(world_->stats().entities == model_->alive_count(), "stats().entities must count the living");
}

}  // namespace stoa_test

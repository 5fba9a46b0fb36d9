// The verbs that create and end entities, on the world and on the model. Called by Driver::step.
#include "driver.hpp"

#include <algorithm>
#include <span>

namespace stoa_test {

void Driver::born(stoa::Entity entity, const Combo* combo, const Numbers& numbers) {
    now_->entity = entity;
    expect(model_->ids.take(entity), "the new id is not the one whose turn it was");
    ReferenceRow& row = model_->spawn(entity);
    if (combo != nullptr) {
        put(row, *combo, numbers);
    }
    living_.push_back(entity);
    touched_[0] = entity;
}

// Ghosts hold their ids, so they count toward the limit.
bool Driver::refused_for_capacity(std::size_t count, const std::optional<stoa::Errc>& error) {
    const bool full = max_entities_ != 0 && model_->rows.size() + count > max_entities_;
    if (full) {
        expect(error == stoa::Errc::capacity, "a full world must refuse with Errc::capacity");
    } else {
        expect(!error, "a world with room must not refuse");
    }
    return full;
}

void Driver::spawn_empty() {
    now_->verb = "spawn nothing";
    stoa::Entity entity;
    if (!refused_for_capacity(1, error_of([&] { entity = world_->spawn(); }))) {
        born(entity, nullptr, {});
    }
}

void Driver::spawn_defaults() {
    now_->verb = "spawn defaults";
    const Combo& combo = *choose_combo();
    stoa::Entity entity;
    if (!refused_for_capacity(1, error_of([&] { entity = combo.spawn_defaults(*world_); }))) {
        born(entity, &combo, Numbers{});
    }
}

void Driver::spawn_values() {
    now_->verb = "spawn values";
    const Combo& combo = *choose_combo();
    if (combo.spawn_values == nullptr) {
        return spawn_defaults();
    }
    const Numbers numbers = random_numbers();
    stoa::Entity entity;
    if (!refused_for_capacity(1, error_of([&] { entity = combo.spawn_values(*world_, numbers); }))) {
        born(entity, &combo, numbers);
    }
}

void Driver::spawn_bulk() {
    now_->verb = "spawn_many";
    const Combo& combo = *choose_combo();
    if (combo.spawn_many == nullptr) {
        return spawn_defaults();
    }
    const std::size_t count = random_.one_in(40) ? random_.below(200) : random_.below(7);
    const Numbers numbers = random_numbers();
    now_->count = count;
    std::vector<stoa::Entity> ids(count);
    const bool with_ids = random_.one_in(2);
    const auto error = error_of([&] {
        if (with_ids) {
            combo.spawn_many_ids(*world_, std::span{ids}, numbers);
        } else {
            combo.spawn_many(*world_, count, numbers);
        }
    });
    if (refused_for_capacity(count, error)) {
        return;
    }
    if (with_ids) {
        for (const stoa::Entity id : ids) {
            born(id, &combo, numbers);
        }
        return;
    }
    ids = model_->ids.take_unseen(count, *world_);
    expect(ids.size() == count, "the new ids are not those whose turn it was");
    for (const stoa::Entity id : ids) {
        put(model_->spawn(id), combo, numbers);
        living_.push_back(id);
        touched_[0] = id;
    }
}

void Driver::spawn_columns() {
    now_->verb = "spawn_columns";
    const Combo& combo = *choose_combo();
    if (combo.spawn_columns == nullptr) {
        return spawn_defaults();
    }
    const std::size_t count = random_.one_in(40) ? random_.below(150) : random_.below(7);
    now_->count = count;
    std::vector<Numbers> rows;
    for (std::size_t i = 0; i < count; ++i) {
        rows.push_back(random_numbers());
    }
    std::vector<stoa::Entity> ids(count);
    if (refused_for_capacity(count, error_of([&] { combo.spawn_columns(*world_, std::span{ids}, rows); }))) {
        return;
    }
    for (std::size_t i = 0; i < count; ++i) {
        born(ids[i], &combo, rows[i]);
    }
}

void Driver::spawn_in_table() {
    now_->verb = "table spawn";
    const Combo& combo = *choose_combo();
    if (combo.table_spawn == nullptr) {
        return spawn_defaults();
    }
    const auto how = static_cast<TableSpawn>(random_.below(4));
    now_->count = static_cast<std::size_t>(how);
    bool tags = false;
    for (const std::uint32_t kind : combo.kinds) {
        tags |= !kinds()[kind].carries_number;
    }
    Numbers numbers = random_numbers();
    if (how == TableSpawn::defaults || (tags && how != TableSpawn::values)) {
        numbers = Numbers{};
    }
    stoa::Entity entity;
    if (!refused_for_capacity(1, error_of([&] { entity = combo.table_spawn(*world_, how, numbers); }))) {
        born(entity, &combo, numbers);
    }
}

void Driver::clone() {
    now_->verb = "clone";
    const stoa::Entity source = any_handle();
    now_->other = source;
    stoa::Entity entity;
    const auto error = error_of([&] { entity = world_->clone(source); });
    const ReferenceRow* row = model_->living(source);
    if (row == nullptr) {
        expect(error == stoa::Errc::dead_entity, "cloning the dead must be Errc::dead_entity");
        return;
    }
    std::map<std::uint32_t, int> copied = row->numbers;
    std::erase_if(copied, [](const auto& entry) { return kinds()[entry.first].cleanup; });
    if (std::any_of(copied.begin(), copied.end(), [](const auto& entry) { return !kinds()[entry.first].copyable; })) {
        // A full world may refuse for either reason.
        expect(error == stoa::Errc::not_copyable || (error == stoa::Errc::capacity && max_entities_ != 0),
               "cloning what cannot be copied must be Errc::not_copyable");
        return;
    }
    if (!refused_for_capacity(1, error)) {
        born(entity, nullptr, {});
        model_->living(entity)->numbers = copied;
        touched_[1] = source;
    }
}

void Driver::despawn() {
    now_->verb = "despawn";
    const stoa::Entity entity = any_handle();
    now_->entity = entity;
    touched_[0] = entity;
    const bool expected = model_->despawn(entity);
    const auto despawn_it = [&] {
        if (random_.one_in(4)) return world_->entity(entity).despawn();
        if (!random_.one_in(4)) return world_->despawn(entity);
        const stoa::Entity twice[] = {entity, entity};
        return world_->despawn_many(twice) == 1;
    };
    const bool got = despawn_it();
    expect(got == expected, "despawn must say whether the entity was alive");
    if (expected) {
        std::erase(living_, entity);
        forget(entity);
        if (model_->present(entity) != nullptr) {
            ghosts_.push_back(entity);
        }
    }
}

void Driver::forget(stoa::Entity entity) { stale_[stale_next_++ % stale_.size()] = entity; }

}  // namespace stoa_test

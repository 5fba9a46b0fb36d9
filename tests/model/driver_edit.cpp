// The verbs that change and ask for the components of an entity, on the world and on the model. Called by Driver::step.
#include "driver.hpp"

#include <algorithm>
#include <span>

namespace stoa_test {

// Adds or replaces the components of the combo in the model.
void Driver::put(ReferenceRow& row, const Combo& combo, const Numbers& numbers) {
    for (std::size_t i = 0; i < combo.kinds.size(); ++i) {
        row.numbers[combo.kinds[i]] = kinds()[combo.kinds[i]].carries_number ? numbers[i] : 0;
    }
}

void Driver::add() {
    now_->verb = "add";
    const Combo& combo = *choose_combo();
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    ReferenceRow* row = model_->living(entity);
    const ReferenceRow before = row != nullptr ? *row : ReferenceRow{};
    const bool expected = model_->add(entity, combo.kinds);
    if (combo.add_values == nullptr || random_.one_in(2)) {
        expect(combo.add(*world_, entity) == expected, "add must say whether anything was added");
        return;
    }
    const Numbers numbers = random_numbers();
    expect(combo.add_values(*world_, entity, numbers) == expected, "add must say whether a value was added");
    if (row == nullptr) return;
    put(*row, combo, numbers);
    for (const auto& [kind, number] : before.numbers) row->numbers[kind] = number;  // present values stay
}

void Driver::set() {
    now_->verb = "set";
    const Combo& combo = *choose_combo();
    if (combo.set == nullptr) {
        return add();
    }
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    const Numbers numbers = random_numbers();
    const auto error = error_of([&] { combo.set(*world_, entity, numbers); });
    if (ReferenceRow* row = model_->living(entity)) {
        expect(!error, "set on a living entity must succeed");
        put(*row, combo, numbers);
    } else {
        expect(error == stoa::Errc::dead_entity, "set on the dead must be Errc::dead_entity");
    }
}

void Driver::emplace() {
    now_->verb = "emplace";
    const std::uint32_t number = random_kind();
    now_->combo = &combos()[number];
    const Kind& kind = kinds()[number];
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    const int value = random_numbers()[0];
    const auto error = error_of([&] { kind.emplace(*world_, entity, value); });
    if (ReferenceRow* row = model_->living(entity)) {
        expect(!error, "emplace on a living entity must succeed");
        row->numbers[number] = kind.carries_number ? value : 0;
    } else {
        expect(error == stoa::Errc::dead_entity, "emplace on the dead must be Errc::dead_entity");
    }
}

void Driver::remove() {
    now_->verb = "remove";
    const Combo& combo = *choose_combo();
    const bool visit_ghost = ghosts_.size() > 50 || (!ghosts_.empty() && random_.one_in(4));
    const stoa::Entity entity =
        visit_ghost ? ghosts_[random_.below(static_cast<std::uint32_t>(ghosts_.size()))] : any_handle();
    now_->entity = touched_[0] = entity;
    const ReferenceRow* row = model_->present(entity);
    const Kind& first = kinds()[combo.kinds[0]];
    if (combo.kinds.size() == 1 && first.take != nullptr && random_.one_in(2)) {
        const bool expected = row != nullptr && row->numbers.contains(combo.kinds[0]);
        const int number = expected ? row->numbers.at(combo.kinds[0]) : 0;
        model_->remove(entity, combo.kinds);
        const Seen taken = first.take(*world_, entity);
        expect(taken.found == expected && taken.number == number, "take must return the value, if there is one");
        return after_removal(entity);
    }
    const bool expected = model_->remove(entity, combo.kinds);
    expect(combo.remove(*world_, entity) == expected, "remove must say whether anything was removed");
    after_removal(entity);
}

// A ghost that lost its last component is gone.
void Driver::after_removal(stoa::Entity entity) {
    if (model_->present(entity) == nullptr) {
        std::erase(ghosts_, entity);
    }
}

void Driver::remove_all() {
    now_->verb = "remove_all";
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    const bool expected = model_->remove_all(entity);
    expect(world_->remove_all(entity) == expected, "remove_all must say whether anything was removed");
}

void Driver::replace() {
    now_->verb = "replace";
    const Combo& combo = *choose_combo();
    if (combo.replace == nullptr) {
        return remove();
    }
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    const Numbers numbers = random_numbers();
    ReferenceRow* row = model_->living(entity);
    const bool expected = row != nullptr && row->numbers.erase(combo.kinds[0]) != 0;
    expect(combo.replace(*world_, entity, numbers) == expected, "replace must say whether there was a first component");
    if (expected) row->numbers[combo.kinds[1]] = kinds()[combo.kinds[1]].carries_number ? numbers[1] : 0;
}

void Driver::chain() {
    now_->verb = "chain of add, set, remove";
    const Combo& combo = *choose_combo();
    if (combo.chain == nullptr) {
        return set();
    }
    const stoa::Entity entity = living_handle();
    now_->entity = touched_[0] = entity;
    ReferenceRow* row = model_->living(entity);
    if (row == nullptr) {
        return;
    }
    const Numbers numbers = random_numbers();
    combo.chain(*world_, entity, numbers);
    row->numbers.try_emplace(combo.kinds[0], 0);
    row->numbers[combo.kinds[1]] = kinds()[combo.kinds[1]].carries_number ? numbers[1] : 0;
    row->numbers.erase(combo.kinds[2]);
}

void Driver::copy() {
    now_->verb = "copy";
    const stoa::Entity from = any_handle();
    const stoa::Entity to = random_.one_in(16) ? from : any_handle();
    now_->entity = touched_[0] = from;
    now_->other = touched_[1] = to;
    ReferenceRow* source = model_->living(from);
    ReferenceRow* target = model_->living(to);
    if (from == to && source == nullptr) {
        return;  // whether this does nothing or is refused is not promised
    }
    const auto error = error_of([&] { world_->copy(from, to); });
    if (source == nullptr || target == nullptr) {
        expect(error == stoa::Errc::dead_entity, "copying from or to the dead must be Errc::dead_entity");
        return;
    }
    if (from == to) {
        expect(!error, "copying an entity to itself must do nothing");
        return;
    }
    const bool copyable = std::all_of(source->numbers.begin(), source->numbers.end(), [](const auto& entry) {
        return kinds()[entry.first].cleanup || kinds()[entry.first].copyable;
    });
    if (!copyable) {
        expect(error == stoa::Errc::not_copyable, "copying what cannot be copied must be Errc::not_copyable");
        return;
    }
    expect(!error, "copy between living entities must succeed");
    for (const auto& [kind, number] : source->numbers) {
        if (!kinds()[kind].cleanup) {
            target->numbers[kind] = number;
        }
    }
}

void Driver::write() {
    now_->verb = "write through get or find";
    const std::uint32_t number = random_kind();
    const Kind& kind = kinds()[number];
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    now_->combo = &combos()[number];
    const int value = random_numbers()[0];
    ReferenceRow* row = model_->present(entity);
    const bool has = row != nullptr && row->numbers.contains(number);
    if (has && random_.one_in(2)) {
        kind.write_get(*world_, entity, value);
    } else {
        expect(kind.write_find(*world_, entity, value) == has, "find must give a pointer exactly when has is true");
    }
    if (has && kind.carries_number) {
        row->numbers[number] = value;
    }
}

void Driver::get_or_fail() {
    now_->verb = "get";
    const std::uint32_t number = random_kind();
    const Kind& kind = kinds()[number];
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    now_->combo = &combos()[number];
    const ReferenceRow* row = model_->present(entity);
    int got = 0;
    const auto error = error_of([&] { got = kind.get(*world_, entity); });
    if (row != nullptr && row->numbers.contains(number)) {
        expect(!error, "get of a present component must succeed");
        expect(got == row->numbers.at(number), "get must read the value");
        if (!row->ghost) {
            expect(kind.get_unchecked(*world_, entity) == got, "get_unchecked must read the same as get");
        }
    } else if (row == nullptr) {
        expect(error == stoa::Errc::dead_entity, "get on the dead must be Errc::dead_entity");
    } else {
        expect(error == stoa::Errc::missing_component || (row->ghost && error == stoa::Errc::dead_entity),
               "get of an absent component must be Errc::missing_component");
    }
}

void Driver::ask() {
    now_->verb = "has";
    const Combo& combo = *choose_combo();
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    expect(combo.has(*world_, entity) == model_->has(entity, combo.kinds), "has must mean all of them");
    expect(combo.has_any(*world_, entity) == model_->has_any(entity, combo.kinds), "has_any must mean any of them");
}

void Driver::ask_through_ref() {
    now_->verb = "questions to an EntityRef";
    const stoa::Entity entity = any_handle();
    now_->entity = touched_[0] = entity;
    stoa::EntityRef ref = world_->entity(entity);
    const ReferenceRow* row = model_->present(entity);
    const bool alive = row != nullptr && !row->ghost;
    expect(ref.id() == entity, "a ref must know its id");
    expect(ref.alive() == alive, "a ref must know whether its entity is alive");
    const bool has = row != nullptr && row->numbers.contains(kind_of<Name>);
    expect(ref.has<Name>() == has, "a ref must know what its entity has");
    expect((ref.find<Name>() != nullptr) == has, "a ref must find what its entity has");
    if (!alive) {
        expect(error_of([&] { ref.set(Name{}); }) == stoa::Errc::dead_entity, "set through a dead ref must fail");
        expect(error_of([&] { ref.get<Position>(); }).has_value(), "get through a dead ref must fail");
        expect(!ref.despawn(), "despawn through a dead ref must answer false");
    }
}

}  // namespace stoa_test

// The verbs of the naive model, each written in the plainest way. Called by the driver.
#include "reference.hpp"

#include <algorithm>

namespace stoa_test {

KindMask ReferenceRow::mask() const {
    KindMask all = 0;
    for (const auto& [kind, number] : numbers) {
        all |= KindMask{1} << kind;
    }
    return all;
}

ReferenceRow* Reference::present(stoa::Entity entity) {
    const auto found = rows.find(entity);
    return found == rows.end() ? nullptr : &found->second;
}

ReferenceRow* Reference::living(stoa::Entity entity) {
    ReferenceRow* row = present(entity);
    return row == nullptr || row->ghost ? nullptr : row;
}

ReferenceRow& Reference::spawn(stoa::Entity entity) {
    ++alive_;
    return rows[entity];
}

bool Reference::despawn(stoa::Entity entity) {
    ReferenceRow* row = living(entity);
    if (row == nullptr) {
        return false;
    }
    --alive_;
    std::erase_if(row->numbers, [](const auto& entry) { return !kinds()[entry.first].cleanup; });
    if (row->numbers.empty()) {
        rows.erase(entity);
        ids.release(entity);
    } else {
        row->ghost = true;
    }
    return true;
}

bool Reference::add(stoa::Entity entity, std::span<const std::uint32_t> named) {
    ReferenceRow* row = living(entity);
    bool added = false;
    for (const std::uint32_t kind : named) {
        added |= row != nullptr && row->numbers.try_emplace(kind, 0).second;
    }
    return added;
}

bool Reference::remove(stoa::Entity entity, std::span<const std::uint32_t> named) {
    ReferenceRow* row = present(entity);
    bool removed = false;
    for (const std::uint32_t kind : named) {
        removed |= row != nullptr && row->numbers.erase(kind) != 0;
    }
    if (removed && row->ghost && row->numbers.empty()) {
        rows.erase(entity);
        ids.release(entity);
    }
    return removed;
}

bool Reference::remove_all(stoa::Entity entity) {
    ReferenceRow* row = living(entity);
    return row != nullptr &&
           std::erase_if(row->numbers, [](const auto& entry) { return !kinds()[entry.first].cleanup; }) != 0;
}

void Reference::clear() {
    std::vector<stoa::Entity> all;
    for (const auto& [entity, row] : rows) {
        all.push_back(entity);
    }
    rows.clear();
    alive_ = 0;
    ids.release_together(all);
}

bool Reference::has(stoa::Entity entity, std::span<const std::uint32_t> named) {
    const ReferenceRow* row = present(entity);
    return row != nullptr &&
           std::all_of(named.begin(), named.end(), [&](std::uint32_t kind) { return row->numbers.contains(kind); });
}

bool Reference::has_any(stoa::Entity entity, std::span<const std::uint32_t> named) {
    const ReferenceRow* row = present(entity);
    return row != nullptr &&
           std::any_of(named.begin(), named.end(), [&](std::uint32_t kind) { return row->numbers.contains(kind); });
}

}  // namespace stoa_test

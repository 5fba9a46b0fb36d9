// What a query finds, as a sorted list that can be compared. Both ways are walks, so they move the mark of a handle
// with Changed or Added. Called by the tests of queries.
#pragma once

#include <algorithm>
#include <stoa/stoa.hpp>
#include <vector>

namespace stoa_test {

using Entities = std::vector<stoa::Entity>;

inline Entities sorted(Entities entities) {
    std::sort(entities.begin(), entities.end());
    return entities;
}

/// Returns what collect gives.
template <class Query>
Entities collected(Query& query) {
    Entities found;
    query.collect(found);
    return sorted(std::move(found));
}

/// Returns the entities that each visits.
template <class Query>
Entities walked(Query& query) {
    Entities found;
    query.each([&](stoa::Entity entity, auto&&...) { found.push_back(entity); });
    return sorted(std::move(found));
}

}  // namespace stoa_test

// What a store holds of the types of a library, and how it lets go of them. Called by World::forget_types.
#pragma once

namespace stoa::detail {

struct LibraryTypes;
class Store;
class UsesLeft;

// Names values, removed values, indexes and resources of these types, and what later rooms have made from the store.
// Throws std::bad_alloc.
void name_component_uses(const Store& store, const LibraryTypes& types, UsesLeft& uses);
// Destroys recycled objects. Returns: whether there were any; then user code has run.
bool end_recycled(Store& store, const LibraryTypes& types) noexcept;
// Destroys tables and sparse sets of these types, which are empty, and all that is recorded of them. Requires:
// name_component_uses names nothing.
void forget_components(Store& store, const LibraryTypes& types) noexcept;

}  // namespace stoa::detail

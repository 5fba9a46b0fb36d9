// Starting to track components. Both are allowed while the structure is locked. Called by queries and indexes.
#pragma once

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/storage/indexed_component.hpp"

namespace stoa::detail {

class Store;

// Keeps a tick for every row of this component from now on; existing rows count as changed now. Throws std::bad_alloc:
// then some tables may keep ticks already, and the call may be repeated.
STOA_API void track(Store& store, TypeHandle& slot);
// Tracks the component, and records when it was last written and which entities lose it. The result lives as long as
// the store; its reader counts itself among its readers. Throws std::bad_alloc.
STOA_API IndexedComponent& index_component(Store& store, TypeHandle& slot);

}  // namespace stoa::detail

// A set of components under construction, ascending by id: the key by which a table is looked up. Its memory comes from
// a block pool, so that it can grow inside a NoFail scope. Used by the catalog of tables.
#pragma once

#include <cstdint>
#include <utility>

#include "base/pod_array.hpp"
#include "stoa/detail/component/component_ops.hpp"

namespace stoa::detail {

struct ComponentSet {
    PodArray<ComponentId> ids;
    PodArray<const ComponentType*> types;

    std::uint32_t size() const { return ids.size; }
    void clear() { ids.size = types.size = 0; }
    void reserve(BlockPool& pool, std::uint32_t count) {
        ids.reserve(pool, count);
        types.reserve(pool, count);
    }
    void free(BlockPool& pool) noexcept {
        ids.free(pool);
        types.free(pool);
    }
    // Appends a component. Requires: room, and an id that is not smaller than the others.
    void push(ComponentId id, const ComponentType& type) {
        ids.push(id);
        types.push(&type);
    }
    // Inserts a component at its position. Requires: room. Insertion sort: few are inserted, and the others are sorted
    // already.
    void insert(ComponentId id, const ComponentType& type) {
        std::uint32_t at = ids.size;
        push(id, type);
        for (; at > 0 && ids[at - 1] > ids[at]; --at) {
            std::swap(ids[at - 1], ids[at]);
            std::swap(types[at - 1], types[at]);
        }
    }
    // Returns: whether it was there.
    bool erase(ComponentId id) {
        std::uint32_t at = 0;
        while (at < ids.size && ids[at] != id) ++at;
        if (at == ids.size) return false;
        for (; at + 1 < ids.size; ++at) {
            ids[at] = ids[at + 1];
            types[at] = types[at + 1];
        }
        ids.size = types.size = at;
        return true;
    }
};

}  // namespace stoa::detail

// Descriptions of component types, and of the components that an entity has.
#include "stoa/detail/storage/introspection.hpp"

#include "component/registry.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

ComponentInfo component_info(ComponentId id, const ComponentType& type) {
    return {id, type.name(), type.size, type.alignment, type.traits.storage, type.traits.cleanup, type.traits.pooled};
}

ComponentInfo component_info(const Store& store, TypeHandle& slot) {
    const ComponentId id = resolve(store.types().registry(), slot);
    return component_info(id, store.types().registry().type(id));
}

std::vector<ComponentInfo> components_of(const Store& store, Entity entity) {
    std::vector<ComponentInfo> all;
    const EntityRow place = store.locate(entity);
    if (!place) return all;
    const Table& table = place.chunk->table();
    for (std::uint32_t i = 0; i < table.id_count(); ++i) all.push_back(component_info(table.ids()[i], table.type(i)));
    store.sparse_sets().each_of(
        entity, [&](SparseSet& set, SparseSlot) { all.push_back(component_info(set.id(), set.type())); });
    return all;
}

}  // namespace stoa::detail

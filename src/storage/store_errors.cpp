// Error sentences and descriptions: each error names the operation, the entity, the component and what to do instead.
#include "storage/store_errors.hpp"

#include "base/raise.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

std::string describe(Entity entity) {
    if (!entity) return "the null entity";
    return "entity " + std::to_string(entity.index()) + " (generation " + std::to_string(entity.generation()) + ")";
}

namespace {

[[noreturn]] void raise_gone(const char* verb) {
    raise(Errc::world_gone, std::string(verb) + ": this World was moved from; use the World it was moved to");
}

std::string operation(const char* verb, std::string_view component) {
    return component.empty() ? std::string(verb) : std::string(verb) + "<" + std::string(component) + ">";
}

}  // namespace

void Store::fail_dead(const char* verb, Entity entity, std::string_view component) const {
    if (state_->is_gone) raise_gone(verb);
    const bool ghost = static_cast<bool>(locate_ghost(entity));
    raise(Errc::dead_entity, operation(verb, component) + ": " + describe(entity) +
                                 (ghost ? " was despawned and only keeps its cleanup components; remove those, "
                                        : " is not alive in this world; ") +
                                 "test with alive() first");
}

void Store::fail_lookup(const char* verb, Entity entity, TypeHandle& slot) const {
    if (state_->is_gone) raise_gone(verb);
    const std::string name(slot.type->name());
    if (!alive(entity)) {
        raise(Errc::dead_entity, std::string(verb) + "<" + name + ">: " + describe(entity) +
                                     " is not alive in this world; test with alive(), or use find<" + name + ">()");
    }
    raise(Errc::missing_component, std::string(verb) + "<" + name + ">: " + describe(entity) + " has no component " +
                                       name + "; test with has<" + name + ">(), or use find<" + name + ">()");
}

void Store::fail_locked(const char* verb, std::string_view component) const {
    if (state_->is_gone) raise_gone(verb);
    if (clock_.is_on_thread_clock()) {
        raise(
            Errc::locked,
            operation(verb, component) +
                ": the structure of the world is locked while systems run beside each other; a system that changes it "
                "must take Commands& or World& as a parameter");
    }
    const std::string_view name(verb);
    const bool recordable = name == "spawn" || name == "despawn" || name == "add" || name == "set" || name == "remove";
    raise(Errc::locked,
          operation(verb, component) +
              ": the structure of the world is locked while it is walked or while code of a component runs; "
              "record it with commands()." +
              (recordable ? std::string(verb) + "()" : "run()") + " instead, or do it after the walk");
}

void Store::require_world(const char* verb) const {
    if (state_->is_gone) raise_gone(verb);
}

void Store::fail_lengths() const {
    if (state_->is_gone) raise_gone("spawn_columns");
    raise(Errc::conflict,
          "spawn_columns: the spans have different lengths; give one id and one value of each component per entity");
}

ComponentInfo Store::info(TypeHandle& slot) const {
    const ComponentId id = resolve(types_.registry(), slot);
    return info(id, types_.registry().type(id));
}

ComponentInfo Store::info(ComponentId id, const ComponentType& type) {
    return {id, type.name(), type.size, type.alignment, type.traits.storage, type.traits.cleanup, type.traits.pooled};
}

std::vector<ComponentInfo> Store::components_of(Entity entity) const {
    std::vector<ComponentInfo> all;
    const EntityRow place = locate(entity);
    if (!place) return all;
    const Table& table = place.chunk->table();
    for (std::uint32_t i = 0; i < table.id_count(); ++i) all.push_back(info(table.ids()[i], table.type(i)));
    sparse_sets_.each_of(entity, [&](SparseSet& set, std::uint32_t) { all.push_back(info(set.id(), set.type())); });
    return all;
}

}  // namespace stoa::detail

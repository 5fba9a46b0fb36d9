// The errors of a store, in words.
#include "stoa/detail/storage/store_errors.hpp"

#include "base/raise.hpp"
#include "storage/describe_entity.hpp"
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

void fail_dead(const Store& store, const char* verb, Entity entity, std::string_view component) {
    if (store.state().is_gone) raise_gone(verb);
    const bool ghost = static_cast<bool>(store.locate_ghost(entity));
    raise(Errc::dead_entity, operation(verb, component) + ": " + describe(entity) +
                                 (ghost ? " was despawned and only keeps its cleanup components; remove those, "
                                        : " is not alive in this world; ") +
                                 "test with alive() first");
}

void fail_lookup(const Store& store, const char* verb, Entity entity, TypeHandle& slot) {
    if (store.state().is_gone) raise_gone(verb);
    const std::string name(slot.type->name());
    if (!store.alive(entity)) {
        raise(Errc::dead_entity, std::string(verb) + "<" + name + ">: " + describe(entity) +
                                     " is not alive in this world; test with alive(), or use find<" + name + ">()");
    }
    raise(Errc::missing_component, std::string(verb) + "<" + name + ">: " + describe(entity) + " has no component " +
                                       name + "; test with has<" + name + ">(), or use find<" + name + ">()");
}

void fail_locked(const Store& store, const char* verb, std::string_view component) {
    if (store.state().is_gone) raise_gone(verb);
    if (store.clock().is_on_thread_clock()) {
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

void require_world(const Store& store, const char* verb) {
    if (store.state().is_gone) raise_gone(verb);
}

void fail_lengths(const Store& store) {
    if (store.state().is_gone) raise_gone("spawn_columns");
    raise(Errc::conflict,
          "spawn_columns: the spans have different lengths; give one id and one value of each component per entity");
}

}  // namespace stoa::detail

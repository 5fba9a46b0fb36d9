// World::forget_types: each room says what is left of the types of a library, and then lets go of the rest.
#include "base/raise.hpp"
#include "command/replay.hpp"
#include "component/library_types.hpp"
#include "query/query_index.hpp"
#include "stoa/world.hpp"
#include "storage/forget_components.hpp"
#include "storage/store_state.hpp"

namespace stoa {
namespace {

using detail::LibraryTypes;
using detail::Store;

constexpr const char* verb = "forget_types";

const detail::CommandBuffer& commands_of(const Store& store) {
    return detail::CommandsAccess::buffer(store.rooms().commands.get()->buffer);
}

void require_idle(const Store& store) {
    require_world(store, verb);
    const bool flushes = commands_of(store).replay() != nullptr || commands_of(store).is_recording();
    if (!store.locked() && !store.holds_tables() && !flushes) return;
    detail::raise(Errc::locked, std::string(verb) +
                                    ": the world is being walked, flushed or updated, or code of a component runs; "
                                    "call it when that has ended");
}

LibraryTypes types_of(const Store& store, const void* address) {
    LibraryTypes types = store.types().registry().types_of(address);
    if (!types.range) {
        detail::raise(Errc::unknown_name, std::string(verb) +
                                              ": no library that is loaded contains this address; give the address of "
                                              "one of its functions or variables, such as dlsym() returns");
    }
    return types;
}

// Throws Errc::conflict when something of the types is left.
void require_unused(const Store& store, const LibraryTypes& types) {
    detail::UsesLeft left;
    name_component_uses(store, types, left);
    if (const detail::QueryIndex* queries = store.rooms().queries.get()) queries->name_uses(types, left);
    left.add(commands_of(store).count_uses(types), "commands that wait for a flush", "");
    if (const detail::MessageQueues* messages = store.rooms().messages.get()) messages->name_uses(types, left);
    if (left.empty()) return;
    detail::raise(Errc::conflict, std::string(verb) + ": types and code of " + types.library + " are in use: " +
                                      left.text() + "; remove them first; flush() applies commands, and end_frame() " +
                                      "drops messages and removed values");
}

}  // namespace

void World::forget_types(const void* address) {
    Store& store = *store_;
    require_idle(store);
    const LibraryTypes types = types_of(store, address);
    require_unused(store, types);
    // The destructors of recycled objects may have done anything that they can do under a lock.
    if (end_recycled(store, types)) require_unused(store, types);

    forget_components(store, types);
    if (detail::QueryIndex* queries = store.rooms().queries.get()) queries->forget_types(types);
    if (detail::MessageQueues* messages = store.rooms().messages.get()) messages->forget_types(types);
    store.types().registry().forget(types, store.state().libraries);
}

}  // namespace stoa

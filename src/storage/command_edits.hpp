// Edits without types, for the replay of commands. Values leave their places when an edit succeeds; if it throws, they
// are untouched and the world is as it was. The caller passes the result to Notifier::notify. Requires: the structure
// is unlocked, and the parts name a component once.
#pragma once

#include <span>

#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

// Gives a reserved id its entity, with these components; `initialize`, if any, runs when they are constructed.
PendingNotification spawn_reserved(Store& store, Entity entity, Table& table, std::span<RowPart> parts,
                                   Initializer* initialize = nullptr);
// Gives a reserved id its entity, with copies of the components of `model`. Requires: `model` is alive.
PendingNotification clone_reserved(Store& store, Entity model, Entity id);
// Adds or overwrites the components of `list`. Requires: the entity is alive.
PendingNotification put_parts(Store& store, Entity entity, TypeList& list, std::span<RowPart> parts);
// Moves the entity along `migration`, unless that is null, and adds or overwrites `parts`. Requires: it is alive.
PendingNotification edit(Store& store, Entity entity, Migration* migration, std::span<RowPart> parts);
// Replaces the first component of `list` by the others, see replace.hpp. Returns: false if the entity is dead or lacks
// it; then nothing has changed and values stay.
bool replace_and_defer(Store& store, Entity entity, TypeList& list, std::span<RowPart> parts,
                       PendingNotification& pending);
// Whether a living entity has a component.
bool has_component(const Store& store, Entity entity, ComponentId id);
// The migration for these effects on entities of `source`; null if they change no set of components.
Migration* migration_for(Store& store, Table& source, std::span<const Effect> effects);

}  // namespace stoa::detail

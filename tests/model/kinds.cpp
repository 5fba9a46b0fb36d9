// Fills the table of kinds: one row of functions per component type. Called by the driver.
#include "kinds.hpp"

#include "../support/values.hpp"

#include <optional>
#include <type_traits>
#include <utility>

namespace stoa_test {
namespace {

template <class C>
Seen look(stoa::World& world, stoa::Entity entity) {
    Seen seen;
    seen.has = world.has<C>(entity);
    const C* found = world.find<const C>(entity);
    seen.found = found != nullptr;
    if constexpr (carries_number<C>) {
        seen.number = found == nullptr ? 0 : read(*found);
    }
    return seen;
}

template <class C>
int get(stoa::World& world, stoa::Entity entity) {
    if constexpr (requires(const C& c) { c.value; }) {
        // The value and the component that holds it must be the same object.
        if (&world.get_value<const C>(entity) != &world.get<const C>(entity).value) {
            return corrupt_value;
        }
    }
    return read(world.get<const C>(entity));
}

template <class C>
void write_get(stoa::World& world, stoa::Entity entity, int number) {
    if constexpr (std::is_same_v<C, Score>) {
        world.get_value<C>(entity) = number;
    } else {
        write(world.get<C>(entity), number);
    }
}

template <class C>
bool write_find(stoa::World& world, stoa::Entity entity, int number) {
    C* found = world.find<C>(entity);
    if (found != nullptr) {
        write(*found, number);
    }
    return found != nullptr;
}

template <class C>
int get_unchecked(stoa::World& world, stoa::Entity entity) {
    return read(world.get_unchecked<C>(entity));
}

// Each type is built from what its users would hand over: two numbers, a string, a pointer, another component.
template <class C>
void emplace(stoa::World& world, stoa::Entity entity, int number) {
    if constexpr (std::is_same_v<C, Position>) {
        world.emplace<C>(entity, number, -number);
    } else if constexpr (std::is_same_v<C, Name> || std::is_same_v<C, Note> || std::is_same_v<C, Grave>) {
        world.emplace<C>(entity, text_of(number));
    } else if constexpr (std::is_same_v<C, Velocity>) {
        world.emplace<C>(entity, static_cast<double>(number), 2.0 * number);
    } else if constexpr (std::is_same_v<C, Wide> || std::is_same_v<C, Burning> || std::is_same_v<C, Score>) {
        world.emplace<C>(entity, number);
    } else if constexpr (carries_number<C> && std::is_constructible_v<C, int>) {
        world.emplace<C>(entity, number);
    } else if constexpr (carries_number<C>) {
        world.emplace<C>(entity, make<C>(number));
    } else {
        world.emplace<C>(entity);
    }
}

template <class C>
Seen take(stoa::World& world, stoa::Entity entity) {
    Seen seen;
    const std::optional<C> taken = world.take<C>(entity);
    seen.found = taken.has_value();
    if constexpr (carries_number<C>) {
        seen.number = taken ? read(*taken) : 0;
    }
    return seen;
}

template <class C>
std::uint64_t id(stoa::World& world) {
    return static_cast<std::uint64_t>(world.component<C>().id);
}

template <class C>
const Ledger& ledger() {
    return C::ledger();
}

template <class C>
Kind describe(const char* name) {
    Kind kind{};
    kind.name = name;
    kind.carries_number = carries_number<C>;
    kind.cleanup = stoa::traits<C>.cleanup;
    kind.copyable = std::is_copy_constructible_v<C>;
    kind.pooled = stoa::traits<C>.pooled;
    kind.look = &look<C>;
    kind.get = &get<C>;
    kind.write_get = &write_get<C>;
    kind.write_find = &write_find<C>;
    kind.get_unchecked = &get_unchecked<C>;
    kind.emplace = &emplace<C>;
    if constexpr (std::is_move_constructible_v<C>) kind.take = &take<C>;
    kind.id = &id<C>;
    if constexpr (requires { C::ledger(); }) {
        kind.ledger = &ledger<C>;
    }
    return kind;
}

}  // namespace

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = [] {
        const std::vector<const char*> names{"Position", "Velocity", "Name",   "Counted",      "Owner", "Red",
                                             "Blue",     "Burning",  "Note",   "Pinned",       "Flag",  "Bag",
                                             "Crate",    "Grave",    "Tomb",   "Haunted",      "Wide",  "Hollow",
                                             "Score",    "int",      "Entity", "SparseCounted"};
        std::vector<Kind> made;
        ModelKinds::each([&]<class C>() { made.push_back(describe<C>(names[made.size()])); });
        return made;
    }();
    return all;
}

}  // namespace stoa_test

// Takes and compares snapshots. Invariant: only questions are asked (alive, find, has, components), so taking one never
// changes the world. Called by the fault loops and the limits.
#include "snapshot.hpp"

#include "handles.hpp"
#include "type_list.hpp"
#include "values.hpp"

#include <algorithm>
#include <sstream>
#include <type_traits>

namespace stoa_test {
namespace {

template <class C>
void record(stoa::World& world, stoa::Entity entity, EntityRecord& into) {
    if (!world.has<C>(entity)) {
        return;
    }
    const auto name = std::string{world.component<C>().name};
    if constexpr (carries_number<C>) {
        const C* found = world.find<const C>(entity);
        into.numbers[name] = found == nullptr ? corrupt_value : read(*found);
    } else {
        into.numbers[name] = 0;
    }
}

void print(std::ostream& out, const char* when, const EntityRecord* entity) {
    out << "  " << when << ": ";
    if (entity == nullptr) {
        out << "not there\n";
        return;
    }
    out << (entity->alive ? "alive" : "ghost");
    for (const auto& [name, number] : entity->numbers) {
        out << ' ' << name << '=' << number;
    }
    out << " listed:";
    for (const auto& name : entity->listed) {
        out << ' ' << name;
    }
    out << '\n';
}

const EntityRecord* find(const Snapshot& in, stoa::Entity entity) {
    const auto found = in.entities.find(entity);
    return found == in.entities.end() ? nullptr : &found->second;
}

}  // namespace

Snapshot take_snapshot(stoa::World& world, std::uint32_t indices, std::uint32_t generations) {
    Snapshot snapshot;
    snapshot.size = world.size();
    for (std::uint32_t index = 0; index < indices; ++index) {
        for (std::uint32_t generation = 1; generation <= generations; ++generation) {
            const stoa::Entity entity = forge(index, generation);
            const bool alive = world.alive(entity);
            if (!alive && !world.has_any<Grave, Tomb, Haunted>(entity)) {
                continue;
            }
            EntityRecord& entry = snapshot.entities[entity];
            entry.alive = alive;
            AllComponents::each([&]<class C>() { record<C>(world, entity, entry); });
            if (alive) {
                for (const auto& component : world.components(entity)) {
                    entry.listed.emplace_back(component.name);
                }
                std::sort(entry.listed.begin(), entry.listed.end());
            }
        }
    }
    return snapshot;
}

std::string difference(const Snapshot& before, const Snapshot& after) {
    std::ostringstream out;
    if (before.size != after.size) {
        out << "size " << before.size << " became " << after.size << '\n';
    }
    std::map<stoa::Entity, bool> all;
    for (const auto& [entity, entry] : before.entities) {
        all[entity] = true;
    }
    for (const auto& [entity, entry] : after.entities) {
        all[entity] = true;
    }
    for (const auto& [entity, unused] : all) {
        const EntityRecord* old = find(before, entity);
        const EntityRecord* now = find(after, entity);
        if (old == nullptr || now == nullptr || *old != *now) {
            out << "entity " << entity.index() << " generation " << entity.generation() << '\n';
            print(out, "before", old);
            print(out, "after", now);
        }
    }
    return out.str();
}

}  // namespace stoa_test

// The verbs that take an entity, each as a type, so that a test can be written once for all of them.
// `run` returns true when the verb said yes (found something, did something).
#pragma once

#include "scene.hpp"

#include <tuple>

namespace misuse_test {

// question: answers, never throws.   answer: a structural verb that answers whether it did something.
// demand: throws when it cannot be met.
enum class Kind { question, answer, demand };

#define MISUSE_VERB(Type, kind_, word_, component_, ...)                                                   \
    struct Type {                                                                                          \
        static constexpr Kind kind = Kind::kind_;                                                          \
        static constexpr const char* word = word_;                                                         \
        static constexpr const char* component = component_;                                               \
        static bool run([[maybe_unused]] Scene& scene, stoa::World& world, stoa::Entity e) { __VA_ARGS__ } \
    }

MISUSE_VERB(Alive, question, "alive", "", return world.alive(e););
MISUSE_VERB(Has, question, "has", "", return world.has<Health>(e););
MISUSE_VERB(HasSparse, question, "has", "", return world.has<Burning>(e););
MISUSE_VERB(HasTwo, question, "has", "", return world.has<Health, Armour>(e););
MISUSE_VERB(HasAny, question, "has_any", "", return world.has_any<Health, Burning>(e););
MISUSE_VERB(Find, question, "find", "", return world.find<Health>(e) != nullptr;);
MISUSE_VERB(FindConst, question, "find", "", return world.find<const Health>(e) != nullptr;);
MISUSE_VERB(FindSparse, question, "find", "", return world.find<Burning>(e) != nullptr;);
MISUSE_VERB(Components, question, "components", "", return !world.components(e).empty(););
MISUSE_VERB(RefAlive, question, "alive", "", return world.entity(e).alive(););
MISUSE_VERB(RefHas, question, "has", "", return world.entity(e).has<Health>(););
MISUSE_VERB(RefFind, question, "find", "", return world.entity(e).find<Health>() != nullptr;);

MISUSE_VERB(Despawn, answer, "despawn", "", return world.despawn(e););
MISUSE_VERB(AddOne, answer, "add", "", return world.add<Armour>(e););
MISUSE_VERB(AddTwo, answer, "add", "", return world.add<Health, double>(e););
MISUSE_VERB(AddSparse, answer, "add", "", return world.add<Burning>(e););
MISUSE_VERB(AddCleanup, answer, "add", "", return world.add<Body>(e););
MISUSE_VERB(RemoveOne, answer, "remove", "", return world.remove<Health>(e););
MISUSE_VERB(RemoveTwo, answer, "remove", "", return world.remove<Armour, Health>(e););
MISUSE_VERB(RemoveSparse, answer, "remove", "", return world.remove<Burning>(e););
MISUSE_VERB(RemoveAll, answer, "remove_all", "", return world.remove_all(e););
MISUSE_VERB(Replace, answer, "replace", "", return world.replace<Health>(e, Armour{}););
MISUSE_VERB(ReplaceSparse, answer, "replace", "", return world.replace<Burning>(e, Health{}););
MISUSE_VERB(ReplaceCleanup, answer, "replace", "", return world.replace<Body>(e, Armour{}););
MISUSE_VERB(RefReplace, answer, "replace", "", world.entity(e).replace<Health>(Armour{}); return false;);
MISUSE_VERB(RefDespawn, answer, "despawn", "", return world.entity(e).despawn(););
MISUSE_VERB(RefAdd, answer, "add", "", world.entity(e).add<Armour>(); return false;);
MISUSE_VERB(RefRemove, answer, "remove", "", world.entity(e).remove<Health>(); return false;);

MISUSE_VERB(Get, demand, "get", "Health", world.get<Health>(e).value = 0; return true;);
MISUSE_VERB(GetConst, demand, "get", "Health", return world.get<const Health>(e).value > 0;);
MISUSE_VERB(GetSparse, demand, "get", "Burning", world.get<Burning>(e).value = 0; return true;);
MISUSE_VERB(GetValue, demand, "get_value", "Health", world.get_value<Health>(e) = 0; return true;);
MISUSE_VERB(GetValueConst, demand, "get_value", "Health", return world.get_value<const Health>(e) > 0;);
MISUSE_VERB(SetOne, demand, "set", "Health", world.set(e, Health{0}); return true;);
MISUSE_VERB(SetTwo, demand, "set", "Armour", world.set(e, Armour{0}, Health{0}); return true;);
MISUSE_VERB(SetSparse, demand, "set", "Burning", world.set(e, Burning{0}); return true;);
MISUSE_VERB(Emplace, demand, "emplace", "Health", world.emplace<Health>(e, 0); return true;);
MISUSE_VERB(EmplaceSparse, demand, "emplace", "Burning", world.emplace<Burning>(e, 0); return true;);
MISUSE_VERB(Clone, demand, "clone", "", world.clone(e); return true;);
MISUSE_VERB(CopyFrom, demand, "copy", "", world.copy(e, scene.living); return true;);
MISUSE_VERB(CopyTo, demand, "copy", "", world.copy(scene.living, e); return true;);
MISUSE_VERB(RefGet, demand, "get", "Health", world.entity(e).get<Health>().value = 0; return true;);
MISUSE_VERB(RefGetConst, demand, "get", "Health", return world.entity(e).get<const Health>().value > 0;);
MISUSE_VERB(RefSet, demand, "set", "Health", world.entity(e).set(Health{0}); return true;);

#undef MISUSE_VERB

using Verbs = std::tuple<Alive, Has, HasSparse, HasTwo, HasAny, Find, FindConst, FindSparse, Components, RefAlive,
                         RefHas, RefFind, Despawn, AddOne, AddTwo, AddSparse, AddCleanup, RemoveOne, RemoveTwo,
                         RemoveSparse, RemoveAll, Replace, ReplaceSparse, ReplaceCleanup, RefReplace, RefDespawn,
                         RefAdd, RefRemove, Get, GetConst, GetSparse, GetValue, GetValueConst, SetOne, SetTwo,
                         SetSparse, Emplace, EmplaceSparse, Clone, CopyFrom, CopyTo, RefGet, RefGetConst, RefSet>;

}  // namespace misuse_test

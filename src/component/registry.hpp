// The registry: which id a component type has, and which number a resource type, a list of types or the terms of a
// query have. One per copy of the library in the process; every world points to the registry of the copy that made it,
// and code from other copies (a plugin that links the library statically) asks that one, so a type has one id in a
// world whoever asks.
//
// Invariant: ids and numbers are never reused; descriptions never move, and the libraries that hold them stay loaded.
// Threads: all calls are safe.
#pragma once

#include <deque>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "component/libraries.hpp"
#include "stoa/detail/component_ops.hpp"

namespace stoa::detail {

// Numbers for types of one kind, dense from 0 in order of first use.
class TypeNumbers {
  public:
    std::uint32_t find_or_add(const TypeIdentity& type);
    std::uint32_t count() const { return static_cast<std::uint32_t>(types_.size()); }
    // The description that the first user of the type gave.
    const TypeIdentity& operator[](std::uint32_t number) const { return *types_[number]; }

  private:
    std::deque<const TypeIdentity*> types_;
    std::unordered_multimap<std::string_view, std::uint32_t> by_name_;
};

class Registry {
  public:
    // Lives as long as the process, so that worlds with static storage duration may outlive everything.
    static Registry& of_process();

    ComponentId id(TypeSlot& slot);
    std::uint32_t number(Ticket& ticket);
    // The description that the first user of the type gave. Requires: the id came from this registry.
    const ComponentType& type(ComponentId id);
    std::uint32_t component_count();
    // The number of a resource type: a type may be both, and its two numbers have nothing to do with each other.
    std::uint32_t resource(const TypeIdentity& type, Ticket& ticket);

  private:
    std::uint32_t number(TypeNumbers& kind, const TypeIdentity& type, Ticket& ticket);

    Libraries libraries_;
    std::mutex mutex_;
    TypeNumbers components_;
    TypeNumbers resources_;
    std::unordered_map<const Ticket*, std::uint32_t> other_tickets_;  // that belong to another registry
    std::uint32_t ticket_count_ = 0;
};

}  // namespace stoa::detail

// The registry: which id a component type has, and which number a list of types has. One per copy of the library in the
// process; every world points to the registry of the copy that made it, and code from other copies (a plugin that links
// the library statically) asks that one, so a type has one id in a world whoever asks.
//
// Invariant: ids and numbers are never reused; descriptions never move. Threads: all calls are safe.
#pragma once

#include <deque>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "stoa/detail/component_ops.hpp"

namespace stoa::detail {

class Registry {
  public:
    // Lives as long as the process, so that worlds with static storage duration may outlive everything.
    static Registry& of_process();

    ComponentId id(TypeSlot& slot);
    std::uint32_t number(Ticket& ticket);
    // The description that the first user of the type gave. Requires: the id came from this registry.
    const ComponentType& type(ComponentId id);

  private:
    static bool same_type(const ComponentType& a, const ComponentType& b);
    ComponentId find_or_add(const ComponentType& type);

    std::mutex mutex_;
    std::deque<const ComponentType*> types_;
    std::unordered_multimap<std::string_view, std::uint32_t> by_name_;
    std::unordered_map<const Ticket*, std::uint32_t> other_tickets_;  // that belong to another registry
    std::uint32_t ticket_count_ = 0;
};

}  // namespace stoa::detail

// The registry gives ids to component types, and numbers to resource types, to type lists and to the terms of queries.
// There is one for each copy of the library in the process. Every world points to the registry of the copy that made
// it, and code from other copies (a plugin that links the library statically) asks that one, so that a type has one id
// in a world, whichever library asks.
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
#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

// Numbers for types of one kind, dense from 0 in order of first use.
class TypeNumbers {
  public:
    // Returns: the number of the type. Throws std::bad_alloc; then nothing has changed.
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
    // It is never destroyed, so that worlds with static storage duration may use it until the end of the process.
    static Registry& of_process();

    // Each finds or makes a number, and stores it in the handle when no other registry has done so. Throws
    // std::bad_alloc.
    ComponentId id(TypeHandle& handle);
    std::uint32_t number(CachedNumber& cached_number);  // of a type list, or of the terms of a query
    // The description that the first user of the type gave. Requires: the id came from this registry.
    const ComponentType& type(ComponentId id);
    std::uint32_t component_count();
    // The number of a resource type. A type may be a component too; its two numbers are independent.
    std::uint32_t resource(const TypeIdentity& type, CachedNumber& cached_number);

  private:
    std::uint32_t number(TypeNumbers& kind, const TypeIdentity& type, CachedNumber& cached_number);

    Libraries libraries_;
    std::mutex mutex_;
    TypeNumbers components_;
    TypeNumbers resources_;
    // The numbers of lists whose CachedNumber belongs to another registry.
    std::unordered_map<const CachedNumber*, std::uint32_t> foreign_numbers_;
    std::uint32_t number_count_ = 0;  // of lists
};

}  // namespace stoa::detail

// The registry gives ids to component types, and numbers to resource types, to type lists and to the terms of queries.
// There is one for each copy of the library in the process. Every world points to the registry of the copy that made
// it, and code from other copies (a plugin that links the library statically) asks that one, so that a type has one id
// in a world, whichever library asks.
//
// Invariant: ids and numbers are never reused; descriptions never move, and the libraries that hold them stay loaded
// until forget(). Threads: all calls are safe.
#pragma once

#include <deque>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "component/libraries.hpp"
#include "component/library_types.hpp"
#include "stoa/detail/component/library_uses.hpp"
#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

// Numbers for types of one kind, dense from 0 in order of first use. Each library that uses a type has a description of
// it; that of the first user counts.
class TypeNumbers {
  public:
    // A type as one library knows it.
    struct User {
        const TypeIdentity* type;
        CachedNumber* cached_number;
    };

    struct Found {
        std::uint32_t number;
        bool is_noted;  // else forget() does not know this user, which must not cache the number
    };
    // Throws std::bad_alloc for a new type; then nothing has changed. A known type is found without memory.
    Found find_or_add(const User& user);
    std::uint32_t count() const { return static_cast<std::uint32_t>(types_.size()); }
    // The description that counts. Requires: not forgotten.
    const TypeIdentity& operator[](std::uint32_t number) const { return *types_[number].front().type; }

    // Marks the types whose description is in the range. Throws std::bad_alloc.
    void mark(const AddressRange& range, std::vector<bool>& marks) const;
    // Forgets what the library in this range knows: its handles ask again. A type that other libraries use keeps its
    // number, and the description of the next one counts.
    void forget(const AddressRange& range, std::uint64_t registry_key) noexcept;

  private:
    void forget_name(std::string_view name, std::uint32_t number, const std::vector<User>& left) noexcept;

    std::deque<std::vector<User>> types_;  // by number, the first user first; empty: forgotten
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
    const TypeIdentity& resource_type(std::uint32_t number);

    // The libraries that worlds need: see LibraryUses.
    const ComponentType& use(ComponentId id, LibraryUses& uses);
    const TypeIdentity& use_resource(std::uint32_t number, LibraryUses& uses);
    void use_code(const void* address, LibraryUses& uses) noexcept;
    void drop_uses(LibraryUses& uses) noexcept;

    // The types that are described in the library that contains `address`; without a range if there is no such library.
    // Throws std::bad_alloc.
    LibraryTypes types_of(const void* address);
    // The world no longer needs the library. If no other does, forgets its types and lets the system unload it. Nothing
    // is forgotten of the program, of the library that holds the registry, and of one with a copy of Stoa.
    // Requires: no code of the library runs on another thread.
    void forget(const LibraryTypes& types, LibraryUses& uses) noexcept;

  private:
    std::uint32_t number(TypeNumbers& kind, const TypeNumbers::User& user);
    void keep(const void* used) noexcept;
    void note_use(const void* address, LibraryUses& uses) noexcept;

    Libraries libraries_;
    std::mutex mutex_;
    TypeNumbers components_;
    TypeNumbers resources_;
    // The numbers of lists whose CachedNumber belongs to another registry.
    std::unordered_map<const CachedNumber*, std::uint32_t> foreign_numbers_;
    std::uint32_t number_count_ = 0;  // of lists
};

}  // namespace stoa::detail

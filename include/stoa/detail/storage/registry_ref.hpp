// The registry of a world, with the key that makes lookups of cached numbers cheap. Copied by the owners of storage
// that translate types to ids.
#pragma once

#include <cstdint>

#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

class RegistryRef {
  public:
    explicit RegistryRef(Registry& registry) : registry_(&registry), key_(CachedNumber::key(&registry)) {}

    Registry& registry() const { return *registry_; }
    std::uint64_t key() const { return key_; }

    // The id of a type, or one that no table has when the type was never used and there is no memory to note it:
    // questions never fail. An ordinary call costs a load, a subtraction and a compare.
    ComponentId id_of(TypeHandle& slot) const {
        const std::uint64_t number = slot.cached_number.in(key_);
        if (number < CachedNumber::limit) [[likely]]
            return ComponentId{static_cast<std::uint32_t>(number)};
        return resolve_or_none(*registry_, slot);
    }
    ListNumber number_of(TypeList& list) const { return ListNumber{number_of(list.cached_number)}; }
    std::uint32_t number_of(CachedNumber& cached_number) const {
        const std::uint64_t number = cached_number.in(key_);
        if (number < CachedNumber::limit) [[likely]]
            return static_cast<std::uint32_t>(number);
        return resolve(*registry_, cached_number);
    }

  private:
    Registry* registry_;
    std::uint64_t key_;
};

}  // namespace stoa::detail

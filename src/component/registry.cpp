// Ids and numbers in order of first use. type_identity.cpp decides which types are the same.
#include "component/registry.hpp"

#include "base/attempt.hpp"
#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {

Registry& Registry::of_process() {
    static auto* const registry = new Registry;
    return *registry;
}

std::uint32_t TypeNumbers::find_or_add(const TypeIdentity& type) {
    const auto [first, last] = by_name_.equal_range(type.type_name);
    for (auto known = first; known != last; ++known) {
        if (is_same_type(*types_[known->second], type)) return known->second;
    }
    const auto number = static_cast<std::uint32_t>(types_.size());
    const auto entry = by_name_.emplace(type.type_name, number);
    ScopeGuard undo([&]() noexcept { by_name_.erase(entry); });
    types_.push_back(&type);
    undo.dismiss();
    return number;
}

std::uint32_t Registry::number(TypeNumbers& kind, const TypeIdentity& type, CachedNumber& cached_number) {
    // The registry and its worlds refer to the description, and tables to its functions.
    libraries_.keep(&type);
    libraries_.keep(&cached_number);
    const std::lock_guard lock(mutex_);
    const std::uint32_t number = kind.find_or_add(type);
    // A CachedNumber belongs to the first registry that asks; others look the type up in every call.
    if (!cached_number.is_set() && number < CachedNumber::limit) cached_number.set(CachedNumber::key(this), number);
    return number;
}

ComponentId Registry::id(TypeHandle& handle) {
    return ComponentId{number(components_, *handle.type, handle.cached_number)};
}

std::uint32_t Registry::resource(const TypeIdentity& type, CachedNumber& cached_number) {
    return number(resources_, type, cached_number);
}

std::uint32_t Registry::number(CachedNumber& cached_number) {
    libraries_.keep(&cached_number);
    const std::lock_guard lock(mutex_);
    if (!cached_number.is_set() && number_count_ < CachedNumber::limit)
        cached_number.set(CachedNumber::key(this), number_count_++);
    if (const std::uint64_t number = cached_number.in(CachedNumber::key(this)); number < CachedNumber::limit) {
        return static_cast<std::uint32_t>(number);
    }
    const auto [entry, added] = foreign_numbers_.try_emplace(&cached_number, number_count_);
    number_count_ += added;
    return entry->second;
}

const ComponentType& Registry::type(ComponentId id) {
    const std::lock_guard lock(mutex_);
    // Safe: only id() adds to the components, and it is handed a ComponentType.
    return static_cast<const ComponentType&>(components_[static_cast<std::uint32_t>(id)]);
}

std::uint32_t Registry::component_count() {
    const std::lock_guard lock(mutex_);
    return components_.count();
}

ComponentId resolve(Registry& registry, TypeHandle& handle) { return registry.id(handle); }

ComponentId resolve_or_none(Registry& registry, TypeHandle& handle) noexcept {
    ComponentId id{0xffffffff};
    attempt([&] { id = registry.id(handle); });
    return id;
}

std::uint32_t resolve(Registry& registry, CachedNumber& cached_number) { return registry.number(cached_number); }

}  // namespace stoa::detail

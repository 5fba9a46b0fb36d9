// Ids and numbers in order of first use. Which types are the same is said by type_identity.cpp.
#include "component/registry.hpp"

#include <new>

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
    struct Undo {
        decltype(by_name_)& names;
        decltype(by_name_)::iterator entry;
        bool armed = true;
        ~Undo() {
            if (armed) names.erase(entry);
        }
    } undo{by_name_, entry};
    types_.push_back(&type);
    undo.armed = false;
    return number;
}

std::uint32_t Registry::number(TypeNumbers& kind, const TypeIdentity& type, Ticket& ticket) {
    // Here and in the world the description is kept, and in tables its functions.
    libraries_.keep(&type);
    libraries_.keep(&ticket);
    const std::lock_guard lock(mutex_);
    const std::uint32_t number = kind.find_or_add(type);
    // A ticket belongs to the first registry that asks; others come through here each time.
    if (!ticket.is_set() && number < Ticket::limit) ticket.set(Ticket::key(this), number);
    return number;
}

ComponentId Registry::id(TypeSlot& slot) { return ComponentId{number(components_, *slot.type, slot.ticket)}; }

std::uint32_t Registry::resource(const TypeIdentity& type, Ticket& ticket) { return number(resources_, type, ticket); }

std::uint32_t Registry::number(Ticket& ticket) {
    libraries_.keep(&ticket);
    const std::lock_guard lock(mutex_);
    if (!ticket.is_set() && ticket_count_ < Ticket::limit) ticket.set(Ticket::key(this), ticket_count_++);
    if (const std::uint64_t number = ticket.number(Ticket::key(this)); number < Ticket::limit) {
        return static_cast<std::uint32_t>(number);
    }
    const auto [entry, added] = other_tickets_.try_emplace(&ticket, ticket_count_);
    ticket_count_ += added;
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

ComponentId resolve(Registry& registry, TypeSlot& slot) { return registry.id(slot); }

ComponentId resolve_or_none(Registry& registry, TypeSlot& slot) noexcept {
#if defined(__cpp_exceptions)
    try {
        return registry.id(slot);
    } catch (const std::bad_alloc&) {
        return ComponentId{0xffffffff};
    }
#else
    return registry.id(slot);
#endif
}

std::uint32_t resolve(Registry& registry, Ticket& ticket) { return registry.number(ticket); }

}  // namespace stoa::detail

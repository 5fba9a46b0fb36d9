// Ids and numbers in order of first use, and how they are forgotten. type_identity.cpp decides which types are the
// same.
#include "component/registry.hpp"

#include <algorithm>
#include <utility>

#include "base/attempt.hpp"
#include "stoa/detail/base/scope_guard.hpp"

namespace stoa::detail {
namespace {

std::uint64_t bit_of(LibraryNumber library) { return std::uint64_t{1} << static_cast<unsigned>(library); }

}  // namespace

Registry& Registry::of_process() {
    static auto* const registry = new Registry;
    return *registry;
}

TypeNumbers::Found TypeNumbers::find_or_add(const User& user) {
    const auto [first, last] = by_name_.equal_range(user.type->type_name);
    for (auto known = first; known != last; ++known) {
        std::vector<User>& users = types_[known->second];
        if (!is_same_type(*users.front().type, *user.type)) continue;
        const auto is_user = [&](const User& other) { return other.cached_number == user.cached_number; };
        const bool is_known = std::any_of(users.begin(), users.end(), is_user);
        return {known->second, is_known || attempt([&] { users.push_back(user); })};
    }
    const auto number = static_cast<std::uint32_t>(types_.size());
    const auto entry = by_name_.emplace(user.type->type_name, number);
    ScopeGuard undo([&]() noexcept { by_name_.erase(entry); });
    types_.push_back({user});
    undo.dismiss();
    return {number, true};
}

void TypeNumbers::mark(const AddressRange& range, std::vector<bool>& marks) const {
    marks.resize(types_.size());
    for (std::size_t i = 0; i < types_.size(); ++i) marks[i] = !types_[i].empty() && range.contains(types_[i][0].type);
}

void TypeNumbers::forget(const AddressRange& range, std::uint64_t registry_key) noexcept {
    for (std::uint32_t number = 0; number < types_.size(); ++number) {
        std::vector<User>& users = types_[number];
        if (users.empty()) continue;
        const std::string_view name = users.front().type->type_name;
        std::erase_if(users, [&](const User& user) {
            if (!range.contains(user.type) && !range.contains(user.cached_number)) return false;
            if (user.cached_number->in(registry_key) == number) user.cached_number->reset();
            return true;
        });
        if (users.empty() || users.front().type->type_name.data() != name.data()) forget_name(name, number, users);
    }
}

// The name is text in the library. Another user has the same in another place.
void TypeNumbers::forget_name(std::string_view name, std::uint32_t number, const std::vector<User>& left) noexcept {
    auto entry = by_name_.equal_range(name).first;
    while (entry->second != number) ++entry;
    auto node = by_name_.extract(entry);
    if (left.empty()) return;
    node.key() = left.front().type->type_name;
    by_name_.insert(std::move(node));  // needs no memory, as it has as many entries as before
}

void Registry::keep(const void* used) noexcept {
    libraries_.keep(used);
    // If this code is a copy of Stoa in another library than the registry: it may have made parts of a world, whose
    // functions are in the copy.
    static constinit char here = 0;
    libraries_.pin(&here);
}

std::uint32_t Registry::number(TypeNumbers& kind, const TypeNumbers::User& user) {
    // The registry and its worlds refer to the description, and tables to its functions.
    libraries_.keep(user.type);
    keep(user.cached_number);
    const std::lock_guard lock(mutex_);
    const TypeNumbers::Found found = kind.find_or_add(user);
    // A CachedNumber belongs to the first registry that asks; others look the type up in every call.
    if (found.is_noted && !user.cached_number->is_set() && found.number < CachedNumber::limit)
        user.cached_number->set(CachedNumber::key(this), found.number);
    return found.number;
}

ComponentId Registry::id(TypeHandle& handle) {
    return ComponentId{number(components_, {handle.type, &handle.cached_number})};
}

std::uint32_t Registry::resource(const TypeIdentity& type, CachedNumber& cached_number) {
    return number(resources_, {&type, &cached_number});
}

std::uint32_t Registry::number(CachedNumber& cached_number) {
    keep(&cached_number);
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

const TypeIdentity& Registry::resource_type(std::uint32_t number) {
    const std::lock_guard lock(mutex_);
    return resources_[number];
}

std::uint32_t Registry::component_count() {
    const std::lock_guard lock(mutex_);
    return components_.count();
}

const ComponentType& Registry::use(ComponentId id, LibraryUses& uses) {
    const ComponentType& used = type(id);
    note_use(&used, uses);
    return used;
}

const TypeIdentity& Registry::use_resource(std::uint32_t number, LibraryUses& uses) {
    const TypeIdentity& used = resource_type(number);
    note_use(&used, uses);
    return used;
}

void Registry::use_code(const void* address, LibraryUses& uses) noexcept {
    libraries_.keep(address);
    note_use(address, uses);
}

void Registry::note_use(const void* address, LibraryUses& uses) noexcept {
    if (reinterpret_cast<std::uintptr_t>(address) - uses.last_begin_ < uses.last_size_) [[likely]]
        return;
    AddressRange range;
    const LibraryNumber library = libraries_.find(address, &range);
    if (library == LibraryNumber::none) return;
    uses.last_begin_ = range.begin;
    uses.last_size_ = range.end - range.begin;
    if ((uses.libraries_ & bit_of(library)) != 0) return;
    uses.libraries_ |= bit_of(library);
    libraries_.add_user(library);
}

void Registry::drop_uses(LibraryUses& uses) noexcept {
    for (std::uint8_t i = 0; i < Libraries::limit; ++i) {
        if ((uses.libraries_ & bit_of(LibraryNumber{i})) != 0) libraries_.drop_user(LibraryNumber{i});
    }
    uses.libraries_ = 0;
}

LibraryTypes Registry::types_of(const void* address) {
    const char* name = nullptr;
    LibraryTypes types;
    types.range = Libraries::range_of(address, &name);
    if (!types.range) return types;
    types.library = *name != '\0' ? name : "the program";
    const std::lock_guard lock(mutex_);
    components_.mark(types.range, types.components);
    resources_.mark(types.range, types.resources);
    return types;
}

void Registry::forget(const LibraryTypes& types, LibraryUses& uses) noexcept {
    void* handle = nullptr;
    {
        const std::lock_guard lock(mutex_);
        // Safe: an address of the library, which is only compared.
        const LibraryNumber library = libraries_.find(reinterpret_cast<const void*>(types.range.begin));
        if (library == LibraryNumber::none) return;
        if ((uses.libraries_ & bit_of(library)) != 0) libraries_.drop_user(library);
        uses.libraries_ &= ~bit_of(library);
        uses.last_size_ = 0;
        handle = libraries_.release(library);
        if (handle == nullptr) return;
        components_.forget(types.range, CachedNumber::key(this));
        resources_.forget(types.range, CachedNumber::key(this));
        std::erase_if(foreign_numbers_, [&](const auto& entry) { return types.contains(entry.first); });
    }
    Libraries::close(handle);  // runs destructors of the library
}

LibraryUses::~LibraryUses() { registry_.drop_uses(*this); }

const ComponentType& LibraryUses::use(ComponentId id) { return registry_.use(id, *this); }

const TypeIdentity& LibraryUses::use_resource(std::uint32_t number) { return registry_.use_resource(number, *this); }

void LibraryUses::use_code(const void* address) noexcept { registry_.use_code(address, *this); }

ComponentId resolve(Registry& registry, TypeHandle& handle) { return registry.id(handle); }

ComponentId resolve_or_none(Registry& registry, TypeHandle& handle) noexcept {
    ComponentId id{0xffffffff};
    attempt([&] { id = registry.id(handle); });
    return id;
}

std::uint32_t resolve(Registry& registry, CachedNumber& cached_number) { return registry.number(cached_number); }

}  // namespace stoa::detail

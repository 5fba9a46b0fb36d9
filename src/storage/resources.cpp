// The compiled half of resources: cells, their order, and their destruction. See the header for the invariant.
#include "stoa/detail/storage/resources.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/block_pool.hpp"
#include "base/raise.hpp"
#include "component/library_types.hpp"
#include "component/registry.hpp"
#include "stoa/detail/storage/resource_verbs.hpp"

namespace stoa::detail {
namespace {

std::string with_type(const char* verb, const ResourceType& type) {
    return std::string(verb) + "<" + std::string(type.name) + ">: ";
}

}  // namespace

Resources::~Resources() {
    if (cells_ != nullptr) delete_block(cells_, alignof(Cell));
}

ResourceId Resources::id_of(ResourceHandle& slot) const {
    const std::uint64_t number = slot.cached_number.in(registry_key_);
    if (number < CachedNumber::limit) return ResourceId{static_cast<std::uint32_t>(number)};
    return ResourceId{registry_.resource(*slot.type, slot.cached_number)};
}

const ResourceType& Resources::use(ResourceId id) const {
    // Safe: only id_of() gives numbers to resources, and it passes a ResourceType on.
    return static_cast<const ResourceType&>(libraries_.use_resource(static_cast<std::uint32_t>(id)));
}

void Resources::name_uses(const LibraryTypes& types, UsesLeft& uses) const {
    for (std::uint32_t number = 0; number < count_; ++number) {
        if (cells_[number].value != nullptr && types.has_resource(number))
            uses.add("the resource " + std::string(cells_[number].type->name));
    }
}

void Resources::forget_types(const LibraryTypes& types) noexcept {
    for (std::uint32_t number = 0; number < count_; ++number) {
        Cell& cell = cells_[number];
        if (cell.value != nullptr && types.contains(cell.type)) cell.type = &use(ResourceId{number});
    }
}

void* Resources::find_slowly(ResourceHandle& slot) const noexcept {
    if (slot.cached_number.in(registry_key_) < CachedNumber::limit || count_ == 0) return nullptr;
#if defined(__cpp_exceptions)
    try {
        return find(id_of(slot));
    } catch (const std::bad_alloc&) {
        return nullptr;  // without memory to register the type: it was never used, so there is no value
    }
#else
    return find(id_of(slot));
#endif
}

// A value that is found has an id, so asking for that needs no memory.
void* Resources::find_to_write_slowly(ResourceHandle& slot, std::uint64_t moment) const noexcept {
    void* value = find_slowly(slot);
    if (value != nullptr)
        __atomic_store_n(&cells_[static_cast<std::uint32_t>(id_of(slot))].written, moment, __ATOMIC_RELAXED);
    return value;
}

std::uint64_t Resources::last_write(ResourceHandle& slot) const noexcept {
    if (find(slot) == nullptr) return 0;
    return __atomic_load_n(&cells_[static_cast<std::uint32_t>(id_of(slot))].written, __ATOMIC_RELAXED);
}

void Resources::prepare_cell(std::uint32_t number) {
    if (number < count_) return;
    const std::uint32_t count = std::max<std::uint32_t>(number + 1, std::max<std::uint32_t>(8, count_ * 2));
    // Safe: the block has the size and alignment of the cells, which are constructed before they are read.
    auto* cells = static_cast<Cell*>(new_block(sizeof(Cell) * count, alignof(Cell)));
    std::uninitialized_copy_n(cells_, count_, cells);
    std::uninitialized_fill_n(cells + count_, count - count_, Cell{});
    if (cells_ != nullptr) delete_block(cells_, alignof(Cell));
    cells_ = cells;
    count_ = count;
    quick_count_ = std::min<std::uint64_t>(count, CachedNumber::limit);
}

Resources::Draft::Draft(Resources& resources, ResourceHandle& slot, const char* verb)
    : resources_(resources), type_(*slot.type), id_(resources.id_of(slot)) {
    if (resources.ended_) {
        raise(Errc::world_gone,
              with_type(verb, type_) + "the world is being destroyed and accepts no more resources; set it earlier");
    }
    resources.prepare_cell(static_cast<std::uint32_t>(id_));
    if (!resources.has(id_)) resources.use(id_);
    place_ = new_block(type_.bytes, type_.alignment);
}

Resources::Draft::~Draft() {
    if (place_ != nullptr) delete_block(place_, type_.alignment);
}

void Resources::Draft::commit(void* value, std::uint64_t moment) {
    place_ = nullptr;
    const auto number = static_cast<std::uint32_t>(id_);
    Cell& cell = resources_.cells_[number];
    ++cell.version;
    cell.written = moment;
    if (void* old = std::exchange(cell.value, value)) {
        const ResourceType& old_type = *std::exchange(cell.type, &type_);
        end_value(old_type, old);
        return;
    }
    cell.type = &type_;
    cell.previous = std::exchange(resources_.last_, number);
    if (cell.previous != none) resources_.cells_[cell.previous].next = number;
    if (resources_.listener_ != nullptr) resources_.listener_->resource_added(id_);
}

Resources::Replacing::Replacing(Resources& resources, ResourceId id)
    : resources_(resources), number_(static_cast<std::uint32_t>(id)) {
    Cell& cell = resources_.cells_[number_];
    ++cell.version;
    before_ = std::exchange(cell.state, replacing);
}

Resources::Replacing::~Replacing() { resources_.cells_[number_].state = before_; }

bool Resources::remove(ResourceHandle& slot) {
    if (find(slot) == nullptr) return false;
    const ResourceId id = id_of(slot);
    const auto number = static_cast<std::uint32_t>(id);
    if (cells_[number].state == leaving) return false;
    if (cells_[number].state == replacing) {
        raise(Errc::locked,
              with_type("remove_resource", *slot.type) + "the resource is being replaced; remove it afterwards");
    }
    // Destroys the value even if the listener throws.
    struct Going {
        Resources& resources;
        std::uint32_t number;
        ~Going() { resources.end(number); }
    } going{*this, number};
    cells_[number].state = leaving;
    if (listener_ != nullptr) listener_->resource_removing(id);
    return true;
}

void Resources::end(std::uint32_t number) noexcept {
    Cell& cell = cells_[number];
    if (cell.previous != none) cells_[cell.previous].next = cell.next;
    (cell.next != none ? cells_[cell.next].previous : last_) = cell.previous;
    const Cell ended = std::exchange(cell, Cell{});
    cell.version = ended.version + 1;
    end_value(*ended.type, ended.value);
}

void Resources::end_value(const ResourceType& type, void* value) noexcept {
    if (type.destroy != nullptr) type.destroy(value);
    delete_block(value, type.alignment);
}

void Resources::end_all() noexcept {
    ended_ = true;
    while (last_ != none) end(last_);
}

std::vector<std::string_view> Resources::names() const {
    std::vector<std::string_view> all;
    for (std::uint32_t number = last_; number != none; number = cells_[number].previous)
        all.push_back(cells_[number].type->name);
    std::reverse(all.begin(), all.end());
    return all;
}

std::size_t Resources::bytes() const noexcept {
    std::size_t sum = sizeof(Cell) * count_;
    for (std::uint32_t number = last_; number != none; number = cells_[number].previous)
        sum += cells_[number].type->bytes;
    return sum;
}

const char* Resources::check() const {
    std::uint32_t listed = 0;
    std::uint32_t after = none;
    for (std::uint32_t number = last_; number != none; after = number, number = cells_[number].previous, ++listed) {
        if (number >= count_ || listed == count_) return "the list of resources leads astray";
        const Cell& cell = cells_[number];
        if (cell.value == nullptr || cell.type == nullptr) return "the list of resources names one that is gone";
        if (cell.next != after) return "the list of resources differs forwards and backwards";
    }
    const auto present = std::count_if(cells_, cells_ + count_, [](const Cell& cell) { return cell.value != nullptr; });
    return static_cast<std::uint32_t>(present) == listed ? nullptr : "a resource is not in the list of resources";
}

void fail_resource(const Store& store, ResourceHandle& slot) {
    require_world(store, "resource");
    const std::string name(slot.type->name);
    raise(Errc::missing_resource, with_type("resource", *slot.type) + "this world has no resource " + name +
                                      "; set it with set_resource(), test with has_resource<" + name +
                                      ">(), or use find_resource<" + name + ">()");
}

void fail_resource_lost(ResourceHandle& slot) {
    raise(Errc::missing_resource, with_type("emplace_resource", *slot.type) +
                                      "user code that ran during the call removed the resource again; "
                                      "use set_resource(), which returns nothing");
}

}  // namespace stoa::detail

// The resources of a world: at most one value of each type, outside of all entities, found by a dense number of its
// type. This half knows no types; the typed calls over it are in resource_verbs.hpp. Owned by a Store, which holds the
// structure lock while anything here runs user code.
//
// Invariant: the cells with a value form one list, in order of insertion. A value leaves its cell before its destructor
// runs, so no one finds a value that is ending.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

// Names a resource type within the process. Not the ComponentId of the same type.
enum class ResourceId : std::uint32_t {};

// What the compiled half must know of a resource type. Less than of a component: resources are never moved or copied
// here.
struct ResourceType : TypeIdentity {
    std::string_view name;
    std::size_t bytes;
    void (*destroy)(void* at) noexcept;  // null: nothing to do
};

template <class R>
consteval ResourceType describe_resource() {
    ResourceType type{};
    static_cast<TypeIdentity&>(type) = identify<R>(sizeof(R));
    type.name = traits<R>.name.empty() ? type.type_name : traits<R>.name;
    type.bytes = sizeof(R);
    // Safe: only ever handed a living R.
    if constexpr (!std::is_trivially_destructible_v<R>)
        type.destroy = [](void* at) noexcept { object_at<R>(at)->~R(); };
    return type;
}

template <class R>
inline constexpr ResourceType resource_type = describe_resource<R>();

// Where a type keeps the number it has as a resource.
struct ResourceHandle {
    const ResourceType* type;
    CachedNumber cached_number;
};

template <class R>
inline constinit ResourceHandle resource_handle{&resource_type<R>, {}};

// What a later room wants to hear of resources. Called under the structure lock; may read, set and remove resources.
// When it throws, the change stands. Replacing a value is not told, nor is the end of the world.
class ResourceListener {
  public:
    ResourceListener() = default;
    ResourceListener(const ResourceListener&) = delete;
    ResourceListener& operator=(const ResourceListener&) = delete;
    virtual void resource_added(ResourceId id) = 0;     // it can be read already
    virtual void resource_removing(ResourceId id) = 0;  // it can be read still

  protected:
    ~ResourceListener() = default;
};

class STOA_API Resources {
  public:
    explicit Resources(Registry& registry) : registry_key_(CachedNumber::key(&registry)), registry_(registry) {}
    ~Resources();
    Resources(const Resources&) = delete;
    Resources& operator=(const Resources&) = delete;

    // The value, or null. One compare tells both that the cached_number is of this registry and that there is a cell.
    void* find(ResourceHandle& slot) const noexcept {
        const std::uint64_t number = slot.cached_number.in(registry_key_);
        if (number < quick_count_) [[likely]]
            return cells_[number].value;
        return find_slowly(slot);
    }
    void* find(ResourceId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        return number < count_ ? cells_[number].value : nullptr;
    }
    bool has(ResourceId id) const noexcept { return find(id) != nullptr; }

    // Moves on whenever a value of this type comes, is replaced or goes; writing through a reference is not noticed.
    std::uint32_t version(ResourceId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        return number < count_ ? cells_[number].version : 0;
    }

    // The id of a type, whether or not there is a value. Threads: safe. Throws std::bad_alloc.
    ResourceId id_of(ResourceHandle& slot) const;

    // Room for a value that is about to be built, and for its cell. The value is in no cell before `commit`. Throws
    // std::bad_alloc, and Errc::world_gone once the end of the resources has begun.
    class Draft {
      public:
        Draft(Resources& resources, ResourceHandle& slot, const char* verb);
        ~Draft();
        Draft(const Draft&) = delete;
        Draft& operator=(const Draft&) = delete;

        ResourceId id() const { return id_; }
        void* place() const { return place_; }
        // Puts the value that was built into its cell. An old value ends afterwards; without one, the listener is
        // notified.
        void commit(void* value);

      private:
        Resources& resources_;
        const ResourceType& type_;
        ResourceId id_;
        void* place_;
    };

    // While one exists a value is being assigned to, and removing it is refused.
    class Replacing {
      public:
        Replacing(Resources& resources, ResourceId id);
        ~Replacing();
        Replacing(const Replacing&) = delete;
        Replacing& operator=(const Replacing&) = delete;

      private:
        Resources& resources_;
        std::uint32_t number_;
        std::uint8_t before_;
    };

    // Returns: whether there was one. Throws Errc::locked inside the value's own assignment, or what the listener
    // throws.
    bool remove(ResourceHandle& slot);

    // Ends all values, the last that came first, and tells nobody. Afterwards no value can be put here.
    void end_all() noexcept;

    // Not owned; null: nobody.
    void set_listener(ResourceListener* listener) { listener_ = listener; }

    std::size_t bytes() const noexcept;  // all memory held here
    const char* check() const;           // the broken invariant, or null

  private:
    static constexpr std::uint32_t none = 0xffffffff;
    enum State : std::uint8_t { resting, replacing, leaving };

    struct Cell {
        void* value = nullptr;
        const ResourceType* type = nullptr;  // as given by the code that made the value
        std::uint32_t previous = none;       // in order of insertion
        std::uint32_t next = none;
        std::uint32_t version = 0;
        std::uint8_t state = resting;
    };

    void* find_slowly(ResourceHandle& slot) const noexcept;
    void prepare_cell(std::uint32_t number);
    void end(std::uint32_t number) noexcept;
    static void end_value(const ResourceType& type, void* value) noexcept;

    std::uint64_t registry_key_;
    std::uint64_t quick_count_ = 0;  // cells that a cached_number may lead to
    Cell* cells_ = nullptr;
    Registry& registry_;
    ResourceListener* listener_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint32_t last_ = none;
    bool ended_ = false;
};

}  // namespace stoa::detail

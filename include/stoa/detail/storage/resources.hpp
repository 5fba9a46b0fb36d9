// The resources of a world: at most one value of each type, found by a dense number of the type. This half knows no
// types; the typed calls over it are in resource_verbs.hpp. Owned by a Store, which holds the structure lock while
// anything here runs user code.
//
// Invariant: the cells with a value form one list, in order of insertion. A value leaves its cell before its destructor
// runs, so no lookup finds a value that is being destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/component/library_uses.hpp"
#include "stoa/detail/component/type_handle.hpp"

namespace stoa::detail {

struct LibraryTypes;
class UsesLeft;

// Names a resource type within the process. Not the ComponentId of the same type.
enum class ResourceId : std::uint32_t {};

// What the compiled half knows of a resource type. Resources are never moved or copied here, so this is less than for a
// component.
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

// Caches the number that a type has as a resource.
struct ResourceHandle {
    const ResourceType* type;
    CachedNumber cached_number;
};

template <class R>
inline constinit ResourceHandle resource_handle{&resource_type<R>, {}};

// How a later room is notified of resources that are added or removed. Called under the structure lock; may read, set
// and remove resources. If it throws, the change stays. It is not called when a value is replaced, nor when the world
// is destroyed.
class ResourceListener {
  public:
    ResourceListener() = default;
    ResourceListener(const ResourceListener&) = delete;
    ResourceListener& operator=(const ResourceListener&) = delete;
    virtual void resource_added(ResourceId id) = 0;     // it is readable already
    virtual void resource_removing(ResourceId id) = 0;  // it is still readable

  protected:
    ~ResourceListener() = default;
};

class STOA_API Resources {
  public:
    Resources(Registry& registry, LibraryUses& libraries)
        : registry_key_(CachedNumber::key(&registry)), registry_(registry), libraries_(libraries) {}
    ~Resources();
    Resources(const Resources&) = delete;
    Resources& operator=(const Resources&) = delete;

    // The value, or null. One comparison checks both that the cached_number belongs to this registry and that a cell
    // exists.
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

    // The same for a caller that may write the value: this moment counts as its last write. Threads: several may note
    // the same moment.
    void* find_to_write(ResourceHandle& slot, std::uint64_t moment) const noexcept {
        const std::uint64_t number = slot.cached_number.in(registry_key_);
        if (number >= quick_count_) [[unlikely]]
            return find_to_write_slowly(slot, moment);
        __atomic_store_n(&cells_[number].written, moment, __ATOMIC_RELAXED);
        return cells_[number].value;
    }
    // The moment at which the value was last set or handed out for writing; 0 if there is none.
    std::uint64_t last_write(ResourceHandle& slot) const noexcept;

    // Changes whenever a value of this type is added, replaced or removed, but not when it is written through a
    // reference.
    std::uint32_t version(ResourceId id) const noexcept {
        const auto number = static_cast<std::uint32_t>(id);
        return number < count_ ? cells_[number].version : 0;
    }

    // The id of a type, whether or not there is a value. Threads: safe. Throws std::bad_alloc.
    ResourceId id_of(ResourceHandle& slot) const;

    // The description of the type that its first user gave. The world needs its library.
    const ResourceType& use(ResourceId id) const;
    // Names what is left of the types of a library, and lets go of descriptions in it: values stay, since their types
    // are described elsewhere too. Throws std::bad_alloc.
    void name_uses(const LibraryTypes& types, UsesLeft& uses) const;
    void forget_types(const LibraryTypes& types) noexcept;

    // Room for a value that is about to be built, and for its cell. The value is in no cell before `commit`. Throws
    // std::bad_alloc, and Errc::world_gone once end_all() has begun.
    class Draft {
      public:
        Draft(Resources& resources, ResourceHandle& slot, const char* verb);
        ~Draft();
        Draft(const Draft&) = delete;
        Draft& operator=(const Draft&) = delete;

        ResourceId id() const { return id_; }
        void* place() const { return place_; }
        // Puts the new value into its cell, written at this moment. Then destroys the old value or, if there was none,
        // notifies the listener.
        void commit(void* value, std::uint64_t moment);

      private:
        Resources& resources_;
        const ResourceType& type_;
        ResourceId id_;
        void* place_;
    };

    // While one exists, a value is being assigned to and cannot be removed.
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

    // Destroys all values in reverse order of insertion, without notifying the listener. Afterwards no value can be
    // added.
    void end_all() noexcept;

    // Not owned; may be null.
    void set_listener(ResourceListener* listener) { listener_ = listener; }

    std::vector<std::string_view> names() const;  // of the types, in order of insertion
    std::size_t bytes() const noexcept;           // all memory held here
    const char* check() const;                    // the broken invariant, or null

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
        std::uint64_t written = 0;  // the moment of the last write
    };

    void* find_slowly(ResourceHandle& slot) const noexcept;
    void* find_to_write_slowly(ResourceHandle& slot, std::uint64_t moment) const noexcept;
    void prepare_cell(std::uint32_t number);
    void end(std::uint32_t number) noexcept;
    static void end_value(const ResourceType& type, void* value) noexcept;

    std::uint64_t registry_key_;
    std::uint64_t quick_count_ = 0;  // cells that a cached_number may refer to
    Cell* cells_ = nullptr;
    Registry& registry_;
    LibraryUses& libraries_;
    ResourceListener* listener_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint32_t last_ = none;
    bool ended_ = false;
};

}  // namespace stoa::detail

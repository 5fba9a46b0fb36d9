// How later rooms connect to a store: the interface that the notifier calls, the slots for objects of later rooms that
// live as long as the store, and the link by which handles that may outlive a store find it.
#pragma once

#include <cstdint>
#include <span>

#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/storage/table.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;
class TypeUser;

// What a verb does to one entity, announced where tables report.
struct Change {
    enum class Sparse : std::uint8_t { stay, add, remove, replace, keep_cleanup, copy };

    Entity entity;
    const Table* from = nullptr;     // null for a new entity
    const Table* to = nullptr;       // null when it leaves the world
    Sparse sparse = Sparse::stay;    // what happens to its sparse components
    const TypeList* list = nullptr;  // those that are added or removed; of a replacement the first is removed
    Entity model = {};               // the entity whose components are copied
};

// What the notifier of a store calls. An implementation may read the world, and must not change its structure.
class StoreListener {
  public:
    StoreListener() = default;
    StoreListener(const StoreListener&) = delete;
    StoreListener& operator=(const StoreListener&) = delete;
    virtual void table_added(Table& table) noexcept = 0;  // or filled again after it was put to sleep
    virtual void tables_removed() noexcept = 0;           // some; those that are left are in Store::tables()
    // Arrivals and departures in tables that report. An exception of a callback is rethrown at the end.
    virtual void expect(const Table& table,
                        std::uint64_t count) = 0;  // so many will arrive or leave; std::bad_alloc
    // The entities have arrived. For a bulk in several pieces all lists are notified first, because all entities exist
    // already, then callbacks.
    enum class Round : std::uint8_t { all, lists, callbacks, last_callbacks };
    virtual void spawned(std::span<const Entity> entities, const Table& table, Round round) = 0;
    virtual void before_move(const Change& change) noexcept = 0;  // everything is still as it was
    virtual void after_move() = 0;                                // the announced change is complete

    // Whether the lists of queries must be updated before the next use. Threads: walks may set it concurrently.
    bool wants_care() const { return __atomic_load_n(&wants_care_, __ATOMIC_RELAXED); }
    void want_care(bool wanted) { __atomic_store_n(&wants_care_, wanted, __ATOMIC_RELAXED); }

  protected:
    ~StoreListener() = default;

  private:
    bool wants_care_ = false;
};

// The link by which handles that may outlive their world find it: null once the world is gone. Reference-counted;
// threads may copy it concurrently.
class StoreLink {
  public:
    explicit StoreLink(Store& store) : store_(&store) {}

    Store* store() const { return store_; }
    void cut() { store_ = nullptr; }
    std::uint32_t holders() const { return __atomic_load_n(&holders_, __ATOMIC_RELAXED); }
    void add_ref() noexcept { __atomic_fetch_add(&holders_, 1, __ATOMIC_RELAXED); }
    void release() noexcept {
        if (__atomic_sub_fetch(&holders_, 1, __ATOMIC_ACQ_REL) == 0) delete this;
    }

  private:
    friend class TypeUser;

    Store* store_;
    std::uint32_t holders_ = 1;
    mutable bool users_locked_ = false;
    TypeUser* users_ = nullptr;  // see type_user.hpp
};

// An object of a later room that lives as long as a store. The store destroys it, and knows nothing else of its type.
template <class T>
class RoomSlot {
  public:
    RoomSlot() = default;
    RoomSlot(const RoomSlot&) = delete;
    RoomSlot& operator=(const RoomSlot&) = delete;

    T* get() const { return object_; }
    // Takes ownership. Requires: the slot is empty, and T is complete.
    void set(T* object) {
        object_ = object;
        destroy_ = [](T* last) noexcept { delete last; };
    }
    void destroy() noexcept {
        if (object_ != nullptr) destroy_(object_);  // its destructor may still use the slot
        object_ = nullptr;
    }

  private:
    T* object_ = nullptr;
    void (*destroy_)(T*) noexcept = nullptr;
};

}  // namespace stoa::detail

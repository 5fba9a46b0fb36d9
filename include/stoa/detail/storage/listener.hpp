// How later rooms are connected to a store: the interface that the notifier calls, the slots for objects of later rooms
// that live as long as the store, and the link by which handles that may outlive a store find it.
#pragma once

#include <cstdint>
#include <span>

#include "stoa/detail/component/type_handle.hpp"
#include "stoa/detail/storage/table.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;

// What a verb does to one entity, announced where tables report.
struct Change {
    enum class Sparse : std::uint8_t { stay, add, remove, keep_cleanup, copy };

    Entity entity;
    const Table* from = nullptr;     // null when it comes into the world
    const Table* to = nullptr;       // null when it leaves it
    Sparse sparse = Sparse::stay;    // what becomes of its sparse components
    const TypeList* list = nullptr;  // those that are added or removed
    Entity model = {};               // the one whose components are copied
};

// What the notifier of a store calls. An implementation may look at the world, and must not change its structure.
class StoreListener {
  public:
    StoreListener() = default;
    StoreListener(const StoreListener&) = delete;
    StoreListener& operator=(const StoreListener&) = delete;
    virtual void table_added(Table& table) noexcept = 0;  // or filled again after it was put to sleep
    virtual void tables_removed() noexcept = 0;           // some; those that are left are in Store::tables()
    // Changes of membership, where tables report. What a callback threw is thrown at the end.
    virtual void expect(const Table& table,
                        std::uint64_t count) = 0;  // so many are about to come or go; std::bad_alloc
    // They have come. Of a bulk in several pieces first all lists hear, because all of it is there, then callbacks.
    enum class Round : std::uint8_t { all, lists, callbacks, last_callbacks };
    virtual void spawned(std::span<const Entity> entities, const Table& table, Round round) = 0;
    virtual void before_move(const Change& change) noexcept = 0;  // everything is still as it was
    virtual void after_move() = 0;                                // all that was announced is done

    // To be looked after before the next use. Threads: walks may ask for it.
    bool wants_care() const { return __atomic_load_n(&wants_care_, __ATOMIC_RELAXED); }
    void want_care(bool wanted) { __atomic_store_n(&wants_care_, wanted, __ATOMIC_RELAXED); }

  protected:
    ~StoreListener() = default;

  private:
    bool wants_care_ = false;
};

// How handles that may outlive their world find it: null once it is gone. Counted, and safe to copy between threads.
class StoreLink {
  public:
    explicit StoreLink(Store& store) : store_(&store) {}

    Store* store() const { return store_; }
    void cut() { store_ = nullptr; }
    void add_ref() noexcept { __atomic_fetch_add(&holders_, 1, __ATOMIC_RELAXED); }
    void release() noexcept {
        if (__atomic_sub_fetch(&holders_, 1, __ATOMIC_ACQ_REL) == 0) delete this;
    }

  private:
    Store* store_;
    std::uint32_t holders_ = 1;
};

// An object of a later room that lives as long as a store. The store destroys it, and knows nothing else of its type.
template <class T>
class RoomSlot {
  public:
    RoomSlot() = default;
    RoomSlot(const RoomSlot&) = delete;
    RoomSlot& operator=(const RoomSlot&) = delete;

    T* get() const { return object_; }
    // Owned from now on. Requires: the slot is empty, and T is complete.
    void set(T* object) {
        object_ = object;
        destroy_ = [](T* last) noexcept { delete last; };
    }
    void destroy() noexcept {
        if (object_ != nullptr) destroy_(object_);  // whose destructor may still use the slot
        object_ = nullptr;
    }

  private:
    T* object_ = nullptr;
    void (*destroy_)(T*) noexcept = nullptr;
};

}  // namespace stoa::detail

// How later rooms stay in touch with a store: what they hear of, what they leave with it, and how handles that may outlive
// it find it. Implemented by the index of queries and by command buffers.
#pragma once

#include <cstdint>
#include <span>

#include "stoa/detail/component_ops.hpp"
#include "stoa/detail/table.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class Store;

// What becomes of one entity in a verb, told where tables are watched.
struct Change {
    enum class Sparse : std::uint8_t { stay, add, remove, keep_cleanup, copy };

    Entity entity;
    const Table* from;               // null when it comes into the world
    const Table* to;                 // null when it leaves it
    Sparse sparse = Sparse::stay;    // what becomes of its sparse components
    const TypeList* list = nullptr;  // those that are added or removed
    Entity model = {};               // the one whose components are copied
};

// The one push interface below everything. It may look, and must not change structure.
class StoreListener {
  public:
    StoreListener() = default;
    StoreListener(const StoreListener&) = delete;
    StoreListener& operator=(const StoreListener&) = delete;
    virtual ~StoreListener() = default;
    virtual void table_added(Table& table) noexcept = 0;  // or woken up
    virtual void tables_removed() noexcept = 0;  // some; those that are left are in Store::tables()
    // Changes of membership, where tables are watched. What a callback threw meanwhile is thrown at the end.
    virtual void expect(const Table& table, std::uint64_t count) = 0;  // so many are about to come or go; std::bad_alloc
    // They have come. Of a bulk in several pieces first all lists hear, because all of it is there, then callbacks.
    enum class Round : std::uint8_t { all, lists, callbacks, last_callbacks };
    virtual void spawned(std::span<const Entity> entities, const Table& table, Round round) = 0;
    virtual void changing(const Change& change) noexcept = 0;  // everything is still as it was
    virtual void changed() = 0;  // all that was announced is done

    // To be looked after before the next use. Threads: walks may ask for it.
    bool wants_care() const { return __atomic_load_n(&wants_care_, __ATOMIC_RELAXED); }
    void want_care(bool wanted) { __atomic_store_n(&wants_care_, wanted, __ATOMIC_RELAXED); }

  private:
    bool wants_care_ = false;
};

// How handles that may outlive their world find it: null once it is gone. Counted, and safe to copy between threads.
class StoreLink {
  public:
    explicit StoreLink(Store& store) : store_(&store) {}

    Store* store() const { return store_; }
    void cut() { store_ = nullptr; }
    void hold() { __atomic_fetch_add(&holders_, 1, __ATOMIC_RELAXED); }
    void drop() {
        if (__atomic_sub_fetch(&holders_, 1, __ATOMIC_ACQ_REL) == 0) delete this;
    }

  private:
    Store* store_;
    std::uint32_t holders_ = 1;
};

// What a later room keeps with a store, for as long as the store lives.
class Attachment {
  public:
    Attachment() = default;
    Attachment(const Attachment&) = delete;
    Attachment& operator=(const Attachment&) = delete;
    virtual ~Attachment() = default;
};

}  // namespace stoa::detail

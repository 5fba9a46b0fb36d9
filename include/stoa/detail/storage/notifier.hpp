// The notifier of a store: the only code that announces structural changes to observers and to removal logs. A verb
// that moves an entity calls before_move while everything is still as it was, and after_move once the change is
// complete; a verb that makes entities calls spawned.
//
// Invariant: only real changes are announced, and no change is announced inside another one; the structure is locked
// while observers run.
#pragma once

#include <cstdint>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/storage/edits.hpp"
#include "stoa/detail/storage/listener.hpp"
#include "stoa/detail/storage/table.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class RemovedValues;
class Store;

class STOA_API Notifier {
  public:
    Notifier(const Store& store, RemovedValues& removed) noexcept : store_(store), removed_(removed) {}
    Notifier(const Notifier&) = delete;
    Notifier& operator=(const Notifier&) = delete;

    StoreListener* listener() const { return listener_; }
    void set_listener(StoreListener* listener) { listener_ = listener; }  // not owned
    // Whether the listener has observers.
    void set_observed(bool observed) { is_observed_ = observed; }
    // Whether the listener has callbacks that a flush notifies of writes.
    bool notifies_writes() const { return notifies_writes_; }
    void set_notifies_writes(bool notifies) { notifies_writes_ = notifies; }
    // True when there may be tables whose changes are announced.
    bool may_notify() const noexcept;

    // One entity is about to change. Returns: whether after_move must follow.
    [[nodiscard]] bool before_move(const Change& change) noexcept {
        const unsigned from = change.from != nullptr ? change.from->reports() : 0u;
        const unsigned to = change.to != nullptr ? change.to->reports() : 0u;
        if ((from | to) == 0) [[likely]]
            return false;
        announce(change);
        return true;
    }
    // All rows are about to leave. Returns: as before_move. Throws std::bad_alloc; then nothing was announced.
    [[nodiscard]] bool before_clear();
    // The announced change is complete. Throws what a callback threw; the change stays.
    void after_move();

    // New entities are in the world. Both throw what a callback throws; the entities stay.
    Entity spawned(Entity entity, const Table& table);  // returns the entity, so that callers end with this call
    void spawned(const Bulk& bulk);
    // `count` entities are about to arrive. Throws std::bad_alloc.
    void expect_spawns(const Table& table, std::uint64_t count);
    // The same as after_move or spawned, for a change that was made earlier.
    void notify(const PendingNotification& change);

    void table_added(Table& table) noexcept;  // or filled again after it was put to sleep
    void tables_removed() noexcept;

  private:
    void announce(const Change& change) noexcept;

    const Store& store_;
    RemovedValues& removed_;
    StoreListener* listener_ = nullptr;
    bool is_observed_ = false;
    bool notifies_writes_ = false;
};

}  // namespace stoa::detail

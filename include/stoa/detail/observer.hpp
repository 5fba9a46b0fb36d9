// Those who want to hear at once when an entity begins or ceases to match a query. There are two kinds. Callbacks are code of
// users: they are told in order of subscription, of a family only while it is active, and one that throws ends the round. Keepers
// are lists of the library (watches, caches): they hear of every change of membership, whoever throws.
//
// Life: an observer belongs to the ObserverHold that made it. One that is dropped while a change is told ends after the change;
// one that was released belongs to the world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "stoa/detail/query_state.hpp"

namespace stoa::detail {

class STOA_API Observer {
  public:
    enum Wants : std::uint8_t { enters = 1, leaves = 2, activity = 4 };
    enum class Kind : std::uint8_t { callback, keeper };

    explicit Observer(unsigned wants, Kind kind = Kind::callback) : wants_(static_cast<std::uint8_t>(wants)), kind_(kind) {}
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // The structure is locked in all of these.

    // The entity matches, and its components are readable.
    virtual void entered(Entity) {}
    // It is about to cease to match, and still does.
    virtual void left(Entity) {}
    // All resources that the query needs have come; or one of them is about to go.
    virtual void activated() {}
    virtual void deactivated() {}

    // For keepers. The entity is about to match, by a change that has not begun.
    virtual void entering(Entity) noexcept {}
    // Up to so many entities are about to enter or leave. What is thrown stops the change before it begins.
    virtual void expect(std::size_t) {}

  private:
    friend class ObserverHold;
    friend class Signals;

    QueryState* state_ = nullptr;
    std::uint64_t born_ = 0;      // counts subscriptions
    std::uint8_t wants_;
    Kind kind_;
    bool asks_ = false;           // matching the table is not enough
    bool retired_ = false;        // never to be called again
    bool released_ = false;       // the world deletes it
    Observer* next_ = nullptr;    // of those that wait for their end
};

// The owner of an observer. It may outlive the world: then it deletes what the world would have called.
class STOA_API ObserverHold {
  public:
    ObserverHold() noexcept = default;
    // Calls the observer from now on, after those that are there already. Takes it over, also when it throws std::bad_alloc.
    ObserverHold(Store& store, QueryState& state, Observer* observer);
    ObserverHold(ObserverHold&& other) noexcept
        : link_(std::exchange(other.link_, nullptr)), observer_(std::exchange(other.observer_, nullptr)) {}
    ObserverHold& operator=(ObserverHold&& other) noexcept {
        // First the new one, because the end of the old one may run code of users.
        ObserverHold old(std::move(*this));
        std::swap(link_, other.link_);
        std::swap(observer_, other.observer_);
        return *this;
    }
    ~ObserverHold() {
        if (link_ != nullptr) drop();
    }

    // The observer stays as long as the world.
    void release() noexcept;

    Store* store() const { return link_ != nullptr ? link_->store() : nullptr; }
    Observer* get() const { return observer_; }

  private:
    void drop() noexcept;

    StoreLink* link_ = nullptr;
    Observer* observer_ = nullptr;
};

// An observer with several owners, on one thread at a time.
class STOA_API SharedObserver {
  public:
    SharedObserver() noexcept = default;
    // As ObserverHold.
    SharedObserver(Store& store, QueryState& state, Observer* observer);
    SharedObserver(const SharedObserver& other) noexcept : share_(other.share_) {
        if (share_ != nullptr) ++share_->holders;
    }
    SharedObserver(SharedObserver&& other) noexcept : share_(std::exchange(other.share_, nullptr)) {}
    SharedObserver& operator=(SharedObserver other) noexcept {
        std::swap(share_, other.share_);
        return *this;
    }
    ~SharedObserver() {
        if (share_ != nullptr && --share_->holders == 0) delete share_;
    }

    // Null when the world is gone.
    Observer* get() const { return share_ != nullptr && share_->hold.store() != nullptr ? share_->hold.get() : nullptr; }

  private:
    struct Share {
        ObserverHold hold;
        std::uint32_t holders = 1;
    };
    Share* share_ = nullptr;
};

// True from the moment when a change is announced until everyone has heard of it: an entity that is said to enter or to leave
// may still do so.
STOA_API bool change_under_way(const Store& store) noexcept;

}  // namespace stoa::detail

// Observers: the library's record of one subscription, watch or cache. The library calls an observer when an entity
// begins or ceases to match its query. There are two kinds. *Callbacks* run user code: in order of subscription, for a
// family only while it is active, and not after another callback has thrown in the same change. *List observers* are
// lists of the library (watches, caches): they see every change of membership, even if a callback throws.
//
// An observer of a filtered query *follows values*: it is also notified of changes inside its query that add or remove
// a component which its filter tests. What writes do to a filter is found when a list is read; callbacks are notified
// of it by a flush.
//
// Lifetime: an ObserverHold owns its observer. An observer that is dropped during a change is deleted after it; a
// released observer belongs to the world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/query/query_state.hpp"

namespace stoa::detail {

class FilteredCallback;
class ListObserver;

class STOA_API Observer {
  public:
    enum Wants : std::uint8_t { enters = 1, leaves = 2, activity = 4, values = 8 };

    explicit Observer(unsigned wants) : Observer(wants, nullptr) {}
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    // The structure is locked in all of these calls.

    // The entity matches, and its components are readable.
    virtual void entered(Entity) {}
    // The entity still matches, and is about to leave the query.
    virtual void left(Entity) {}
    // All resources that the query needs exist now; or one of them is about to be removed.
    virtual void activated() {}
    virtual void deactivated() {}
    // The same for each entity that matches then.
    virtual void entered_family(Entity entity) { entered(entity); }
    virtual void left_family(Entity entity) { left(entity); }

    // The entity matched when it was subscribed, and it is to be called for it.
    virtual void existing(Entity entity) { entered(entity); }

    // For those that follow values.

    // Whether an announced change concerns their filter. Then they are notified although the entity stays in the query:
    // before the change by moving(), and after it by entered().
    virtual bool follows(const Change&) const noexcept { return false; }
    virtual void moving(const Change&) {}
    // Itself if it is a callback.
    virtual FilteredCallback* filtered() noexcept { return nullptr; }

  protected:
    Observer(unsigned wants, ListObserver* list) : wants_(static_cast<std::uint8_t>(wants)), list_(list) {}

  private:
    friend class ObserverHold;
    friend class Signals;

    QueryState* state_ = nullptr;
    std::uint64_t serial_ = 0;  // the number of its subscription
    std::uint8_t wants_;
    bool tests_entities_ = false;  // an entity of a matching table need not match
    bool silent_ = false;          // not called: it is dropped, or still told of what matched before
    bool released_ = false;        // the world deletes it
    Observer* next_retired_ = nullptr;
    ListObserver* const list_;  // itself, or null for a callback
};

// An observer that keeps a list for the library.
class STOA_API ListObserver : public Observer {
  public:
    explicit ListObserver(unsigned wants) : Observer(wants, this) {}

    // The entity will match after a change that has not begun yet.
    virtual void entering(Entity) noexcept {}
    // At most `count` entities are about to enter or leave. An exception stops the change before it begins.
    virtual void expect([[maybe_unused]] std::size_t count) {}
};

// The owner of an observer. It may outlive the world; then it deletes the observer itself.
class STOA_API ObserverHold {
  public:
    ObserverHold() noexcept = default;
    // Subscribes the observer, after those that exist already. Takes ownership, also if it throws std::bad_alloc.
    ObserverHold(Store& store, QueryState& state, Observer* observer);
    ObserverHold(ObserverHold&& other) noexcept
        : link_(std::exchange(other.link_, nullptr)), observer_(std::exchange(other.observer_, nullptr)) {}
    ObserverHold& operator=(ObserverHold&& other) noexcept {
        // The old observer is destroyed last, because its destructor may run user code.
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

    // While it is silent, the observer is notified of nothing. Requires: the world exists.
    void set_silent(bool silent) noexcept { observer_->silent_ = silent; }

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

    // Null when the world is gone.
    Observer* get() const { return share_ && share_->hold.store() != nullptr ? share_->hold.get() : nullptr; }

  private:
    struct Share : RefCounted<Share, SharedBy::one_thread> {
        explicit Share(ObserverHold owned) noexcept : hold(std::move(owned)) {}

        ObserverHold hold;
    };
    Ref<Share> share_;
};

// Notifies the callbacks of filtered queries of what writes did since the last call: first of those that left, then of
// those that entered; each by index, then in order of subscription. Throws std::bad_alloc and what a filter throws:
// then no callback was called; and what a callback throws: then the others are not called.
STOA_API void notify_of_writes(Store& store);

// True from the announcement of a change until all observers have been notified: an entity that was announced to enter
// or to leave may not have done so yet.
STOA_API bool change_under_way(const Store& store) noexcept;

}  // namespace stoa::detail

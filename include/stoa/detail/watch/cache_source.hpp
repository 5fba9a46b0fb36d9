// Where the rows of a Cache come from: a cached list, which does not change during a walk. It supplies what Walkable
// asks for. Used by Cache.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "stoa/detail/query/walkable.hpp"
#include "stoa/detail/watch/cached_list.hpp"

namespace stoa::detail {

// A walk over a cached list. While it lives, the structure is locked and the list does not change.
class CacheWalk {
  public:
    CacheWalk(const CacheHold& hold, bool reversed) : hold_(hold), list_(hold_.list()), reversed_(reversed) {
        if (list_ == nullptr) return;
        entities_ = list_->current();
        if (!list_->active()) entities_ = {};
        list_->begin_walk();
        lock_ = Store::SharedLock(list_->store());
    }
    ~CacheWalk() { finish(); }
    CacheWalk(CacheWalk&& other) noexcept : hold_(std::move(other.hold_)) { take(other); }
    CacheWalk& operator=(CacheWalk&& other) noexcept {
        finish();
        take(other);
        hold_ = std::move(other.hold_);  // last: the old list may end here, and run user code
        return *this;
    }

    bool next() {
        if (taken_ == entities_.size()) return false;
        entity_ = entities_[reversed_ ? entities_.size() - 1 - taken_ : taken_];
        ++taken_;
        return true;
    }
    RowSpan rows() const { return rows_at(list_->place_of(entity_)); }
    std::span<const Entity> ids() const { return {&entity_, 1}; }

  private:
    void finish() noexcept {
        if (list_ != nullptr) list_->end_walk();
    }
    void take(CacheWalk& other) noexcept {
        list_ = std::exchange(other.list_, nullptr);
        entities_ = other.entities_;
        taken_ = other.taken_;
        entity_ = other.entity_;
        reversed_ = other.reversed_;
        lock_ = std::move(other.lock_);
    }

    CacheHold hold_;
    CachedList* list_ = nullptr;
    std::span<const Entity> entities_;
    std::size_t taken_ = 0;
    Entity entity_;
    bool reversed_ = false;
    Store::SharedLock lock_;
};

// Where the rows of a Cache come from.
struct CacheSource {
    static constexpr bool picks_rows = false;
    using Selector = NoSelector;

    Store* store_to_walk() const {
        CachedList* list = hold.list();
        return list != nullptr ? &list->store() : nullptr;
    }
    CacheWalk start_walk(Store&, Selector&) const { return {hold, is_reversed}; }

    CacheHold hold;
    bool is_reversed = false;
};

}  // namespace stoa::detail

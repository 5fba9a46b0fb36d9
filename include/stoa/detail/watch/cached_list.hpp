// The list behind a Cache: the matches of a query in an order. It records which entities arrived and left, and updates
// the order when the list is read. The handles of a cache and the walks over it share one list.
//
// Invariant: the list is correct for all entities that are not in `pending_`, unless `stale_`: then it is rebuilt.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "stoa/detail/query/observer.hpp"
#include "stoa/detail/query/value_filter.hpp"

namespace stoa::detail {

class STOA_API CachedList final : public ListObserver {
  public:
    // How keys are compared.
    struct Comparison {
        TypeHandle* key = nullptr;  // null: by entity index
        bool (*less)(void* comparer, const void* a, const void* b) = nullptr;
        void (*drop)(void* comparer) = nullptr;
        void* comparer = nullptr;
    };

    // Takes ownership of the comparer. `tracking` is the state with a Changed of the key, or null; `filter` is that of
    // a filtered query, or null.
    CachedList(Store& store, const QueryState& state, const QueryState* tracking, const Comparison& comparison,
               Ref<ValueFilter> filter) noexcept
        : ListObserver(enters | leaves | (filter ? values : 0)),
          store_(store),
          members_(state),
          tracking_(tracking),
          comparison_(comparison),
          filter_(std::move(filter)) {}
    ~CachedList() override {
        if (comparison_.drop != nullptr) comparison_.drop(comparison_.comparer);
    }

    // The matches in order, as of now; while they are walked, as of the beginning of the walk. Throws std::bad_alloc,
    // and what a comparison throws: then nothing has changed.
    std::span<const Entity> current();

    void entering(Entity entity) noexcept override { note(entity); }
    void entered(Entity entity) override { note(entity); }
    void left(Entity entity) override { note(entity); }
    void moving(const Change& change) override { note(change.entity); }
    bool follows(const Change& change) const noexcept override { return filter_ && filter_->concerns(change); }

    // A family that is not active is not walked.
    bool active() const { return members_.active(store_); }
    Store& store() const { return store_; }
    EntityRow place_of(Entity entity) const;
    void begin_walk() noexcept { ++walks_; }
    void end_walk() noexcept { --walks_; }

  private:
    struct Keyed {
        Entity entity;
        const void* key;
    };

    void find_coming(std::vector<Entity>& moved, std::vector<Keyed>& coming) const;
    void note(Entity entity) noexcept;
    void refresh();
    void find_moved(std::vector<Entity>& moved) const;
    void keep_unmoved(const std::vector<Entity>& moved, std::vector<Entity>& out) const;
    void insert(std::vector<Keyed>& coming, std::vector<Entity>& into) const;
    Keyed keyed(Entity entity) const;
    bool precedes(const Keyed& a, const Keyed& b) const;
    void sort(std::vector<Keyed>& list) const;

    Store& store_;
    const QueryState& members_;
    const QueryState* tracking_;
    Comparison comparison_;
    Ref<ValueFilter> filter_;
    std::vector<Entity> list_;
    std::vector<Entity> pending_;
    bool stale_ = true;
    bool refreshing_ = false;
    std::uint32_t walks_ = 0;
    std::uint64_t seen_ = 0;  // keys that changed up to this moment are in order
};

// What the handles of a cache and the walks over it share; the last one deletes the list.
class STOA_API CacheHold : public SharedObserver {
  public:
    // Takes ownership of the comparer, also if it throws std::bad_alloc.
    CacheHold(Store& store, QueryState& state, const QueryState* tracking, const CachedList::Comparison& comparison,
              Ref<ValueFilter> filter)
        : SharedObserver(store, state, make(store, state, tracking, comparison, std::move(filter))) {}

    // Null when the world is gone. Safe: the constructor passes on what make() returns.
    CachedList* list() const { return static_cast<CachedList*>(get()); }

  private:
    static CachedList* make(Store& store, QueryState& state, const QueryState* tracking,
                            const CachedList::Comparison& comparison, Ref<ValueFilter> filter);
};

}  // namespace stoa::detail

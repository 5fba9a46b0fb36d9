// The compiled half of an index: it keeps the entities of a KeyedEntities current with a world. An index handle and the
// filters that are made from it share one FieldIndex.
//
// Invariant: between calls, `entities()` holds exactly the entities that had the component at the moment `seen_`, under
// the keys that they had then, except those in the log of departures up to `departures_seen_`. A lookup first catches
// up: it reads the rows that were written since, and the log. So an index does no work between lookups, and it does not
// matter how a value was written.
//
// Catching up runs user code (projection, hash, comparison, copies of keys) under the structure lock. An exception
// leaves every key group whole; what has not been read is read by the next lookup. A lookup inside that user code sees
// what has been read so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/base/scoped_count.hpp"
#include "stoa/detail/index/keyed_entities.hpp"
#include "stoa/detail/query/query_state.hpp"
#include "stoa/detail/storage/indexed_component.hpp"

namespace stoa::detail {

class STOA_API FieldIndex : public RefCounted<FieldIndex, SharedBy::one_thread> {
  public:
    // `tracking` is a query for changes of the component. Throws std::bad_alloc, Errc::world_gone, Errc::locked.
    static Ref<FieldIndex> make(Store& store, TypeHandle& component, TermList& tracking, const KeyOps& ops);

    // Catches up with the world. False when the world is gone: then the index stays empty.
    bool refresh() {
        if (is_current()) [[likely]]
            return true;
        return catch_up();
    }
    const StoreLink* link() const { return link_; }
    const KeyOps& ops() const { return entities_.groups().ops(); }
    std::string_view component_name() const { return name_; }

    // While a pin exists, lookups do not catch up, so user code that looks something up does not change the key groups.
    class Pin {
      public:
        explicit Pin(FieldIndex& index) : index_(index), count_(index.pins_) {}

      private:
        Ref<FieldIndex> index_;
        ScopedCount<std::uint32_t> count_;
    };

    // The entities by key, as of the last refresh.
    const KeyedEntities& entities() const { return entities_; }
    // Catches up and finds the group of a key, or no_group. User code runs under the structure lock.
    KeyGroupId look_up(const LookupKey& key);

    // For observers of filtered queries. While there are followers, entities that get another key are logged. A sparse
    // component reports its arrivals and departures from now on. follow throws std::bad_alloc.
    void follow(Store& store);
    void unfollow() noexcept { --followers_; }
    const EntityLog& key_changes() const { return key_changes_; }
    // The value of the component now, or null if the entity has none. Requires: the world exists.
    const void* value_of(Entity entity) const;
    // Whether the entity of an announced change has the component before it, and after it.
    bool has_before(const Change& change) const { return tracking_.matched_before(*link_->store(), change); }
    bool has_after(const Change& change) const { return tracking_.matches_after(*link_->store(), change); }

    // For tests. What is broken, or null; and how often the log of departures was incomplete, which is never expected.
    const char* check() const { return entities_.check(); }
    std::uint32_t repairs() const { return repairs_; }

  private:
    friend class RefCounted<FieldIndex, SharedBy::one_thread>;

    FieldIndex(Store& store, const KeyOps& ops, const ComponentType& type, const QueryState& tracking);
    ~FieldIndex();

    bool is_current() const {
        return link_->store() != nullptr && __atomic_load_n(indexed_->last, __ATOMIC_RELAXED) == last_seen_ &&
               indexed_->departures.end() == departures_seen_ && (!open_ || link_->store()->locked());
    }
    bool catch_up();

    // Reading what was written.
    void read_changes(Store& store, bool locked);
    void read_rows(RowSpan rows, const std::uint16_t* picks, std::uint32_t count);
    void read_sparse_values(Store& store, Since since);
    void read_words(const Entity* ids, const std::byte* values, const std::uint16_t* picks, std::uint32_t count);
    void read_value(Entity entity, const void* value);
    void assign_pending();
    void log_changes(std::span<const EntityWord> words) noexcept;

    // Removing the entities that lost the component.
    void remove_departed(Store& store);
    void remove_missing(const Store& store) noexcept;
    void repair(Store& store);
    std::uint64_t live_count(const Store& store) const;

    static constexpr std::uint32_t batch = 128;
    static constexpr std::uint64_t never = 0 - (std::uint64_t{1} << 40);  // a moment before the first one

    // What a lookup reads comes first.
    StoreLink* link_;
    IndexedComponent* indexed_ = nullptr;
    Tick last_seen_ = 0;
    std::uint32_t repairs_ = 0;
    // A walk was in progress at the last refresh: rows read since `open_since_` may have been written without a new
    // stamp.
    bool open_ = false;
    std::uint32_t pins_ = 0;
    std::uint64_t departures_seen_ = 0;
    KeyedEntities entities_;
    bool sparse_;
    ComponentId id_{};
    std::string_view name_;
    const QueryState& tracking_;
    std::uint64_t seen_ = never;
    std::uint64_t open_since_ = 0;
    std::uint32_t followers_ = 0;
    EntityLog key_changes_;
    std::uint32_t pending_count_ = 0;
    EntityWord pending_[batch];  // words that were read and not assigned yet
};

}  // namespace stoa::detail

// The compiled half of an index: which entities have which key. Entities with equal keys are a *group*; a hash table or a tree
// leads from key to group, and a record for each entity says in which group it is, so that an entity moves between groups
// without a search. Shared by an index handle and the filters made from it.
//
//     key → slots (hash) or tree (ordered) → group: members            records [entity index] → generation │ group │ position
//
// Invariant: between calls, groups hold exactly the entities that have the component, under the keys they had at the moment
// `seen_`, less those who went since. A call first catches up: it reads the rows that were written since, and the log of those
// who went. So nothing is done between lookups, and it does not matter how a value was written.
//
// Catching up runs code of the user (projection, hash, comparison, copies of keys) under the structure lock. What throws leaves
// every group whole; what has not been taken in is taken in next time. A lookup inside that code sees what is there so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "stoa/detail/key.hpp"
#include "stoa/detail/query_state.hpp"

namespace stoa::detail {

class KeyTree;

class STOA_API FieldIndex {
  public:
    static constexpr std::uint32_t none = 0xffffffff;
    static constexpr std::uint32_t odd_group = 0;  // of keys that equal nothing

    // `tracking` is a query for changes of the component. Throws std::bad_alloc, Errc::world_gone, Errc::locked.
    static FieldIndex* make(Store& store, TypeSlot& component, TermList& tracking, const KeyOps& ops);
    void hold() noexcept { ++holders_; }
    void drop() noexcept {
        if (--holders_ == 0) delete this;
    }

    // Brings it up to date. False when the world is gone: then it is empty for ever.
    bool refresh() {
        if (is_current()) [[likely]] return true;
        return catch_up();
    }
    const StoreLink* link() const { return link_; }

    // While one exists, lookups inside code of the user do not catch up: groups stay as they are.
    class Pin {
      public:
        explicit Pin(FieldIndex& index) : index_(index) {
            index.hold();
            ++index.pins_;
        }
        ~Pin() {
            --index_.pins_;
            index_.drop();
        }
        Pin(const Pin&) = delete;
        Pin& operator=(const Pin&) = delete;

      private:
        FieldIndex& index_;
    };
    // Brings it up to date and looks; code of the user runs under the structure lock.
    std::uint32_t look_up(const Probe& key);

    // The rest answers as of the last refresh.

    std::uint32_t find_group(const Probe& key) const;
    // The same for words in a hash table.
    template <bool Narrow>
    std::uint32_t find_word(std::uint64_t word) const {
        return slots_[find_slot<Narrow>(word)].group;
    }
    // Some entity with this key: it stands in the slot, so that finding it is one step.
    template <bool Narrow>
    Entity find_first(std::uint64_t word) const {
        return Entity::from_bits(slots_[find_slot<Narrow>(word)].first);
    }
    // A group of none has no members.
    std::uint32_t count(std::uint32_t group) const { return group != none ? groups_[group].count : 0; }
    Entity first(std::uint32_t group) const { return count(group) != 0 ? members(group)[0] : Entity{}; }
    const Entity* members(std::uint32_t group) const { return groups_[group].members(); }
    std::uint64_t size() const { return size_; }
    // The group of an entity, or none.
    std::uint32_t group_of(Entity entity) const {
        if (entity.index() >= record_count_) return none;
        const Record& record = records_[entity.index()];
        return record.generation == entity.generation() ? record.group : none;
    }
    // All groups stand below the bound.
    std::uint32_t group_bound() const { return group_count_; }
    bool is_group(std::uint32_t group) const { return groups_[group].capacity != none; }
    const KeyOps& ops() const { return ops_; }
    std::string_view component_name() const { return name_; }

    // Ordered ones. Less than 0: `key` comes before the keys of the group. Requires: neither is odd.
    int compare(const Probe& key, std::uint32_t group) const;
    Probe key_of(std::uint32_t group) const;
    // With the word by which it is looked for.
    Probe finished(const Probe& key) const;
    const KeyTree& tree() const { return *tree_; }

    // What is broken, or null. And how often the log of departures was found to be incomplete. For tests: never expected.
    const char* check() const;
    std::uint32_t repairs() const { return repairs_; }

  private:
    // A search begins at the slot that the lower bits of the tag name. Of narrow words the tag tells all; of others the group has
    // the word.
    struct Slot {
        std::uint32_t tag;
        std::uint32_t group;
        std::uint64_t first;  // the first member; 0 in a free slot
    };
    // Two members stand in the group itself: two entities can exchange their keys without memory.
    struct Group {
        union {
            std::uint64_t few[2];
            Entity* many;
        };
        std::uint32_t count;
        std::uint32_t capacity;  // 2: few; none: the group is free
        std::uint64_t word;      // of words the key, else its hash or its beginning

        // Safe: an Entity is its bits.
        const Entity* members() const { return capacity != 2 ? many : reinterpret_cast<const Entity*>(few); }
        Entity* members() { return capacity != 2 ? many : reinterpret_cast<Entity*>(few); }
    };
    struct Record {
        std::uint32_t generation;  // 0: free
        std::uint32_t group;
        std::uint32_t position;
    };
    struct Text {
        char* bytes;
        std::size_t length;
    };

    FieldIndex(Store& store, const KeyOps& ops, const ComponentType& type);
    ~FieldIndex();

    bool is_current() const {
        return link_->store() != nullptr && __atomic_load_n(followed_->last, __ATOMIC_RELAXED) == last_seen_ &&
               followed_->departures.end() == departures_seen_ && (!open_ || link_->store()->locked());
    }
    bool catch_up();
    void take_in_changes(Store& store, bool locked);
    void take_in_rows(Rows rows, const std::uint16_t* picks, std::uint32_t count);
    void take_in_slots(Store& store, Since since);
    void take_in_words(const Entity* ids, const std::byte* values, const std::uint16_t* picks, std::uint32_t count);
    void take_in_value(Entity entity, const void* value);
    void take_in(Entity entity, const Probe& key);
    void take_in_word(Entity entity, std::uint64_t word);
    void rename(std::uint32_t group, std::uint64_t word) noexcept;
    void take_in_noted();
    void fetch_noted() const;
    void take_out_departed(Store& store);
    void repair(Store& store);
    void sweep(const Store& store) noexcept;
    std::uint64_t living(const Store& store) const;

    void reserve_record(std::uint32_t index);
    void move_in(Entity entity, std::uint32_t group) noexcept;
    std::uint32_t new_group(const Probe& key);
    std::uint32_t free_group();
    void copy_key(std::uint32_t group, const Probe& key);
    void end_key(std::uint32_t group) noexcept;
    void end_group(std::uint32_t group) noexcept;
    void end_emptied() noexcept;
    void reserve_member(Group& group);
    void take_member(std::uint32_t group, std::uint32_t position) noexcept;
    void set_first(std::uint32_t group) noexcept;
    void forget(Record& record) noexcept;

    bool is_key(const Probe& key, std::uint32_t group) const;
    std::byte* object(std::uint32_t group) const { return pages_[group / page_size] + std::size_t{group % page_size} * ops_.size; }
    void reserve_slot();
    void insert_slot(const Slot& slot) noexcept;
    std::uint64_t slot_of(std::uint32_t group) const noexcept;
    void erase_slot(std::uint32_t group) noexcept;

    static std::uint32_t tag_of(std::uint64_t word, bool narrow) {
        if (!narrow) return static_cast<std::uint32_t>(mix(word));
        // Each step can be undone, so different words have different tags.
        auto half = static_cast<std::uint32_t>(word) * 0x9e3779b1u;
        half = (half ^ (half >> 15)) * 0x85ebca77u;
        return half ^ (half >> 13);
    }
    // Where the word stands, or the free slot where the search ends.
    template <bool Narrow>
    std::uint64_t find_slot(std::uint64_t word) const {
        const std::uint32_t tag = tag_of(word, Narrow);
        for (std::uint64_t at = tag & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.group == none || (slot.tag == tag && (Narrow || groups_[slot.group].word == word))) return at;
        }
    }

    // Whether the entity is known under this word.
    bool has_word(Entity entity, std::uint64_t word) const {
        const std::uint32_t known = group_of(entity);
        if (known == none) return false;
        if (ops_.has_odd_word && word == odd_word) return known == odd_group;
        return known != odd_group && groups_[known].word == word;
    }

    static constexpr std::uint32_t page_size = 64;
    static constexpr std::uint32_t batch = 128;

    // Words that were read and are to be taken in: many at once, so that what they touch can be fetched beforehand.
    struct Noted {
        Entity entity;
        std::uint64_t word;
    };

    // What a lookup reads stands first.
    StoreLink* link_ = nullptr;
    Followed* followed_ = nullptr;
    Tick last_seen_ = 0;
    std::uint32_t repairs_ = 0;
    bool open_ =
        false;  // a walk was under way: rows read since `open_since_` may have been written without a new stamp
    std::uint32_t pins_ = 0;
    std::uint64_t departures_seen_ = 0;
    Slot* slots_ = nullptr;
    std::uint64_t mask_ = 0;
    Group* groups_ = nullptr;
    Record* records_ = nullptr;
    std::uint32_t record_count_ = 0;
    std::uint32_t group_count_ = 0;     // ever used
    std::uint32_t group_capacity_ = 0;
    std::uint32_t free_group_ = none;   // linked through `count` of groups without members
    std::uint32_t used_slots_ = 0;
    std::uint32_t holders_ = 1;
    std::uint64_t size_ = 0;
    Text* texts_ = nullptr;             // by group
    std::vector<std::byte*> pages_;     // of objects, by group
    KeyTree* tree_ = nullptr;
    const KeyOps& ops_;
    std::string_view name_;
    ComponentId id_{};
    bool sparse_;
    const QueryState* tracking_ = nullptr;
    std::uint64_t seen_ = 0 - (std::uint64_t{1} << 40);
    std::uint64_t open_since_ = 0;
    std::vector<std::uint32_t> emptied_;  // groups that lost their last member; it may come back, or another one
    std::uint32_t noted_count_ = 0;
    Noted noted_[batch];
};

}  // namespace stoa::detail

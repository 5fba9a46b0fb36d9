// The members of a filtered query as one observer knows them: which entities match the query and pass its filter.
// Structural changes take effect at once, writes when find_writes looks for them. Watches and the callbacks of filtered
// queries each have one.
//
// Invariant: a bit for each entity index says whether its present entity is a member. Every departure from the query is
// announced, so the bit of an entity that does not match is clear. Entities in `pending_` are tested again by the next
// find_writes; if `stale_`, all matches are. All others are members if they passed when the filter last took changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stoa/detail/query/query_state.hpp"
#include "stoa/detail/query/value_filter.hpp"

namespace stoa::detail {

class STOA_API FilteredMembers {
  public:
    // Finds the present members. Throws std::bad_alloc and what user code throws. Complexity: O(matches).
    FilteredMembers(Store& store, const QueryState& state, Ref<ValueFilter> filter);

    bool contains(Entity entity) const { return (bits_of(entity.index()) & inside) != 0; }
    bool concerns(const Change& change) const noexcept { return filter_->concerns(change); }

    // Structural changes. An exception of user code here is not passed on: the entity is tested again by find_writes.

    // The entity has entered the query, or was given a component that the filter tests. Returns: whether it is a new
    // member.
    bool enter(Entity entity) noexcept;
    // Whether enter() has just made it a member; true once.
    bool take_new(Entity entity) noexcept;
    // The entity is about to leave the query. Returns: whether it was a member.
    bool leave(Entity entity) noexcept;
    // The entity stays in the query and is about to lose a component that the filter tests. Returns: whether it ceases
    // to be a member.
    bool leave_by(const Change& change) noexcept;
    // So many entities may become members. Throws std::bad_alloc.
    void expect(std::size_t count);

    // Writes: find_writes lists whom they made members and whom they did not leave so, each by index; accept_writes
    // makes it so.

    // Returns: whether there are any. While a structural change is announced, and in user code that this call runs,
    // none are looked for. Throws std::bad_alloc and what user code throws: then nothing has changed.
    bool find_writes();
    std::span<const Entity> leaving() const { return leaving_; }
    std::span<const Entity> entering() const { return entering_; }
    // Requires: find_writes has returned true, and the structure has not changed since.
    void accept_writes() noexcept;

  private:
    static constexpr unsigned inside = 1;
    static constexpr unsigned is_new = 2;  // and not yet taken by take_new
    static constexpr std::uint32_t per_word = 32;

    unsigned bits_of(std::uint32_t index) const {
        const std::size_t word = index / per_word;
        return word < words_.size() ? static_cast<unsigned>(words_[word] >> (2 * (index % per_word))) & 3u : 0u;
    }
    void set_bits(Entity entity, unsigned bits) noexcept;  // requires: room, unless `bits` is 0
    void make_room(std::uint32_t index);
    void note(Entity entity) noexcept;
    bool passes(Entity entity) noexcept;
    void list_all();
    void list_pending();
    void settle(Entity except);
    bool is_settled(Entity except) noexcept;

    Store& store_;
    const QueryState& state_;
    Ref<ValueFilter> filter_;
    std::vector<std::uint64_t> words_;
    std::vector<Entity> pending_;
    bool stale_ = false;
    bool settled_ = false;  // false: made inside a change, and filled after it
    bool finding_ = false;  // find_writes is running
    std::vector<Entity> candidates_;
    std::vector<bool> passing_;  // which of them pass
    std::vector<Entity> leaving_;
    std::vector<Entity> entering_;
};

}  // namespace stoa::detail

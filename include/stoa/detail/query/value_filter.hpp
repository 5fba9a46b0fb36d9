// A filter on values as the observers of a filtered query see it: which entities pass, and whose values may have
// changed. The room `index` implements it; signals, watches and caches use it and know nothing of indexes. Each
// observer has an instance of its own, because each has seen other changes.
#pragma once

#include <span>
#include <vector>

#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/storage/listener.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

class STOA_API ValueFilter : public RefCounted<ValueFilter, SharedBy::one_thread> {
  public:
    virtual ~ValueFilter() = default;

    // These run user code, whose exceptions reach the caller. They require that the structure is locked.

    // Whether the present values of an entity pass.
    virtual bool passes(Entity entity) const = 0;
    // Whether they still pass without the components that an announced change removes.
    virtual bool passes_after(const Change& change) const = 0;
    // Replaces `passing` by whether each entity passes, as of the last take_changes. So a later change of a value that
    // was tested here is found by the next one, even if the value is overwritten meanwhile.
    virtual void test(std::span<const Entity> entities, std::vector<bool>& passing) const = 0;

    // Whether an announced change adds or removes a component whose values are tested.
    virtual bool concerns(const Change& change) const noexcept = 0;

    // Appends the entities whose values changed since the last call, some perhaps twice, some perhaps dead. Returns:
    // false when there were too many to record, so that any value may have changed. Throws std::bad_alloc and what user
    // code throws; then the next call finds the same and more.
    virtual bool take_changes(std::vector<Entity>& out) = 0;
};

}  // namespace stoa::detail

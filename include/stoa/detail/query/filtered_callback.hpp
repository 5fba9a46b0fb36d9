// The observer behind a callback of a filtered query. Its members are kept by a list observer of its own, which is
// notified of every change; the callback itself is not notified after another one has thrown, or while a family is
// inactive. An arrival reaches the list first, a departure the callback first.
#pragma once

#include "stoa/detail/query/filtered_members.hpp"
#include "stoa/detail/query/observer.hpp"

namespace stoa::detail {

class STOA_API FilteredCallback : public Observer {
  public:
    // Runs the callback of the user.
    virtual void call(Entity entity) = 0;

    FilteredMembers& members() { return list_->members; }

    void entered(Entity entity) final {
        if (members().take_new(entity)) call(entity);
    }
    void left(Entity entity) final {
        if (members().leave(entity)) call(entity);
    }
    void moving(const Change& change) final {
        if (members().leave_by(change)) call(change.entity);
    }
    void existing(Entity entity) final { call(entity); }
    void entered_family(Entity entity) final { call_member(entity); }
    void left_family(Entity entity) final { call_member(entity); }
    bool follows(const Change& change) const noexcept final { return list_->follows(change); }
    FilteredCallback* filtered() noexcept final { return this; }

  protected:
    // `when`: enters or leaves. Throws std::bad_alloc and what a filter throws.
    FilteredCallback(Wants when, Store& store, QueryState& state, Ref<ValueFilter> filter);

  private:
    struct MemberList final : ListObserver {
        MemberList(Store& store, const QueryState& state, Ref<ValueFilter> filter)
            : ListObserver(enters | leaves | values), members(store, state, std::move(filter)) {}

        void entered(Entity entity) override { members.enter(entity); }
        void left(Entity entity) override { members.leave(entity); }
        void moving(const Change& change) override { members.leave_by(change); }
        bool follows(const Change& change) const noexcept override { return members.concerns(change); }
        void expect(std::size_t count) override { members.expect(count); }

        FilteredMembers members;
    };

    void call_member(Entity entity) {
        if (members().contains(entity)) call(entity);
    }

    MemberList* list_;
    ObserverHold hold_;  // owns it
};

}  // namespace stoa::detail

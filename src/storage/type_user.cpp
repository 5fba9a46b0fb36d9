// The list of what users have made from a world.
#include "stoa/detail/storage/type_user.hpp"

#include <thread>

namespace stoa::detail {

// The lock is in the link, so that all copies of the library share it. It is held for a few instructions, or while
// World::forget_types reads the list.
class TypeUser::ListLock {
  public:
    explicit ListLock(const StoreLink& link) noexcept : link_(link) {
        while (__atomic_test_and_set(&link_.users_locked_, __ATOMIC_ACQUIRE)) std::this_thread::yield();
    }
    ~ListLock() { __atomic_clear(&link_.users_locked_, __ATOMIC_RELEASE); }
    ListLock(const ListLock&) = delete;
    ListLock& operator=(const ListLock&) = delete;

  private:
    const StoreLink& link_;
};

TypeUser::TypeUser(StoreLink& link) noexcept : link_(link) {
    const ListLock lock(link);
    next_ = link.users_;
    if (next_ != nullptr) next_->previous_ = this;
    link.users_ = this;
}

TypeUser::~TypeUser() {
    const ListLock lock(*link_);
    (previous_ != nullptr ? previous_->next_ : link_->users_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
}

void TypeUser::name_all(const StoreLink& link, const LibraryTypes& types, UsesLeft& uses) {
    const ListLock lock(link);
    for (const TypeUser* user = link.users_; user != nullptr; user = user->next_) user->name_uses(types, uses);
}

}  // namespace stoa::detail

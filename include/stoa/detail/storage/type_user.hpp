// What users make from a world and own themselves, and what may refer to types of a shared library: prefabs and
// schedules. Each is listed with the link of its store, so that World::forget_types finds them.
//
// Invariant: the list of a link has exactly the users that exist. Threads: they may come and go on any thread.
#pragma once

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/storage/listener.hpp"

namespace stoa::detail {

struct LibraryTypes;
class UsesLeft;

class STOA_API TypeUser {
  public:
    TypeUser(const TypeUser&) = delete;
    TypeUser& operator=(const TypeUser&) = delete;

    // All users of a store name what they have of these types. Throws std::bad_alloc.
    static void name_all(const StoreLink& link, const LibraryTypes& types, UsesLeft& uses);

  protected:
    explicit TypeUser(StoreLink& link) noexcept;
    ~TypeUser();

    StoreLink& link() const noexcept { return *link_; }
    Store* find_store() const noexcept { return link_->store(); }  // null when the world is gone

  private:
    class ListLock;

    // Names what it has of these types, and of the code of their library. Throws std::bad_alloc.
    virtual void name_uses(const LibraryTypes& types, UsesLeft& uses) const = 0;

    Ref<StoreLink> link_;
    TypeUser* previous_ = nullptr;
    TypeUser* next_ = nullptr;
};

}  // namespace stoa::detail

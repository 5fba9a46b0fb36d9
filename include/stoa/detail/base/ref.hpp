// Ref<T> owns a share of an object that counts its owners, and is the only place where such a share is copied, moved
// and given up. RefCounted<T> is the counter for objects that need nothing special.
//
// Invariant: a Ref that is not empty owns exactly one count of its object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

// How Ref counts. A type that is incomplete where handles to it are copied declares non-template overloads of both.
template <class T>
void add_ref(T& object) noexcept {
    object.add_ref();
}
template <class T>
void release_ref(T& object) noexcept {
    object.release();
}

template <class T>
class Ref {
  public:
    Ref() noexcept = default;
    Ref(std::nullptr_t) noexcept {}
    // A further owner. Threads: as add_ref of the object.
    explicit Ref(T& object) noexcept : object_(&object) { add_ref(object); }
    Ref(const Ref& other) noexcept : object_(other.object_) {
        if (object_ != nullptr) add_ref(*object_);
    }
    Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    // The old object is released last, when this Ref has its new value: its destructor may look at this Ref.
    Ref& operator=(Ref other) noexcept {
        swap(other);
        return *this;
    }
    ~Ref() {
        if (object_ != nullptr) release_ref(*object_);
    }

    // Takes over a count that the caller has, such as the first one of a new object. Null gives an empty Ref.
    static Ref adopt(T* object) noexcept {
        Ref made;
        made.object_ = object;
        return made;
    }
    // Passes the count to the caller; this Ref is empty then.
    [[nodiscard]] T* detach() noexcept { return std::exchange(object_, nullptr); }
    void reset() noexcept { Ref().swap(*this); }
    void swap(Ref& other) noexcept { std::swap(object_, other.object_); }

    T* get() const noexcept { return object_; }
    T& operator*() const noexcept { return *object_; }
    T* operator->() const noexcept { return object_; }
    explicit operator bool() const noexcept { return object_ != nullptr; }
    friend bool operator==(const Ref&, const Ref&) noexcept = default;

  private:
    T* object_ = nullptr;
};

// Whether one thread or several may copy and drop references to an object at the same time.
enum class SharedBy : bool { one_thread, threads };

// Base of an object that lives as long as its last owner. A new object has one count, for Ref::adopt.
template <class T, SharedBy Sharing = SharedBy::threads>
class RefCounted {
  public:
    RefCounted(const RefCounted&) = delete;
    RefCounted& operator=(const RefCounted&) = delete;

    void add_ref() noexcept {
        if constexpr (Sharing == SharedBy::threads) {
            __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED);
        } else {
            ++count_;
        }
    }
    // Effects: deletes the object when it was the last count. Safe: T is the class that derives from this one.
    void release() noexcept {
        if constexpr (Sharing == SharedBy::threads) {
            // Acquire and release: what other owners wrote is visible to the destructor.
            if (__atomic_sub_fetch(&count_, 1, __ATOMIC_ACQ_REL) != 0) return;
        } else if (--count_ != 0) {
            return;
        }
        delete static_cast<T*>(this);  // Safe: the object is a T, which derives from RefCounted<T>
    }

  protected:
    RefCounted() noexcept = default;
    ~RefCounted() = default;

  private:
    std::uint32_t count_ = 1;
};

}  // namespace stoa::detail

// Guards Ref and RefCounted: every way to copy, move, replace and give up a reference keeps the count right, and the
// object ends with its last owner.

#include <doctest/doctest.h>

#include <thread>
#include <utility>
#include <vector>

#include "stoa/detail/base/ref.hpp"

using stoa::detail::Ref;
using stoa::detail::RefCounted;
using stoa::detail::SharedBy;

namespace {

int alive = 0;

struct Object : RefCounted<Object, SharedBy::one_thread> {
    Object() { ++alive; }
    ~Object() { --alive; }
    Ref<Object> other;
};

struct Threaded : RefCounted<Threaded> {
    ~Threaded() { --alive; }
};

// Counts through overloads, as types do that are incomplete where handles are copied.
struct Hidden;
int hidden_count = 0;
void add_ref(Hidden&) noexcept { ++hidden_count; }
void release_ref(Hidden&) noexcept { --hidden_count; }

}  // namespace

TEST_SUITE("ref") {
    TEST_CASE("an object ends with its last reference") {
        {
            Ref<Object> first = Ref<Object>::adopt(new Object);
            {
                const Ref<Object> second = first;
                const Ref<Object> third(*first);
                CHECK(second == first);
                CHECK(third.get() == first.get());
                first.reset();
                CHECK(alive == 1);
                CHECK(!first);
            }
            CHECK(alive == 0);
        }
        CHECK(alive == 0);
    }

    TEST_CASE("moving leaves an empty reference and does not count") {
        Ref<Object> from = Ref<Object>::adopt(new Object);
        Object* const object = from.get();
        Ref<Object> to = std::move(from);
        CHECK(to.get() == object);
        CHECK(from.get() == nullptr);
        to = nullptr;
        CHECK(alive == 0);
    }

    TEST_CASE("assignment from itself, from an equal one and from an empty one") {
        Ref<Object> one = Ref<Object>::adopt(new Object);
        const Ref<Object>& same = one;
        one = same;
        CHECK(alive == 1);
        Ref<Object> two = one;
        two = one;
        one = Ref<Object>();
        CHECK(alive == 1);
        two = std::move(one);
        CHECK(alive == 0);
    }

    TEST_CASE("a count can be given away and taken over") {
        Ref<Object> one = Ref<Object>::adopt(new Object);
        Object* const raw = one.detach();
        CHECK(!one);
        CHECK(alive == 1);
        CHECK(Ref<Object>::adopt(raw)->other.get() == nullptr);
        CHECK(alive == 0);
    }

    TEST_CASE("a chain of objects ends from its head") {
        Ref<Object> head = Ref<Object>::adopt(new Object);
        for (int i = 0; i < 10; ++i) {
            Ref<Object> next = Ref<Object>::adopt(new Object);
            next->other = std::move(head);
            head = std::move(next);
        }
        CHECK(alive == 11);
        head = head->other;  // the old head ends while its member is the new value
        CHECK(alive == 10);
        head.reset();
        CHECK(alive == 0);
    }

    TEST_CASE("overloads count for an incomplete type") {
        int storage = 0;
        {
            const auto first = Ref<Hidden>(reinterpret_cast<Hidden&>(storage));
            const Ref<Hidden> second = first;
            CHECK(hidden_count == 2);
        }
        CHECK(hidden_count == 0);
    }

    TEST_CASE("several threads may copy and drop references to one object") {
        alive = 1;
        {
            const Ref<Threaded> shared = Ref<Threaded>::adopt(new Threaded);
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; ++t) {
                threads.emplace_back([&shared] {
                    for (int i = 0; i < 1000; ++i) const Ref<Threaded> copy = shared;
                });
            }
            for (std::thread& thread : threads) thread.join();
            CHECK(alive == 1);
        }
        CHECK(alive == 0);
    }
}

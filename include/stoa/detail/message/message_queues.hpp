// The message queues of a world, by the number of their type, and the typed way to them. World::send, readers and the
// parameters of systems use it.
//
// Invariant: a queue stays where it is as long as its world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/message/message_queue.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa::detail {

class STOA_API MessageQueues {
  public:
    explicit MessageQueues(Registry& registry) noexcept : registry_key_(CachedNumber::key(&registry)) {}
    // Destroys all messages, in the order of the queues. Their destructors may look at the world, but not send.
    ~MessageQueues();
    MessageQueues(const MessageQueues&) = delete;
    MessageQueues& operator=(const MessageQueues&) = delete;

    // Null when there is none, and for a type whose number another registry has cached.
    MessageQueue* find(const ResourceHandle& type) const noexcept {
        const std::uint64_t number = type.cached_number.in(registry_key_);
        return number < count_ ? queues_[number] : nullptr;
    }
    MessageQueue& find_or_make(ResourceId id, const ResourceType& type);

    // As the functions of a queue.
    void end_frame() noexcept;
    void shrink() noexcept;
    std::size_t bytes() const noexcept;
    const char* check() const noexcept;

  private:
    MessageQueue** queues_ = nullptr;  // by resource id; null where a type has no queue
    std::uint64_t count_ = 0;
    std::uint64_t registry_key_;
    MessageQueue* first_ = nullptr;  // in order of creation
    MessageQueue* last_ = nullptr;
};

// The queue of a type, made when there is none. Throws Errc::world_gone, Errc::conflict inside par_each,
// std::bad_alloc; the message begins with `verb`.
STOA_API MessageQueue& make_message_queue(Store& store, ResourceHandle& type, const char* verb);

template <class T>
[[gnu::always_inline]] inline MessageQueue& message_queue(Store& store, const char* verb) {
    static_assert(is_message<T>());
    if (const MessageQueues* queues = store.rooms().messages.get()) [[likely]] {
        if (MessageQueue* queue = queues->find(message_handle<T>)) [[likely]]
            return *queue;
    }
    return make_message_queue(store, message_handle<T>, verb);
}

template <class V>
[[gnu::always_inline]] inline void send(Store& store, V&& value) {
    static_assert(!std::is_array_v<std::remove_reference_t<V>> && !std::is_function_v<std::remove_reference_t<V>>,
                  "a message is a plain object type, without const, reference or array");
    static_assert(std::is_constructible_v<std::decay_t<V>, V>, "a message that cannot be copied is sent by std::move");
    message_queue<std::decay_t<V>>(store, "send").template push<std::decay_t<V>>(std::forward<V>(value));
}

// For World, which does not know the queues.
STOA_API void end_frame_of_messages(Store& store) noexcept;
STOA_API void shrink_messages(Store& store) noexcept;
// Throws Errc::corrupt with the first invariant that does not hold.
STOA_API void check_messages(const Store& store);

}  // namespace stoa::detail

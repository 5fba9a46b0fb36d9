// The message queues of a world, by the number of their type, and the typed way to them. World::send, readers and the
// parameters of systems use it.
//
// Invariant: a queue stays where it is as long as its world, unless its type is forgotten.
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
    explicit MessageQueues(MessageTable& table) noexcept : table_(table) {}
    // Destroys all messages, in the order of the queues. Their destructors may look at the world, but not send.
    ~MessageQueues();
    MessageQueues(const MessageQueues&) = delete;
    MessageQueues& operator=(const MessageQueues&) = delete;

    // Throws std::bad_alloc.
    MessageQueue& find_or_make(ResourceId id, const ResourceType& type);

    // As the functions of a queue.
    void end_frame() noexcept;
    void shrink() noexcept;
    std::size_t bytes() const noexcept;
    const char* check() const noexcept;

    // Names messages of these types that are not dropped, and their readers. Throws std::bad_alloc.
    void name_uses(const LibraryTypes& types, UsesLeft& uses) const;
    // Destroys the queues of these types. Requires: name_uses names nothing.
    void forget_types(const LibraryTypes& types) noexcept;

  private:
    void make_table(std::uint64_t count);

    MessageTable& table_;            // owned; where a type has no queue, it has one without room
    MessageQueue* first_ = nullptr;  // in order of creation
    MessageQueue* last_ = nullptr;
};

// The queue of a type, made when there is none. Throws Errc::world_gone, Errc::conflict inside par_each,
// std::bad_alloc; the message begins with `verb`.
STOA_API MessageQueue& message_queue(Store& store, ResourceHandle& type, const char* verb);
// The same, with room for a message; throws also as MessageQueue::make_room.
STOA_API MessageQueue& message_queue_with_room(Store& store, ResourceHandle& type);

template <class T>
MessageQueue& message_queue(Store& store, const char* verb) {
    static_assert(is_message<T>());
    return message_queue(store, message_handle<T>, verb);
}

// One comparison checks both that the cached number belongs to the registry of this world and that a queue exists.
template <class T>
[[gnu::always_inline]] inline MessageQueue& ready_message_queue(Store& store) {
    static_assert(is_message<T>());
    const MessageTable& table = store.rooms().message_table;
    const std::uint64_t number = message_handle<T>.cached_number.in(store.types().key());
    if (number >= table.count || !table.queues[number]->has_room()) [[unlikely]]
        return message_queue_with_room(store, message_handle<T>);
    return *table.queues[number];
}

template <class V>
[[gnu::always_inline]] inline void send(Store& store, V&& value) {
    static_assert(!std::is_array_v<std::remove_reference_t<V>> && !std::is_function_v<std::remove_reference_t<V>>,
                  "a message is a plain object type, without const, reference or array");
    static_assert(std::is_constructible_v<std::decay_t<V>, V>, "a message that cannot be copied is sent by std::move");
    MessageQueue& queue = ready_message_queue<std::decay_t<V>>(store);
    queue.require_ready();
    queue.push<std::decay_t<V>>(std::forward<V>(value));
}

// For World, which does not know the queues.
STOA_API void end_frame_of_messages(Store& store) noexcept;
STOA_API void shrink_messages(Store& store) noexcept;
// Throws Errc::corrupt with the first invariant that does not hold.
STOA_API void check_messages(const Store& store);

}  // namespace stoa::detail

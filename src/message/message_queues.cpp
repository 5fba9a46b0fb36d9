// All message queues of a world: how they are made, the end of a frame, and their end with the world.
#include "stoa/detail/message/message_queues.hpp"

#include <algorithm>
#include <string>

#include "component/library_types.hpp"
#include "message/message_errors.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {
namespace {

// Stands in tables for queues that do not exist, and has no room. Each copy of the library has its own. It is never
// destroyed, as worlds with static storage duration may use it until the end of the process.
MessageQueue& no_queue() {
    static constexpr ResourceType no_type{};
    static auto* const queue = new MessageQueue(no_type);
    return *queue;
}

}  // namespace

MessageQueues::~MessageQueues() {
    delete[] table_.queues;
    table_ = {};
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->close();
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->destroy_dropped();
    while (MessageQueue* const queue = first_) {
        first_ = queue->next();
        delete queue;
    }
}

void MessageQueues::make_table(std::uint64_t count) {
    MessageQueue* const absent = &no_queue();
    auto* const queues = new MessageQueue*[count];
    std::fill(std::copy_n(table_.queues, table_.count, queues), queues + count, absent);
    delete[] table_.queues;
    table_ = {queues, count};
}

MessageQueue& MessageQueues::find_or_make(ResourceId id, const ResourceType& type) {
    const auto number = static_cast<std::uint32_t>(id);
    if (number >= table_.count) make_table(std::max<std::uint64_t>(number + 1, table_.count * 2));
    MessageQueue*& queue = table_.queues[number];
    if (queue->is_absent()) {
        auto* const made = new MessageQueue(type);
        last_ != nullptr ? last_->set_next(made) : void(first_ = made);
        last_ = queue = made;
    }
    return *queue;
}

void MessageQueues::end_frame() noexcept {
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->end_frame();
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->destroy_dropped();
}

void MessageQueues::shrink() noexcept {
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->shrink();
}

std::size_t MessageQueues::bytes() const noexcept {
    std::size_t sum = sizeof(*this) + sizeof(MessageQueue*) * table_.count;
    for (const MessageQueue* queue = first_; queue != nullptr; queue = queue->next())
        sum += sizeof(*queue) + queue->bytes();
    return sum;
}

void MessageQueues::name_uses(const LibraryTypes& types, UsesLeft& uses) const {
    for (std::uint32_t number = 0; number < table_.count; ++number) {
        const MessageQueue& queue = *table_.queues[number];
        if (queue.is_absent() || !types.has_resource(number)) continue;
        uses.add(queue.size(), "messages in ", queue.name());
        uses.add(queue.reader_count(), "readers of ", queue.name());
    }
}

void MessageQueues::forget_types(const LibraryTypes& types) noexcept {
    MessageQueue* before = nullptr;
    for (MessageQueue *queue = first_, *next = nullptr; queue != nullptr; queue = next) {
        next = queue->next();
        MessageQueue** const end = table_.queues + table_.count;
        MessageQueue** const entry = std::find(table_.queues, end, queue);
        if (!types.has_resource(static_cast<std::uint32_t>(entry - table_.queues))) {
            before = queue;
            continue;
        }
        *entry = &no_queue();
        before != nullptr ? before->set_next(next) : void(first_ = next);
        if (last_ == queue) last_ = before;
        queue->close();
        queue->destroy_dropped();  // its blocks; no message is left
        delete queue;
    }
}

const char* MessageQueues::check() const noexcept {
    std::ptrdiff_t listed = 0;
    for (const MessageQueue* queue = first_; queue != nullptr; queue = queue->next(), ++listed) {
        if (const char* fault = queue->check()) return fault;
    }
    const auto made = std::count_if(table_.queues, table_.queues + table_.count,
                                    [](const MessageQueue* queue) { return !queue->is_absent(); });
    return made == listed ? nullptr : "a message queue is not in the list of queues";
}

MessageQueue& message_queue(Store& store, ResourceHandle& type, const char* verb) {
    require_world(store, verb);
    if (thread_clock.piece != 0) fail_in_par_each(verb, *type.type);
    if (store.state().is_ending) fail_ending(verb, *type.type);
    RoomSlot<MessageQueues>& slot = store.rooms().messages;
    const ResourceId id = store.resources().id_of(type);
    if (slot.get() == nullptr) slot.set(new MessageQueues(store.rooms().message_table));
    return slot.get()->find_or_make(id, store.resources().use(id));
}

MessageQueue& message_queue_with_room(Store& store, ResourceHandle& type) {
    MessageQueue& queue = message_queue(store, type, "send");
    if (!queue.has_room()) queue.make_room();
    return queue;
}

void end_frame_of_messages(Store& store) noexcept {
    const Store::Lock lock(store);
    store.rooms().messages.get()->end_frame();
}

void shrink_messages(Store& store) noexcept {
    if (MessageQueues* queues = store.rooms().messages.get()) queues->shrink();
}

void check_messages(const Store& store) {
    const MessageQueues* queues = store.rooms().messages.get();
    const char* fault = queues != nullptr ? queues->check() : nullptr;
    if (fault != nullptr) raise(Errc::corrupt, std::string("check: ") + fault);
}

}  // namespace stoa::detail

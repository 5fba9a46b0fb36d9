// All message queues of a world: how they are made, the end of a frame, and their end with the world.
#include "stoa/detail/message/message_queues.hpp"

#include <algorithm>
#include <string>

#include "message/message_errors.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

MessageQueues::~MessageQueues() {
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->close();
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->destroy_dropped();
    while (MessageQueue* const queue = first_) {
        first_ = queue->next();
        delete queue;
    }
    delete[] queues_;
}

MessageQueue& MessageQueues::find_or_make(ResourceId id, const ResourceType& type) {
    const auto number = static_cast<std::uint32_t>(id);
    if (number >= count_) {
        const std::uint64_t count = std::max<std::uint64_t>(number + 1, count_ * 2);
        auto* const queues = new MessageQueue* [count] {};
        std::copy_n(queues_, count_, queues);
        delete[] std::exchange(queues_, queues);
        count_ = count;
    }
    if (queues_[number] == nullptr) {
        auto* const made = new MessageQueue(type);
        last_ != nullptr ? last_->set_next(made) : void(first_ = made);
        last_ = queues_[number] = made;
    }
    return *queues_[number];
}

void MessageQueues::end_frame() noexcept {
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->end_frame();
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->destroy_dropped();
}

void MessageQueues::shrink() noexcept {
    for (MessageQueue* queue = first_; queue != nullptr; queue = queue->next()) queue->shrink();
}

std::size_t MessageQueues::bytes() const noexcept {
    std::size_t sum = sizeof(*this) + sizeof(MessageQueue*) * count_;
    for (const MessageQueue* queue = first_; queue != nullptr; queue = queue->next())
        sum += sizeof(*queue) + queue->bytes();
    return sum;
}

const char* MessageQueues::check() const noexcept {
    std::ptrdiff_t listed = 0;
    for (const MessageQueue* queue = first_; queue != nullptr; queue = queue->next(), ++listed) {
        if (const char* fault = queue->check()) return fault;
    }
    const auto made =
        std::count_if(queues_, queues_ + count_, [](const MessageQueue* queue) { return queue != nullptr; });
    return made == listed ? nullptr : "a message queue is not in the list of queues";
}

MessageQueue& make_message_queue(Store& store, ResourceHandle& type, const char* verb) {
    require_world(store, verb);
    if (thread_clock.in_par_each) fail_in_par_each(verb, *type.type);
    if (store.state().is_ending) fail_ending(verb, *type.type);
    RoomSlot<MessageQueues>& slot = store.rooms().messages;
    const ResourceId id = store.resources().id_of(type);
    if (slot.get() == nullptr) slot.set(new MessageQueues(store.types().registry()));
    return slot.get()->find_or_make(id, *type.type);
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

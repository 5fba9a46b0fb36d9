// Messages: sending and reading, beside a std::vector that is filled, walked and cleared. Memory is warm on both sides.
// A system sends through its parameter, a program through its world. Listed by workloads.cpp.
#include "trials.hpp"
#include "workloads.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace bench {
namespace {

struct Hit {
    stoa::Entity target;
    std::uint32_t damage;
};

struct RawMessages {
    void send(const Hit& hit) { hits.push_back(hit); }
    std::uint64_t sum() const {
        std::uint64_t sum = 0;
        for (const Hit& hit : hits) {
            std::uint32_t damage = hit.damage;
            hide(damage);
            sum += damage;
        }
        return sum;
    }
    void end() { hits.clear(); }

    std::vector<Hit> hits;
};

struct StoaMessages {
    void send(const Hit& hit) { world.send(hit); }
    std::uint64_t sum() {
        std::uint64_t sum = 0;
        for (const Hit& hit : reader.read()) {
            std::uint32_t damage = hit.damage;
            hide(damage);
            sum += damage;
        }
        return sum;
    }
    void end() {
        reader.clear();
        world.end_frame();
    }

    stoa::World world;
    stoa::MessageReader<Hit> reader{world};
};

// The same, from inside a system.
struct SystemMessages : StoaMessages {
    void send(const Hit& hit) { sender.send(hit); }

    stoa::Messages<Hit> sender = stoa::detail::MessagesAccess::sender<Hit>(
        stoa::detail::message_queue<Hit>(stoa::detail::store_of(world, "send"), "send"));
};

template <class Messages>
struct Send {
    explicit Send(std::size_t n) : count(n) {}
    std::size_t operations() const { return count; }
    void build(Messages&) {}
    void prepare(Messages&) {}
    void run(Messages& messages) { send_all(messages, count); }
    std::uint64_t checksum(Messages& messages) { return messages.sum(); }
    void undo(Messages& messages) { messages.end(); }

    [[gnu::noinline]] static void send_all(Messages& messages, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) messages.send({stoa::Entity{}, static_cast<std::uint32_t>(i)});
    }

    std::size_t count;
};

template <class Messages>
struct Read : Send<Messages> {
    using Send<Messages>::Send;
    void prepare(Messages& messages) { this->send_all(messages, this->count); }
    void run(Messages& messages) {
        sum = messages.sum();
        keep(sum);
    }
    std::uint64_t checksum(Messages&) { return sum; }

    std::uint64_t sum = 0;
};

template <class Messages, template <class> class Body>
std::unique_ptr<Contender> make(std::size_t n) {
    return std::make_unique<Alternating<Messages, Body<Messages>>>(n);
}

}  // namespace

void add_message_workloads(std::vector<Workload>& list) {
    list.push_back({"message_send", usual_sizes, make<RawMessages, Send>, make<SystemMessages, Send>});
    list.push_back({"message_send_world", usual_sizes, make<RawMessages, Send>, make<StoaMessages, Send>});
    list.push_back({"message_read", usual_sizes, make<RawMessages, Read>, make<StoaMessages, Read>});
}

}  // namespace bench

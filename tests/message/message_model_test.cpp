// Random sends, reads and ends of frames, by readers that come, move and go, against a model of std::deque: every
// message with its age, and for each reader what it has not seen yet.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/build_kind.hpp"
#include "support/components.hpp"
#include "support/random.hpp"

using namespace stoa;

namespace {

struct Small {
    std::uint64_t number = 0;
};

std::uint64_t number_of(const Small& message) { return message.number; }
std::uint64_t number_of(const std::string& message) { return std::stoull(message); }
std::uint64_t number_of(const stoa_test::Wide& message) { return static_cast<std::uint64_t>(message.number); }

void send(World& world, std::uint64_t number, const Small*) { world.send(Small{number}); }
void send(World& world, std::uint64_t number, const std::string*) {
    world.send(std::string(30, '0') + std::to_string(number));
}
void send(World& world, std::uint64_t number, const stoa_test::Wide*) {
    world.send(stoa_test::Wide{static_cast<int>(number)});
}

// What one reader has not read: numbers, and how many ends of a frame each has seen.
struct Unread {
    struct Message {
        std::uint64_t number;
        int age = 0;
    };
    std::deque<Message> messages;
    std::size_t lost = 0;
    bool is_exempt = false;

    void end_frame() {
        if (std::exchange(is_exempt, false)) return;
        for (Message& message : messages) ++message.age;
        for (; !messages.empty() && messages.front().age == 2; messages.pop_front()) ++lost;
    }
};

template <class T>
struct Pair {
    MessageReader<T> reader;
    Unread unread;
};

template <class T>
void compare(Pair<T>& pair) {
    CHECK(pair.reader.size() == pair.unread.messages.size());
    CHECK(pair.reader.empty() == pair.unread.messages.empty());
    CHECK(pair.reader.lost() == pair.unread.lost);
}

template <class T>
class Model {
  public:
    explicit Model(std::uint64_t seed) : random_(seed) {}

    void run(std::uint64_t steps) {
        for (std::uint64_t step = 0; step < steps; ++step) {
            act();
            for (Pair<T>& pair : pairs_) compare(pair);
            world_->check();
        }
    }

  private:
    void act() {
        const std::uint32_t kind = random_.below(100);
        if (kind < 45) {
            const std::uint64_t count = random_.below(20) == 0 ? random_.below(3000) : random_.below(4);
            for (std::uint64_t i = 0; i < count; ++i) send_one();
        } else if (kind < 50) {
            pairs_.push_back({MessageReader<T>{*world_}, {}});
        } else if (kind < 75) {
            world_->end_frame();
            for (Pair<T>& pair : pairs_) pair.unread.end_frame();
        } else if (!pairs_.empty()) {
            act_on(kind, static_cast<std::size_t>(random_.below(static_cast<std::uint32_t>(pairs_.size()))));
        }
    }
    void act_on(std::uint32_t kind, std::size_t number) {
        Pair<T>& pair = pairs_[number];
        if (kind < 90) {
            read(pair);
        } else if (kind < 92) {
            pair.reader.clear();
            pair.unread.messages.clear();
        } else if (kind < 94) {
            detail::MessagesAccess::exempt(pair.reader);
            pair.unread.is_exempt = true;
        } else if (kind < 96) {
            std::swap(pair, pairs_.front());
        } else if (kind < 99) {
            pairs_.erase(pairs_.begin() + static_cast<std::ptrdiff_t>(number));
        } else {
            auto moved = std::make_unique<World>(std::move(*world_));
            world_ = std::move(moved);
        }
    }
    void send_one() {
        send(*world_, next_, static_cast<const T*>(nullptr));
        for (Pair<T>& pair : pairs_) pair.unread.messages.push_back({next_});
        ++next_;
    }
    // Sometimes sends in the midst of a loop.
    void read(Pair<T>& pair) {
        const bool sends = random_.below(4) == 0;
        const std::deque<Unread::Message> expected = std::exchange(pair.unread.messages, {});
        auto at = expected.begin();
        for (const T& message : pair.reader.read()) {
            REQUIRE(at != expected.end());
            REQUIRE(number_of(message) == at->number);
            ++at;
            if (sends && random_.below(3) == 0) send_one();
        }
        REQUIRE(at == expected.end());
    }

    stoa_test::Random random_;
    std::unique_ptr<World> world_ = std::make_unique<World>();
    std::deque<Pair<T>> pairs_;
    std::uint64_t next_ = 0;
};

}  // namespace

TEST_CASE("random messages agree with the model") {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        CAPTURE(seed);
        Model<Small>(seed).run(stoa_test::by_build(3000, 1000, 300));
        Model<std::string>(seed + 10).run(stoa_test::by_build(2000, 500, 200));
        Model<stoa_test::Wide>(seed + 20).run(stoa_test::by_build(1000, 500, 200));
    }
}

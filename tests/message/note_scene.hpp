// Systems that send and read messages of several types, some of which may run side by side. Each reader folds what it
// has read into a number that depends on the order. Used by the tests of messages, and by those with threads.
#pragma once

#include <stoa/stoa.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace message_test {

template <int N>
struct Note {
    std::uint64_t number = 0;
};
template <int N>
struct Sum {
    std::uint64_t value = 0;
};
struct Mark {
    std::uint64_t number = 0;
};

class NoteScene {
  public:
    // Serial without an executor.
    NoteScene(stoa::Executor* executor, std::uint64_t entities) {
        executor != nullptr ? static_cast<void>(schedule_.emplace(world_, *executor))
                            : static_cast<void>(schedule_.emplace(world_));
        for (std::uint64_t i = 0; i < entities; ++i) world_.spawn(Mark{i});
        world_.set_resource(Sum<0>{});
        world_.set_resource(Sum<1>{});
        world_.set_resource(Sum<2>{});
        stoa::Phase& logic = schedule_->add_phase("logic");
        add_senders<0>(logic);
        add_senders<1>(logic);
        logic.add("both", [](stoa::Messages<const Note<0>> in, stoa::Messages<Note<2>> out) {
            for (const Note<0>& note : in) out.send(Note<2>{note.number * 7});
        });
        add_reader<0>(logic);
        add_reader<1>(logic);
        add_reader<2>(logic);
    }

    void update() { schedule_->update(0.01); }
    stoa::World& world() { return world_; }
    std::vector<std::uint64_t> fingerprint() const {
        return {world_.resource<const Sum<0>>().value, world_.resource<const Sum<1>>().value,
                world_.resource<const Sum<2>>().value};
    }

  private:
    template <int N>
    static void add_senders(stoa::Phase& logic) {
        for (const std::string name : {"a", "b", "c"}) {
            const auto salt = static_cast<std::uint64_t>(name[0]);
            logic.add(name + std::to_string(N), [salt](stoa::Query<const Mark> all, stoa::Messages<Note<N>> notes) {
                all.each([&](const Mark& mark) { notes.send(Note<N>{salt * 100000 + mark.number}); });
            });
        }
    }
    template <int N>
    static void add_reader(stoa::Phase& logic) {
        logic.add("read" + std::to_string(N), [](stoa::Messages<const Note<N>> notes, stoa::Res<Sum<N>> sum) {
            for (const Note<N>& note : notes) sum->value = sum->value * 31 + note.number;
        });
    }

    stoa::World world_;
    std::optional<stoa::Schedule> schedule_;
};

}  // namespace message_test

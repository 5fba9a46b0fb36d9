// Guards that the number of threads does not show in messages. Run under ThreadSanitizer too.
#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include "message/note_scene.hpp"
#include "support/thread_executor.hpp"

TEST_CASE("any number of threads gives the same messages in the same order") {
#if defined(__SANITIZE_THREAD__)
    constexpr int frames = 10;
#else
    constexpr int frames = 30;
#endif
    constexpr std::uint64_t entities = 10000;  // enough work for several threads
    message_test::NoteScene serial(nullptr, entities);
    support::ThreadExecutor one(1), two(2), four(4), eight(8);
    message_test::NoteScene scenes[] = {{&one, entities}, {&two, entities}, {&four, entities}, {&eight, entities}};
    for (int frame = 0; frame < frames; ++frame) {
        serial.update();
        const auto expected = serial.fingerprint();
        for (message_test::NoteScene& scene : scenes) {
            scene.update();
            REQUIRE(scene.fingerprint() == expected);
            scene.world().check();
        }
    }
    CHECK(serial.fingerprint()[2] != 0);
}

TEST_CASE("readers on several threads read side by side") {
    stoa::World world;
    support::ThreadExecutor four(4);
    stoa::Schedule schedule{world, four};
    std::uint64_t sums[4] = {};
    stoa::Phase& logic = schedule.add_phase("logic");
    for (std::uint64_t& sum : sums) {
        logic.add("read" + std::to_string(&sum - sums), [&sum](stoa::Messages<const int> ints) {
            for (const int& value : ints) sum += static_cast<std::uint64_t>(value);
        });
    }
    for (int frame = 0; frame < 10; ++frame) {
        for (int i = 0; i < 100000; ++i) world.send(i);
        schedule.update(0.01);
    }
    for (const std::uint64_t sum : sums) CHECK(sum == 10 * std::uint64_t{4999950000});
}

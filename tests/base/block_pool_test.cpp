// Guards BlockPool as a class: blocks do not overlap and have their alignment, memory is counted and reused, and inside
// a NoFail scope the reserve is enough for what it was asked to hold.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/block_pool.hpp"
#include "support/fault_allocator.hpp"
#include "support/seeds.hpp"

using stoa::detail::BlockPool;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::Random;

namespace {

struct Block {
    std::byte* at;
    std::size_t bytes;
    std::size_t alignment;
    bool shared;
    std::uint8_t mark;
};

// Takes and gives back at random. Every block is filled with its mark, so an overlap is seen.
class Exercise {
  public:
    explicit Exercise(Random& random) : random_(random) {}

    void step() {
        if (random_.one_in(3) && !blocks_.empty()) return give(random_.below(count()));
        const bool shared = random_.one_in(2);
        const std::size_t alignment = std::size_t{1} << random_.between(4, 8);
        // Shared blocks come in few sizes; they hold a link while they are free.
        const std::size_t bytes = shared ? 64u << random_.below(3) : random_.between(1, 3000);
        void* const at = shared ? pool.take_shared(bytes, alignment) : pool.take(bytes, alignment);
        REQUIRE(reinterpret_cast<std::uintptr_t>(at) % alignment == 0);
        blocks_.push_back({static_cast<std::byte*>(at), bytes, alignment, shared, ++mark_});
        std::memset(at, mark_, bytes);
    }
    void give_all() {
        while (!blocks_.empty()) give(random_.below(count()));
    }

    BlockPool pool;

  private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(blocks_.size()); }
    void give(std::uint32_t index) {
        const Block block = blocks_[index];
        blocks_.erase(blocks_.begin() + index);
        REQUIRE(std::all_of(block.at, block.at + block.bytes,
                            [&](std::byte byte) { return byte == std::byte{block.mark}; }));
        block.shared ? pool.give_shared(block.at, block.bytes, block.alignment)
                     : pool.give(block.at, block.bytes, block.alignment);
    }

    Random& random_;
    std::vector<Block> blocks_;
    std::uint8_t mark_ = 0;
};

}  // namespace

TEST_SUITE("block pool") {
    TEST_CASE("blocks of all kinds keep their bytes while others come and go") {
        stoa_test::for_each_seed(5, [](Random& random) {
            Exercise exercise(random);
            for (int i = 0; i < 3000; ++i) exercise.step();
            exercise.give_all();
        });
    }

    TEST_CASE("single blocks are counted while they are out") {
        BlockPool pool;
        void* const one = pool.take(100, 16);
        void* const two = pool.take(50, 64);
        CHECK(pool.bytes_reserved() == 150);
        pool.give(one, 100, 16);
        CHECK(pool.bytes_reserved() == 50);
        pool.give(two, 50, 64);
        pool.give(nullptr, 10, 16);
        CHECK(pool.bytes_reserved() == 0);
    }

    TEST_CASE("shared blocks are used again, and trim gives back slabs without one in use") {
        BlockPool pool;
        std::vector<void*> blocks;
        for (int i = 0; i < 100; ++i) blocks.push_back(pool.take_shared(4096, 64));
        const std::size_t peak = pool.bytes_reserved();
        const std::uint64_t allocations = stoa_test::allocations_of_thread();
        for (int round = 0; round < 3; ++round) {
            for (void* block : blocks) pool.give_shared(block, 4096, 64);
            for (void*& block : blocks) block = pool.take_shared(4096, 64);
        }
        CHECK(stoa_test::allocations_of_thread() == allocations);
        CHECK(pool.bytes_reserved() == peak);
        void* const last = blocks.back();
        blocks.pop_back();
        for (void* block : blocks) pool.give_shared(block, 4096, 64);
        pool.trim();
        CHECK(pool.bytes_reserved() < peak);
        CHECK(pool.bytes_reserved() >= 4096);
        pool.give_shared(last, 4096, 64);
        pool.trim();
        CHECK(pool.bytes_reserved() < 4096);
    }

    TEST_CASE("without memory a take throws, and a try_take returns null") {
        BlockPool pool;
        pool.keep_reserve(1000);
        const std::size_t reserved = pool.bytes_reserved();
        const AllocationFaults faults(0, FaultMode::persistent);
        CHECK_THROWS_AS(pool.take(100, 16), std::bad_alloc);
        CHECK_THROWS_AS(pool.take_shared(100, 16), std::bad_alloc);
        CHECK(pool.try_take(100, 16) == nullptr);
        CHECK(pool.bytes_reserved() == reserved);
        CHECK(!pool.in_no_fail());
    }

    TEST_CASE("in a NoFail scope the reserve serves as many bytes as it was asked to keep") {
        BlockPool pool;
        pool.keep_reserve(50'000);
        std::vector<void*> blocks;
        blocks.reserve(50);
        {
            const AllocationFaults faults(0, FaultMode::persistent);
            const BlockPool::NoFail scope(pool);
            CHECK(pool.in_no_fail());
            for (int i = 0; i < 50; ++i) {
                blocks.push_back(pool.take(1000, 16));
                std::memset(blocks.back(), i, 1000);
            }
            CHECK(pool.try_take(10, 16) == nullptr);  // never from the reserve
            pool.keep_reserve(1'000'000);             // not now
        }
        for (int i = 0; i < 50; ++i) {
            const auto* const bytes = static_cast<std::byte*>(blocks[static_cast<std::size_t>(i)]);
            CHECK(bytes[0] == std::byte(i));
            CHECK(bytes[999] == std::byte(i));
        }
        // The reserve is filled up beside the blocks that still live in the old one.
        pool.keep_reserve(50'000);
        {
            const AllocationFaults faults(0, FaultMode::persistent);
            const BlockPool::NoFail scope(pool);
            void* const more = pool.take(50'000, 16);
            pool.give(more, 50'000, 16);
        }
        for (void* block : blocks) pool.give(block, 1000, 16);
        pool.keep_reserve(50'000);
        CHECK(pool.bytes_reserved() >= 50'000);
        CHECK(pool.bytes_reserved() < 200'000);
    }

    TEST_CASE("a reserve whose blocks have all come back is used from its start again") {
        BlockPool pool;
        pool.keep_reserve(40'000);
        const AllocationFaults faults(0, FaultMode::persistent);
        const BlockPool::NoFail scope(pool);
        for (int round = 0; round < 20; ++round) {
            void* const block = pool.take(40'000, 64);
            pool.give(block, 40'000, 64);
        }
    }
}

// Guards the arrays in pages: elements keep their address and value while the array grows, gaps take no memory, and
// cells have the size and the alignment that was asked for.

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "stoa/detail/base/paged_array.hpp"
#include "support/seeds.hpp"

using stoa::detail::PagedArray;
using stoa::detail::PagedCells;
using stoa_test::Random;

TEST_SUITE("paged array") {
    TEST_CASE("it agrees with a map, and elements stay where they are") {
        stoa_test::for_each_seed(5, [](Random& random) {
            PagedArray<std::uint64_t, 4> array;
            std::map<std::uint32_t, std::pair<std::uint64_t*, std::uint64_t>> model;
            for (int step = 0; step < 500; ++step) {
                const std::uint32_t index = random.below(random.one_in(4) ? 5000 : 100);
                std::uint64_t& element = array.prepare(index);
                element = random.next();
                model[index] = {&element, element};
            }
            for (const auto& [index, known] : model) {
                REQUIRE(array.find(index) == known.first);
                REQUIRE(array[index] == known.second);
            }
            for (std::uint32_t index = 0; index < 6000; ++index) {
                REQUIRE(array.contains(index) == (array.find(index) != nullptr));
                if (array.contains(index) && !model.contains(index)) REQUIRE(array[index] == 0);
            }
        });
    }

    TEST_CASE("only pages in use take memory") {
        PagedArray<std::uint32_t, 8> array;
        CHECK(array.bytes() == 0);
        CHECK(!array.contains(0));
        array.prepare(1000);
        CHECK(array.bytes() == 256 * 4 + 4 * sizeof(void*));
        CHECK(!array.contains(767));
        CHECK(array.contains(768));
        CHECK(array.contains(1023));
        CHECK(!array.contains(1024));
        int pages = 0;
        array.for_each_page([&](std::uint32_t first, const std::uint32_t*) {
            ++pages;
            CHECK(first == 768);
        });
        CHECK(pages == 1);
        array.reset();
        CHECK(array.bytes() == 0);
    }

    TEST_CASE("moving takes the pages along") {
        PagedArray<int, 2> from;
        from.prepare(9) = 3;
        PagedArray<int, 2> to;
        to.prepare(1);
        to = std::move(from);
        CHECK(to[9] == 3);
        CHECK(!to.contains(1));
        CHECK(!from.contains(9));
    }

    TEST_CASE("cells have their size and alignment, and stay where they are") {
        for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, std::size_t{4096}}) {
            const std::size_t size = alignment == 1 ? 13 : alignment;
            PagedCells cells(size, alignment, 3);
            CHECK(cells.capacity() == 0);
            std::vector<std::byte*> known;
            for (std::uint32_t i = 0; i < 200; ++i) {
                cells.reserve(i + 1);
                known.push_back(cells[i]);
                std::memset(cells[i], static_cast<int>(i), size);
            }
            CHECK(cells.capacity() == 200);
            CHECK(cells.bytes() == 200 * size);
            for (std::uint32_t i = 0; i < 200; ++i) {
                REQUIRE(cells[i] == known[i]);
                REQUIRE(cells.cell(i, size, 3) == known[i]);
                REQUIRE(reinterpret_cast<std::uintptr_t>(known[i]) % alignment == 0);
                REQUIRE(known[i][0] == std::byte(i));
                REQUIRE(known[i][size - 1] == std::byte(i));
            }
        }
    }
}

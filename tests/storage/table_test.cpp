// Guards Table as a class: its column map agrees with its set of components, the columns of a chunk are aligned and do
// not overlap, and values keep their bytes while the first chunk grows. ChunkDirectory is compared with a set.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "stoa/detail/storage/chunk_directory.hpp"
#include "stoa/detail/storage/table.hpp"
#include "storage/component_set.hpp"
#include "support/seeds.hpp"

using stoa::ComponentId;
using stoa::Entity;
using stoa::detail::BlockPool;
using stoa::detail::Chunk;
using stoa::detail::ChunkDirectory;
using stoa::detail::ChunkNumber;
using stoa::detail::Column;
using stoa::detail::ColumnAt;
using stoa::detail::component_type;
using stoa::detail::ComponentSet;
using stoa::detail::ComponentType;
using stoa::detail::Table;
using stoa::detail::Tick;
using stoa_test::Random;

namespace {

// A set of made-up components: bytes of many sizes and alignments, and tags.
class Components {
  public:
    Components(BlockPool& pool, Random& random, std::uint32_t ids) : pool_(pool) {
        const std::uint32_t count = random.below(12);
        std::set<std::uint32_t> chosen;
        while (chosen.size() < std::min(count, ids)) chosen.insert(random.below(ids));
        set.reserve(pool, count);
        for (const std::uint32_t id : chosen) {
            ComponentType type = component_type<char>;
            type.alignment = random.one_in(8) ? 1u << random.below(13) : 1u << random.below(4);
            type.size = random.one_in(4) ? 0 : type.alignment * random.between(1, type.alignment < 64 ? 6 : 2);
            types_.push_back(type);
            set.push(ComponentId{id}, types_.back());
        }
    }
    ~Components() { set.free(pool_); }

    ComponentSet set;

  private:
    BlockPool& pool_;
    std::deque<ComponentType> types_;
};

void check_map(const Table& table, const ComponentSet& set, std::uint32_t ids) {
    std::uint64_t digest = 0;
    std::uint32_t present = 0;
    std::uint32_t columns = 0;
    for (std::uint32_t id = 0; id < ids + 100; ++id) {
        const bool expected = present < set.size() && set.ids[present] == ComponentId{id};
        REQUIRE(table.has(ComponentId{id}) == expected);
        REQUIRE(table.map().find(ComponentId{id}).offset == table.find(ComponentId{id}).offset);
        if (!expected) continue;
        REQUIRE(table.find(ComponentId{id}).tick_index == stoa::detail::tick_index_of(present));
        REQUIRE(&table.type(present) == set.types[present]);
        if (set.types[present]->size != 0) {
            REQUIRE(table.columns()[columns].id == ComponentId{id});
            REQUIRE(table.columns()[columns++].offset == table.find(ComponentId{id}).offset);
        }
        digest |= stoa::detail::digest_of(ComponentId{id});
        ++present;
    }
    REQUIRE(present == table.id_count());
    REQUIRE(columns == table.column_count());
    REQUIRE(digest == table.digest());
}

// Each column, the entities before them and the ticks behind them have bytes of their own.
void check_layout(const Table& table, const Chunk& chunk) {
    REQUIRE(reinterpret_cast<std::uintptr_t>(chunk.base) % table.alignment() == 0);
    std::size_t end = sizeof(Entity) * table.chunk_rows();
    for (const Column& column : table.columns()) {
        REQUIRE(column.offset >= end);
        REQUIRE(column.offset % 64 == 0);
        REQUIRE(column.offset % column.type->alignment == 0);
        end = column.offset + std::size_t{column.size} * table.chunk_rows();
    }
    REQUIRE(table.ticks_offset() >= end);
    REQUIRE(table.ticks_offset() + sizeof(Tick) * (1 + table.id_count()) <= table.chunk_bytes());
    REQUIRE(table.chunk_bytes() == table.chunk_bytes_for(table.chunk_rows()));
}

void write_row(const Table& table, const Chunk& chunk, std::uint32_t row) {
    for (const Column& column : table.columns()) {
        std::memset(chunk.base + column.offset + std::size_t{row} * column.size, static_cast<int>(row + column.size),
                    column.size);
    }
}

void check_rows(const Table& table, const Chunk& chunk) {
    for (std::uint32_t row = 0; row < table.tail_rows(); ++row) {
        REQUIRE(stoa::detail::entities(chunk.base)[row] == Entity::from_bits(row + 1));
        for (const Column& column : table.columns()) {
            const std::byte* const cell = chunk.base + column.offset + std::size_t{row} * column.size;
            const auto expected = static_cast<std::byte>(row + column.size);
            REQUIRE(std::all_of(cell, cell + column.size, [&](std::byte byte) { return byte == expected; }));
        }
    }
}

}  // namespace

TEST_SUITE("table") {
    TEST_CASE("its map agrees with its set, also for ids that have no entry") {
        stoa_test::for_each_seed(20, [](Random& random) {
            BlockPool pool;
            for (const std::uint32_t ids : {20u, 70u, 1500u}) {
                const Components components(pool, random, ids);
                Table& table = Table::make(pool, components.set, Table::Block(components.set, random.below(ids)),
                                           {false, random.next(), 1});
                check_map(table, components.set, ids);
                table.destroy(pool);
            }
        });
    }

    TEST_CASE("columns do not overlap, and values move along when the first chunk grows") {
        stoa_test::for_each_seed(20, [](Random& random) {
            BlockPool pool;
            {
                const Components components(pool, random, 40);
                Table& table = Table::make(pool, components.set, Table::Block(components.set, 40), {false, 0, 1});
                REQUIRE(table.full_rows() >= 8);
                table.reserve_chunk_numbers(pool, 1);
                table.push_chunk(ChunkNumber{0});
                Chunk chunk{nullptr, &table.map(), nullptr, nullptr};
                for (std::uint32_t rows = 8; rows <= table.full_rows(); rows *= 2) {
                    const std::uint32_t version = table.layout_version();
                    table.grow_first_chunk(pool, chunk, rows, 5);
                    table.set_tail(0, table.tail_rows(), chunk);
                    REQUIRE(table.layout_version() != version);
                    REQUIRE(table.chunk_rows() == rows);
                    check_layout(table, chunk);
                    check_map(table, components.set, 40);
                    check_rows(table, chunk);
                    while (table.has_room()) {
                        write_row(table, chunk, table.tail_rows());
                        table.append(Entity::from_bits(table.tail_rows() + 1), 6);
                    }
                    check_rows(table, chunk);
                }
                REQUIRE(table.has_full_chunks());
                table.give_block(pool, chunk.base);
                table.pop_chunk();
                table.forget_chunks();
                table.destroy(pool);
            }
            pool.trim();
        });
    }

    TEST_CASE("a chunk directory gives each number to one chunk at a time") {
        stoa_test::for_each_seed(5, [](Random& random) {
            BlockPool pool;
            ChunkDirectory directory;
            std::map<ChunkNumber, std::byte*> model;
            std::byte bytes[64];
            for (int step = 0; step < 2000; ++step) {
                if (random.one_in(2) && !model.empty()) {
                    const auto at = std::next(model.begin(), random.below(static_cast<std::uint32_t>(model.size())));
                    REQUIRE(directory[at->first].base == at->second);
                    directory.give(at->first);
                    REQUIRE(directory[at->first].base == nullptr);
                    model.erase(at);
                } else {
                    directory.prepare(pool);
                    std::byte* const base = &bytes[random.below(64)];
                    const ChunkNumber number = directory.take({base, nullptr, nullptr, nullptr});
                    REQUIRE(directory.contains(number));
                    REQUIRE(model.emplace(number, base).second);
                    REQUIRE(index_of(number) <= model.size() + 2000);
                }
                REQUIRE(directory.in_use() == model.size());
            }
            for (const auto& [number, base] : model) REQUIRE(directory[number].base == base);
            for (const auto& [number, base] : model) directory.give(number);
            directory.free(pool);
            CHECK(pool.bytes_reserved() == 0);
        });
    }
}

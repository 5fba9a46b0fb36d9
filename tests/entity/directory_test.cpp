// Guards Directory as a class, against a naive model: every operation in random order, with reserved ids, ghosts and
// ids that are returned late. The model knows for each index which handle is alive and where; check() is asked after
// each step.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <new>
#include <vector>

#include "base/block_pool.hpp"
#include "stoa/detail/entity/directory.hpp"
#include "stoa/error.hpp"
#include "support/seeds.hpp"

using stoa::Entity;
using stoa::detail::Directory;
using stoa::detail::IdBlock;
using stoa::detail::Location;
using stoa_test::Random;

namespace {

IdBlock* block_of(const std::vector<Entity>& ids) {
    void* const memory = stoa::detail::new_block(IdBlock::header + ids.size() * sizeof(Entity), IdBlock::alignment);
    auto* const block = ::new (memory) IdBlock;
    block->count = static_cast<std::uint32_t>(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ::new (&block->ids()[i]) Entity(ids[i]);
    return block;
}

class Model {
  public:
    Model(Random& random, const stoa::WorldOptions& options) : random_(random), directory_(options) {}

    void step() {
        switch (random_.below(10)) {
            case 0:
            case 1:
            case 2:
                return spawn();
            case 3:
                return spawn_many();
            case 4:
            case 5:
                return despawn();
            case 6:
                return make_ghost();
            case 7:
                return release_ghost();
            case 8:
                return reserve();
            case 9:
                return end_reservation();
        }
    }

    void check() const {
        const char* const fault = directory_.check();
        INFO("invariant: " << (fault != nullptr ? fault : "holds"));
        REQUIRE(fault == nullptr);
        REQUIRE(directory_.living() == alive_.size());
        REQUIRE(directory_.ghosts() == ghosts_.size());
        for (const auto& [entity, at] : alive_) {
            Location found;
            const bool is_there = directory_.find(entity, found) && found.bits == at.bits &&
                                  directory_.location(entity.index()).bits == at.bits;
            REQUIRE(is_there);
            REQUIRE(!directory_.maybe_ghost(entity));
        }
        for (const auto& [entity, at] : ghosts_) {
            REQUIRE(directory_.maybe_ghost(entity));
            REQUIRE(!directory_.alive(entity));
            REQUIRE(directory_.location(entity.index()).bits == at.bits);
        }
        const auto is_alive = [&](Entity entity) { return directory_.alive(entity); };
        REQUIRE(std::none_of(dead_.begin(), dead_.end(), is_alive));
        REQUIRE(std::none_of(reserved_.begin(), reserved_.end(), is_alive));
    }

  private:
    using Entities = std::map<Entity, Location>;

    Location some_location() {
        return Location::of(stoa::detail::ChunkNumber{random_.below(1000)}, random_.below(Location::max_rows));
    }
    Entities::iterator some_of(Entities& from) {
        return std::next(from.begin(), random_.below(static_cast<std::uint32_t>(from.size())));
    }
    // A handle that is new to everyone.
    void born(Entity entity) {
        REQUIRE(entity);
        REQUIRE(!alive_.contains(entity));
        REQUIRE(!ghosts_.contains(entity));
        REQUIRE(std::find(dead_.begin(), dead_.end(), entity) == dead_.end());
        REQUIRE(std::find(reserved_.begin(), reserved_.end(), entity) == reserved_.end());
    }
    void died(Entity entity) {
        dead_.push_back(entity);
        if (dead_.size() > 200) dead_.erase(dead_.begin(), dead_.begin() + 100);
    }

    void spawn() {
        if (!directory_.ready()) directory_.prepare(1);
        const std::uint32_t index = directory_.next_index();
        const Entity next = directory_.next_entity();
        const Location at = some_location();
        const Entity entity = directory_.take(at);
        REQUIRE(entity == next);
        REQUIRE(entity.index() == index);
        born(entity);
        alive_[entity] = at;
    }
    void spawn_many() {
        const std::uint32_t count = random_.below(20);
        directory_.prepare(count);
        std::vector<Entity> out(count);
        std::vector<std::uint32_t> indices;
        std::uint32_t index = directory_.next_index();
        for (std::uint32_t i = 0; i < count; ++i, index = directory_.index_after(index)) indices.push_back(index);
        const Location first = Location::of(stoa::detail::ChunkNumber{random_.below(1000)}, 0);
        directory_.take_many(first, count, out.data());
        for (std::uint32_t i = 0; i < count; ++i) {
            REQUIRE(out[i].index() == indices[i]);
            born(out[i]);
            alive_[out[i]] = {first.bits + i};
        }
    }
    void despawn() {
        if (alive_.empty()) return;
        const auto at = some_of(alive_);
        directory_.release(at->first.index());
        died(at->first);
        alive_.erase(at);
    }
    void make_ghost() {
        if (alive_.empty()) return;
        const auto at = some_of(alive_);
        directory_.make_ghost(at->first.index());
        const Location to = some_location();
        directory_.move(at->first, {to.bits | Location::dead});
        ghosts_[at->first] = to;
        alive_.erase(at);
    }
    void release_ghost() {
        if (ghosts_.empty()) return;
        const auto at = some_of(ghosts_);
        directory_.release_ghost(at->first.index());
        died(at->first);
        ghosts_.erase(at);
    }
    void reserve() {
        const std::uint32_t count = random_.between(1, 4);
        for (std::uint32_t i = 0; i < count; ++i) {
            const Entity entity = directory_.reserve();
            born(entity);
            reserved_.push_back(entity);
        }
    }
    void end_reservation() {
        if (reserved_.empty()) return;
        const std::uint32_t at = random_.below(static_cast<std::uint32_t>(reserved_.size()));
        const Entity entity = reserved_[at];
        reserved_.erase(reserved_.begin() + at);
        if (random_.one_in(4)) {
            IdBlock* const block = block_of({entity});
            died(entity);
            return directory_.give_back_later(block, block);
        }
        directory_.settle();
        if (random_.one_in(3)) {
            directory_.give_back(entity);
            return died(entity);
        }
        const Location to = some_location();
        directory_.use_reserved(entity, to);
        alive_[entity] = to;
    }

    Random& random_;
    Directory directory_;
    Entities alive_;
    Entities ghosts_;
    std::vector<Entity> reserved_;
    std::vector<Entity> dead_;
};

}  // namespace

TEST_SUITE("directory") {
    TEST_CASE("it agrees with a model") {
        stoa_test::for_each_seed(10, [](Random& random) {
            Model model(random, {});
            for (int i = 0; i < 1500; ++i) {
                model.step();
                if (i % 23 == 0) model.check();
            }
            model.check();
        });
    }

    TEST_CASE("it agrees with a model while generations end") {
        stoa_test::for_each_seed(10, [](Random& random) {
            Model model(random, {.first_generation = 0xfffffffd, .tagged = random.one_in(2)});
            for (int i = 0; i < 1500; ++i) {
                model.step();
                if (i % 23 == 0) model.check();
            }
            model.check();
        });
    }

    TEST_CASE("indices are used again in the order in which they were freed") {
        Directory directory({});
        directory.prepare(5);
        std::vector<Entity> entities;
        for (std::uint32_t i = 0; i < 5; ++i)
            entities.push_back(directory.take(Location::of(stoa::detail::ChunkNumber{0}, i)));
        for (const std::uint32_t index : {3u, 0u, 4u}) directory.release(index);
        for (const std::uint32_t index : {3u, 0u, 4u, 5u}) {
            if (!directory.ready()) directory.prepare(1);
            const Entity entity = directory.take({});
            CHECK(entity.index() == index);
            CHECK(entity.generation() == (index < 5 ? 2 : 1));
        }
    }

    TEST_CASE("the limit counts living and reserved entities, and not retired indices") {
        Directory directory({.max_entities = 3, .first_generation = 0xffffffff});
        directory.prepare(2);
        const Entity first = directory.take({});
        directory.take({});
        directory.reserve();
        CHECK_THROWS_AS(directory.reserve(), stoa::Error);
        CHECK_THROWS_AS(directory.prepare(1), stoa::Error);
        directory.release(first.index());  // its last generation: the index is retired, and another one may be used
        directory.prepare(1);
        CHECK(directory.take({}).index() == 3);
        CHECK_THROWS_AS(directory.prepare(1), stoa::Error);
        CHECK(directory.check() == nullptr);
    }

    TEST_CASE("a reservation that is cancelled at once leaves no trace") {
        Directory directory({});
        directory.prepare(3);
        for (std::uint32_t i = 0; i < 3; ++i) directory.take(Location::of(stoa::detail::ChunkNumber{0}, i));
        directory.release(1);
        for (int i = 0; i < 3; ++i) {
            const Entity used_before = directory.reserve();
            CHECK(used_before == Entity::from_bits((std::uint64_t{2} << 32) | 1));
            directory.settle();
            directory.cancel_reserved(used_before);
        }
        CHECK(directory.take({}).index() == 1);
        for (int i = 0; i < 3; ++i) {
            const Entity fresh = directory.reserve();
            CHECK(fresh == Entity::from_bits((std::uint64_t{1} << 32) | 3));
            directory.settle();
            directory.cancel_reserved(fresh);
        }
        CHECK(directory.size() == 3);
        CHECK(directory.check() == nullptr);
    }

    TEST_CASE("returned ids are reserved again with the next generation, first returned first") {
        Directory directory({});
        std::vector<Entity> ids;
        for (int i = 0; i < 6; ++i) ids.push_back(directory.reserve());
        IdBlock* const first = block_of({ids[4], ids[2]});
        IdBlock* const second = block_of({ids[5]});
        directory.give_back_later(first, first);
        directory.give_back_later(second, second);
        for (const std::size_t index : {4u, 2u, 5u}) {
            const Entity again = directory.reserve();
            CHECK(again.index() == ids[index].index());
            CHECK(again.generation() == 2);
        }
        CHECK(directory.reserve().index() == 6);
        directory.settle();
        CHECK(directory.size() == 7);
        CHECK(directory.check() == nullptr);
    }

    TEST_CASE("entries keep their values while the array grows, also where it moves to address space of its own") {
        Directory directory({});
        constexpr std::uint32_t count = 100'000;
        for (std::uint32_t i = 0; i < count; ++i) {
            if (!directory.ready()) directory.prepare(1);
            directory.take({i});
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            REQUIRE(directory.location(i).bits == i);
            REQUIRE(directory.alive(Entity::from_bits((std::uint64_t{1} << 32) | i)));
        }
        CHECK(directory.bytes() >= count * 8);
        CHECK(directory.check() == nullptr);
    }
}

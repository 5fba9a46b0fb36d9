// Guards RemovedLog as a class, against a list: the newest entry of an owner is found, cells never move, forgotten
// cells are handed out oldest first, and lack of memory refuses an entry without changing anything.

#include <doctest/doctest.h>

#include <cstdint>
#include <new>
#include <unordered_map>
#include <vector>

#include "storage/removed_log.hpp"
#include "support/fault_allocator.hpp"
#include "support/seeds.hpp"

using stoa::ComponentId;
using stoa::Entity;
using stoa::detail::BlockPool;
using stoa::detail::component_type;
using stoa::detail::RemovedLog;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::Random;

namespace {

struct Bytes {
    std::uint64_t number;
    std::uint64_t more[3];
};
struct Owner {
    Owner(Owner&&) noexcept {}
    ~Owner() {}
};
struct Unmovable {
    static constexpr stoa::Traits stoa_traits{.storage = stoa::Storage::sparse};
    Unmovable() = default;
    Unmovable(const Unmovable&) = delete;
    int value = 0;
};
struct Tag {};

Entity owner_of(std::uint32_t number) { return Entity::from_bits((std::uint64_t{1 + number % 3} << 32) | number); }

// The log, and the same as a list.
class Model {
  public:
    explicit Model(Random& random) : random_(random), log_(pool_, ComponentId{1}, component_type<Bytes>) {}
    ~Model() { forget(); }

    void add(std::uint32_t owners) {
        void* const cell = log_.open();
        REQUIRE(cell != nullptr);
        REQUIRE(log_.open() == cell);  // nothing has changed before the commit
        const Entity owner = owner_of(random_.below(owners));
        ::new (cell) Bytes{++numbers_, {}};
        log_.commit(owner);
        cells_.push_back(cell);
        newest_[owner.bits()] = cell;
    }
    void check(std::uint32_t owners) const {
        REQUIRE(log_.check() == nullptr);
        REQUIRE(log_.size() == cells_.size());
        for (std::uint32_t number = 0; number < owners; ++number) {
            const auto known = newest_.find(owner_of(number).bits());
            REQUIRE(log_.find(owner_of(number)) == (known == newest_.end() ? nullptr : known->second));
        }
        for (std::size_t i = 0; i < cells_.size(); ++i) REQUIRE(number_at(cells_[i]) == first_ + i);
    }
    void forget() {
        log_.forget();
        REQUIRE(log_.size() == 0);
        for (const auto& [bits, cell] : newest_) REQUIRE(log_.find(Entity::from_bits(bits)) == nullptr);
        std::size_t seen = 0;
        log_.take_out([&](const void* first, std::uint32_t count) {
            for (std::uint32_t i = 0; i < count; ++i) {
                const void* const cell = static_cast<const Bytes*>(first) + i;
                REQUIRE(seen < cells_.size());
                REQUIRE(cell == cells_[seen++]);
            }
        });
        REQUIRE(seen == cells_.size());
        cells_.clear();
        newest_.clear();
        first_ = numbers_ + 1;
    }
    RemovedLog& log() { return log_; }
    BlockPool& pool() { return pool_; }

  private:
    // Safe: every cell in the list holds Bytes.
    static std::uint64_t number_at(const void* cell) { return static_cast<const Bytes*>(cell)->number; }

    Random& random_;
    BlockPool pool_;
    RemovedLog log_;
    std::vector<void*> cells_;
    std::unordered_map<std::uint64_t, const void*> newest_;
    std::uint64_t numbers_ = 0;
    std::uint64_t first_ = 1;  // the number of the oldest entry
};

}  // namespace

TEST_SUITE("removed log") {
    TEST_CASE("it agrees with a list, in long frames and in short ones") {
        stoa_test::for_each_seed(5, [](Random& random) {
            Model model(random);
            for (int frame = 0; frame < 30; ++frame) {
                const std::uint32_t owners = random.one_in(2) ? 10 : 3000;
                const std::uint32_t entries = random.below(random.one_in(4) ? 3000 : 60);
                for (std::uint32_t i = 0; i < entries; ++i) model.add(owners);
                model.check(owners);
                if (random.one_in(5)) model.log().shrink();
                model.check(owners);
                model.forget();
                model.check(owners);
            }
            model.log().shrink();
            CHECK(model.pool().bytes_reserved() == 0);
        });
    }

    TEST_CASE("a frame like the one before needs no memory") {
        stoa_test::for_each_seed(1, [](Random& random) {
            Model model(random);
            for (int i = 0; i < 500; ++i) model.add(100);
            model.forget();
            const std::size_t reserved = model.pool().bytes_reserved();
            for (int i = 0; i < 500; ++i) model.add(100);
            CHECK(model.pool().bytes_reserved() == reserved);
        });
    }

    TEST_CASE("without memory an entry is refused and the others stay") {
        stoa_test::for_each_seed(1, [](Random& random) {
            Model model(random);
            int refused = 0;
            for (int i = 0; i < 300; ++i) {
                {
                    const AllocationFaults faults(0, FaultMode::persistent);
                    if (model.log().open() == nullptr) ++refused;
                }
                model.check(50);
                model.add(50);
            }
            CHECK(refused > 2);
        });
    }

    TEST_CASE("how a value gets into a log depends on its type") {
        BlockPool pool;
        const auto how = [&](const stoa::detail::ComponentType& type) {
            return RemovedLog(pool, ComponentId{0}, type).how();
        };
        CHECK(how(component_type<Tag>) == RemovedLog::How::copied);
        CHECK(how(component_type<Bytes>) == RemovedLog::How::copied);
        CHECK(how(component_type<Owner>) == RemovedLog::How::moved);
        CHECK(how(component_type<Unmovable>) == RemovedLog::How::parked);
    }
}

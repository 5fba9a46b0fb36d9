// Guards SparseSet as a class, against a map: values keep their address from insertion to removal, slots are handed out
// as announced, and parked values stay until they are released. check() is asked after each step.

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <new>
#include <vector>

#include "stoa/detail/storage/sparse_set.hpp"
#include "support/fault_allocator.hpp"
#include "support/seeds.hpp"

using stoa::ComponentId;
using stoa::Entity;
using stoa::detail::component_type;
using stoa::detail::SparseSet;
using stoa::detail::SparseSlot;
using stoa_test::AllocationFaults;
using stoa_test::FaultMode;
using stoa_test::Random;

namespace {

struct Value {
    std::uint64_t number;
    std::uint64_t more[2];
};

Entity entity_at(std::uint32_t index, std::uint32_t generation) {
    return Entity::from_bits((std::uint64_t{generation} << 32) | index);
}

class Model {
  public:
    explicit Model(Random& random) : random_(random), set_(ComponentId{3}, component_type<Value>, 0) {}

    void step() {
        switch (random_.below(6)) {
            case 0:
            case 1:
            case 2:
                return insert();
            case 3:
                return erase();
            case 4:
                return random_.one_in(2) ? park() : replace();
            case 5:
                return release();
        }
    }
    void erase_all() {
        while (!values_.empty()) erase();
        while (!parked_.empty()) release();
    }

    void check() const {
        const char* const fault = set_.check();
        INFO("invariant: " << (fault != nullptr ? fault : "holds"));
        REQUIRE(fault == nullptr);
        REQUIRE(set_.size() == values_.size());
        for (const auto& [entity, known] : values_) {
            const SparseSlot slot = set_.slot_of(entity);
            REQUIRE(slot != SparseSlot::none);
            REQUIRE(set_.owner(slot) == entity);
            REQUIRE(set_.value(slot) == known.at);
            REQUIRE(set_.value<Value>(slot) == known.at);
            REQUIRE(number_at(known.at) == known.number);
            // Another generation of the index is another entity.
            REQUIRE(!set_.contains(entity_at(entity.index(), entity.generation() + 1)));
        }
        for (const Known& parked : parked_) REQUIRE(number_at(parked.at) == parked.number);
        std::size_t owned = 0;
        set_.each_owner([&](Entity, SparseSlot) { ++owned; });
        REQUIRE(owned == values_.size());
    }
    const SparseSet& set() const { return set_; }

  private:
    struct Known {
        std::byte* at;
        std::uint64_t number;
        SparseSlot slot;
    };

    // Safe: every cell that is asked for holds a Value.
    static std::uint64_t number_at(const std::byte* at) {
        return std::launder(reinterpret_cast<const Value*>(at))->number;
    }

    Known build_next() {
        const SparseSlot slot = set_.next_free_slot();
        std::byte* const at = set_.value(slot);
        ::new (at) Value{++numbers_, {}};
        return {at, numbers_, slot};
    }
    std::map<Entity, Known>::iterator some_value() {
        return std::next(values_.begin(), random_.below(static_cast<std::uint32_t>(values_.size())));
    }

    void insert() {
        const std::uint32_t index = random_.below(random_.one_in(10) ? 100'000 : 300);
        const auto taken = values_.lower_bound(entity_at(index, 0));
        if (taken != values_.end() && taken->first.index() == index) return;
        if (!set_.ready(index)) {
            set_.prepare_index(index);
            set_.prepare_slots(random_.between(1, 5));
        }
        REQUIRE(set_.ready(index));
        const Entity entity = entity_at(index, random_.between(1, 5));
        const SparseSlot next = set_.free_slot_after(set_.next_free_slot());
        const Known known = build_next();
        if (random_.one_in(2)) {
            set_.insert(entity, 1);
        } else {
            const SparseSet::Vacancy vacancy = set_.vacancy(index);
            REQUIRE(vacancy.entry != nullptr);
            REQUIRE(vacancy.slot == known.slot);
            set_.insert(vacancy, entity, 1);
        }
        REQUIRE(set_.vacancy(index).entry == nullptr);
        REQUIRE(set_.next_free_slot() == next);
        values_[entity] = known;
    }
    void erase() {
        if (values_.empty()) return;
        const auto at = some_value();
        set_.erase(at->first, at->second.slot);
        REQUIRE(!set_.contains(at->first));
        values_.erase(at);
    }
    void park() {
        if (values_.empty()) return;
        const auto at = some_value();
        set_.park(at->first, at->second.slot);
        parked_.push_back(at->second);
        values_.erase(at);
    }
    void replace() {
        if (values_.empty()) return;
        const auto at = some_value();
        set_.prepare_slots(1);
        const Known known = build_next();
        set_.replace(at->first, at->second.slot, 2);
        parked_.push_back(at->second);
        at->second = known;
    }
    void release() {
        if (parked_.empty()) return;
        const auto at = parked_.begin() + random_.below(static_cast<std::uint32_t>(parked_.size()));
        set_.release(at->slot);
        parked_.erase(at);
    }

    Random& random_;
    SparseSet set_;
    std::map<Entity, Known> values_;
    std::vector<Known> parked_;
    std::uint64_t numbers_ = 0;
};

}  // namespace

TEST_SUITE("sparse set") {
    TEST_CASE("it agrees with a map, and values do not move") {
        stoa_test::for_each_seed(5, [](Random& random) {
            Model model(random);
            for (int i = 0; i < 3000; ++i) {
                model.step();
                if (i % 11 == 0) model.check();
            }
            model.check();
            model.erase_all();
            model.check();
            CHECK(model.set().bound() == 0);  // an empty set hands out its slots in order again
        });
    }

    TEST_CASE("lack of memory changes nothing") {
        SparseSet set(ComponentId{0}, component_type<Value>, 0);
        for (std::uint64_t nth = 0;; ++nth) {
            bool fired = false;
            {
                const AllocationFaults faults(nth, FaultMode::persistent);
                try {
                    set.prepare_index(9000);
                    set.prepare_slots(2000);
                } catch (const std::bad_alloc&) {
                    fired = true;
                }
            }
            CHECK(set.check() == nullptr);
            CHECK(set.size() == 0);
            if (!fired) break;
        }
        CHECK(set.ready(9000));
        for (std::uint32_t i = 0; i < 2000; ++i) CHECK(set.value(SparseSlot{i}) != nullptr);
    }

    TEST_CASE("each of the first sets has a bit of its own, and all others share the last one") {
        std::uint64_t seen = 0;
        for (std::uint32_t ordinal = 0; ordinal < 100; ++ordinal) {
            const SparseSet set(ComponentId{ordinal}, component_type<Value>, ordinal);
            if (ordinal < 63) {
                CHECK((seen & set.mask_bit()) == 0);
                CHECK(set.mask_bit() != stoa::detail::shared_mask_bit);
            } else {
                CHECK(set.mask_bit() == stoa::detail::shared_mask_bit);
            }
            seen |= set.mask_bit();
        }
        CHECK(seen == ~std::uint64_t{0});
    }
}

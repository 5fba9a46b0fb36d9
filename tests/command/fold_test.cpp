// Guards Folding as a class: chains link the edits of one entity and nothing else, unlinking restores every record, and
// a folded chain does what its edits do one by one. Values are built and ended exactly once.

#include <stoa/stoa.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <new>
#include <utility>
#include <vector>

#include "command/fold.hpp"
#include "support/seeds.hpp"
#include "support/traced.hpp"

using namespace stoa;
using detail::CommandBlock;
using detail::CommandRecord;
using detail::Folding;
using detail::Operation;
using detail::RecordCursor;
using detail::RecordedValues;
using detail::store_of;
using detail::Verb;

namespace {

struct Family;
struct Position {
    int value = 0;
};
struct Name : stoa_test::Traced<Family> {
    using Traced::Traced;
};
struct Marked {};

enum class Edit { set_position, set_name, add_name, set_both, mark, remove_position, remove_name, despawn };
constexpr std::uint32_t edit_count = 8;

// The edit by the verbs of a world.
void apply(World& world, Entity entity, Edit edit, int number) {
    if (!world.alive(entity)) return;
    switch (edit) {
        case Edit::set_position:
            world.set(entity, Position{number});
            return;
        case Edit::set_name:
            world.set(entity, Name(number));
            return;
        case Edit::add_name:
            world.add<Name>(entity);
            return;
        case Edit::set_both:
            world.set(entity, Position{number}, Name(number));
            return;
        case Edit::mark:
            world.set(entity, Marked{});
            return;
        case Edit::remove_position:
            world.remove<Position>(entity);
            return;
        case Edit::remove_name:
            world.remove<Name>(entity);
            return;
        case Edit::despawn:
            world.despawn(entity);
            return;
    }
}

// One block of records, as a command buffer would fill it.
class Records {
  public:
    struct Recorded {
        CommandRecord* record;
        Entity entity;
        Edit edit;
        int number;
    };

    explicit Records(std::size_t most) {
        const std::size_t bytes = detail::IdBlock::header + most * 64;
        block_ = ::new (detail::new_block(bytes, detail::IdBlock::alignment)) CommandBlock;
        block_->bytes = bytes;
        block_->end = block_->begin();
    }
    ~Records() { detail::delete_block(block_, detail::IdBlock::alignment); }
    Records(const Records&) = delete;
    Records& operator=(const Records&) = delete;

    void add(Entity entity, Edit edit, int number) {
        std::byte* const at = block_->end;
        switch (edit) {
            case Edit::set_position:
                put<Verb::set>(entity, Position{number});
                break;
            case Edit::set_name:
                put<Verb::set>(entity, Name(number));
                break;
            case Edit::add_name:
                put(entity, detail::list_operation<Verb::add, Name>);
                break;
            case Edit::set_both:
                put<Verb::set>(entity, Position{number}, Name(number));
                break;
            case Edit::mark:
                put<Verb::set>(entity, Marked{});
                break;
            case Edit::remove_position:
                put(entity, detail::list_operation<Verb::remove, Position>);
                break;
            case Edit::remove_name:
                put(entity, detail::list_operation<Verb::remove, Name>);
                break;
            case Edit::despawn:
                put(entity, detail::despawn_operation);
                break;
        }
        records.push_back({&detail::record_at(at), entity, edit, number});
    }
    RecordCursor cursor() const { return RecordCursor(block_); }
    std::vector<std::byte> bytes() const { return {block_->begin(), block_->end}; }

    std::vector<Recorded> records;

  private:
    CommandRecord& put(Entity entity, const Operation& operation) {
        CommandRecord& record = detail::record_at(block_->end);
        record.set(entity.bits(), operation);
        block_->end += operation.size;
        return record;
    }
    template <Verb How, class... Ts>
    void put(Entity entity, Ts&&... values) {
        using Values = RecordedValues<std::decay_t<Ts>...>;
        CommandRecord& record = put(entity, Values::template operation<How>);
        std::size_t i = 0;
        (::new (record.bytes() + Values::layout.at[i++].offset) std::decay_t<Ts>(std::forward<Ts>(values)), ...);
    }

    CommandBlock* block_;
};

// A world, and edits of its entities in random order.
struct Scene {
    explicit Scene(stoa_test::Random& random, std::size_t edits) : records(edits) {
        for (int i = 0; i < 6; ++i) entities.push_back(world.spawn(Position{i}));
        for (std::size_t i = 0; i < edits; ++i) {
            const Entity entity = entities[random.below(6)];
            records.add(entity, Edit{static_cast<int>(random.below(edit_count - (random.one_in(4) ? 0 : 1)))},
                        static_cast<int>(100 + i));
        }
    }

    World world;
    std::vector<Entity> entities;
    Records records;
    Folding folding;
};

bool has_mark(const CommandRecord& record, std::uintptr_t mark) { return (record.word & mark) != 0; }

void end_payload(CommandRecord& record) {
    if (record.operation().destroy != nullptr) record.operation().destroy(record.bytes());
}

}  // namespace

TEST_SUITE("folding") {
    TEST_CASE("each record leads to the next one of its entity, and a despawn ends its chain") {
        stoa_test::for_each_seed(10, [](stoa_test::Random& random) {
            Scene scene(random, 60);
            const std::vector<std::byte> before = scene.records.bytes();
            scene.folding.link_chains(store_of(scene.world, "test"), scene.records.cursor());
            std::map<Entity, CommandRecord*> last;
            std::map<CommandRecord*, CommandRecord*> next;
            for (const auto& [record, entity, edit, number] : scene.records.records) {
                // No chain reaches beyond a record whose application may throw.
                if (record->operation().may_throw) last.clear();
                if (last[entity] != nullptr) next[last[entity]] = record;
                last[entity] = edit == Edit::despawn ? nullptr : record;
            }
            for (const auto& [record, entity, edit, number] : scene.records.records) {
                const auto following = next.find(record);
                REQUIRE(has_mark(*record, CommandRecord::linked) == (following != next.end()));
                if (following != next.end())
                    REQUIRE(record->subject == reinterpret_cast<std::uintptr_t>(following->second));
            }
            Folding::unlink_chains(scene.records.cursor());
            REQUIRE(scene.records.bytes() == before);
            for (const auto& recorded : scene.records.records) end_payload(*recorded.record);
        });
    }

    TEST_CASE("a folded chain does what its edits do one by one") {
        stoa_test::for_each_seed(30, [](stoa_test::Random& random) {
            Name::ledger().reset();
            {
                Scene scene(random, 40);
                World other;
                for (int i = 0; i < 6; ++i)
                    REQUIRE(other.spawn(Position{i}) == scene.entities[static_cast<std::size_t>(i)]);
                detail::Store& store = store_of(scene.world, "test");
                scene.folding.link_chains(store, scene.records.cursor());
                FlushReport report;
                std::size_t by_hand = 0;
                for (const auto& [record, entity, edit, number] : scene.records.records) {
                    if (!has_mark(*record, CommandRecord::done) && has_mark(*record, CommandRecord::linked))
                        scene.folding.fold(store, *record, report);
                    apply(other, entity, edit, number);
                    if (has_mark(*record, CommandRecord::done)) continue;
                    // Not folded: the record is as it was.
                    REQUIRE(!has_mark(*record, CommandRecord::linked));
                    REQUIRE(record->entity() == entity);
                    ++by_hand;
                    apply(scene.world, entity, edit, number);
                    end_payload(*record);
                }
                REQUIRE(report.applied + by_hand == scene.records.records.size());
                scene.world.check();
                for (const Entity entity : scene.entities) {
                    REQUIRE(scene.world.alive(entity) == other.alive(entity));
                    if (!other.alive(entity)) continue;
                    REQUIRE(scene.world.has<Marked>(entity) == other.has<Marked>(entity));
                    REQUIRE(scene.world.has<Position>(entity) == other.has<Position>(entity));
                    REQUIRE(scene.world.has<Name>(entity) == other.has<Name>(entity));
                    if (other.has<Position>(entity))
                        REQUIRE(scene.world.get<Position>(entity).value == other.get<Position>(entity).value);
                    if (other.has<Name>(entity))
                        REQUIRE(scene.world.get<Name>(entity).checked() == other.get<Name>(entity).checked());
                }
            }
            CHECK(Name::ledger().alive == 0);
            CHECK(Name::ledger().wrong == 0);
        });
    }
}

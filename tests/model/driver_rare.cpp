// The verbs that concern the whole world: memory, clear, moving the world itself, table handles. Each asks for a full
// comparison afterwards. Called by Driver::step.
#include "driver.hpp"

#include <utility>

namespace stoa_test {

void Driver::reserve() {
    now_->verb = "reserve";
    const std::size_t count = random_.one_in(20) ? random_.below(3'000) : random_.below(200);
    now_->count = count;
    const bool past_limit = max_entities_ != 0 && model_->rows.size() + count > max_entities_;
    const auto error = error_of([&] {
        switch (random_.below(3)) {
            case 0:
                world_->reserve(count);
                break;
            case 1:
                choose_combo()->reserve(*world_, count);
                break;
            default: {
                const Combo& combo = *choose_combo();
                if (combo.table_reserve != nullptr) {
                    combo.table_reserve(*world_, count);
                }
            }
        }
    });
    // Whether more may be reserved than the world can hold beside what it has is not promised; nothing else may fail.
    expect(!error || (past_limit && error == stoa::Errc::capacity), "reserve must succeed");
    compare_soon_ = random_.one_in(4);
}

void Driver::shrink() {
    now_->verb = "shrink_to_fit";
    world_->shrink_to_fit();
    compare_soon_ = true;
}

void Driver::clear() {
    now_->verb = "clear";
    world_->clear();
    model_->clear();
    for (const stoa::Entity entity : living_) {
        forget(entity);
    }
    for (const stoa::Entity entity : ghosts_) {
        forget(entity);
    }
    living_.clear();
    ghosts_.clear();
    compare_soon_ = true;
}

void Driver::move_world() {
    now_->verb = "move the world";
    stoa::World elsewhere = std::move(*world_);
    if (random_.one_in(2)) {
        *world_ = std::move(elsewhere);
    } else {
        world_.emplace(std::move(elsewhere));
    }
    compare_soon_ = true;
}

void Driver::table_questions() {
    now_->verb = "size of a table";
    const Combo& combo = *choose_combo();
    if (combo.table_size == nullptr) {
        return;
    }
    KindMask sparse = 0;
    for (const std::uint32_t kind : {kind_of<Burning>, kind_of<Note>, kind_of<Pinned>, kind_of<Flag>, kind_of<Crate>,
                                     kind_of<Tomb>, kind_of<SparseCounted>}) {
        sparse |= KindMask{1} << kind;
    }
    std::size_t expected = 0;
    for (const auto& [entity, row] : model_->rows) {
        expected += !row.ghost && (row.mask() & ~sparse) == combo.mask ? 1 : 0;
    }
    expect(combo.table_size(*world_) == expected, "a table must hold the entities with exactly its set");
}

}  // namespace stoa_test

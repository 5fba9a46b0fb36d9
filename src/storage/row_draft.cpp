// Opening, building and committing a row under construction, without its types.
#include "stoa/detail/storage/row_draft.hpp"

#include "storage/move_rows.hpp"

namespace stoa::detail {

using Source = RowPart::Source;

namespace {

// Recorded values leave their places: those that were moved from end, the others move now.
void hand_over(Store& store, std::span<const RowPart> parts) noexcept {
    const Store::Lock lock(store);
    for (const RowPart& part : parts) {
        if (part.source != Source::hand_over || part.type->size == 0) continue;
        if (part.build != nullptr) {
            part.type->destroy_values(part.value);
        } else if (part.cell != nullptr) {
            part.type->relocate_values(part.cell, part.value);
        }
    }
}

}  // namespace

Entity RowDraft::reserve_id() {
    entity_ = store_.directory().reserve();
    owns_id_ = true;
    store_.directory().settle();
    return entity_;
}

// Makes sure that the next id can be taken, after user code may have reserved the one that was next.
void RowDraft::prepare_id() {
    if (!store_.directory().ready()) store_.directory().prepare(1);
    if (!links_) return;
    for (const RowPart& part : parts_) {
        if (part.set != nullptr) prepare_slot(part);
    }
}

// Finds room for the row, and the place of each part.
void RowDraft::open(const char* verb) {
    if (adds_ && !target_.has_room()) store_.state().growth.make_room(target_);
    std::size_t buffered = 0;
    for (RowPart& part : parts_) {
        part.begun = part.built = false;
        if (part.handle != nullptr) {
            part.type = part.handle->type;
            part.set = part.type->is_sparse() ? &store_.sparse_set(*part.handle) : nullptr;
            part.id = store_.id_of(*part.handle);  // known now, if the set is new
        }
        if (part.set == nullptr && (is_new() || !source_->has(part.id))) {
            part.place = Place::row;
            part.cell = &part;  // a tag has no value, so any address does
            if (part.type->size != 0) part.cell = new_cell_of(target_, part.id, part.type->size);
            continue;
        }
        if (part.set != nullptr) {
            open_in_set(part, verb);
        } else {
            open_present(part);
        }
        links_ |= part.place != Place::none;
        if (part.place == Place::buffer) buffered += part.type->size + part.type->alignment;
    }
    if (buffered != 0) open_buffer(buffered);  // the last step that may throw: there is no destructor yet
}

void RowDraft::open_in_set(RowPart& part, const char* verb) {
    part.old_slot = is_new() ? SparseSlot::none : part.set->slot_of(entity_);
    if (part.old_slot != SparseSlot::none) {
        open_present(part);
        if (part.place != Place::beside) return;
    } else {
        store_.require_unlocked(verb, part.type->name());
        part.place = Place::slot;
        adds_ = true;
    }
    const Entity owner = entity_ ? entity_ : store_.directory().next_entity();
    store_.sparse_sets().prepare(*part.set, owner.index());
    part.cell = &part;
    if (part.type->size != 0) part.cell = part.set->value(part.set->next_free_slot());
}

// The entity has the component.
void RowDraft::open_present(RowPart& part) {
    part.cell = nullptr;
    if (part.source == Source::construct || part.type->size == 0) {
        part.place = Place::none;
    } else if (!part.type->relocatable) {
        part.place = Place::beside;
    } else {
        const bool is_built = part.source == Source::copy || part.source == Source::build;
        part.place = is_built ? Place::buffer : Place::in_place;
        store_.state().exchange.reserve(*part.type);
    }
}

// One block for all values that are built and replace another. `most`: their sizes, with room to align each.
void RowDraft::open_buffer(std::size_t most) {
    buffer_ = static_cast<std::byte*>(new_block(most, max_alignment));
    std::size_t end = 0;
    for (RowPart& part : parts_) {
        if (part.place != Place::buffer) continue;
        const std::size_t offset = round_up(end, part.type->alignment);
        part.cell = buffer_ + offset;
        end = offset + part.type->size;
    }
}

void RowDraft::build_part(RowPart& part) {
    switch (part.source) {
        case Source::construct:
            if (part.type->traits.pooled && take_pooled(store_, part.id, part.cell)) return;
            return part.type->construct(part.cell);
        case Source::copy:
            return part.type->copy(part.cell, part.value);
        case Source::build:
        case Source::hand_over:
            return part.build(store_, part.cell, part.value);
        case Source::caller:
            return;
    }
}

void RowDraft::build_all() {
    const Store::Lock lock(store_);
    for (RowPart& part : parts_) {
        const bool is_relocated = part.source == Source::hand_over && part.build == nullptr;
        if (is_relocated || part.cell == nullptr || part.type->size == 0) continue;
        part.begun = true;
        build_part(part);
        part.built = true;
    }
}

PendingNotification RowDraft::commit_and_defer() {
    if (is_new() && !entity_) {
        prepare_id();
    } else if (owns_id_) {
        store_.directory().settle();
    }

    // Nothing fails from here on.
    committed_ = true;
    hand_over(store_, parts_);
    PendingNotification pending;
    if (is_new()) {
        pending = enter();
    } else if (cause_.sparse == Change::Sparse::replace ? replace_row() : move()) {
        pending = {PendingNotification::Kind::move, entity_};
    }
    if (links_) link_and_overwrite();
    if (buffer_ != nullptr) delete_block(buffer_, max_alignment);
    return pending;
}

PendingNotification RowDraft::enter() noexcept {
    if (entity_) {
        store_.directory_.use_reserved(entity_, target_.next_location());
        store_.enter_row(target_, entity_);
    } else {
        entity_ = store_.commit_spawn(target_);
    }
    if (target_.reports() == 0) return {};
    return {PendingNotification::Kind::spawn, entity_, &target_};
}

void RowDraft::move_row(Store& store, Entity entity, Table& source, Migration& migration) noexcept {
    RowMover& mover = store.state().mover;
    const Location from = store.directory().location(entity.index());
    mover.move(entity, source, from, migration);
    mover.end_departed(entity, source, from, migration);
}

// The value that was built takes the place of the old one, which ends.
void RowDraft::link_beside(Store& store, Entity entity, const RowPart& part) noexcept {
    const Store::Lock lock(store);
    part.set->replace(entity, part.old_slot, store.tick());
    part.type->destroy_values(part.set->value(part.old_slot));
    part.set->release(part.old_slot);
}

// Makes sparse values the entity's own and replaces present ones, once the row is in place.
void RowDraft::link_and_overwrite() noexcept {
    const Store::Lock lock(store_);
    const Tick now = store_.tick();
    for (const RowPart& part : parts_) {
        switch (part.place) {
            case Place::none:
            case Place::row:
                break;
            case Place::slot:
                store_.sparse_sets().insert(*part.set, entity_, now);
                break;
            case Place::beside:
                link_beside(store_, entity_, part);
                break;
            case Place::buffer:
                overwrite(part, part.cell);
                break;
            case Place::in_place:
                overwrite(part, part.value);
                break;
        }
    }
}

// The move of a replacement: the value that is replaced ends when the new one is there. Returns: as move.
[[gnu::noinline]] bool RowDraft::replace_row() noexcept {
    const bool notifies = announce();
    RowMover& mover = store_.state().mover;
    const Location from = store_.directory().location(entity_.index());
    if (migration_ != nullptr) mover.move(entity_, *source_, from, *migration_);
    if (std::exchange(links_, false)) link_and_overwrite();
    if (migration_ != nullptr) mover.end_departed(entity_, *source_, from, *migration_);
    SparseSet* set = store_.find_sparse(store_.id_of(*cause_.list->types[0]));
    if (set != nullptr) store_.sparse_sets().erase(*set, entity_, set->slot_of(entity_));
    return notifies;
}

// The value and the old one change places. The old one ends when the new one is there: its destructor may look at the
// world, and may even replace it again.
void RowDraft::overwrite(const RowPart& part, void* with) noexcept {
    void* old = nullptr;
    if (part.set != nullptr) {
        old = part.set->value(part.old_slot);
        part.set->stamp(part.old_slot, store_.tick());
    } else {
        const EntityRow place = store_.locate(entity_);
        const ColumnAt column = place.chunk->columns->find(part.id);
        place.chunk->stamp(column, place.row(), store_.tick());
        old = cell_at(place.chunk->base, column.offset, place.row(), part.type->size);
    }
    store_.state().exchange.swap(*part.type, old, with);
    part.type->destroy_values(with);
}

void RowDraft::undo(Store& store, std::span<const RowPart> parts, std::byte* buffer, Entity id) noexcept {
    const Store::Lock lock(store);
    for (const RowPart& part : parts) {
        if (part.built) part.type->destroy_values(part.cell);
    }
    if (buffer != nullptr) delete_block(buffer, max_alignment);
    if (id) store.directory().cancel_reserved(id);
}

}  // namespace stoa::detail

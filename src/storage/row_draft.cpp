// Opening, building and committing a row under construction, without its types.
#include "stoa/detail/storage/row_draft.hpp"

#include "storage/move_rows.hpp"

namespace stoa::detail {

using Source = RowPart::Source;
using Place = RowPart::Place;

RowDraft RowDraft::spawn(Store& store, Table& table, std::span<RowPart> parts) {
    return spawn_reserved(store, table, {}, parts);
}

RowDraft RowDraft::spawn_reserved(Store& store, Table& table, Entity entity, std::span<RowPart> parts) {
    if (!table.has_room()) store.state().growth.make_room(table);
    return RowDraft(store, entity, {nullptr, &table, nullptr, {}, 0}, {}, parts, "spawn");
}

RowDraft RowDraft::add(Store& store, Entity entity, EntityRow place, TypeList& list, std::span<RowPart> parts,
                       const char* verb) {
    Table& table = place.chunk->table();
    const Edit edit = list.has_table ? store.begin_add(place, list, verb) : Edit{&table, &table, nullptr, {}, 0};
    return RowDraft(store, entity, edit, {Change::Sparse::add, &list}, parts, verb);
}

Edit RowDraft::edit_along(Store& store, Entity entity, Migration* migration) {
    Table& source = store.locate(entity).chunk->table();
    Table& target = migration != nullptr ? *migration->target : source;
    if (migration != nullptr && !target.has_room()) store.state().growth.make_room(target);
    return {&source, &target, migration, {}, 0};
}

RowDraft RowDraft::edit(Store& store, Entity entity, Migration* migration, std::span<RowPart> parts) {
    return RowDraft(store, entity, edit_along(store, entity, migration), {}, parts, "set");
}

RowDraft RowDraft::copy(Store& store, Entity entity, Migration* migration, Entity model, std::span<RowPart> parts) {
    const Cause cause{Change::Sparse::copy, nullptr, model};
    return RowDraft(store, entity, edit_along(store, entity, migration), cause, parts, "copy");
}

RowDraft::RowDraft(Store& store, Entity entity, const Edit& edit, const Cause& cause, std::span<RowPart> parts,
                   const char* verb)
    : store_(store),
      parts_(parts),
      target_(*edit.target),
      source_(edit.source),
      migration_(edit.migration),
      entity_(entity),
      cause_(cause),
      adds_(edit.source == nullptr || edit.migration != nullptr) {
    bool needs_buffer = false;
    for (RowPart& part : parts_) {
        open(part, verb);
        const bool is_stored = part.type->size != 0;
        const bool is_relocated = part.source == Source::hand_over && part.build == nullptr;
        builds_ |= part.cell != nullptr && is_stored && !is_relocated;
        hands_over_ |= part.source == Source::hand_over && is_stored;
        links_ |= part.place != Place::none && part.place != Place::row;
        needs_buffer |= part.place == Place::buffer;
    }
    if (needs_buffer) open_buffer();  // the last step that may throw: there is no destructor yet
}

Entity RowDraft::reserve_id() {
    entity_ = store_.directory().reserve();
    owns_id_ = true;
    store_.directory().settle();
    return entity_;
}

// Finds the place of a part.
void RowDraft::open(RowPart& part, const char* verb) {
    if (part.handle != nullptr) {
        part.type = part.handle->type;
        part.id = store_.id_of(*part.handle);
    }
    part.begun = part.built = false;
    part.cell = &part;  // a tag has no value, so any address does
    part.set = nullptr;
    if (!part.type->is_sparse()) {
        if (source_ != nullptr && source_->has(part.id)) return open_present(part);
        part.place = Place::row;
        if (part.type->size == 0) return;
        part.cell = new_cell_of(target_, part.id, part.type->size);
        return;
    }
    part.set = part.handle != nullptr ? &store_.sparse_set(*part.handle) : &store_.sparse_set(part.id);
    part.id = part.set->id();
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
        part.place = part.source == Source::copy ? Place::buffer : Place::in_place;
        store_.state().exchange.reserve(*part.type);
    }
}

// One block for all copies that replace a value.
void RowDraft::open_buffer() {
    std::size_t end = 0;
    const auto each_copy = [&](auto&& visit) {
        end = 0;
        for (RowPart& part : parts_) {
            if (part.place != Place::buffer) continue;
            const std::size_t offset = round_up(end, part.type->alignment);
            visit(part, offset);
            end = offset + part.type->size;
        }
    };
    each_copy([](RowPart&, std::size_t) {});
    buffer_ = static_cast<std::byte*>(new_block(end, max_alignment));
    each_copy([this](RowPart& part, std::size_t offset) { part.cell = buffer_ + offset; });
    builds_ = true;
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
    if (!builds_) return;
    const Store::Lock lock(store_);
    for (RowPart& part : parts_) {
        const bool is_relocated = part.source == Source::hand_over && part.build == nullptr;
        if (part.cell == nullptr || part.type->size == 0 || is_relocated) continue;
        part.begun = true;
        build_part(part);
        part.built = true;
    }
}

PendingNotification RowDraft::commit_and_defer() {
    if (is_new() && !entity_) prepare_id();
    if (owns_id_) store_.directory().settle();

    // Nothing fails from here on.
    committed_ = true;
    if (hands_over_) hand_over();
    PendingNotification pending;
    if (is_new()) {
        pending = enter();
    } else if (move()) {
        pending = {PendingNotification::Kind::move, entity_};
    }
    if (links_) link_and_overwrite();
    free_buffer();
    return pending;
}

// Values that were moved from end; the others move now.
void RowDraft::hand_over() noexcept {
    const Store::Lock lock(store_);
    for (const RowPart& part : parts_) {
        if (part.source != Source::hand_over || part.type->size == 0) continue;
        if (part.build != nullptr) {
            part.type->destroy_values(part.value);
        } else if (part.cell != nullptr) {
            part.type->relocate_values(part.cell, part.value);
        }
    }
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

void RowDraft::move_row() noexcept {
    RowMover& mover = store_.state().mover;
    const Location from = store_.directory().location(entity_.index());
    mover.move(entity_, *source_, from, *migration_);
    mover.end_departed(entity_, *source_, from, *migration_);
}

bool RowDraft::announce() noexcept {
    if (migration_ == nullptr && (!adds_ || cause_.sparse == Change::Sparse::stay)) return false;
    return store_.notifier().before_move({entity_, source_, &target_, cause_.sparse, cause_.list, cause_.model});
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
                part.set->replace(entity_, part.old_slot, now);
                part.type->destroy_values(part.set->value(part.old_slot));
                part.set->release(part.old_slot);
                break;
            case Place::buffer:
                overwrite(part, part.cell);
                break;
            case Place::in_place:
                if (part.source != Source::caller) overwrite(part, part.value);
                break;
        }
    }
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

void RowDraft::free_buffer() noexcept {
    if (buffer_ != nullptr) delete_block(buffer_, max_alignment);
    buffer_ = nullptr;
}

void RowDraft::undo() noexcept {
    const Store::Lock lock(store_);
    for (const RowPart& part : parts_) {
        if (part.built) part.type->destroy_values(part.cell);
    }
    free_buffer();
    if (owns_id_) store_.directory().cancel_reserved(entity_);
}

}  // namespace stoa::detail

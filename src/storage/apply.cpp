// Edits without types: what the typed verbs do with templates, done with descriptions, for edits that were recorded.
// The order is the same as there: find room, build, commit. What may throw is built first, so that a recorded value
// that can be relocated leaves its place only when nothing can fail any more.
#include <algorithm>

#include "storage/rows.hpp"

namespace stoa::detail {
namespace {

void relocate(const ComponentType& type, void* to, void* from) noexcept {
    if (type.relocate != nullptr) {
        type.relocate(to, from, 1);
    } else {
        std::memcpy(to, from, type.size);
    }
}

void destroy(const ComponentType& type, void* value) noexcept {
    if (type.destroy != nullptr) type.destroy(value, 1);
}

// Finds the places of the parts: a row of `target` that is being built, free sparse slots, or none for what is present.
void open(Store::State& state, Entity entity, const Table* source, Table& target, std::span<Incoming> parts) {
    Store& store = state.store;
    for (Incoming& part : parts) {
        const ComponentType& type = *part.slot->type;
        part.set = nullptr;
        part.cell = nullptr;
        part.tried = part.built = false;
        if (type.is_sparse()) {
            part.set = &store.sparse_set(*part.slot);
            part.id = part.set->id();
            part.old_slot = part.set->slot_of(entity);
            if (part.old_slot != SparseSet::none && (part.value == nullptr || type.relocatable)) {
                if (part.value != nullptr) state.reserve_aside(type);
                continue;
            }
            store.prepare_sparse(*part.set, entity.index());
            // A tag has no value, so any address does.
            part.cell = type.size == 0 ? &part : static_cast<void*>(part.set->value(part.set->first_free()));
        } else {
            part.id = store.id_of(*part.slot);
            if (source != nullptr && source->has(part.id)) {
                if (part.value != nullptr) state.reserve_aside(type);
                continue;
            }
            const ColumnAt at = target.find(part.id);
            part.cell = target.tail_base + at.offset + std::size_t{target.tail_rows} * type.size;
        }
    }
}

void build_default(Store& store, const Incoming& part) {
    const ComponentType& type = *part.slot->type;
    if (type.traits.pooled && store.take_pooled(part.id, part.cell)) return;
    type.construct(part.cell);
}

// Ends what was built when something throws.
struct Unbuild {
    std::span<Incoming> parts;
    bool armed = true;

    ~Unbuild() {
        for (Incoming& part : parts) {
            if (armed && part.built) destroy(*part.slot->type, part.cell);
        }
    }
};

// Builds what is new: first what may throw, then `check` may throw too, then values are relocated.
template <class Check>
void build(Store& store, std::span<Incoming> parts, Check&& check) {
    const Store::Lock lock(store);
    Unbuild unbuild{parts};
    for (Incoming& part : parts) {
        if (part.cell == nullptr || part.slot->type->size == 0 || (part.value != nullptr && part.move == nullptr))
            continue;
        part.tried = true;
        if (part.value == nullptr) {
            build_default(store, part);
        } else {
            part.move(part.cell, part.value);
        }
        part.built = true;
    }
    check();
    unbuild.armed = false;
    for (Incoming& part : parts) {
        if (part.value == nullptr || part.slot->type->size == 0) continue;
        if (part.move != nullptr) {
            destroy(*part.slot->type, part.value);
        } else if (part.cell != nullptr) {
            relocate(*part.slot->type, part.cell, part.value);
        }
    }
}

}  // namespace

// The value and the old one change places. The old one ends when the new one stands: its destructor may look at the world, and
// may even replace it again.
void Store::State::replace_part(Entity entity, const Incoming& part) noexcept {
    const ComponentType& type = *part.slot->type;
    void* old = nullptr;
    if (type.is_sparse()) {
        old = part.set->value(part.old_slot);
        part.set->stamp(part.old_slot, store.tick());
    } else {
        const Location at = store.directory_.location(entity.index());
        const Chunk& chunk = store.chunks_[at.chunk()];
        const ColumnAt column = chunk.columns->find(part.id);
        chunk.stamp(column, at.row(), store.tick());
        old = chunk.base + column.offset + std::size_t{at.row()} * type.size;
    }
    exchange(type, old, part.value);
    destroy(type, part.value);
}

// Makes the parts the entity's own, once its row is in place.
void Store::State::settle_parts(Entity entity, std::span<Incoming> parts) noexcept {
    const Store::Lock lock(store);
    for (const Incoming& part : parts) {
        const ComponentType& type = *part.slot->type;
        if (part.cell == nullptr) {
            if (part.value != nullptr && type.size != 0) replace_part(entity, part);
        } else if (type.is_sparse()) {
            if (part.old_slot == SparseSet::none) {
                store.insert_sparse(*part.set, entity);
            } else if (type.size != 0) {
                part.set->replace(entity, part.old_slot, store.tick());
                destroy(type, part.set->value(part.old_slot));
                part.set->release(part.old_slot);
            }
        }
    }
}

PendingNotification Store::spawn_reserved(Entity entity, Table& table, std::span<Incoming> parts,
                                          Initializer* initialize) {
    if (!table.has_room()) state_->make_room(table);
    open(*state_, entity, nullptr, table, parts);
    build(*this, parts, [&] {
        if (initialize != nullptr) (*initialize)(entity, parts);
    });
    commit_reserved(table, entity);
    state_->settle_parts(entity, parts);
    return table.watched != 0 ? PendingNotification{PendingNotification::Kind::spawn, entity, &table}
                              : PendingNotification{};
}

PendingNotification Store::put(Entity entity, TypeList& list, std::span<Incoming> parts) {
    const Place place = locate(entity);
    Table& source = place.chunk->table();
    Edit edit{&source, &source, nullptr, place.at, 0};
    if (list.has_table) edit = begin_add(place, list, "set");
    open(*state_, entity, edit.source, *edit.target, parts);
    build(*this, parts, [] {});
    const bool adds = edit.plan != nullptr ||
                      std::any_of(parts.begin(), parts.end(), [](const Incoming& part) { return part.set != nullptr && part.old_slot == SparseSet::none; });
    const bool watched = adds && (source.watched | edit.target->watched) != 0;
    if (watched) changing({entity, &source, edit.target, Change::Sparse::add, &list});
    if (edit.plan != nullptr) finish(entity, edit);
    state_->settle_parts(entity, parts);
    return watched ? PendingNotification{PendingNotification::Kind::move, entity} : PendingNotification{};
}

PendingNotification Store::edit(Entity entity, Plan* plan, std::span<Incoming> parts) {
    Table& source = chunks_[directory_.location(entity.index()).chunk()].table();
    Table& target = plan != nullptr ? *plan->target : source;
    if (plan != nullptr && !target.has_room()) state_->make_room(target);
    open(*state_, entity, &source, target, parts);
    build(*this, parts, [] {});
    // Asked after building: a constructor may have made a watch, a cache or a subscription.
    const bool watched = plan != nullptr && (source.watched | target.watched) != 0;
    if (watched) changing({entity, &source, &target});
    if (plan != nullptr)
        finish(entity, {&source, &target, plan, directory_.location(entity.index()), target.tail_rows});
    state_->settle_parts(entity, parts);
    return watched ? PendingNotification{PendingNotification::Kind::move, entity} : PendingNotification{};
}

void Store::notify(const PendingNotification& change) {
    switch (change.kind) {
        case PendingNotification::Kind::none:
            return;
        case PendingNotification::Kind::spawn:
            tell_spawn(change.entity, *change.table);
            return;
        case PendingNotification::Kind::move:
            changed();
            return;
    }
}

Plan* Store::plan_for(Table& source, std::span<const Effect> effects) {
    State& state = *state_;
    ComponentSet& set = state.scratch;
    set.clear();
    set.reserve(state.pool, source.id_count + static_cast<std::uint32_t>(effects.size()));
    const auto effect_on = [&](ComponentId id) {
        return std::find_if(effects.begin(), effects.end(), [&](const Effect& effect) { return effect.id == id; });
    };
    bool changes = false;
    for (std::uint32_t i = 0; i < source.id_count; ++i) {
        const auto effect = effect_on(source.ids[i]);
        const bool stays = effect == effects.end() || effect->present;
        changes |= !stays;
        if (stays) set.push(source.ids[i], source.types[i]);
    }
    for (const Effect& effect : effects) {
        if (!effect.present || source.has(effect.id)) continue;
        changes = true;
        std::uint32_t at = set.ids.size;
        set.push(effect.id, &registry_->type(effect.id));
        for (; at > 0 && set.ids[at - 1] > set.ids[at]; --at) {
            std::swap(set.ids[at - 1], set.ids[at]);
            std::swap(set.types[at - 1], set.types[at]);
        }
    }
    if (!changes) return nullptr;
    const std::uint64_t key = edge_key(EdgeKind::edit, state.find_table(set, false).serial);
    Plan* known = source.edges.find(key);
    return known != nullptr ? known : &state.plan(source, key, false);
}

Table& Store::empty_table() const { return *state_->tables[0]; }

}  // namespace stoa::detail

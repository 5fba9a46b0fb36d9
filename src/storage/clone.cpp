// Copies of whole entities. Copies are built where no one sees them (behind the last row, in a free sparse slot, or in a
// buffer when they replace a value), so a copy constructor that throws leaves the world as it was.
#include <algorithm>

#include "base/raise.hpp"
#include "storage/sentences.hpp"
#include "storage/rows.hpp"

namespace stoa::detail {
namespace {

// The components of one entity that are to be copied, and where each copy is built.
class Copies {
  public:
    struct Item {
        const ComponentType* type;
        ComponentId id;
        SparseSet* set;              // null for a component in a table
        const std::byte* from;
        std::byte* to = nullptr;     // null: in the buffer
        std::size_t offset = 0;      // there
    };

    Copies() = default;
    Copies(const Copies&) = delete;
    Copies& operator=(const Copies&) = delete;
    ~Copies() {
        for (std::size_t i = 0; i < made_; ++i) {
            if (items[i].type->destroy != nullptr) items[i].type->destroy(items[i].to, 1);
        }
        if (buffer_ != nullptr) delete_block(buffer_, max_alignment);
    }

    void add(const ComponentType& type, ComponentId id, SparseSet* set, const char* verb, Entity entity) {
        if (type.traits.cleanup) return;
        if (type.size != 0 && type.copy == nullptr) {
            raise(Errc::not_copyable, std::string(verb) + ": component " + std::string(type.name()) + " of " + describe(entity) +
                                          " cannot be copied; remove it first or give the type a copy constructor");
        }
        items.push_back({&type, id, set, nullptr});
    }
    void make() {
        std::size_t end = 0;
        for (Item& item : items) {
            if (item.to != nullptr || item.type->size == 0) continue;
            item.offset = (end + item.type->alignment - 1) / item.type->alignment * item.type->alignment;
            end = item.offset + item.type->size;
        }
        if (end != 0) buffer_ = static_cast<std::byte*>(new_block(end, max_alignment));
        for (Item& item : items) {
            if (item.to == nullptr && item.type->size != 0) item.to = buffer_ + item.offset;
        }
        for (; made_ < items.size(); ++made_) {
            if (items[made_].type->size != 0) items[made_].type->copy(items[made_].to, items[made_].from);
        }
    }
    // All copies have found their places.
    void done() noexcept { made_ = 0; }

    std::vector<Item> items;

  private:
    std::byte* buffer_ = nullptr;
    std::size_t made_ = 0;
};

}  // namespace

Entity Store::clone(Entity entity) {
    const Place known = locate(entity);
    if (!known) fail_dead("clone", entity);
    require_unlocked("clone");
    State& state = *state_;
    Table& source = known.chunk->table();
    Copies copies;
    for (std::uint32_t i = 0; i < source.column_count; ++i) {
        copies.add(*source.columns[i].type, source.columns[i].id, nullptr, "clone", entity);
    }
    state.each_sparse(entity, [&](SparseSet& set, std::uint32_t) { copies.add(set.type(), set.id(), &set, "clone", entity); });

    Table* target = &source;
    if (source.has_cleanup) {
        state.scratch_keep(source, false);
        target = &state.find_table(state.scratch, false);
    }
    if (!directory_.ready()) directory_.prepare(1);
    if (!target->has_room()) state.make_room(*target);
    const Place place = locate(entity);  // making room may have moved it
    for (Copies::Item& item : copies.items) {
        if (item.set != nullptr) {
            prepare_sparse(*item.set, directory_.next_index());
            if (item.type->size == 0) continue;
            item.from = item.set->value(item.set->slot_of(entity));
            item.to = item.set->value(item.set->first_free());
        } else {
            item.from = place.chunk->base + source.find(item.id).offset + std::size_t{place.row()} * item.type->size;
            item.to = target->tail_base + target->find(item.id).offset + std::size_t{target->tail_rows} * item.type->size;
        }
    }
    const Lock lock(*this);
    copies.make();
    ready_ids(1);  // a copy constructor may have reserved the one that was next
    for (const Copies::Item& item : copies.items) {
        if (item.set != nullptr) prepare_sparse(*item.set, directory_.next_index());
    }

    // Nothing fails from here on.
    copies.done();
    const Entity made = commit_spawn(*target);
    for (const Copies::Item& item : copies.items) {
        if (item.set != nullptr) insert_sparse(*item.set, made);
    }
    if (target->watched != 0) tell_spawn(made, *target);
    return made;
}

void Store::copy(Entity from, Entity to) {
    const Place known = locate(from);
    if (!known) fail_dead("copy", from);
    const Place known_target = locate(to);
    if (!known_target) fail_dead("copy", to);
    if (from == to) return;
    State& state = *state_;
    Table& source = known.chunk->table();
    Table& before = known_target.chunk->table();
    Copies copies;
    for (std::uint32_t i = 0; i < source.column_count; ++i) {
        copies.add(*source.columns[i].type, source.columns[i].id, nullptr, "copy", from);
    }
    bool new_sparse = false;
    state.each_sparse(from, [&](SparseSet& set, std::uint32_t) {
        copies.add(set.type(), set.id(), &set, "copy", from);
        new_sparse |= !set.type().traits.cleanup && !set.contains(to);
    });

    const std::uint64_t key = edge_key(EdgeKind::copy, source.serial);
    Plan* along = before.edges.find(key);
    if (along == nullptr) {
        state.scratch_union(before, source);
        if (state.scratch.ids.size != before.id_count) {
            require_unlocked("copy");
            along = &state.plan(before, key, false);
        }
    }
    Table& after = along != nullptr ? *along->target : before;
    if (new_sparse || &after != &before) require_unlocked("copy");
    if (&after != &before && !after.has_room()) state.make_room(after);
    const Place place = locate(from);
    for (Copies::Item& item : copies.items) {
        state.reserve_aside(*item.type);
        if (item.set != nullptr) {
            prepare_sparse(*item.set, to.index());
            if (item.type->size == 0) continue;
            item.from = item.set->value(item.set->slot_of(from));
            if (!item.type->relocatable || !item.set->contains(to)) item.to = item.set->value(item.set->first_free());
        } else {
            item.from = place.chunk->base + source.find(item.id).offset + std::size_t{place.row()} * item.type->size;
            if (!before.has(item.id)) {
                item.to = after.tail_base + after.find(item.id).offset + std::size_t{after.tail_rows} * item.type->size;
            }
        }
    }
    const Lock lock(*this);
    copies.make();

    // Nothing fails from here on.
    copies.done();
    const bool watched = (before.watched | after.watched) != 0 && (new_sparse || &after != &before);
    if (watched) changing({to, &before, &after, Change::Sparse::copy, nullptr, from});
    if (&after != &before) state.migrate(to, before, directory_.location(to.index()), *along);
    const Location at = directory_.location(to.index());
    const Chunk& chunk = chunks_[at.chunk()];
    // The old value ends when the copy stands: its destructor may look.
    const auto replace = [&state](const Copies::Item& item, void* old) {
        state.exchange(*item.type, old, item.to);
        if (item.type->destroy != nullptr) item.type->destroy(item.to, 1);
    };
    for (const Copies::Item& item : copies.items) {
        if (item.set == nullptr) {
            const ColumnAt column = after.find(item.id);
            if (!before.has(item.id)) continue;
            chunk.stamp(column, at.row(), tick());
            replace(item, chunk.base + column.offset + std::size_t{at.row()} * item.type->size);
        } else if (const std::uint32_t slot = item.set->slot_of(to); slot == SparseSet::none) {
            insert_sparse(*item.set, to);
        } else if (item.type->size != 0) {
            if (item.type->relocatable) {
                item.set->stamp(slot, tick());
                replace(item, item.set->value(slot));
            } else {
                item.set->replace(to, slot, tick());
                if (item.type->destroy != nullptr) item.type->destroy(item.set->value(slot), 1);
                item.set->release(slot);
            }
        }
    }
    if (watched) changed();
}

}  // namespace stoa::detail

// Spawning from parts: what the typed spawn does with templates, done with descriptions, for prefabs. The order is the same: find
// room, build where no one sees it, commit.
#include <algorithm>

#include "storage/rows.hpp"

namespace stoa::detail {
namespace {

// Ends what was built when something throws.
struct Unbuild {
    std::span<SpawnPart> parts;
    std::size_t built = 0;

    ~Unbuild() {
        for (std::size_t i = 0; i < built; ++i) {
            const ComponentType& type = *parts[i].slot->type;
            if (type.destroy != nullptr && type.size != 0) type.destroy(parts[i].cell, 1);
        }
    }
};

}  // namespace

Entity Store::spawn_parts(TypeList& list, TypeList& more, std::span<SpawnPart> parts) {
    Table* table = &prepare_spawn(list);
    if (more.has_table) {
        if (const Plan* plan = begin_add({&chunks_[table->tail_number], {}}, more, "spawn").plan) table = plan->target;
    }
    const auto prepare_sets = [&] {
        for (const SpawnPart& part : parts) {
            if (part.set != nullptr) prepare_sparse(*part.set, directory_.next_index());
        }
    };
    for (SpawnPart& part : parts) {
        if (part.slot->type->is_sparse()) part.set = &sparse_set(*part.slot);
    }
    prepare_sets();
    for (SpawnPart& part : parts) {
        const ComponentType& type = *part.slot->type;
        if (type.size == 0) continue;
        part.cell = part.set != nullptr ? part.set->value(part.set->first_free())
                                        : table->tail_base + table->find(id_of(*part.slot)).offset + std::size_t{table->tail_rows} * type.size;
    }
    {
        const Lock lock(*this);
        Unbuild unbuild{parts};
        for (; unbuild.built < parts.size(); ++unbuild.built) {
            SpawnPart& part = parts[unbuild.built];
            if (part.cell != nullptr) part.build(*this, part.cell, part.value);
        }
        ready_ids(1);  // a constructor may have reserved the one that was next
        prepare_sets();
        unbuild.built = 0;
    }
    const Entity entity = commit_spawn(*table);
    for (const SpawnPart& part : parts) {
        if (part.set != nullptr) insert_sparse(*part.set, entity);
    }
    return table->watched != 0 ? tell_spawn(entity, *table) : entity;
}

void Store::prewarm(TypeList& list, std::span<const SpawnPart> parts, std::uint64_t count) {
    require_unlocked("prewarm");
    reserve_rows(list, table_of(list).rows() + count);
    for (const SpawnPart& part : parts) {
        const ComponentType& type = *part.slot->type;
        if (type.is_sparse()) prepare_sparse_many(sparse_set(*part.slot), count);
        if (!type.traits.pooled) continue;
        struct Block {
            void* bytes;
            std::size_t alignment;
            ~Block() { delete_block(bytes, alignment); }
        } block{new_block(type.size, type.alignment), type.alignment};
        const Lock lock(*this);
        const ComponentId id = id_of(*part.slot);
        for (std::uint64_t i = 0; i < count; ++i) {
            type.copy(block.bytes, part.value);
            state_->drop_value(type, id, block.bytes);
        }
    }
}

}  // namespace stoa::detail

// Spawning from parts without types, for prefabs, and making room for such spawns.
#include "stoa/detail/storage/row_draft.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

Entity Store::spawn_parts(TypeList& list, TypeList& more, std::span<RowPart> parts) {
    Table* table = &prepare_spawn(list);
    if (more.has_table) {
        if (const Migration* plan = begin_add({&chunks_[table->tail_chunk_number()], {}}, more, "spawn").plan)
            table = plan->target;
    }
    RowDraft draft = RowDraft::spawn(*this, *table, parts);
    draft.build_all();
    return draft.commit_spawn();
}

void Store::prewarm(TypeList& list, std::span<const RowPart> parts, std::uint64_t count) {
    require_unlocked("prewarm");
    reserve_rows(list, table_of(list).row_count() + count);
    for (const RowPart& part : parts) {
        const ComponentType& type = *part.handle->type;
        if (type.is_sparse()) sparse_sets_.prepare_many(sparse_set(*part.handle), directory_, count);
        if (!type.traits.pooled) continue;
        struct Block {
            void* bytes;
            std::size_t alignment;
            ~Block() { delete_block(bytes, alignment); }
        } block{new_block(type.size, type.alignment), type.alignment};
        const Lock lock(*this);
        const ComponentId id = id_of(*part.handle);
        for (std::uint64_t i = 0; i < count; ++i) {
            type.copy(block.bytes, part.value);
            state_->object_pools.recycle_or_destroy(type, id, block.bytes);
        }
    }
}

}  // namespace stoa::detail

// Spawning from parts without types, for prefabs and initializers, and making room for such spawns.
#include "stoa/detail/storage/spawn_parts.hpp"

#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/storage/capacity.hpp"
#include "stoa/detail/storage/row_draft.hpp"
#include "storage/command_edits.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

Entity spawn_parts(Store& store, TypeList& list, TypeList& more, std::span<RowPart> parts) {
    Table* table = &store.prepare_spawn(list);
    if (more.has_table) {
        if (const Migration* migration =
                store.begin_add({&store.chunks()[table->tail_chunk_number()], {}}, more, "spawn").migration)
            table = migration->target;
    }
    RowDraft draft = RowDraft::spawn(store, *table, parts);
    draft.build_all();
    return draft.commit();
}

Entity spawn_parts(Store& store, TypeList& list, std::span<RowPart> parts, Initializer& initialize) {
    Table& table = store.prepare_spawn(list);
    // Reserved, because the initializer sees the id and may itself reserve ids.
    const Entity entity = store.directory().reserve();
    ScopeGuard cancel([&]() noexcept { store.directory().cancel_reserved(entity); });
    store.directory().settle();
    const PendingNotification pending = spawn_reserved(store, entity, table, parts, &initialize);
    cancel.dismiss();
    store.notifier().notify(pending);
    return entity;
}

void prewarm(Store& store, TypeList& list, std::span<const RowPart> parts, std::uint64_t count) {
    store.require_unlocked("prewarm");
    reserve_rows(store, list, store.table_of(list).row_count() + count);
    for (const RowPart& part : parts) {
        const ComponentType& type = *part.handle->type;
        if (type.is_sparse())
            store.sparse_sets().prepare_many(store.sparse_set(*part.handle), store.directory(), count);
        if (!type.traits.pooled) continue;
        struct Block {
            void* bytes;
            std::size_t alignment;
            ~Block() { delete_block(bytes, alignment); }
        } block{new_block(type.size, type.alignment), type.alignment};
        const Store::Lock lock(store);
        const ComponentId id = store.id_of(*part.handle);
        for (std::uint64_t i = 0; i < count; ++i) {
            if (part.source == RowPart::Source::construct) {
                type.construct(block.bytes);
            } else {
                type.copy(block.bytes, part.value);
            }
            store.state().object_pools.recycle_or_destroy(type, id, block.bytes);
        }
    }
}

}  // namespace stoa::detail

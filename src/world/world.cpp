// World: construction, moves, destruction, frames and statistics.
#include "stoa/world.hpp"

#include "command/replay.hpp"
#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/storage/introspection.hpp"
#include "stoa/detail/storage/keep_removed.hpp"
#include "storage/store_state.hpp"

namespace stoa {

using detail::ScopeGuard;
using detail::Store;

World::World(const WorldOptions& options) : store_(nullptr) {
    Store::gone();  // made now, so that moving from a world cannot fail
    store_ = new Store(options);
    ScopeGuard discard([this]() noexcept { delete store_; });
    store_->rooms().commands.set(new detail::WorldCommands(*store_));
    store_->set_world(this);
    discard.dismiss();
}

World::~World() {
    if (store_ != &Store::gone()) delete store_;
}

World::World(World&& other) noexcept : store_(std::exchange(other.store_, &Store::gone())) {
    if (store_ != &Store::gone()) store_->set_world(this);
}

World& World::operator=(World&& other) noexcept {
    if (this != &other) {
        if (store_ != &Store::gone()) delete store_;
        store_ = std::exchange(other.store_, &Store::gone());
        if (store_ != &Store::gone()) store_->set_world(this);
    }
    return *this;
}

Store& detail::store_of(World& world, const char* verb) {
    require_world(*world.store_, verb);
    return *world.store_;
}

Commands& World::commands() {
    require_world(*store_, "commands");
    return store_->rooms().commands.get()->buffer;
}

void World::end_frame() {
    store_->require_unlocked("end_frame");
    flush();
    forget_removed(*store_);
    if (store_->rooms().messages.get() != nullptr) end_frame_of_messages(*store_);
    store_->clock().advance();
}

std::vector<TableInfo> World::tables() const {
    std::vector<TableInfo> all;
    if (store_ == &Store::gone()) return all;
    for (const detail::Table* table : store_->tables()) {
        TableInfo& info = all.emplace_back();
        info.rows = static_cast<std::size_t>(table->row_count());
        info.chunks = table->chunk_count();
        info.bytes = table->chunk_count() * table->chunk_bytes() + table->block_bytes();
        for (std::uint32_t i = 0; i < table->id_count(); ++i)
            info.components.push_back(detail::component_info(table->ids()[i], table->type(i)));
    }
    return all;
}

Stats World::stats() const {
    const Store::State& state = store_->state();
    Stats stats;
    stats.entities = size();
    stats.queries = detail::query_count(*store_);
    stats.tables = store_->tables().size();
    stats.chunks = static_cast<std::size_t>(store_->chunks().in_use());
    stats.bytes_used = store_->directory().size() * sizeof(std::uint64_t);
    stats.bytes_reserved = state.pool.bytes_reserved() + static_cast<std::size_t>(store_->directory().bytes());
    stats.bytes_huge = state.pool.bytes_huge() + static_cast<std::size_t>(store_->directory().bytes_huge());
    std::vector<bool> known;
    const auto count_component = [&](ComponentId id) {
        const auto number = static_cast<std::size_t>(id);
        if (known.size() <= number) known.resize(number + 1);
        stats.components += !known[number];
        known[number] = true;
    };
    for (const detail::Table* table : store_->tables()) {
        std::size_t row = sizeof(Entity);
        for (const detail::Column& column : table->columns()) row += column.size;
        stats.bytes_used += static_cast<std::size_t>(table->row_count()) * row;
        for (const ComponentId id : table->ids()) count_component(id);
    }
    for (const detail::SparseSet* set : store_->sparse_sets().all()) {
        count_component(set->id());
        stats.bytes_used += std::size_t{set->size()} * (set->type().size + sizeof(std::uint64_t));
        stats.bytes_reserved += set->bytes();
    }
    stats.bytes_used += state.removed_values.bytes_used();
    stats.bytes_reserved += store_->resources().bytes();
    stats.bytes_reserved += state.object_pools.bytes();
    if (const detail::MessageQueues* messages = store_->rooms().messages.get())
        stats.bytes_reserved += messages->bytes();
    return stats;
}

}  // namespace stoa

// The life of a world, and what it tells about itself.
#include "stoa/world.hpp"

#include "command/replay.hpp"
#include "storage/state.hpp"

namespace stoa {

using detail::Store;

World::World(const WorldOptions& options) : store_(nullptr) {
    Store::gone();  // made now, so that moving a world away cannot fail
    store_ = new Store(options);
    struct Discard {
        Store* store;
        ~Discard() { delete store; }
    } unfinished{store_};
    store_->set_attachment(new detail::WorldCommands(*store_));
    store_->set_world(this);
    unfinished.store = nullptr;
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

Commands::Commands(World& world) : Commands(world.commands().living()) {}

Commands& World::commands() {
    store_->require_world("commands");
    return static_cast<detail::WorldCommands&>(*store_->attachment()).buffer;
}

void World::end_frame() {
    store_->require_unlocked("end_frame");
    flush();
    store_->forget_removed();
    store_->advance_tick();
}

std::vector<TableInfo> World::tables() const {
    std::vector<TableInfo> all;
    if (store_ == &Store::gone()) return all;
    for (const detail::Table* table : store_->state().tables) {
        TableInfo& info = all.emplace_back();
        info.rows = static_cast<std::size_t>(table->rows());
        info.chunks = table->chunk_count;
        info.bytes = table->chunk_count * table->chunk_bytes + table->self_bytes;
        for (std::uint32_t i = 0; i < table->id_count; ++i) info.components.push_back(Store::info(table->ids[i], *table->types[i]));
    }
    return all;
}

Stats World::stats() const {
    const Store::State& state = store_->state();
    Stats stats;
    stats.entities = size();
    stats.queries = detail::query_count(*store_);
    stats.tables = state.tables.size;
    stats.chunks = static_cast<std::size_t>(state.chunks_in_use);
    stats.bytes_used = store_->directory().size() * sizeof(std::uint64_t);
    stats.bytes_reserved = state.pool.bytes_reserved() + static_cast<std::size_t>(store_->directory().bytes());
    stats.bytes_huge = state.pool.bytes_huge() + static_cast<std::size_t>(store_->directory().bytes_huge());
    std::vector<bool> known;
    const auto note = [&](ComponentId id) {
        const auto number = static_cast<std::size_t>(id);
        if (known.size() <= number) known.resize(number + 1);
        stats.components += !known[number];
        known[number] = true;
    };
    for (const detail::Table* table : state.tables) {
        std::size_t row = sizeof(Entity);
        for (std::uint32_t i = 0; i < table->column_count; ++i) row += table->columns[i].size;
        stats.bytes_used += static_cast<std::size_t>(table->rows()) * row;
        for (std::uint32_t i = 0; i < table->id_count; ++i) note(table->ids[i]);
    }
    for (const detail::SparseSet* set : state.sparse_sets) {
        note(set->id());
        stats.bytes_used += std::size_t{set->size()} * (set->type().size + sizeof(std::uint64_t));
        stats.bytes_reserved += set->bytes();
    }
    for (const detail::RemovedLog* log : state.removed_logs) {
        if (log != nullptr) stats.bytes_used += std::size_t{log->size()} * (log->type().size + sizeof(std::uint64_t));
    }
    stats.bytes_reserved += store_->resources().bytes();
    for (const detail::ObjectPool* objects : state.object_pools) {
        if (objects != nullptr) stats.bytes_reserved += objects->bytes();
    }
    return stats;
}

}  // namespace stoa

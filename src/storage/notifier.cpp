// Announces structural changes to the listener and to the logs of removed values.
#include "stoa/detail/storage/notifier.hpp"

#include "storage/store_state.hpp"

namespace stoa::detail {

bool Notifier::may_notify() const noexcept { return is_observed_ || removed_.any(); }

[[gnu::noinline]] void Notifier::announce(const Change& change) noexcept {
    if (listener_ != nullptr) listener_->before_move(change);
    // After the listener, whose callbacks may still write to values that leave.
    if (change.from != nullptr && change.from->is_logged()) {
        const Location at = store_.directory().location(change.entity.index());
        removed_.keep_copies(change.entity, store_.chunks()[at.chunk()], at.row(), change.to);
    }
}

void Notifier::after_move() {
    if (listener_ != nullptr) listener_->after_move();
}

bool Notifier::before_clear() {
    const std::span<Table* const> tables = store_.tables();
    std::uint64_t rows = 0;
    for (const Table* table : tables) rows += table->reports() != 0 ? table->row_count() : 0;
    if (rows == 0) return false;
    for (const Table* table : tables) {
        if (table->is_observed()) listener_->expect(*table, rows);
    }
    for (const Table* table : tables) {
        if (table->reports() == 0) continue;
        each_entity(store_, *table, [&](Entity entity) { announce({entity, table, nullptr}); });
    }
    return true;
}

[[gnu::noinline]] Entity Notifier::spawned(Entity entity, const Table& table) {
    if (table.is_observed()) listener_->spawned({&entity, 1}, table, StoreListener::Round::all);
    return entity;
}

void Notifier::spawned(const Bulk& bulk) {
    if (!bulk.table->is_observed()) return;
    using Round = StoreListener::Round;
    for (const bool lists : {true, false}) {
        for (std::uint64_t done = 0; done < bulk.count;) {
            const BulkPiece piece = bulk.piece(store_.chunks(), done);
            done += piece.count;
            const Round calls = done == bulk.count ? Round::last_callbacks : Round::callbacks;
            listener_->spawned({entities(piece.base) + piece.row, piece.count}, *bulk.table,
                               lists ? Round::lists : calls);
        }
    }
}

void Notifier::expect_spawns(const Table& table, std::uint64_t count) {
    if (table.is_observed()) listener_->expect(table, count);
}

void Notifier::notify(const PendingNotification& change) {
    switch (change.kind) {
        case PendingNotification::Kind::none:
            return;
        case PendingNotification::Kind::spawn:
            spawned(change.entity, *change.table);
            return;
        case PendingNotification::Kind::move:
            after_move();
            return;
    }
}

void Notifier::table_added(Table& table) noexcept {
    if (listener_ != nullptr) listener_->table_added(table);
}

void Notifier::tables_removed() noexcept {
    if (listener_ != nullptr) listener_->tables_removed();
}

}  // namespace stoa::detail

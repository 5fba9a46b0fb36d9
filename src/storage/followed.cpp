// Components that indexes follow: where their writes and departures are noted.
#include "stoa/detail/followed.hpp"

#include <algorithm>
#include <new>

#include "storage/state.hpp"

namespace stoa::detail {

// A longer ring while that helps; else the oldest entry is given up.
void Departures::make_room() noexcept {
    const std::uint64_t larger = std::max(fewest, 2 * capacity_);
    Entity* entries = larger <= most ? new (std::nothrow) Entity[larger] : nullptr;
    if (entries == nullptr) {
        // Without any entry there is only the number, which tells that something was missed.
        begin_ = capacity_ == 0 ? ++end_ : begin_ + 1;
        return;
    }
    for (std::uint64_t number = begin_; number != end_; ++number) entries[number & (larger - 1)] = (*this)[number];
    delete[] entries_;
    entries_ = entries;
    capacity_ = larger;
}

Followed& Store::follow(TypeSlot& slot) {
    track(slot);
    State& state = *state_;
    const ComponentId id = resolve(*registry_, slot);
    const auto number = static_cast<std::uint32_t>(id);
    if (Followed* known = state.find_followed(id)) return *known;
    state.followed.reserve(state.pool, number + 1);
    while (state.followed.size <= number) state.followed.push(nullptr);
    Followed& component = *(state.followed[number] = new Followed);
    if (registry_->type(id).is_sparse()) {
        sparse_set(slot).follow(component);
        return component;
    }
    component.own_last = tick();
    for (const Table* table : state.tables) {
        if (!table->has(id)) continue;
        for (std::uint32_t c = 0; c < table->chunk_count; ++c) {
            chunks_[table->chunks[c]].rows[table->find(id).tick]->last = &component.own_last;
        }
    }
    return component;
}

void Store::State::note_followed_departure(const Chunk& from, std::uint32_t row, const Table* target) noexcept {
    const Table& source = from.table();
    for (std::uint32_t i = 0; i < source.tracked_count; ++i) {
        const ComponentId id = source.ids[source.tracked[i] - 1];
        Followed* component = find_followed(id);
        if (component != nullptr && (target == nullptr || !target->has(id))) component->note(entities(from.base)[row]);
    }
}

void Store::State::note_all_depart(const Table& table) noexcept {
    for (std::uint32_t i = 0; i < table.tracked_count && followed.size != 0; ++i) {
        Followed* component = find_followed(table.ids[table.tracked[i] - 1]);
        if (component != nullptr && table.rows() != 0) component->departures.note_many();
    }
}

}  // namespace stoa::detail

// Walks that test rows: sparse conditions, changes, and orders other than the tables' own. Rows are tested 64 at a time, and
// handed out as runs of rows that pass.
#include "stoa/detail/walk.hpp"

#include <algorithm>

namespace stoa::detail {
namespace {

std::uint64_t lowest(std::uint32_t bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

std::uint32_t leading_run(std::uint64_t bits) {
    return ~bits == 0 ? 64 : static_cast<std::uint32_t>(__builtin_ctzll(~bits));
}

}  // namespace

void Sieve::begin(Store& store, const QueryState& state, Order order, Since since, Mark* mark) {
    store_ = &store;
    state_ = &state;
    mark_ = nullptr;
    chunks_ = ChunkWalk(store, state);
    since_ = since;
    list_ = nullptr;
    listed_at_ = 0;
    count_ = word_ = stamps_count_ = 0;
    passing_ = 0;
    listed_ = order == Order::none;
    if (listed_) return;  // nothing is looked at, so nothing has been seen
    if (state.tracks()) store.note_reader(since);
    if (order != Order::tables) {
        list(order);
    } else if (state.tests_entities_) {
        std::vector<Location> few;
        if (state.collect_few(store, since, few)) hold(std::move(few));
    }
    mark_ = mark;  // not before: a walk that could not begin has seen nothing
}

void Sieve::end() noexcept {
    delete list_;
    if (mark_ == nullptr) return;
    mark_->moment = store_->moment();
    store_->advance_tick();
}

// The matches in an order that is not the tables' own. The structure is locked, so that rows stay where they are.
void Sieve::list(Order order) {
    struct Found {
        Entity entity;
        Location at;
    };
    std::vector<Found> found;
    Sieve sieve;
    for (Walk walk(*store_, *state_, Order::tables, since_, sieve); walk.next();) {
        const Rows rows = walk.rows();
        for (std::uint32_t i = 0; i < rows.count; ++i) {
            found.push_back({rows.ids()[i], store_->directory().location(rows.ids()[i].index())});
        }
    }
    if (order == Order::reversed) {
        std::reverse(found.begin(), found.end());
    } else {
        std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.entity < b.entity; });
    }
    std::vector<Location> rows;
    rows.reserve(found.size());
    for (const Found& row : found) rows.push_back(row.at);
    hold(std::move(rows));
}

void Sieve::hold(std::vector<Location>&& rows) {
    list_ = new std::vector<Location>(std::move(rows));
    listed_ = true;
}

bool Sieve::next() {
    if (listed_) {
        if (list_ == nullptr || listed_at_ == list_->size()) return false;
        const Location at = (*list_)[listed_at_++];
        const Chunk& chunk = store_->chunk(at.chunk());
        // Rows of one table often follow one another.
        if (&chunk.table() != rows_.table) rows_.places = state_->places_of(chunk.table());
        rows_ = {&chunk.table(), rows_.places, chunk.base, chunk.ticks, at.chunk(), at.row(), 1};
        return true;
    }
    while (passing_ == 0) {
        const std::uint32_t words = (count_ + 63) / 64;
        do ++word_;
        while (word_ < words && candidates_[word_] == 0);
        if (word_ < words) {
            passing_ = passing(word_);
        } else if (!next_chunk()) {
            return false;
        }
    }
    const auto first = static_cast<std::uint32_t>(__builtin_ctzll(passing_));
    std::uint32_t run = leading_run(passing_ >> first);
    rows_.first = word_ * 64 + first;
    rows_.count = run;
    passing_ &= ~(lowest(run) << first);
    // A run may go on in the next words.
    for (std::uint32_t end = first + run; end == 64 && (word_ + 1) * 64 < count_; end = run) {
        passing_ = passing(++word_);
        run = leading_run(passing_);
        rows_.count += run;
        passing_ &= ~lowest(run);
    }
    return true;
}

bool Sieve::next_chunk() {
    do {
        if (!chunks_.next(rows_)) {
            count_ = 0;
            return false;
        }
        count_ = rows_.count;
    } while (!open_stamps());
    word_ = 0;
    passing_ = passing(0);
    return true;
}

// False when nothing in the chunk can have changed.
bool Sieve::open_stamps() {
    const Chunk& chunk = store_->chunk(rows_.chunk);
    stamps_count_ = 0;
    const std::uint32_t words = (count_ + 63) / 64;
    std::fill_n(candidates_, words, ~std::uint64_t{0});
    candidates_[words - 1] = lowest(count_ - (words - 1) * 64);
    const bool arrivals = since_.passes(chunk.ticks[0]);
    for (const QueryState::Tracked& term : state_->tracked_) {
        if (term.sparse) continue;
        const std::uint32_t position = chunk.columns->find(term.id).tick;
        if (!arrivals && (term.added || !since_.passes(chunk.ticks[position]))) return false;
        RowTicks& rows = *chunk.rows[position];
        const bool by_bits = since_.age != Since::everything;
        stamps_[stamps_count_++] = {&rows, term.added ? rows.added() : rows.changed(), by_bits};
        if (by_bits) take_bits(rows);
    }
    return true;
}

// The oldest stamp whose bit must stay. A walk that moves its mark will not ask for its own moment again.
Tick Sieve::kept() const {
    return since_.now + (mark_ != nullptr ? 1 : 0) - static_cast<Tick>(store_->reader_window()) + 1;
}

// Readers may run side by side. So bits are read before `covered`, which is written before bits are dropped and never goes back:
// who misses a bit also sees that it may be missing, and takes the stamps.
void Sieve::take_bits(RowTicks& rows) {
    const std::uint32_t words = (count_ + 63) / 64;
    std::uint64_t bits[Location::max_rows / 64];
    for (std::uint32_t word = 0; word < words; ++word) bits[word] = __atomic_load_n(&rows.touched()[word], __ATOMIC_ACQUIRE);
    Tick covered = __atomic_load_n(&rows.covered, __ATOMIC_ACQUIRE);
    if (age_of(covered, since_.now) + 1 < since_.age) {
        std::fill_n(bits, words, 0);
        for (std::uint32_t row = 0; row < count_; ++row) {
            bits[row / 64] |= std::uint64_t{since_.passes(rows.changed()[row])} << (row % 64);
        }
    }
    const Tick kept = this->kept();
    while (age_of(covered, kept) > 0 &&
           !__atomic_compare_exchange_n(&rows.covered, &covered, kept, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {}
    for (std::uint32_t word = 0; word < words; ++word) candidates_[word] &= bits[word];
}

std::uint64_t Sieve::passing(std::uint32_t word) {
    std::uint64_t candidates = candidates_[word];
    if (candidates == 0) return 0;
    const Tick kept = this->kept();
    for (std::uint32_t i = 0; i < stamps_count_; ++i) {
        const Stamps& stamps = stamps_[i];
        std::uint64_t old = 0;
        for (std::uint64_t bits = candidates; bits != 0; bits &= bits - 1) {
            const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(bits));
            const std::uint32_t row = word * 64 + bit;
            if (!since_.passes(stamps.stamps[row])) candidates &= ~(std::uint64_t{1} << bit);
            if (age_of(stamps.rows->changed()[row], kept) > 0) old |= std::uint64_t{1} << bit;
        }
        // No reader asks for what changed that long ago.
        if (old != 0 && stamps.by_bits) __atomic_fetch_and(&stamps.rows->touched()[word], ~old, __ATOMIC_RELEASE);
    }
    if (state_->tests_entities_) {
        const Entity* ids = entities(rows_.base) + word * 64;
        for (std::uint64_t bits = candidates; bits != 0; bits &= bits - 1) {
            const int bit = __builtin_ctzll(bits);
            if (!state_->passes(*store_, ids[bit], *rows_.table, since_)) candidates &= ~(std::uint64_t{1} << bit);
        }
    }
    return candidates;
}

}  // namespace stoa::detail

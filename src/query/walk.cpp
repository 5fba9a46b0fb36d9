// Walks that test rows (sparse conditions, changes) or use another order than that of the tables. Rows are tested 64 at
// a time, and rows that pass are handed out as row spans.
#include "stoa/detail/query/walk.hpp"

#include <algorithm>

namespace stoa::detail {
namespace {

constexpr std::uint32_t before_first = 0xffffffff;  // the next one is the first

std::uint64_t lowest(std::uint32_t bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

std::uint32_t leading_run(std::uint64_t bits) {
    return ~bits == 0 ? 64 : static_cast<std::uint32_t>(__builtin_ctzll(~bits));
}

// No reader asks for changes that are this old. Two readers that do this concurrently may leave a bit, which is
// harmless; no bit is set at the same time, because no thread writes rows that others read.
void drop(std::uint64_t& touched, std::uint64_t old) {
    __atomic_store_n(&touched, __atomic_load_n(&touched, __ATOMIC_RELAXED) & ~old, __ATOMIC_RELEASE);
}

}  // namespace

void RowSelector::begin(Store& store, const QueryState& state, Order order, Since since, Mark* mark) {
    store_ = &store;
    state_ = &state;
    mark_ = nullptr;
    chunks_ = ChunkWalk(store, state);
    table_ = nullptr;
    since_ = since;
    list_ = nullptr;
    listed_at_ = 0;
    count_ = stamps_count_ = 0;
    word_ = before_first;
    passing_ = 0;
    listed_ = order == Order::none;
    picks_rows_ = order == Order::tables && !state.tests_entities_ && since.age != Since::everything;
    if (listed_) return;  // no row is tested, so nothing has been seen
    if (state.tracks()) store.clock().note_reader(since);
    if (order != Order::tables) {
        list(order);
    } else if (state.tests_entities_) {
        std::vector<Location> few;
        if (state.collect_few(store, since, few)) hold(std::move(few));
    }
    mark_ = mark;  // only now: a walk that could not begin has seen nothing
}

void RowSelector::take(RowSelector& other) noexcept {
    store_ = nullptr;
    if (other.store_ == nullptr) return;  // never started: it has no data
    *this = static_cast<const RowSelector&>(other);
    other.store_ = nullptr;
}

void RowSelector::end() noexcept {
    delete list_;
    if (mark_ != nullptr) mark_->moment = store_->clock().pass_moment();
}

// Collects the matches in another order than that of the tables. The structure is locked, so rows do not move.
void RowSelector::list(Order order) {
    struct Found {
        Entity entity;
        Location at;
    };
    std::vector<Found> found;
    RowSelector selector;
    for (Walk walk(*store_, *state_, Order::tables, since_, selector); walk.next();) {
        const RowSpan rows = walk.rows();
        for (std::uint32_t i = 0; i < rows.count; ++i) {
            found.push_back({rows.ids()[i], store_->directory().location(rows.ids()[i].index())});
        }
    }
    if (is_by_index(order))
        std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.entity < b.entity; });
    if (is_backward(order)) std::reverse(found.begin(), found.end());
    std::vector<Location> rows;
    rows.reserve(found.size());
    for (const Found& row : found) rows.push_back(row.at);
    hold(std::move(rows));
}

void RowSelector::hold(std::vector<Location>&& rows) {
    list_ = new std::vector<Location>(std::move(rows));
    listed_ = true;
}

bool RowSelector::next() {
    if (listed_) {
        if (list_ == nullptr || listed_at_ == list_->size()) return false;
        const Location at = (*list_)[listed_at_++];
        const Chunk& chunk = store_->chunks()[at.chunk()];
        rows_ = {&chunk.table(), chunk.base, chunk.ticks, at.chunk(), at.row(), 1};
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
    // A span may continue in the next words.
    for (std::uint32_t end = first + run; end == 64 && (word_ + 1) * 64 < count_; end = run) {
        passing_ = passing(++word_);
        run = leading_run(passing_);
        rows_.count += run;
        passing_ &= ~lowest(run);
    }
    return true;
}

bool RowSelector::next_chunk() {
    do {
        if (!chunks_.next(rows_)) {
            count_ = 0;
            return false;
        }
        chunks_.fetch_ticks();
        if (rows_.table != table_) open_table(*rows_.table);
    } while (!may_have_changed(rows_.ticks));
    count_ = rows_.count;
    open_stamps(store_->chunks()[rows_.chunk]);
    word_ = before_first;
    return true;
}

// Scattered rows are tested and handed out many at a time: their data is far apart, and in a loop without branches the
// cache misses overlap.
bool RowSelector::next_picks() {
    pick_count_ = 0;
    if (!picks_rows_ || passing_ != 0) return next();
    for (;;) {
        const std::uint32_t words = (count_ + 63) / 64;
        std::uint32_t first = word_ + 1;
        while (first < words && candidates_[first] == 0) ++first;
        if (first >= words) {
            if (!next_chunk()) return false;
            continue;
        }
        if (candidates_[first] == ~std::uint64_t{0}) return next();
        const std::uint32_t end = list_candidates(first, words);
        if (pick_count_ > 16 * (end - first)) {  // enough of them to form spans
            pick_count_ = 0;
            return next();
        }
        test_picks(first, end);
        word_ = end - 1;
        if (pick_count_ == 0) continue;
        rows_.first = 0;
        rows_.count = count_;
        return true;
    }
}

// Lists the candidates of some words. Returns: the word after the last one.
std::uint32_t RowSelector::list_candidates(std::uint32_t first_word, std::uint32_t end_word) {
    const auto row_of = [](std::uint32_t word, std::uint64_t bits) {
        return static_cast<std::uint16_t>(word * 64 +
                                          static_cast<std::uint32_t>(__builtin_ctzll(bits | (std::uint64_t{1} << 63))));
    };
    std::uint32_t count = 0;
    std::uint32_t word = first_word;
    for (; word < end_word && count < most_picks; ++word) {
        const std::uint64_t bits = candidates_[word];
        const std::uint64_t without_first = bits & (bits - 1);
        // Always writes two rows for each word: the next word overwrites surplus entries.
        picks_[count] = row_of(word, bits);
        picks_[count + 1] = row_of(word, without_first);
        count += (bits != 0) + (without_first != 0);
        for (std::uint64_t rest = without_first & (without_first - 1); rest != 0; rest &= rest - 1)
            picks_[count++] = row_of(word, rest);
    }
    pick_count_ = count;
    return word;
}

void RowSelector::test_picks(std::uint32_t first_word, std::uint32_t end_word) {
    const Tick oldest = oldest_needed();
    for (std::uint32_t i = 0; i < stamps_count_; ++i) {
        const Stamps& stamps = stamps_[i];
        const Tick* const changed = stamps.rows->changed();
        std::uint64_t old[Location::max_rows / 64];
        std::fill_n(old, end_word - first_word, 0);
        std::uint32_t passed = 0;
        for (std::uint32_t at = 0; at < pick_count_; ++at) {
            const std::uint32_t row = picks_[at];
            old[row / 64 - first_word] |= std::uint64_t{age_of(changed[row], oldest) > 0} << (row % 64);
            picks_[passed] = static_cast<std::uint16_t>(row);
            passed += since_.passes(stamps.stamps[row]);
        }
        pick_count_ = passed;
        for (std::uint32_t word = first_word; word < end_word; ++word)
            drop(stamps.rows->touched()[word], old[word - first_word]);
    }
}

void RowSelector::open_table(const Table& table) {
    table_ = &table;
    std::uint32_t at = 0;
    for (const QueryState::Tracked& term : state_->tracked_)
        tick_of_[at++] = term.sparse ? TickIndex::arrivals : table.find(term.id).tick_index;
}

// False when nothing in the chunk can have changed.
bool RowSelector::may_have_changed(const Tick* ticks) const {
    if (since_.passes(ticks[0])) return true;
    std::uint32_t at = 0;
    for (const QueryState::Tracked& term : state_->tracked_) {
        const Tick tick = ticks[index_of(tick_of_[at++])];
        if (!term.sparse && (term.added || !since_.passes(tick))) return false;
    }
    return state_->changes_.empty() || may_pass_changes(ticks);
}

// The same for conditions of which some alternatives track. Requires: nothing has arrived in the chunk.
bool RowSelector::may_pass_changes(const Tick* ticks) const {
    const auto may_hold = [&](const QueryState::Choice& choice) {
        if (choice.sparse) return true;
        const ColumnAt at = table_->find(choice.id);
        if ((at.offset != ColumnAt::absent) != choice.present) return false;
        return choice.tracking == Tracking::none ||
               (choice.tracking == Tracking::changed && since_.passes(ticks[index_of(at.tick_index)]));
    };
    return std::all_of(state_->changes_.begin(), state_->changes_.end(),
                       [&](const auto& choices) { return std::any_of(choices.begin(), choices.end(), may_hold); });
}

void RowSelector::open_stamps(const Chunk& chunk) {
    stamps_count_ = 0;
    std::uint32_t at = 0;
    const std::uint32_t words = (count_ + 63) / 64;
    std::fill_n(candidates_, words, ~std::uint64_t{0});
    candidates_[words - 1] = lowest(count_ - (words - 1) * 64);
    for (const QueryState::Tracked& term : state_->tracked_) {
        const TickIndex tick = tick_of_[at++];
        if (term.sparse) continue;
        RowTicks& rows = *chunk.row_ticks[index_of(tick)];
        const bool by_bits = since_.age != Since::everything;
        stamps_[stamps_count_++] = {&rows, term.added ? rows.added() : rows.changed(), by_bits};
        if (!by_bits) continue;
        std::uint64_t bits[Location::max_rows / 64];
        take_bits(rows, bits);
        for (std::uint32_t word = 0; word < words; ++word) candidates_[word] &= bits[word];
    }
    if (!state_->changes_.empty() && since_.age != Since::everything) open_changes(chunk);
}

// A condition that only changes of columns can satisfy leaves the rows that one of these has touched.
void RowSelector::open_changes(const Chunk& chunk) {
    const std::uint32_t words = (count_ + 63) / 64;
    for (const std::vector<QueryState::Choice>& choices : state_->changes_) {
        std::uint64_t touched[Location::max_rows / 64];
        std::fill_n(touched, words, 0);
        for (const QueryState::Choice& choice : choices) {
            const ColumnAt at = table_->find(choice.id);
            const bool has = at.offset != ColumnAt::absent;
            if (choice.sparse || (choice.tracking == Tracking::none && has == choice.present)) {
                std::fill_n(touched, words, ~std::uint64_t{0});
            } else if (choice.tracking != Tracking::none && has) {
                std::uint64_t bits[Location::max_rows / 64];
                take_bits(*chunk.row_ticks[index_of(at.tick_index)], bits);
                for (std::uint32_t word = 0; word < words; ++word) touched[word] |= bits[word];
            }
        }
        for (std::uint32_t word = 0; word < words; ++word) candidates_[word] &= touched[word];
    }
}

// The oldest tick whose changes a reader may still ask for. The moment of this walk is excluded if it is past, or will
// be when the walk has moved its mark.
Tick RowSelector::oldest_needed() const {
    return store_->clock().oldest_asked_for(since_) +
           (mark_ != nullptr || store_->clock().thread_tick() != since_.now ? 1 : 0);
}

// Readers may run at the same time. So bits are read before `covered`, which is written before bits are dropped and
// never decreases: a reader that misses a bit also sees that it may be missing, and tests the ticks.
void RowSelector::take_bits(RowTicks& rows, std::uint64_t* bits) {
    const std::uint32_t words = (count_ + 63) / 64;
    for (std::uint32_t word = 0; word < words; ++word)
        bits[word] = __atomic_load_n(&rows.touched()[word], __ATOMIC_ACQUIRE);
    Tick covered = __atomic_load_n(&rows.covered, __ATOMIC_ACQUIRE);
    if (age_of(covered, since_.now) + 1 < since_.age) {
        std::fill_n(bits, words, 0);
        for (std::uint32_t row = 0; row < count_; ++row) {
            bits[row / 64] |= std::uint64_t{since_.passes(rows.changed()[row])} << (row % 64);
        }
    }
    const Tick oldest = oldest_needed();
    while (age_of(covered, oldest) > 0 &&
           !__atomic_compare_exchange_n(&rows.covered, &covered, oldest, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)) {
    }
}

// For 64 consecutive rows. Mostly all of them pass or none, and all of them or none are needed again.
RowSelector::Ages RowSelector::ages(const Tick* stamps) const {
    Ages found{age_of(stamps[0], since_.now), age_of(stamps[0], since_.now)};
    for (std::uint32_t i = 1; i < 64; ++i) {
        const Age age = age_of(stamps[i], since_.now);
        found.least = std::min(found.least, age);
        found.most = std::max(found.most, age);
    }
    return found;
}

// Those of some rows of a word whose tick passes. Bits of changes that no reader asks for again are dropped.
[[gnu::always_inline]] inline std::uint64_t RowSelector::passing_ticks(const Stamps& stamps, std::uint32_t word,
                                                                       std::uint64_t rows, Tick oldest) {
    std::uint64_t old = 0;
    if (rows == ~std::uint64_t{0}) {
        const Tick* const changed = stamps.rows->changed();
        const Ages tested = ages(stamps.stamps + word * 64);
        const Ages seen = stamps.stamps == changed ? tested : ages(changed + word * 64);
        const Age oldest_age_needed = age_of(oldest, since_.now);  // older changes are not asked for again
        const bool all_old = seen.least > oldest_age_needed;
        const bool all_pass = tested.most < since_.age;
        if ((all_pass || tested.least >= since_.age) && (all_old || seen.most <= oldest_age_needed)) {
            if (all_old && stamps.by_bits) drop(stamps.rows->touched()[word], rows);
            return all_pass ? rows : 0;
        }
    }
    std::uint64_t passing = rows;
    for (std::uint64_t bits = rows; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(bits));
        const std::uint32_t row = word * 64 + bit;
        if (!since_.passes(stamps.stamps[row])) passing &= ~(std::uint64_t{1} << bit);
        if (age_of(stamps.rows->changed()[row], oldest) > 0) old |= std::uint64_t{1} << bit;
    }
    if (old != 0 && stamps.by_bits) drop(stamps.rows->touched()[word], old);
    return passing;
}

std::uint64_t RowSelector::passing(std::uint32_t word) {
    std::uint64_t candidates = candidates_[word];
    if (candidates == 0) return 0;
    const Tick oldest = oldest_needed();
    for (std::uint32_t i = 0; i < stamps_count_; ++i) candidates = passing_ticks(stamps_[i], word, candidates, oldest);
    if (!state_->tests_entities_) return candidates;
    candidates = passing_changes(word, candidates);
    return state_->names_sparse_ ? passing_entities(word, candidates) : candidates;
}

// The conditions of which some alternatives track: for each, the rows for which one of the alternatives holds.
std::uint64_t RowSelector::passing_changes(std::uint32_t word, std::uint64_t rows) {
    const Entity* ids = entities(rows_.base) + word * 64;
    const Chunk& chunk = store_->chunks()[rows_.chunk];
    const auto holding = [&](const QueryState::Choice& choice, std::uint64_t asked) -> std::uint64_t {
        if (choice.sparse) {
            for (std::uint64_t bits = asked; bits != 0; bits &= bits - 1) {
                const int bit = __builtin_ctzll(bits);
                if (!QueryState::holds_sparse(choice, *store_, ids[bit], since_)) asked &= ~(std::uint64_t{1} << bit);
            }
            return asked;
        }
        const ColumnAt at = table_->find(choice.id);
        if ((at.offset != ColumnAt::absent) != choice.present) return 0;
        if (choice.tracking == Tracking::none) return asked;
        RowTicks& ticks = *chunk.row_ticks[index_of(at.tick_index)];
        const Tick* stamps = choice.tracking == Tracking::added ? ticks.added() : ticks.changed();
        return passing_ticks({&ticks, stamps, since_.age != Since::everything}, word, asked, oldest_needed());
    };
    for (const std::vector<QueryState::Choice>& choices : state_->changes_) {
        std::uint64_t passing = 0;
        for (const QueryState::Choice& choice : choices) passing |= holding(choice, rows & ~passing);
        rows = passing;
    }
    return rows;
}

std::uint64_t RowSelector::passing_entities(std::uint32_t word, std::uint64_t rows) const {
    const Entity* ids = entities(rows_.base) + word * 64;
    for (std::uint64_t bits = rows; bits != 0; bits &= bits - 1) {
        const int bit = __builtin_ctzll(bits);
        if (!state_->passes(*store_, ids[bit], *rows_.table, since_)) rows &= ~(std::uint64_t{1} << bit);
    }
    return rows;
}

}  // namespace stoa::detail

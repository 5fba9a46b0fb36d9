// Ticks record when values changed. The world has a counter that advances after each walk that looks for changes; a
// stamp is its lower half. Stamps of a chunk and column always exist; stamps of single rows (RowTicks) exist for
// tracked components. Written by the store and by walks, read by walks.
//
// Invariant: no stamp is older than `oldest_age` by much (ChangeClock ensures it), so an age is exact although stamps
// wrap around.
#pragma once

#include <cstddef>
#include <cstdint>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

using Tick = std::uint32_t;

// How many ticks ago something happened. Negative for stamps that count as later than now.
using Age = std::int32_t;

inline constexpr Age oldest_age = Age{1} << 30;

inline Age age_of(Tick stamp, Tick now) { return static_cast<Age>(now - stamp); }

// Tests whether a stamp is later than a moment. It compares ages, so that it does not matter where the counter wraps.
struct Since {
    Tick now = 0;
    Age age = everything;  // of the moment

    static constexpr Age everything = 0x7fffffff;

    bool passes(Tick stamp) const { return age_of(stamp, now) < age; }
};

// The stamps of the rows of one chunk, or of the slots of a sparse set, for one component:
//
//     rows │ covered │ last │ changed [rows] │ added [rows] │ touched: a bit a row
//
// A row whose bit is clear has not changed since `covered`; so a walk reads the bits first, and stamps only where a bit
// is set. An addition is a change too. `last` points to the newest stamp of the component: shared by all RowTicks of an
// indexed component, else its own.
struct RowTicks {
    std::uint32_t rows;
    Tick covered;
    Tick own_last = 0;
    Tick* last = nullptr;

    // Several threads may write to different rows.
    void note(Tick now) {
        if (__atomic_load_n(last, __ATOMIC_RELAXED) != now) __atomic_store_n(last, now, __ATOMIC_RELAXED);
    }

    static std::size_t words(std::uint32_t rows) { return (rows + 63) / 64; }
    static std::size_t bytes(std::uint32_t rows) {
        return sizeof(RowTicks) + 2 * sizeof(Tick) * rows + sizeof(std::uint64_t) * words(rows);
    }

    // Safe: the block has room for the arrays; `rows` is even, so the words are aligned.
    Tick* changed() { return reinterpret_cast<Tick*>(this + 1); }
    Tick* added() { return changed() + rows; }
    std::uint64_t* touched() { return reinterpret_cast<std::uint64_t*>(added() + rows); }

    void touch(std::uint32_t row) { touched()[row / 64] |= std::uint64_t{1} << (row % 64); }
    void change(std::uint32_t row, Tick now) {
        changed()[row] = now;
        touch(row);
        note(now);
    }
    // The same where other threads may mark rows of the same word.
    void change_beside_others(std::uint32_t row, Tick now) {
        changed()[row] = now;
        __atomic_fetch_or(&touched()[row / 64], std::uint64_t{1} << (row % 64), __ATOMIC_RELAXED);
    }
    void arrive(std::uint32_t row, Tick now) {
        added()[row] = now;
        change(row, now);
    }
    // Calls visit(row) for the rows below `bound` that changed. Drops the bits of those that changed before `oldest`,
    // which no reader asks for. Complexity: O(bits + rows whose bit is set); O(rows) for a reader whose moment is older
    // than `covered`.
    template <class Visit>
    void each_changed(Since since, Tick oldest, std::uint32_t bound, Visit&& visit) {
        const bool by_bits = since.age != Since::everything && age_of(covered, since.now) + 1 >= since.age;
        if (age_of(covered, oldest) > 0) covered = oldest;
        for (std::uint32_t word = 0; word < words(bound); ++word) {
            std::uint64_t bits = by_bits ? __atomic_load_n(&touched()[word], __ATOMIC_RELAXED) : ~std::uint64_t{0};
            for (; bits != 0; bits &= bits - 1) {
                const std::uint32_t row = word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
                if (row >= bound) break;
                const Tick stamp = changed()[row];
                if (age_of(stamp, oldest) > 0) __atomic_fetch_and(&touched()[word], ~(bits & -bits), __ATOMIC_RELAXED);
                if (since.passes(stamp)) visit(row);
            }
        }
    }
    // Copies the stamps of `row` of `from`.
    void take(std::uint32_t to, RowTicks& from, std::uint32_t row) {
        changed()[to] = from.changed()[row];
        added()[to] = from.added()[row];
        touch(to);
    }
};

}  // namespace stoa::detail

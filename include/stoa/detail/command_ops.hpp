// Recorded edits as bytes. A record is a header of two words and, behind it, the values or the callable that the edit
// brings along; `Operation` describes it, one constant for each verb and list of types, so that replay is compiled once
// and knows no types.
//
//     record   subject: entity | operation                   16 bytes, aligned to 16
//              values of the list in order, or a callable    at the offsets of the operation
//
// Invariant: between records the payload of each is alive, unless its header says `done`. Called by Commands and
// replay.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "stoa/detail/build.hpp"
#include "stoa/detail/column.hpp"
#include "stoa/detail/initializer.hpp"
#include "stoa/detail/store.hpp"

namespace stoa {
class World;
}

namespace stoa::detail {

enum class Verb : std::uint8_t {
    skip,        // a gap of `subject` bytes
    spawn,       // values, or defaults when there are none
    spawn_with,  // defaults, then an initializer
    despawn,
    add,
    set,
    remove,
    run,
    give_back,  // in place of a despawn whose spawn was left out
};

struct alignas(16) Operation {
    Verb verb;
    bool may_throw;           // code of the user that runs when it is applied
    std::uint32_t size;       // of the whole record, a multiple of 16
    std::uint32_t alignment;  // of the payload, at least 16
    TypeList* list = nullptr;
    const ValueAt* values = nullptr;                        // one for each type of the list; null: defaults
    void (*destroy)(std::byte* record) noexcept = nullptr;  // null: the payload needs no end
    void (*run)(std::byte* record, World& world) = nullptr;
    void (*initialize)(std::byte* record, Store& store, Entity entity, void* const* cells) = nullptr;
};

struct alignas(16) Record {
    static constexpr std::uintptr_t linked = 1;  // `subject` is the address of the next record of the same entity
    static constexpr std::uintptr_t done =
        2;  // has been applied together with an earlier record; nothing is left in it
    static constexpr std::uintptr_t marks = 15;

    std::uint64_t subject;
    std::uintptr_t word;

    Entity entity() const { return Entity::from_bits(subject); }
    // Safe: operations are aligned to 16 and live as long as the program.
    const Operation& operation() const { return *reinterpret_cast<const Operation*>(word & ~marks); }
    void set(std::uint64_t what, const Operation& how) {
        subject = what;
        word = reinterpret_cast<std::uintptr_t>(&how);
    }
    std::byte* bytes() { return reinterpret_cast<std::byte*>(this); }
    std::size_t size() const {
        const Operation& how = operation();
        return how.verb == Verb::skip ? static_cast<std::size_t>(subject) : how.size;
    }
};
static_assert(sizeof(Record) == 16);

inline constexpr Operation skip_operation{Verb::skip, false, 0, 16};
inline constexpr Operation despawn_operation{Verb::despawn, false, sizeof(Record), 16};

constexpr std::uint32_t round_up(std::size_t value, std::size_t to) {
    return static_cast<std::uint32_t>((value + to - 1) / to * to);
}

template <class T>
consteval bool is_recordable() {
    static_assert(std::is_move_constructible_v<T>,
                  "a value that is recorded in a command is moved to its place later, so it must be movable");
    return true;
}

// The places of values in a record.
template <std::size_t Count>
struct ValueLayout {
    ValueAt at[Count + 1] = {};
    std::size_t end = sizeof(Record);
    std::size_t alignment = 16;
};

// Safe: as Operations<T>.
template <class T>
void move_value(void* to, void* from) {
    ::new (to) T(std::move(*static_cast<T*>(from)));
}

template <class T, std::size_t Count>
constexpr void place_value(ValueLayout<Count>& places, std::size_t i) {
    if constexpr (!is_tag<T>) {
        places.end = round_up(places.end - sizeof(Record), alignof(T)) + sizeof(Record);
        places.at[i].offset = static_cast<std::uint32_t>(places.end);
        if constexpr (!std::is_nothrow_move_constructible_v<T>) places.at[i].move = &move_value<T>;
        places.end += sizeof(T);
        places.alignment = places.alignment < alignof(T) ? alignof(T) : places.alignment;
    }
}

template <class... Ts>
constexpr ValueLayout<sizeof...(Ts)> lay_out_values() {
    ValueLayout<sizeof...(Ts)> places;
    std::size_t i = 0;
    (place_value<Ts>(places, i++), ...);
    return places;
}

// What is done to the values of a record without knowing their types.
template <class... Ts>
struct ValuesOf {
    static constexpr ValueLayout<sizeof...(Ts)> layout = lay_out_values<Ts...>();

    template <class T>
    static void destroy_one(std::byte* record, std::size_t i) noexcept {
        if constexpr (!is_tag<T>) column<T>(record + layout.at[i].offset, 0)->~T();
    }
    static void destroy(std::byte* record) noexcept {
        std::size_t i = 0;
        (destroy_one<Ts>(record, i++), ...);
    }

    template <Verb How>
    static constexpr Operation operation{How,
                                         !(std::is_nothrow_move_constructible_v<Ts> && ...),
                                         round_up(layout.end, 16),
                                         static_cast<std::uint32_t>(layout.alignment),
                                         &TypeListOf<Ts...>::list,
                                         layout.at,
                                         (std::is_trivially_destructible_v<Ts> && ...) ? nullptr : &destroy};
};

// Verbs that name types and bring no values.
template <Verb How, class... Ts>
inline constexpr Operation list_operation{How, How != Verb::remove && !(builds_nothrow<Ts, Default>() && ...),
                                          sizeof(Record), 16, &TypeListOf<Ts...>::list};

// A callable in a record: a run, or an initializer for Ts.
template <class F, class... Ts>
struct CallableOf {
    static_assert(alignof(F) <= max_alignment, "a recorded callable may be aligned to at most 4096 bytes");
    static constexpr std::uint32_t size = round_up(sizeof(Record) + sizeof(F), 16);
    static constexpr std::uint32_t alignment = alignof(F) < 16 ? 16 : static_cast<std::uint32_t>(alignof(F));

    static F& callable(std::byte* record) { return *column_of(record); }
    static F* column_of(std::byte* record) {
        return std::launder(reinterpret_cast<F*>(record + sizeof(Record)));  // Safe: built there by Commands
    }
    static void destroy(std::byte* record) noexcept { column_of(record)->~F(); }
    static constexpr auto end = std::is_trivially_destructible_v<F> ? nullptr : &destroy;

    static void run(std::byte* record, World& world) { callable(record)(world); }

    static void initialize(std::byte* record, Store& store, Entity entity, void* const* cells) {
        call_initializer<Ts...>(callable(record), store, entity, cells);
    }

    static constexpr Operation run_operation{Verb::run, true, size, alignment, nullptr, nullptr, end, &run};
    static constexpr Operation spawn_operation{Verb::spawn_with, true, size,    alignment,  &TypeListOf<Ts...>::list,
                                               nullptr,          end,  nullptr, &initialize};
};

}  // namespace stoa::detail

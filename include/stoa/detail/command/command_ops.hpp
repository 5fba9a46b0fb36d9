// Recorded edits as bytes. A command record is a header of two words, followed by the values or the callable of the
// edit. `Operation` describes it: there is one constant for each verb and type list, so replay is compiled once and
// knows no types.
//
//     record   subject: entity | operation                   16 bytes, aligned to 16
//              values of the list in order, or a callable    at the offsets of the operation
//
// Invariant: the payload of a record is constructed, unless its header says `done`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/round_up.hpp"
#include "stoa/detail/query/initializer.hpp"
#include "stoa/detail/storage/build.hpp"
#include "stoa/detail/storage/column.hpp"
#include "stoa/detail/storage/store.hpp"

namespace stoa {
class World;
}

namespace stoa::detail {

enum class Verb : std::uint8_t {
    skip,        // a gap of `subject` bytes
    spawn,       // values, or defaults when there are none
    spawn_with,  // defaults, then an initializer
    clone,       // of the entity in its payload
    despawn,
    add,
    set,
    remove,
    replace,  // the first of the list by the second, whose value it has
    remove_all,
    copy,  // from the entity in its payload
    run,
    give_back,  // replaces a despawn whose spawn was folded away: gives the id back
};

struct alignas(16) Operation {
    Verb verb;
    bool may_throw;           // applying it runs user code that may throw
    std::uint32_t size;       // of the whole record, a multiple of 16
    std::uint32_t alignment;  // of the payload, at least 16
    TypeList* list = nullptr;
    const RecordField* values = nullptr;                    // one for each type of the list; null: defaults
    void (*destroy)(std::byte* record) noexcept = nullptr;  // null: the payload is trivially destructible
    void (*run)(std::byte* record, World& world) = nullptr;
    void (*initialize)(std::byte* record, Store& store, Entity entity, void* const* cells) = nullptr;
    TypeList* full_list = nullptr;  // the list and what it requires; null if that is nothing
};

struct alignas(16) CommandRecord {
    static constexpr std::uintptr_t linked = 1;  // `subject` is the address of the next record of the same entity
    static constexpr std::uintptr_t done =
        2;  // has been applied together with an earlier record; nothing is left in it
    static constexpr std::uintptr_t marks = 15;

    std::uint64_t subject;
    std::uintptr_t word;

    Entity entity() const { return Entity::from_bits(subject); }
    // Safe: operations are aligned to 16 and live as long as the program.
    const Operation& operation() const { return *reinterpret_cast<const Operation*>(word & ~marks); }
    void set(std::uint64_t new_subject, const Operation& new_operation) {
        subject = new_subject;
        word = reinterpret_cast<std::uintptr_t>(&new_operation);
    }
    std::byte* bytes() { return reinterpret_cast<std::byte*>(this); }
    std::size_t size() const {
        const Operation& recorded = operation();
        return recorded.verb == Verb::skip ? static_cast<std::size_t>(subject) : recorded.size;
    }
};
static_assert(sizeof(CommandRecord) == 16);

// The record at an address in a buffer. Safe: a block consists of records, aligned to 16. After the last record there
// are unused bytes, into which a trivial type may be written.
inline CommandRecord& record_at(std::byte* at) { return *reinterpret_cast<CommandRecord*>(at); }
inline const CommandRecord& record_at(const std::byte* at) { return *reinterpret_cast<const CommandRecord*>(at); }

inline constexpr Operation skip_operation{Verb::skip, false, 0, 16};
inline constexpr Operation despawn_operation{Verb::despawn, false, sizeof(CommandRecord), 16};
inline constexpr Operation remove_all_operation{Verb::remove_all, false, sizeof(CommandRecord), 16};

// Whether recording it reserves an id, which is its subject.
constexpr bool reserves_id(Verb verb) { return verb <= Verb::clone && verb >= Verb::spawn; }

// Operations whose payload is another entity.
template <Verb How>
inline constexpr Operation other_operation{
    How, true, static_cast<std::uint32_t>(round_up(sizeof(CommandRecord) + sizeof(Entity), 16)), 16};

template <class T>
consteval bool is_recordable() {
    static_assert(std::is_move_constructible_v<T>,
                  "a value that is recorded in a command is moved to its place later, so it must be movable");
    return true;
}

// Where the values of a record are.
template <std::size_t Count>
struct RecordLayout {
    RecordField at[Count + 1] = {};
    std::size_t end = sizeof(CommandRecord);
    std::size_t alignment = 16;
};

template <class T, std::size_t Count>
constexpr void add_to_layout(RecordLayout<Count>& places, std::size_t i) {
    if constexpr (!is_tag<T>) {
        places.end = round_up(places.end - sizeof(CommandRecord), alignof(T)) + sizeof(CommandRecord);
        places.at[i].offset = static_cast<std::uint32_t>(places.end);
        if constexpr (!std::is_nothrow_move_constructible_v<T>) places.at[i].move = &move_value<T>;
        places.end += sizeof(T);
        places.alignment = places.alignment < alignof(T) ? alignof(T) : places.alignment;
    }
}

template <class... Ts>
constexpr RecordLayout<sizeof...(Ts)> record_layout() {
    RecordLayout<sizeof...(Ts)> places;
    std::size_t i = 0;
    (add_to_layout<Ts>(places, i++), ...);
    return places;
}

template <class... Ts>
consteval bool required_may_throw() {
    return []<class... More>(Types<More...>) { return !(builds_nothrow<More, Default>() && ...); }(RequiredBy<Ts...>{});
}

// The full list of an operation. `Removed`: the types that it names before Ts, and removes.
template <class Removed, class... Ts>
consteval TypeList* full_list_of() {
    if constexpr (requires_more<Ts...>) {
        return []<class... Rs, class... More>(Types<Rs...>, Types<More...>) {
            return &TypeListOf<Rs..., Ts..., More...>::list;
        }(Removed{}, RequiredBy<Ts...>{});
    }
    return nullptr;
}

// The values of a record, for code that does not know their types.
template <class... Ts>
struct RecordedValues {
    static constexpr RecordLayout<sizeof...(Ts)> layout = record_layout<Ts...>();

    template <class T>
    static void destroy_one(std::byte* record, std::size_t i) noexcept {
        if constexpr (!is_tag<T>) column<T>(record + layout.at[i].offset, 0)->~T();
    }
    static void destroy(std::byte* record) noexcept {
        std::size_t i = 0;
        (destroy_one<Ts>(record, i++), ...);
    }

    // The list names components without a value before those of Ts.
    template <Verb How, class... Removed>
    static constexpr Operation operation{
        How,
        !(std::is_nothrow_move_constructible_v<Ts> && ...) || required_may_throw<Ts...>(),
        static_cast<std::uint32_t>(round_up(layout.end, 16)),
        static_cast<std::uint32_t>(layout.alignment),
        &TypeListOf<Removed..., Ts...>::list,
        layout.at,
        (std::is_trivially_destructible_v<Ts> && ...) ? nullptr : &destroy,
        nullptr,
        nullptr,
        full_list_of<Types<Removed...>, Ts...>()};
};

// Operations that name types and have no payload.
template <Verb How, class... Ts>
inline constexpr Operation list_operation{
    How,
    How != Verb::remove && (!(builds_nothrow<Ts, Default>() && ...) || required_may_throw<Ts...>()),
    sizeof(CommandRecord),
    16,
    &TypeListOf<Ts...>::list,
    nullptr,
    nullptr,
    nullptr,
    nullptr,
    How != Verb::remove ? full_list_of<Types<>, Ts...>() : nullptr};

// A record whose payload is a callable: one to run, or an initializer for Ts.
template <class F, class... Ts>
struct RecordedCallable {
    static_assert(alignof(F) <= max_alignment, "a recorded callable may be aligned to at most 4096 bytes");
    static constexpr std::uint32_t size = static_cast<std::uint32_t>(round_up(sizeof(CommandRecord) + sizeof(F), 16));
    static constexpr std::uint32_t alignment = alignof(F) < 16 ? 16 : static_cast<std::uint32_t>(alignof(F));

    static F* callable(std::byte* record) {
        return std::launder(object_at<F>(record + sizeof(CommandRecord)));  // Safe: built there by Commands
    }
    static void destroy(std::byte* record) noexcept { callable(record)->~F(); }
    static constexpr auto destroyer = std::is_trivially_destructible_v<F> ? nullptr : &destroy;

    static void run(std::byte* record, World& world) { (*callable(record))(world); }

    static void initialize(std::byte* record, Store& store, Entity entity, void* const* cells) {
        call_initializer<Ts...>(*callable(record), store, entity, cells);
    }

    static constexpr Operation run_operation{Verb::run, true, size, alignment, nullptr, nullptr, destroyer, &run};
    static constexpr Operation spawn_operation{
        Verb::spawn_with, true,      size,    alignment,   &TypeListOf<Ts...>::list,
        nullptr,          destroyer, nullptr, &initialize, full_list_of<Types<>, Ts...>()};
};

}  // namespace stoa::detail

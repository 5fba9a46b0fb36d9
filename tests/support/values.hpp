// How a number gets into a component and out of it again: make, read and write for every component of components.hpp.
// Invariant: read(make<C>(n)) == n for 0 <= n < 2^20, read(C{}) == 0, and a value that was torn, lost or moved as raw
// bytes reads as corrupt_value. Components that carry nothing read as 0. Called by the snapshot and the model.
#pragma once

#include "components.hpp"
#include "handles.hpp"

#include <charconv>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace stoa_test {

/// Whether the component can hold a number at all.
template <class C>
inline constexpr bool carries_number = !std::is_empty_v<C>;

// Text: the digits, then 0, 16 or 32 letters, so that short and long strings take turns.
inline std::string text_of(int number) {
    if (number == 0) {
        return {};
    }
    std::string text = std::to_string(number);
    text.append(static_cast<std::size_t>(number % 3) * 16, 'x');
    return text;
}
inline int number_of(const std::string& text) {
    if (text.empty()) {
        return 0;
    }
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || number <= 0 || end - rest != (number % 3) * 16) {
        return corrupt_value;
    }
    for (const char* letter = rest; letter != end; ++letter) {
        if (*letter != 'x') {
            return corrupt_value;
        }
    }
    return number;
}

// Lists: number % 7 + 1 items that are all the number.
inline std::vector<int> list_of(int number) {
    return number == 0 ? std::vector<int>{} : std::vector<int>(static_cast<std::size_t>(number % 7) + 1, number);
}
inline int number_of(const std::vector<int>& items) {
    if (items.empty()) {
        return 0;
    }
    const int number = items.front();
    for (const int item : items) {
        if (item != number) {
            return corrupt_value;
        }
    }
    return items.size() == static_cast<std::size_t>(number % 7) + 1 ? number : corrupt_value;
}

// Entities: the number as index and as generation, so that no layout of the bits can hide a swap.
inline stoa::Entity entity_of(int number) {
    return number == 0 ? stoa::Entity{} : forge(static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number));
}

inline int read(const Position& c) { return c.y == -c.x ? c.x : corrupt_value; }
inline int read(const Velocity& c) { return c.dy == c.dx * 2 ? static_cast<int>(c.dx) : corrupt_value; }
inline int read(const Name& c) { return number_of(c.text); }
inline int read(const Owner& c) { return c.number ? *c.number : 0; }
inline int read(const Burning& c) { return c.heat; }
inline int read(const Note& c) { return number_of(c.text); }
inline int read(const Bag& c) { return number_of(c.items); }
inline int read(const Crate& c) { return number_of(c.items); }
inline int read(const Grave& c) { return number_of(c.text); }
inline int read(const Wide& c) {
    return reinterpret_cast<std::uintptr_t>(&c) % alignof(Wide) == 0 ? c.number : corrupt_value;
}
inline int read(const Score& c) { return c.value; }
inline int read(const int& c) { return c; }
inline int read(const stoa::Entity& c) {
    return c.index() == c.generation() ? static_cast<int>(c.index()) : corrupt_value;
}
template <class Family>
int read(const Traced<Family>& c) {
    return c.checked();
}
inline int read(const Red&) { return 0; }
inline int read(const Blue&) { return 0; }
inline int read(const Flag&) { return 0; }
inline int read(const Haunted&) { return 0; }
inline int read(const Hollow&) { return 0; }

inline void write(Position& c, int n) { c = Position{n, -n}; }
inline void write(Velocity& c, int n) { c = Velocity{static_cast<double>(n), 2.0 * n}; }
inline void write(Name& c, int n) { c.text = text_of(n); }
inline void write(Owner& c, int n) { c.number = n == 0 ? nullptr : std::make_unique<int>(n); }
inline void write(Burning& c, int n) { c.heat = n; }
inline void write(Note& c, int n) { c.text = text_of(n); }
inline void write(Bag& c, int n) { c.items = list_of(n); }
inline void write(Crate& c, int n) { c.items = list_of(n); }
inline void write(Grave& c, int n) { c.text = text_of(n); }
inline void write(Wide& c, int n) { c.number = n; }
inline void write(Score& c, int n) { c.value = n; }
inline void write(int& c, int n) { c = n; }
inline void write(stoa::Entity& c, int n) { c = entity_of(n); }
template <class Family>
void write(Traced<Family>& c, int n) {
    c.value = n;
}
inline void write(Red&, int) {}
inline void write(Blue&, int) {}
inline void write(Flag&, int) {}
inline void write(Haunted&, int) {}
inline void write(Hollow&, int) {}

/// Returns a component that carries the number.
template <class C>
C make(int number) {
    C made{};
    write(made, number);
    return made;
}

}  // namespace stoa_test

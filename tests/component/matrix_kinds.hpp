// The kinds of types that the matrix tests put into a world: each a template of the storage, so that a kind exists once
// in tables and once outside. A kind can be made from a number and read as one: `Values<T>`.
#pragma once

#include <stoa/stoa.hpp>

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace matrix {

using stoa::Storage;
using stoa::Traits;

template <Storage S>
struct Stored {
    static constexpr Traits stoa_traits{.storage = S};
};

// Made from a number, and read as one.
template <class T>
struct Values {
    static T make(int n) { return T(n); }
    static int read(const T& value) { return value.number(); }
};

// Types that are not the user's: as they are in tables, beside a twin that is sparse.

template <Storage S>
struct Cell {
    int n = 0;
};

template <Storage S>
using Number = std::conditional_t<S == Storage::table, int, char32_t>;
template <Storage S>
using Flag = std::conditional_t<S == Storage::table, bool, char8_t>;
template <Storage S>
using Text = std::conditional_t<S == Storage::table, std::string, std::u32string>;
template <Storage S>
using Owner = std::unique_ptr<Cell<S>>;
template <Storage S>
using Shared = std::shared_ptr<Cell<S>>;
template <Storage S>
using List = std::vector<Cell<S>>;
template <Storage S>
using Option = std::optional<Cell<S>>;
template <Storage S>
using Choice = std::variant<std::monostate, std::string, Cell<S>>;
template <Storage S>
using Row = std::array<Cell<S>, 3>;
template <Storage S>
using Callback = std::function<int(Cell<S>)>;
template <Storage S>
using Pointer = Cell<S>*;
template <Storage S>
int number_of(Cell<S>& cell) {
    return cell.n;
}
template <Storage S>
int number_plus_one(Cell<S>& cell) {
    return cell.n + 1;
}
template <Storage S>
using Function = int (*)(Cell<S>&);
template <Storage S>
auto make_lambda(int n) {
    return [n] { return static_cast<int>(S) * 0 + n; };
}
template <Storage S>
using Lambda = decltype(make_lambda<S>(0));
template <Storage S>
struct EnumOf {
    enum class Type : std::uint8_t {};
};
template <Storage S>
using Enum = typename EnumOf<S>::Type;
template <Storage S>
using Link = std::conditional_t<S == Storage::table, stoa::Entity, void>;
template <Storage S>
using Any = std::conditional_t<S == Storage::table, std::any, void>;

template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
struct Values<T> {
    static T make(int n) { return static_cast<T>(n); }
    static int read(const T& value) { return static_cast<int>(value); }
};
template <class Char>
struct Values<std::basic_string<Char>> {
    static std::basic_string<Char> make(int n) {
        return std::basic_string<Char>(static_cast<std::size_t>(n) + 40, Char{});
    }
    static int read(const std::basic_string<Char>& text) { return static_cast<int>(text.size()) - 40; }
};
template <Storage S>
struct Values<std::unique_ptr<Cell<S>>> {
    static Owner<S> make(int n) { return Owner<S>(new Cell<S>{n}); }
    static int read(const Owner<S>& value) { return value->n; }
};
template <Storage S>
struct Values<std::shared_ptr<Cell<S>>> {
    static Shared<S> make(int n) { return Shared<S>(new Cell<S>{n}); }
    static int read(const Shared<S>& value) { return value->n; }
};
template <Storage S>
struct Values<std::vector<Cell<S>>> {
    static List<S> make(int n) { return List<S>(3, Cell<S>{n}); }
    static int read(const List<S>& value) { return value.at(2).n; }
};
template <Storage S>
struct Values<std::optional<Cell<S>>> {
    static Option<S> make(int n) { return Cell<S>{n}; }
    static int read(const Option<S>& value) { return value.value().n; }
};
template <Storage S>
struct Values<Choice<S>> {
    static Choice<S> make(int n) { return Cell<S>{n}; }
    static int read(const Choice<S>& value) { return std::get<2>(value).n; }
};
template <Storage S>
struct Values<std::array<Cell<S>, 3>> {
    static Row<S> make(int n) { return {Cell<S>{n}, Cell<S>{n}, Cell<S>{n}}; }
    static int read(const Row<S>& value) { return value[2].n; }
};
template <Storage S>
struct Values<std::function<int(Cell<S>)>> {
    static Callback<S> make(int n) {
        return [n](Cell<S>) { return n; };
    }
    static int read(const Callback<S>& value) { return value({}); }
};
template <Storage S>
struct Values<Cell<S>*> {
    static inline Cell<S> cells[8] = {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}};
    static Cell<S>* make(int n) { return cells + n; }
    static int read(Cell<S>* const& value) { return value->n; }
};
template <Storage S>
struct Values<int (*)(Cell<S>&)> {
    static Function<S> make(int n) { return n == 1 ? &number_of<S> : &number_plus_one<S>; }
    static int read(const Function<S>& value) {
        Cell<S> cell{1};
        return value(cell);
    }
};
template <class T>
    requires(std::is_same_v<T, Lambda<Storage::table>> || std::is_same_v<T, Lambda<Storage::sparse>>)
struct Values<T> {
    static constexpr Storage storage = std::is_same_v<T, Lambda<Storage::table>> ? Storage::table : Storage::sparse;
    static T make(int n) { return make_lambda<storage>(n); }
    static int read(const T& value) { return value(); }
};
template <>
struct Values<stoa::Entity> {
    static stoa::Entity make(int n) {
        return stoa::Entity::from_bits((std::uint64_t{1} << 32) | static_cast<unsigned>(n));
    }
    static int read(const stoa::Entity& value) { return static_cast<int>(value.index()); }
};
template <>
struct Values<std::any> {
    static std::any make(int n) { return n; }
    static int read(const std::any& value) { return std::any_cast<int>(value); }
};

// Classes. Most hold just the number.

template <Storage S>
struct Counter : Stored<S> {
    explicit Counter(int of) : n(of) {}
    int number() const { return n; }
    int n;
};

// Members whose constructors are no constant expressions.
template <Storage S>
struct FunctionMember : Stored<S> {
    FunctionMember() = default;
    explicit FunctionMember(int n) : call([n] { return n; }) {}
    int number() const { return call(); }
    std::function<int()> call;
};
template <Storage S>
struct MapMember : Stored<S> {
    MapMember() = default;
    explicit MapMember(int n) { map[7] = n; }
    int number() const { return map.at(7); }
    std::unordered_map<int, int> map;
};
template <Storage S>
struct DequeMember : Stored<S> {  // whose move may throw
    DequeMember() = default;
    explicit DequeMember(int n) : deque(1, n) {}
    int number() const { return deque.front(); }
    std::deque<int> deque;
};

template <Storage S>
struct ExplicitOnly : Counter<S> {
    explicit ExplicitOnly(int of) : Counter<S>(of) {}
    ~ExplicitOnly() { this->n = -1; }
    ExplicitOnly(ExplicitOnly&& other) noexcept : Counter<S>(other) {}
    ExplicitOnly(const ExplicitOnly&) = default;
    ExplicitOnly& operator=(const ExplicitOnly&) = default;
};
template <Storage S>
struct NoDefault : Counter<S> {  // trivial otherwise
    using Counter<S>::Counter;
};
template <Storage S>
struct EmptyNoDefault : Stored<S> {  // no tag: somebody has to make it
    explicit EmptyNoDefault(int) {}
    int number() const { return -1; }
};
template <Storage S>
struct Immovable : Counter<S> {
    explicit Immovable(int of) : Counter<S>(of), self(this) {}
    Immovable(const Immovable&) = delete;
    Immovable& operator=(const Immovable&) = delete;
    ~Immovable() { self = nullptr; }
    int number() const { return self == this ? this->n : -1; }
    Immovable* self;
};
template <Storage S>
struct ReferenceMember : Stored<S> {
    static inline int numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    explicit ReferenceMember(int n) : to(numbers[n]) {}
    int number() const { return to; }
    int& to;
};
template <Storage S>
struct ConstMember : Stored<S> {
    explicit ConstMember(int of) : n(of) {}
    int number() const { return n; }
    const int n;
    const std::string text = "a string that is not short enough for the object";
};
template <Storage S>
struct ThrowingCopy : Counter<S> {
    explicit ThrowingCopy(int of = 0) : Counter<S>(of) {}
    ThrowingCopy(const ThrowingCopy& other) noexcept(false) : Counter<S>(other) {}
    ThrowingCopy(ThrowingCopy&& other) noexcept : Counter<S>(other) {}
    ThrowingCopy& operator=(const ThrowingCopy&) noexcept(false) = default;
};
template <Storage S>
struct ThrowingMove : Counter<S> {
    explicit ThrowingMove(int of = 0) : Counter<S>(of) {}
    ThrowingMove(ThrowingMove&& other) noexcept(false) : Counter<S>(other) {}
};
template <Storage S>
struct NoAssignment : Counter<S> {
    explicit NoAssignment(int of = 0) : Counter<S>(of) {}
    NoAssignment(NoAssignment&&) = default;
    NoAssignment& operator=(NoAssignment&&) = delete;
};
template <Storage S>
struct alignas(64) Aligned64 : Counter<S> {
    explicit Aligned64(int of = 0) : Counter<S>(of) {}
    int number() const { return reinterpret_cast<std::uintptr_t>(this) % 64 == 0 ? this->n : -1; }
};
template <Storage S>
struct alignas(4096) Aligned4096 : Counter<S> {
    explicit Aligned4096(int of = 0) : Counter<S>(of) {}
    int number() const { return reinterpret_cast<std::uintptr_t>(this) % 4096 == 0 ? this->n : -1; }
};
template <Storage S>
struct Huge : Stored<S> {
    explicit Huge(int n = 0) { last[9999] = n; }
    int number() const { return last[9999]; }
    int last[10000] = {};
};
template <Storage S>
struct Tag : Stored<S> {};
template <Storage S>
struct Values<Tag<S>> {
    static Tag<S> make(int) { return {}; }
    static int read(const Tag<S>&) { return -1; }
};
template <Storage S>
struct HostileTag : Stored<S> {
    void operator&() const = delete;
};
template <Storage S>
struct Values<HostileTag<S>> {
    static HostileTag<S> make(int) { return {}; }
    static int read(const HostileTag<S>&) { return -1; }
};
template <Storage S>
struct EmptyWithDestructor : Stored<S> {
    EmptyWithDestructor() { ++alive; }
    explicit EmptyWithDestructor(int) { ++alive; }
    EmptyWithDestructor(const EmptyWithDestructor&) noexcept { ++alive; }
    EmptyWithDestructor& operator=(const EmptyWithDestructor&) = default;
    ~EmptyWithDestructor() { --alive; }
    int number() const { return -1; }
    static inline int alive = 0;
};

// Can be a constant, and counts all others: nobody may end one that nobody made, not even after main.
template <Storage S>
struct Counted : Stored<S> {
    constexpr Counted() { count(); }
    explicit constexpr Counted(int of) : n(of) { count(); }
    constexpr Counted(const Counted& other) noexcept : n(other.n) { count(); }
    Counted& operator=(const Counted&) = default;
    constexpr ~Counted() {
        if (!std::is_constant_evaluated() && --alive < 0) std::_Exit(1);
    }
    constexpr void count() {
        if (!std::is_constant_evaluated()) ++alive;
    }
    int number() const { return n; }
    int n = 0;
    static inline int alive = 0;
};

template <Storage S>
struct Final final : Counter<S> {
    explicit Final(int of = 0) : Counter<S>(of) {}
};
template <Storage S>
struct Base {
    virtual ~Base() = default;
    virtual int number() const { return -1; }
};
template <Storage S>
struct VirtualBase : Stored<S>, virtual Base<S> {
    explicit VirtualBase(int of = 0) : n(of) {}
    int number() const override { return n; }
    int n;
};
template <Storage S>
struct SelfPointer : Counter<S> {
    explicit SelfPointer(int of = 0) : Counter<S>(of), self(this) {}
    SelfPointer(const SelfPointer& other) noexcept : Counter<S>(other), self(this) {}
    SelfPointer& operator=(const SelfPointer& other) noexcept {
        this->n = other.n;
        return *this;
    }
    int number() const { return self == this ? this->n : -1; }
    SelfPointer* self;
};
template <Storage S>
struct Aggregate {
    int numbers[3];
    std::string text;
    static constexpr Traits stoa_traits{.storage = S};
};
template <Storage S>
struct Values<Aggregate<S>> {
    static Aggregate<S> make(int n) { return {{n, n, n}, {}}; }
    static int read(const Aggregate<S>& value) { return value.numbers[2]; }
};
template <Storage S>
struct Bitfields : Stored<S> {
    Bitfields() : low(0), high(0) {}
    explicit Bitfields(int n) : low(1), high(static_cast<unsigned>(n) & 31u) {}
    int number() const { return static_cast<int>(high); }
    unsigned low : 3;
    unsigned high : 5;
};
template <Storage S>
union Union {
    explicit Union(int n = 0) : whole(n) {}
    int number() const { return whole; }
    int whole;
    float real;
    static constexpr Traits stoa_traits{.storage = S};
};

// Classes that mean something else by what everybody writes.

template <Storage S>
struct HostileAddress : Counter<S> {
    explicit HostileAddress(int of = 0) : Counter<S>(of) {}
    void operator&() const = delete;
};
template <Storage S>
struct HostileText : HostileAddress<S> {  // the same, where nothing is trivial
    explicit HostileText(int of = 0) : HostileAddress<S>(of) {}
    std::string text = "a string that is not short enough for the object";
};
template <Storage S>
struct HostileComma : Counter<S> {
    explicit HostileComma(int of = 0) : Counter<S>(of) {}
    template <class T>
    friend void operator,(const HostileComma&, T&&) = delete;
    template <class T>
    friend void operator,(T&&, const HostileComma&) = delete;
};
template <Storage S>
struct HostileCompare : Counter<S> {
    explicit HostileCompare(int of = 0) : Counter<S>(of) {}
    template <class T>
    friend void operator==(const HostileCompare&, T&&) = delete;
    explicit operator bool() const = delete;
    void operator!() const = delete;
};
template <Storage S>
struct OwnNew : Counter<S> {
    explicit OwnNew(int of = 0) : Counter<S>(of) {}
    std::string text = "a string that is not short enough for the object";
    template <class... Args>
    static void* operator new(std::size_t, Args...) = delete;
    static void operator delete(void*) = delete;
    static void* operator new[](std::size_t) = delete;
    static void operator delete[](void*) = delete;
};
template <Storage S>
struct Greedy : Stored<S> {  // takes whatever it is built from
    Greedy() = default;
    template <class T>
        requires(!std::is_same_v<std::remove_cvref_t<T>, Greedy>)
    explicit Greedy(T&& from) : n(static_cast<int>(from)) {}
    int number() const { return n; }
    int n = 0;
};

// A class whose namespace has functions that take anything, under the names of the library's own.
namespace crowded {
template <Storage S>
struct Neighbour : Counter<S> {
    explicit Neighbour(int of = 0) : Counter<S>(of) {}
    std::string text = "a string that is not short enough for the object";
};
template <class... Args>
void call(Args&&...) = delete;
template <class T>
void address_of(T&) = delete;
template <class... Args>
void build(Args&&...) = delete;
template <class... Args>
void build_values(Args&&...) = delete;
template <class... Args>
void put(Args&&...) = delete;
template <class... Args>
void set(Args&&...) = delete;
template <class... Args>
void spawn(Args&&...) = delete;
template <class... Args>
void replace(Args&&...) = delete;
template <class... Args>
void setup(Args&&...) = delete;
template <class... Args>
void move(Args&&...) = delete;
template <class... Args>
void forward(Args&&...) = delete;
}  // namespace crowded
template <Storage S>
using Neighbour = crowded::Neighbour<S>;

}  // namespace matrix

// Sparse twins of types that have no member to say so.
#define STOA_MATRIX_SPARSE(...) \
    template <>                 \
    inline constexpr stoa::Traits stoa::traits<__VA_ARGS__> = {.storage = stoa::Storage::sparse}
STOA_MATRIX_SPARSE(matrix::Number<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Flag<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Text<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Owner<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Shared<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::List<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Option<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Choice<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Row<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Callback<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Pointer<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Function<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Lambda<matrix::Storage::sparse>);
STOA_MATRIX_SPARSE(matrix::Enum<matrix::Storage::sparse>);
#undef STOA_MATRIX_SPARSE

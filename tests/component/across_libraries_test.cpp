// Guards type identity between two shared libraries, where names decide: a name that another library may have for
// another type must not do, whichever compiler wrote it. The second library is a copy of the description with other
// addresses.

#include <doctest/doctest.h>

#include <stoa/stoa.hpp>

#include <string>
#include <vector>

// None of these is hidden in an unnamed namespace. Their names look like the marks of local types in mangled names.
namespace SIZE {

struct QUIZ {};
struct L_ZL2ab {};
struct E12Z {
    int value = 0;
    void turn() {}
};
enum class ZL { one, twelve = 12 };
template <class...>
struct Pack {};
template <auto...>
struct Constants {};
template <auto&>
struct Of {};
struct Point {
    int x = 0;
    int y = 0;
};
inline int shared_object = 0;
inline void shared_function(QUIZ) {}
inline auto shared_local() {
    struct Local {};
    return Local{};
}

}  // namespace SIZE

struct AcrossTag {};
enum AcrossColour { across_red, across_green = 21 };

[[maybe_unused]] static int static_object = 0;
[[maybe_unused]] static void static_function(SIZE::QUIZ) {}
[[maybe_unused]] static auto static_local() {
    struct Local {};
    return Local{};
}
namespace {

namespace outer {
[[maybe_unused]] int hidden_object = 0;
}
struct Hidden {};
template <class>
struct HiddenPack {};

using namespace SIZE;
using stoa::detail::TypeIdentity;

// Whether a second library's T is this library's T.
template <class T>
bool is_shared() {
    static constexpr TypeIdentity here = stoa::detail::identify<T>(1);
    static char other[2];
    TypeIdentity there = here;
    there.anchor = &other[0];
    there.module = &other[1];
    CHECK(stoa::detail::is_same_type(here, here));
    CHECK(stoa::detail::is_same_type(here, there) == stoa::detail::is_same_type(there, here));
    TypeIdentity larger = there;
    larger.size = 2;
    CHECK_FALSE(stoa::detail::is_same_type(here, larger));
    TypeIdentity neighbour = there;
    neighbour.module = here.module;
    CHECK_FALSE(stoa::detail::is_same_type(here, neighbour));  // two files of one library
    return stoa::detail::is_same_type(here, there);
}

template <class... Ts>
std::string shared_ones() {
    std::string text;
    ((text += is_shared<Ts>() ? '1' : '0'), ...);
    return text;
}

template <class... Ts>
bool all_are_shared() {
    return shared_ones<Ts...>() == std::string(sizeof...(Ts), '1');
}

template <class... Ts>
bool none_is_shared() {
    return shared_ones<Ts...>() == std::string(sizeof...(Ts), '0');
}

}  // namespace

// The entry point of every plugin: nothing in its name says that it is a function.
extern "C" bool across_entry_point() {
    struct Local {
        int value;
    };
    return none_is_shared<Local, Pack<Local>>();
}

TEST_CASE("a type with a name of its own is one type in every library") {
    CHECK(all_are_shared<int, QUIZ, L_ZL2ab, E12Z, Point, std::string, std::vector<std::vector<QUIZ>>>());
    CHECK(all_are_shared<Pack<>, Pack<QUIZ, E12Z, QUIZ>, Pack<Pack<E12Z>, E12Z*, const QUIZ&, QUIZ[12], QUIZ[]>>());
    CHECK(all_are_shared<Pack<void (*)(E12Z, ...), int (E12Z::*)() const&, int E12Z::*, void() noexcept>>());
    CHECK(all_are_shared<Pack<unsigned short, long, _Float16, decltype(nullptr)>, Constants<true, u8'Z', -12L>>());
    CHECK(all_are_shared<Constants<ZL::one, ZL::twelve>, Constants<across_green>, Pack<Constants<ZL::twelve>, QUIZ>>());
    CHECK(all_are_shared<Constants<&E12Z::value, &E12Z::turn>, Constants<&shared_object, &shared_function>,
                         Of<shared_object>>());
    CHECK(all_are_shared<Constants<Point{12, 3}, across_red>, Constants<Point{}, Point{5, 6}, ZL::twelve>>());
    CHECK(all_are_shared<Constants<static_cast<int E12Z::*>(nullptr), static_cast<QUIZ*>(nullptr), ZL::one>>());
    CHECK(all_are_shared<Constants<std::byte{7}, ZL::twelve>, stoa::Alias<Point, AcrossTag>>());
}

TEST_CASE("a type whose name another library may have is not shared") {
    CHECK(none_is_shared<Hidden, Pack<Hidden>, Pack<int, QUIZ, Pack<Hidden>>, HiddenPack<int>,
                         stoa::Alias<int, Hidden>>());
    CHECK(none_is_shared<decltype(static_local()), Pack<QUIZ, decltype(static_local())>>());
    CHECK(none_is_shared<decltype(shared_local()), Pack<E12Z, decltype(shared_local())>>());
    CHECK(across_entry_point());
    CHECK(none_is_shared<Constants<&static_object>, Constants<Point{1, 2}, across_red, &static_function>,
                         Of<static_object>>());
    CHECK(none_is_shared<Constants<&outer::hidden_object>, Of<outer::hidden_object>>());
    struct Local {};
    const auto lambda = [] {};
    CHECK(none_is_shared<Local, Pack<Local>, decltype(lambda), std::vector<Local>>());
}

// expect: a term that gives also says where its values are, as detail::GivingTerm asks
// A kind of term that says it gives something, and does not say what.
// With STOA_TEST_CONTROL it gives nothing, and the file must compile.
#include <stoa/stoa.hpp>

struct A {
    int value;
};
struct Mine {};

template <>
struct stoa::detail::Term<Mine> : TermDefaults {
    using Component = A;
#ifndef STOA_TEST_CONTROL
    static constexpr bool gives = true;
    static constexpr bool names_data = true;
#endif
};

void misuse(stoa::World& world) { static_cast<void>(world.query<Mine>().count()); }

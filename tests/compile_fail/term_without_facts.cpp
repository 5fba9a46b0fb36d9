// expect: a kind of term states all facts that detail::QueryTerm asks for
// A kind of term that forgets what it is to be asked.
// With STOA_TEST_CONTROL it states its facts, and the file must compile.
#include <stoa/stoa.hpp>

struct Mine {};

template <>
#ifdef STOA_TEST_CONTROL
struct stoa::detail::Term<Mine> : TermDefaults {};
#else
struct stoa::detail::Term<Mine> {
    using Component = void;
    using Needed = Types<>;
    static constexpr bool gives = false;
    static constexpr bool names_data = false;
    static constexpr bool names_sparse = false;
    static constexpr bool tracks = false;
};
#endif

void misuse(stoa::World& world) { static_cast<void>(world.query<Mine>().count()); }

// What the library knows about a term of a query. `Term<T>` states all facts; matching, signals, watches, caches and
// access sets derive what they do from them, and none of them names a kind of term. A new kind of term is a type in
// stoa/terms.hpp and a specialisation of Term, in filter_terms.hpp or data_terms.hpp; `QueryTerm` checks it.
//
// What a term asks of an entity is data too: conditions, all of which must hold. A condition is a list of alternatives,
// one of which must hold. An alternative is the presence or the absence of a component; where it tracks, the component
// must also have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "stoa/detail/base/types.hpp"
#include "stoa/detail/query/row_span.hpp"
#include "stoa/detail/storage/resource_verbs.hpp"
#include "stoa/terms.hpp"

namespace stoa::detail {

// Which ticks a condition looks at: those of the last write, or of the addition.
enum class Tracking : std::uint8_t { none, changed, added };

struct Alternative {
    TypeHandle* type;
    std::uint32_t condition;             // alternatives with one number are one condition
    bool present = true;                 // else the component must be absent
    Tracking tracking = Tracking::none;  // Requires, otherwise: present
};

// The terms of one query as data.
struct TermList {
    const Alternative* alternatives;
    std::uint32_t count;
    CachedNumber cached_number;
    ResourceHandle* const* needs = nullptr;
    std::uint32_t need_count = 0;
};

// The facts of a term without conditions that gives nothing. Terms derive from it, and replace the facts that differ.
struct TermDefaults {
    using Component = void;               // what it reads or writes
    using Required = Types<>;             // components that every match has
    using Named = Types<>;                // components that a match has or may have: watches keep their removed values
    using Needed = Types<>;               // resources
    using Reading = void;                 // the same term, for reading; of terms that give
    static constexpr bool gives = false;  // hands something to a callback
    static constexpr bool names_data = false;    // reads or writes values of Component
    static constexpr bool names_sparse = false;  // tests or gives a sparse component
    static constexpr bool tracks = false;        // looks from the mark of the handle
    static constexpr bool writes = false;        // handing a row out counts as a write
    static constexpr bool may_write = false;     // a callback may write what it is given
    static constexpr std::size_t alternative_count = 0;
    // Appends its alternatives; `condition` is the next free number.
    static constexpr void add_alternatives(Alternative*&, std::uint32_t&) {}
};

// The primary template is the term of a component, in data_terms.hpp.
template <class T>
struct Term;

template <class T>
concept QueryTerm = requires(Alternative*& out, std::uint32_t& condition) {
    typename Term<T>::Component;
    typename Term<T>::Required;
    typename Term<T>::Named;
    typename Term<T>::Needed;
    typename Term<T>::Reading;
    requires std::is_same_v<const bool, decltype(Term<T>::gives)>;
    requires std::is_same_v<const bool, decltype(Term<T>::names_data)>;
    requires std::is_same_v<const bool, decltype(Term<T>::names_sparse)>;
    requires std::is_same_v<const bool, decltype(Term<T>::tracks)>;
    requires std::is_same_v<const bool, decltype(Term<T>::writes)>;
    requires std::is_same_v<const bool, decltype(Term<T>::may_write)>;
    requires std::is_same_v<const std::size_t, decltype(Term<T>::alternative_count)>;
    Term<T>::add_alternatives(out, condition);
    requires Term<T>::may_write || !Term<T>::writes;
    requires Term<T>::names_data || !Term<T>::gives;
};

// A term that gives values also says where they are. `source` is called once for a walk, `column_in` once for a table.
// `open` is called once for a row span; a writing term stamps its rows there. `at` is the argument for row `i` of the
// span.
template <class T>
concept GivingTerm =
    QueryTerm<T> && Term<T>::gives &&
    requires(const Store& store, const Table& table, const RowSpan& rows, Entity entity, Tick now) {
        typename Term<T>::Argument;
        requires std::is_same_v<const bool, decltype(Term<T>::is_array)>;  // what it opens is an array of values
        Term<T>::at(Term<T>::open(Term<T>::column_in(table, Term<T>::source(store)), store, rows, now), entity,
                    std::size_t{});
    };

template <std::size_t Count>
struct Alternatives {
    Alternative all[Count + 1] = {};
};
template <class... Terms>
constexpr auto collect_alternatives() {
    Alternatives<(0 + ... + Term<Terms>::alternative_count)> made;
    [[maybe_unused]] Alternative* out = made.all;
    [[maybe_unused]] std::uint32_t condition = 0;
    (Term<Terms>::add_alternatives(out, condition), ...);
    return made;
}

// The resources that the terms need, in order.
template <class... Terms>
using NeededBy = typename Joined<typename Term<Terms>::Needed...>::type;

template <class Resources>
struct NeedHandles;
template <class... Rs>
struct NeedHandles<Types<Rs...>> {
    static constexpr ResourceHandle* all[sizeof...(Rs) + 1] = {&resource_handle<std::remove_const_t<Rs>>..., nullptr};
};

template <class... Terms>
struct TermListOf {
    static constexpr auto alternatives = collect_alternatives<Terms...>();
    static inline constinit TermList list{alternatives.all,
                                          (0 + ... + Term<Terms>::alternative_count),
                                          {},
                                          NeedHandles<NeededBy<Terms...>>::all,
                                          type_count<NeededBy<Terms...>>};
};

// Whether one of the terms asks for T; whether one names T as something that a match has or may have.
template <class T, class... Terms>
inline constexpr bool is_required = (is_listed<T, typename Term<Terms>::Required> || ...);
template <class T, class... Terms>
inline constexpr bool is_named = (is_listed<T, typename Term<Terms>::Named> || ...);

// How often the terms hand out a component.
template <class Component, class... Terms>
inline constexpr int data_terms =
    (0 + ... + (Term<Terms>::names_data && std::is_same_v<Component, typename Term<Terms>::Component> ? 1 : 0));

inline constexpr int most_tracked = 8;

template <class... Terms>
consteval bool are_terms() {
    static_assert((QueryTerm<Terms> && ...), "a kind of term states all facts that detail::QueryTerm asks for");
    static_assert(((!Term<Terms>::gives || GivingTerm<Terms>)&&...),
                  "a term that gives also says where its values are, as detail::GivingTerm asks");
    static_assert(((!Term<Terms>::names_data || data_terms<typename Term<Terms>::Component, Terms...> == 1) && ...),
                  "a query names each component in at most one term that reads or writes it");
    static_assert((0 + ... + (Term<Terms>::tracks ? 1 : 0)) <= most_tracked,
                  "a query has at most eight Changed and Added terms");
    return true;
}

}  // namespace stoa::detail

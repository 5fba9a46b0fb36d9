// The terms of a query: what an entity must have to match, and what a callback gets.
//
// A component type is a term itself:
//
//     T          the entity has a T; the callback gets T&, and the value counts as changed
//     const T    the entity has a T; the callback gets const T&
//     Tag        a component without a value: filters, and gives nothing
//
// All other terms are the types below. An entity matches when it satisfies all terms. Terms are named, never
// constructed. A query names each component in at most one term that gives it.
#pragma once

#include "stoa/detail/base/config.hpp"

namespace stoa {

/// Data, optional: matches with or without a T.
/// Gives: T*, null where the entity has no T. Maybe<const T> gives const T*, and does not count as a change.
template <class T>
struct Maybe {};

/// Data: the entity has a T. Gives a Mut<T> by value: reads freely, and counts as a change only where write() is
/// called. Defined in mut.hpp.
template <class T>
class Mut;

/// Filter: the entity has all of Ts. Gives nothing.
template <class... Ts>
struct With {};

/// Filter: the entity has none of Ts. Gives nothing.
template <class... Ts>
struct Without {};

/// Filter: the entity has at least one of Ts. Gives nothing. Two AnyOf are two conditions.
template <class... Ts>
struct AnyOf {};

/// Filter: the entity lacks at least one of Ts. Gives nothing. Lacks<T> is Without<T>.
template <class... Ts>
struct Lacks {};

/// Filter: the entity satisfies at least one of the filters Fs: With, Without, AnyOf, Lacks, Changed, Added, Or, or a
/// tag. Gives nothing. Used where its filters are: with Changed or Added in it, in walks only. Complexity: tests of
/// single rows only where one of Fs needs them. Filters on several components multiply: With<A, B> or With<C, D> is
/// four conditions, because either A or C, A or D, B or C, and B or D must be there.
template <class... Fs>
struct Or {};

/// Filter: the entity has a T that was written since this handle of the query last walked. An addition is also a
/// change. The first walk sees everything. Gives nothing.
/// Requires: at most eight Changed and Added terms in one query; none in a signal, watch, cache, each_table or
/// par_each.
template <class T>
struct Changed {};

/// Filter: the entity has a T that was added since this handle of the query last walked. Otherwise as Changed.
template <class T>
struct Added {};

/// Makes the query a family: it is active only while all resources Rs exist. Query::setup hands them out, `const R` for
/// reading. Says nothing about entities.
template <class... Rs>
struct Needs {};

}  // namespace stoa

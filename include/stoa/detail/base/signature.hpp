// The parameters of a callable, as a type: taken from its signature, where there is just one. Declarations only;
// nothing here is called. Used to check callbacks, and to find the parameters of systems.
#pragma once

#include <utility>

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

template <class... Ps>
struct Parameters {};

// A noexcept function converts to one that is not, so these cover it too.
template <class C, class R, class... Ps>
Parameters<Ps...> parameters_of(R (C::*)(Ps...) const);
template <class C, class R, class... Ps>
Parameters<Ps...> parameters_of(R (C::*)(Ps...));
template <class R, class... Ps>
Parameters<Ps...> parameters_of(R (*)(Ps...));

// The parameters of a function, or of an object whose operator() is neither overloaded nor a template; void for any
// other callable.
template <class F>
consteval auto call_parameters() {
    if constexpr (requires(F& f) { parameters_of(f); }) {
        return decltype(parameters_of(std::declval<F&>()))();
    } else if constexpr (requires { parameters_of(&F::operator()); }) {
        return decltype(parameters_of(&F::operator()))();
    }
}
template <class F>
using CallParameters = decltype(call_parameters<F>());

}  // namespace stoa::detail

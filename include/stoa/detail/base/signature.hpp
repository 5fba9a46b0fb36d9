// The parameters of a callable, as a type: taken from its signature, where there is just one. Declarations only;
// nothing here is called. Used to check callbacks, and to find the parameters of systems.
#pragma once

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

}  // namespace stoa::detail

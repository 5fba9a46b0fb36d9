// What par_each(executor, into, f) does with `into`. Each kind specialises PieceRecorder: Commands in
// detail/command/command_recorder.hpp, Messages in detail/message/message_recorder.hpp. A recorder is made with `into`,
// the number of pieces, and the number of the first one in the clocks of threads. It has:
//
//     needs_one_thread()  whether the pieces run one after the other
//     operator[](piece)   what f gets
//     end(reached)        joins the first `reached` pieces in order, and drops the others
#pragma once

#include "stoa/detail/base/config.hpp"

namespace stoa::detail {

template <class Into>
inline constexpr bool is_recorder_known = false;

template <class Into>
class PieceRecorder {
    static_assert(is_recorder_known<Into>, "par_each records into a Commands, or sends to a Messages<T>");
};

}  // namespace stoa::detail

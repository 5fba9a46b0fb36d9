// Checks that a world allows subscriptions.
#include <string>

#include "base/raise.hpp"
#include "stoa/detail/watch/signal_call.hpp"
#include "storage/store_state.hpp"

namespace stoa::detail {

void require_signals(const Store& store, const char* verb) {
    if (store.state().options.signals) return;
    raise(Errc::signals_off, std::string(verb) +
                                 ": this world was made with WorldOptions::signals off; make it with signals, or use " +
                                 "Query::watch(), which works without them");
}

}  // namespace stoa::detail

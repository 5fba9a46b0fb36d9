// Commands except recording: construction, clear and flush.
#include "stoa/commands.hpp"

#include "base/raise.hpp"
#include "command/replay.hpp"
#include "stoa/detail/storage/store_of.hpp"

namespace stoa {

Commands::Commands(World& world) : Commands(detail::store_of(world, "commands")) {}

void Commands::clear() {
    static_cast<void>(buffer_.require_store());
    if (buffer_.is_recording()) {
        detail::raise(Errc::locked,
                      "commands().clear: a value that is being recorded calls it; clear the buffer after recording");
    }
    buffer_.discard_all();
}

FlushReport Commands::flush() {
    detail::Store& store = buffer_.require_store();
    if (buffer_.replay() != nullptr || buffer_.is_recording()) {
        detail::raise(Errc::locked,
                      "flush: this buffer is being flushed or recorded into; what is recorded now runs in the "
                      "current flush");
    }
    if (store.locked()) {
        detail::raise(Errc::locked,
                      "flush: the structure of the world is locked while it is walked or while user code of a "
                      "component runs; the "
                      "commands stay recorded, flush after the walk");
    }
    return detail::Replay(buffer_, store).run();
}

}  // namespace stoa

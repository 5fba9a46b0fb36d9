// Commands except recording: construction, clear and flush.
#include "stoa/commands.hpp"

#include "base/raise.hpp"
#include "command/replay.hpp"
#include "stoa/detail/storage/store_of.hpp"

namespace stoa {

Commands::Commands(World& world) : Commands(detail::store_of(world, "commands")) {}

void Commands::append(Commands&& other) {
    buffer_.require_ready();
    other.buffer_.require_ready();
    if (this == &other) return;
    if (&buffer_.require_store() != &other.buffer_.require_store()) {
        detail::raise(Errc::conflict,
                      "commands().append: the other buffer belongs to another world; append buffers of one world");
    }
    if (other.buffer_.is_recording()) {
        detail::raise(Errc::locked,
                      "commands().append: a value that is being recorded into the other buffer calls it; append the "
                      "buffer after recording");
    }
    buffer_.take_over(other.buffer_);
}

void Commands::clear() {
    buffer_.require_ready();
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

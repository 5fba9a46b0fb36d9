// The buffer behind Commands: recorded edits as bytes, in blocks of memory that are reused. Commands records into it;
// Replay takes the records out, one round at a time.
//
// Invariants: [cursor_, limit_) is the unused rest of current_block_. Every record that size() counts has a constructed
// payload. A record whose payload is being constructed counts as a gap, because the user code that constructs it may
// record too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/config.hpp"
#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/base/scope_guard.hpp"
#include "stoa/detail/command/command_ops.hpp"
#include "stoa/detail/entity/id_lease.hpp"
#include "stoa/detail/storage/build.hpp"
#include "stoa/detail/storage/change_clock.hpp"
#include "stoa/entity.hpp"

namespace stoa::detail {

struct CommandBlock;
class CommandPieces;
struct CommandRound;
struct LibraryTypes;
class Replay;

class STOA_API CommandBuffer {
  public:
    explicit CommandBuffer(Store& store) noexcept : link_(store.link()) {}
    // Discards what was recorded.
    ~CommandBuffer();
    // The source stays a buffer of its world, and is empty.
    CommandBuffer(CommandBuffer&& other) noexcept;
    CommandBuffer& operator=(CommandBuffer&& other) noexcept;

    // Recording. Returns: the entity, for a spawn a reserved id. Throws Errc::world_gone, Errc::capacity,
    // std::bad_alloc, and what building the payload throws; Errc::conflict in a piece of a parallel walk, unless the
    // buffer was made there. Then nothing was recorded.

    Entity record(const Operation& operation, Entity entity) {
        return record(operation, entity, [](std::byte*) {});
    }

    // An operation with another entity.
    Entity record_other(const Operation& operation, Entity entity, Entity other) {
        return record(operation, entity, [&](std::byte* room) { build<Entity>(room + sizeof(CommandRecord), other); });
    }

    // An operation with values of Ts.
    template <const Operation& Recorded, class... Ts, class... Vs>
    Entity record_values(Entity entity, Vs&&... values) {
        static_assert((is_recordable<Ts>() && ...));
        static_assert((is_value<Vs>() && ...));
        using Values = RecordedValues<Ts...>;
        if constexpr ((builds_quietly<Ts, Vs>() && ...)) {
            return record(Recorded, entity, [&](std::byte* room) {
                std::size_t i = 0;
                (build_one<Ts>(room + Values::layout.at[i++].offset, std::forward<Vs>(values)), ...);
            });
        } else {
            Unfinished unfinished(*this, begin_record(Recorded), Recorded);
            Unwind<Ts...> unwind;
            ((unwind.cells[unwind.built] = unfinished.record + Values::layout.at[unwind.built].offset,
              build_one<Ts>(unwind.cells[unwind.built], std::forward<Vs>(values)), ++unwind.built),
             ...);
            const Entity subject = subject_of(Recorded, entity);
            unwind.built = 0;
            unfinished.finish(subject);
            return subject;
        }
    }

    template <const Operation& Recorded, class F, class G>
    Entity record_callable(G&& f) {
        static_assert(std::is_move_constructible_v<F>, "a recorded callable must be movable");
        Unfinished unfinished(*this, begin_record(Recorded), Recorded);
        F* const built = build<F>(unfinished.record + sizeof(CommandRecord), std::forward<G>(f));
        ScopeGuard destroy([built]() noexcept { built->~F(); });
        const Entity subject = subject_of(Recorded, Entity{});
        destroy.dismiss();
        unfinished.finish(subject);
        return subject;
    }

    std::size_t size() const noexcept { return count_; }
    // Whether a payload is under construction.
    bool is_recording() const noexcept { return building_ != 0; }
    // Reserves ids from this lease from now on; null: from the directory.
    void set_lease(IdLease* lease) noexcept { lease_ = lease; }
    IdLease* lease() const noexcept { return lease_; }

    Store& require_store() const {
        require_world();
        return *link_->store();
    }
    // Throws as recording does.
    void require_ready() const {
        require_world();
        const std::uint32_t piece = thread_clock.piece;
        if (piece != 0 && piece != piece_) [[unlikely]]
            fail_in_other_piece();
    }
    bool belongs_to(const StoreLink& link) const noexcept { return link_.get() == &link; }

    // How many records name these types, or have their operation in that library.
    std::size_t count_uses(const LibraryTypes& types) const;

    // Destroys all recorded payloads and gives the reserved ids back.
    void discard_all() noexcept;
    // Takes all records out. The caller returns the blocks with `reuse`, or deletes them.
    CommandRound detach() noexcept;
    void reuse(CommandBlock* blocks) noexcept;
    // The first spare block of at least `bytes`, out of the list; or null.
    CommandBlock* take_spare(std::size_t bytes) noexcept;
    // Appends all records of a buffer of the same world, which is empty then. Requires: it is not recording.
    void take_over(CommandBuffer& other) noexcept;

    // Parallel walks. The buffers of its pieces belong to the buffer that the walk records into, except while it runs.

    CommandPieces* take_pieces() noexcept { return std::exchange(pieces_, nullptr); }
    void return_pieces(CommandPieces* pieces) noexcept;
    // Effects: it records for the piece with this number, and shares blocks with the others.
    void join_walk(CommandPieces& pieces, std::uint32_t number) noexcept {
        shared_ = &pieces;
        piece_ = number;
    }

    // The flush in progress, or null. The destructor of the buffer notifies it.
    Replay* replay() const noexcept { return replay_; }
    void set_replay(Replay* replay) noexcept { replay_ = replay; }

  private:
    // A record whose payload is being built.
    struct Unfinished {
        Unfinished(CommandBuffer& commands, std::byte* room, const Operation& what)
            : buffer(commands), record(room), operation(what) {
            record_at(record).set(operation.size, skip_operation);
            buffer.cursor_ = record + operation.size;
            ++buffer.building_;
        }
        Unfinished(const Unfinished&) = delete;
        Unfinished& operator=(const Unfinished&) = delete;
        ~Unfinished() { --buffer.building_; }
        void finish(Entity subject) { buffer.finish(record, operation, subject); }

        CommandBuffer& buffer;
        std::byte* record;
        const Operation& operation;
    };

    void require_world() const {
        if (link_->store() == nullptr) [[unlikely]]
            fail_gone();
    }
    // What every recording begins with. If it fails later, the operation has been counted for nothing.
    std::byte* begin_record(const Operation& operation) {
        require_ready();
        if (last_operation_ != &operation) {
            last_operation_ = &operation;
            ++operation_changes_;
        }
        return room_for(operation);
    }
    // The address of the next record with this operation. The bytes are not reserved yet.
    std::byte* room_for(const Operation& operation) {
        // As numbers: at first both are null. The end is that of cursor_ then, and is computed once.
        const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(cursor_) + operation.size;
        if (operation.alignment <= 16 && end <= reinterpret_cast<std::uintptr_t>(limit_)) [[likely]]
            return cursor_;
        return make_room(operation.size, operation.alignment);
    }
    void finish(std::byte* record, const Operation& operation, Entity entity) {
        record_at(record).set(entity.bits(), operation);
        ++count_;
    }
    Entity subject_of(const Operation& operation, Entity entity) {
        return reserves_id(operation.verb) ? reserve_id() : entity;
    }
    Entity reserve_id() {
        Store& store = *link_->store();
        return lease_ != nullptr ? lease_->take(store.directory()) : store.directory().reserve();
    }

    // Records an operation whose payload, if any, `fill` builds without running user code.
    template <class Fill>
    Entity record(const Operation& operation, Entity entity, Fill&& fill) {
        std::byte* const room = begin_record(operation);
        const Entity subject = subject_of(operation, entity);
        fill(room);
        cursor_ = room + operation.size;
        finish(room, operation, subject);
        return subject;
    }
    template <class T, class V>
    static void build_one(void* at, V&& value) {
        if constexpr (!is_tag<T>) build<T>(at, std::forward<V>(value));
    }

    [[noreturn]] void fail_gone() const;
    [[noreturn]] void fail_in_other_piece() const;
    std::byte* make_room(std::size_t bytes, std::size_t alignment);
    void start_block(std::size_t bytes);
    void move_from(CommandBuffer& other) noexcept;

    Ref<StoreLink> link_;
    std::byte* cursor_ = nullptr;  // where the next record goes
    std::byte* limit_ = nullptr;   // end of the current block
    std::size_t count_ = 0;
    const Operation* last_operation_ = nullptr;
    std::uint32_t operation_changes_ = 0;  // at least how often the operation changed from one record to the next
    std::uint32_t building_ = 0;           // records whose payload is under construction
    CommandBlock* first_block_ = nullptr;
    CommandBlock* current_block_ = nullptr;
    CommandBlock* spare_blocks_ = nullptr;
    Replay* replay_ = nullptr;
    IdLease* lease_ = nullptr;
    CommandPieces* pieces_ = nullptr;           // owned
    CommandPieces* shared_ = nullptr;           // of a piece: with whom it shares blocks
    std::uint32_t piece_ = thread_clock.piece;  // where it was made
};

}  // namespace stoa::detail

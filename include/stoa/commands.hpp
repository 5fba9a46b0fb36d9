// Commands: edits that are recorded now and applied at the next flush, in recorded order, with the same result as
// applying them one by one; many edits of one entity cost one move. What a command names is looked up at the flush: a
// command whose entity is dead by then is skipped.
//
// Recording is allowed while the structure is locked. A buffer is used by one thread at a time; several threads may
// record into buffers of their own while nobody changes the world. A buffer may outlive its world; using it then throws
// Errc::world_gone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "stoa/detail/build.hpp"
#include "stoa/detail/command_ops.hpp"
#include "stoa/detail/config.hpp"
#include "stoa/detail/id_lease.hpp"
#include "stoa/entity.hpp"

namespace stoa {

namespace detail {
struct CommandBlock;
struct CommandBatch;
class Replay;
}  // namespace detail

// How many commands a flush has applied, and how many it has skipped because their entity was dead by then.
struct FlushReport {
    std::size_t applied = 0;
    std::size_t skipped = 0;

    friend bool operator==(const FlushReport&, const FlushReport&) = default;
};

class STOA_API Commands {
  public:
    // Commands recorded during a flush of their buffer run in that flush, after those before them: a round of their
    // own. There may be so many rounds after the first. From the third round on there may be so many commands in all,
    // and so many more for each command of the first two. Beyond that a flush throws Errc::runaway.
    static constexpr std::uint32_t max_rounds = 1024;
    static constexpr std::uint32_t max_follow_ups = 16384;
    static constexpr std::uint32_t max_follow_ups_each = 16;

    explicit Commands(World& world);
    // Destroys what was not flushed, and gives the reserved ids back. Threads: as recording.
    ~Commands();

    // The source stays a buffer of its world, and is empty.
    Commands(Commands&& other) noexcept;
    Commands& operator=(Commands&& other) noexcept;

    // The id is reserved now and alive after the flush; until then it is dead for every verb. Throws Errc::capacity.
    template <class... Ts>
    Entity spawn(Ts&&... values) requires(sizeof...(Ts) > 0) {
        static_assert(detail::are_components<std::decay_t<Ts>...>());
        return record_values<detail::Verb::spawn, std::decay_t<Ts>...>(Entity{}, std::forward<Ts>(values)...);
    }
    // With default-constructed components.
    template <class... Ts>
    Entity spawn() {
        static_assert(detail::are_components<Ts...>());
        static_assert((detail::is_default_built<Ts>() && ... && true));
        return record_plain(detail::list_operation<detail::Verb::spawn, Ts...>, Entity{});
    }
    // The same, and calls f at the flush with a reference to each component that is not a tag, an Entity first if it
    // likes. Structure is locked inside; recording is fine. If f throws, nothing was spawned.
    template <class T, class... Ts, class F>
    Entity spawn(F&& f) requires(
        detail::accepts<std::decay_t<F>>(typename detail::DataTypes<detail::Types<>, T, Ts...>::type{})) {
        static_assert(detail::are_components<T, Ts...>());
        static_assert((detail::is_default_built<T>() && ... && detail::is_default_built<Ts>()));
        using Callable = detail::CallableOf<std::decay_t<F>, T, Ts...>;
        return record_callable<Callable::spawn_operation, std::decay_t<F>>(std::forward<F>(f));
    }

    void despawn(Entity entity) { record_plain(detail::despawn_operation, entity); }

    // Default-constructs the missing ones; present values stay.
    template <class... Ts>
    void add(Entity entity) {
        static_assert(detail::are_components<Ts...>());
        static_assert((detail::is_default_built<Ts>() && ... && true));
        record_plain(detail::list_operation<detail::Verb::add, Ts...>, entity);
    }
    // Adds or replaces.
    template <class T, class... Ts>
    void set(Entity entity, T&& first, Ts&&... rest) {
        static_assert(detail::are_components<std::decay_t<T>, std::decay_t<Ts>...>());
        record_values<detail::Verb::set, std::decay_t<T>, std::decay_t<Ts>...>(entity, std::forward<T>(first),
                                                                               std::forward<Ts>(rest)...);
    }
    template <class... Ts>
    void remove(Entity entity) {
        static_assert(detail::are_components<Ts...>());
        record_plain(detail::list_operation<detail::Verb::remove, Ts...>, entity);
    }

    // Calls f(World&) at the flush. Structure is not locked inside.
    template <class F>
    void run(F&& f) {
        static_assert(std::is_invocable_v<std::decay_t<F>&, World&>, "a recorded callable takes a World&");
        record_callable<detail::CallableOf<std::decay_t<F>>::run_operation, std::decay_t<F>>(std::forward<F>(f));
    }

    // Applies what was recorded, in order. When a command throws, those before it stand, it has not happened, and the
    // rest are dropped. Throws Errc::locked while the structure is locked or this buffer is being flushed (commands are
    // kept), and Errc::runaway when commands record commands without end (the rest is dropped).
    FlushReport flush();

    // Recorded commands that wait for a flush.
    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    // Drops them, as the destructor does.
    void clear();

    // For the library: users get buffers from World::commands or make them from a World.
    explicit Commands(detail::Store& store);
    // From now on ids come from there; null: from the world.
    void set_lease(detail::IdLease* lease) noexcept { lease_ = lease; }

  private:
    friend class World;
    friend class detail::Replay;

    // A record whose payload is being built by code of the user, which may record too: until it is finished, it is a
    // gap.
    struct Building {
        Building(Commands& commands, std::byte* room, const detail::Operation& operation)
            : buffer(commands), at(room), how(operation) {
            reinterpret_cast<detail::Record*>(at)->set(how.size, detail::skip_operation);  // Safe: as in finish
            buffer.cursor_ = at + how.size;
            ++buffer.building_;
        }
        Building(const Building&) = delete;
        Building& operator=(const Building&) = delete;
        ~Building() { --buffer.building_; }
        void finish(Entity subject) { buffer.finish(at, how, subject); }

        Commands& buffer;
        std::byte* at;
        const detail::Operation& how;
    };

    void require_world() const {
        if (link_->store() == nullptr) [[unlikely]]
            fail_gone();
    }
    // Where the next record of this kind will be. It is not taken yet.
    std::byte* room_for(const detail::Operation& how) {
        if (how.alignment <= 16 && static_cast<std::size_t>(end_ - cursor_) >= how.size) [[likely]]
            return cursor_;
        return make_room(how.size, how.alignment);
    }
    void finish(std::byte* at, const detail::Operation& how, Entity entity) {
        reinterpret_cast<detail::Record*>(at)->set(entity.bits(), how);  // Safe: room_for gives aligned, unused bytes
        ++count_;
        kinds_ += last_ != &how;
        last_ = &how;
    }
    Entity subject_of(const detail::Operation& how, Entity entity) {
        return how.verb == detail::Verb::spawn || how.verb == detail::Verb::spawn_with ? reserve_id() : entity;
    }

    // Records an operation whose payload, if any, `fill` builds without running code of the user.
    template <class Fill>
    Entity record(const detail::Operation& how, Entity entity, Fill&& fill) {
        require_world();
        std::byte* at = room_for(how);
        const Entity subject = subject_of(how, entity);
        fill(at);
        cursor_ = at + how.size;
        finish(at, how, subject);
        return subject;
    }
    Entity record_plain(const detail::Operation& how, Entity entity) {
        return record(how, entity, [](std::byte*) {});
    }

    template <detail::Verb How, class... Ts, class... Vs>
    Entity record_values(Entity entity, Vs&&... values) {
        static_assert((detail::is_recordable<Ts>() && ...));
        static_assert((detail::is_value<Vs>() && ...));
        using Values = detail::ValuesOf<Ts...>;
        constexpr const detail::Operation& how = Values::template operation<How>;
        if constexpr ((detail::builds_quietly<Ts, Vs>() && ...)) {
            return record(how, entity, [&](std::byte* at) {
                std::size_t i = 0;
                (build_one<Ts>(at + Values::layout.at[i++].offset, std::forward<Vs>(values)), ...);
            });
        } else {
            require_world();
            Building building(*this, room_for(how), how);
            detail::Unwind<Ts...> unwind;
            ((unwind.cells[unwind.built] = building.at + Values::layout.at[unwind.built].offset,
              build_one<Ts>(unwind.cells[unwind.built], std::forward<Vs>(values)), ++unwind.built),
             ...);
            const Entity subject = subject_of(how, entity);
            unwind.built = 0;
            building.finish(subject);
            return subject;
        }
    }
    template <class T, class V>
    static void build_one(void* at, V&& value) {
        if constexpr (!detail::is_tag<T>) ::new (at) T(std::forward<V>(value));
    }

    template <const detail::Operation& How, class F, class G>
    Entity record_callable(G&& f) {
        static_assert(std::is_move_constructible_v<F>, "a recorded callable must be movable");
        require_world();
        Building building(*this, room_for(How), How);
        ::new (static_cast<void*>(building.at + sizeof(detail::Record))) F(std::forward<G>(f));
        struct Undo {
            F* built;
            ~Undo() {
                if (built != nullptr) built->~F();
            }
        } undo{std::launder(reinterpret_cast<F*>(building.at + sizeof(detail::Record)))};
        const Entity subject = subject_of(How, Entity{});
        undo.built = nullptr;
        building.finish(subject);
        return subject;
    }

    std::byte* make_room(std::size_t bytes, std::size_t alignment);
    Entity reserve_id() {
        detail::Store& store = *link_->store();
        return lease_ != nullptr ? lease_->take(store.directory()) : store.ids().reserve();
    }
    detail::Store& living() const;
    [[noreturn]] void fail_gone() const;
    void open_block(std::size_t bytes);
    detail::CommandBatch detach() noexcept;
    void take(Commands& other) noexcept;
    void drop() noexcept;

    detail::StoreLink* link_;
    std::byte* cursor_ = nullptr;
    std::byte* end_ = nullptr;
    std::size_t count_ = 0;
    const detail::Operation* last_ = nullptr;
    std::uint32_t kinds_ = 0;     // how often the operation changed from one record to the next
    std::uint32_t building_ = 0;  // records under construction, whose values run code of the user
    detail::CommandBlock* first_ = nullptr;
    detail::CommandBlock* current_ = nullptr;
    detail::CommandBlock* spare_ = nullptr;
    detail::Replay* replay_ = nullptr;  // the flush that is under way
    detail::IdLease* lease_ = nullptr;
};

}  // namespace stoa

// What a system touches, as data: components and resources that it reads and writes, and for components in tables, which
// tables. Filled in by the parameters of the system; compared by the schedule to see which systems may run side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "stoa/detail/terms.hpp"
#include "stoa/mut.hpp"

namespace stoa {

class World;

namespace detail {

// A component that a term reads or writes.
struct DataUse {
    TypeSlot* slot;
    bool writes;
};

template <class T>
inline constexpr bool may_write = Term<T>::writes;
template <class T>
inline constexpr bool may_write<Mut<T>> = true;

template <class T>
inline constexpr std::size_t data_uses_of = Term<T>::names_data ? 1 : 0;

template <class... Terms>
struct DataUses {
    DataUse uses[(1 + ... + data_uses_of<Terms>)] = {};
    std::size_t count = 0;

    constexpr DataUses() { (add<Terms>(), ...); }
    template <class T>
    constexpr void add() {
        if constexpr (Term<T>::names_data) uses[count++] = {&type_slot<typename Term<T>::Component>, may_write<T>};
    }
};

}  // namespace detail

class STOA_API Access {
  public:
    explicit Access(detail::Store& store) : store_(&store) {}

    // One component, of any entity.
    template <class T>
    Access& reads() {
        static_assert(detail::is_component<T>());
        return use_component(detail::type_slot<T>, false);
    }
    template <class T>
    Access& writes() {
        static_assert(detail::is_component<T>());
        return use_component(detail::type_slot<T>, true);
    }
    template <class R>
    Access& reads_resource() {
        static_assert(detail::is_resource<R>());
        return use_resource(detail::resource_slot<R>, false);
    }
    template <class R>
    Access& writes_resource() {
        static_assert(detail::is_resource<R>());
        return use_resource(detail::resource_slot<R>, true);
    }
    // What a query with these terms touches.
    template <class... Terms>
    Access& walks() {
        static constexpr detail::DataUses<Terms...> data{};
        use_query(detail::TermListOf<Terms...>::list, {data.uses, data.count});
        (needs(static_cast<Terms*>(nullptr)), ...);
        return *this;
    }
    // Anything, without writing.
    Access& reads_everything() {
        reads_everything_ = true;
        return *this;
    }
    // Anything, structure too: the system runs alone.
    Access& exclusive() {
        exclusive_ = true;
        return *this;
    }

    // For the library.

    struct Use {
        std::string_view name;
        std::uint32_t id;
        std::uint32_t scope;  // of the entities
        bool resource;
        bool writes;
        bool anywhere;        // kept outside the tables, so that a scope does not help
    };
    // Which tables: those with at least one component of each list in `one_of`, and none of the excluded ones.
    struct Scope {
        std::vector<std::vector<std::uint32_t>> one_of;
        std::vector<std::uint32_t> excluded;

        bool excludes(std::uint32_t id) const;
    };

    bool is_exclusive() const { return exclusive_; }
    bool is_reading_everything() const { return reads_everything_; }
    std::span<const Use> uses() const { return uses_; }
    // What the two must not touch at the same time; null when there is nothing, or when one of them touches everything.
    const Use* find_clash(const Access& other) const;
    bool clashes(const Access& other) const;
    void add(const Access& other);

  private:
    Access& use_component(detail::TypeSlot& slot, bool writes);
    Access& use_resource(detail::ResourceSlot& slot, bool writes);
    void use_query(const detail::TermList& terms, std::span<const detail::DataUse> data);
    Scope scope_of(const detail::TermList& terms);
    void note(const Use& use);
    bool is_apart(const Use& use, const Access& other, const Use& others) const;

    template <class T>
    void needs(T*) {}
    // Query::setup hands them out.
    template <class... Rs>
    void needs(Needs<Rs...>*) {
        ((std::is_const_v<Rs> ? reads_resource<std::remove_const_t<Rs>>() : writes_resource<std::remove_const_t<Rs>>()), ...);
    }

    detail::Store* store_;
    std::vector<Use> uses_;
    std::vector<Scope> scopes_;
    // A bit for some of the uses each: what has no bit in common has nothing in common.
    std::uint64_t touched_ = 0;
    std::uint64_t written_ = 0;
    bool reads_everything_ = false;
    bool exclusive_ = false;
};

}  // namespace stoa

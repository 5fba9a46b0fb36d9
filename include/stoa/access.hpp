// What a system touches, as data: components and resources that it reads and writes, and for components in tables,
// which tables. The parameters of a system fill it in (`Param<P>::access`, see params.hpp); the schedule compares
// access sets to see which systems may run at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "stoa/detail/query/filter_terms.hpp"
#include "stoa/detail/schedule/data_uses.hpp"

namespace stoa {

class World;

/// An access set, as data.
///
///     static void access(Access& access) { access.reads_resource<Input>().writes<Health>(); }
///
/// Two systems may run at the same time unless their access sets clash: both touch one component or resource, at least
/// one of them writes it, and no filter keeps their entities in different tables. All calls that add something return
/// the set itself, so that they can be chained. Throws: std::bad_alloc, from all calls that add something.
class STOA_API Access {
  public:
    /// For the library, which hands an Access to Param<P>::access.
    explicit Access(detail::Store& store) : store_(&store) {}

    /// Effects: adds that the system reads the T of any entity.
    template <class T>
    Access& reads() {
        static_assert(detail::is_component<T>());
        return use_component(detail::type_handle<T>, false);
    }
    /// Effects: adds that the system writes, and may read, the T of any entity.
    template <class T>
    Access& writes() {
        static_assert(detail::is_component<T>());
        return use_component(detail::type_handle<T>, true);
    }

    /// Effects: adds that the system reads the resource R.
    template <class R>
    Access& reads_resource() {
        static_assert(detail::is_resource<R>());
        return use_resource(detail::resource_handle<R>, false);
    }
    /// Effects: adds that the system writes, and may read, the resource R.
    template <class R>
    Access& writes_resource() {
        static_assert(detail::is_resource<R>());
        return use_resource(detail::resource_handle<R>, true);
    }

    /// Effects: adds what a query with these terms touches: the components that they read and write, in matching tables
    /// only, and the resources that they need.
    template <class... Terms>
    Access& walks() {
        static_assert(detail::are_terms<Terms...>());
        static constexpr detail::DataUses<Terms...> data{};
        use_query(detail::TermListOf<Terms...>::list, {data.all, data.count});
        use_needs(detail::NeededBy<Terms...>{});
        return *this;
    }

    /// Effects: adds that the system may read anything, and writes nothing.
    Access& reads_everything() {
        reads_everything_ = true;
        return *this;
    }

    /// Effects: adds that the system may change anything, the structure too. It runs alone.
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
        bool outside_tables;  // kept outside the tables, so that a scope does not help
    };
    // Which tables: those in which all conditions hold. A condition holds where one of its alternatives does.
    struct Alternative {
        std::uint32_t id;
        bool present;  // else the component is absent
    };
    using Condition = std::vector<Alternative>;
    using Scope = std::vector<Condition>;

    bool is_exclusive() const { return exclusive_; }
    bool is_reading_everything() const { return reads_everything_; }
    std::span<const Use> uses() const { return uses_; }
    // What the two must not touch at the same time; null when there is nothing, or when one of them touches everything.
    const Use* find_clash(const Access& other) const;
    bool clashes(const Access& other) const;
    void add(const Access& other);

  private:
    Access& use_component(detail::TypeHandle& type, bool writes);
    Access& use_resource(detail::ResourceHandle& type, bool writes);
    void use_query(const detail::TermList& terms, std::span<const detail::DataUse> data);
    // Query::setup hands them out.
    template <class... Rs>
    void use_needs(detail::Types<Rs...>) {
        (use_resource(detail::resource_handle<std::remove_const_t<Rs>>, !std::is_const_v<Rs>), ...);
    }
    Scope scope_of(const detail::TermList& terms) const;
    void add_use(const Use& use);
    // Whether the two cannot touch the same value, because no table is in both scopes.
    bool are_disjoint(const Use& use, const Access& other, const Use& others) const;

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

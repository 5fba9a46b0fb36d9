// What a system touches: the components, resources and messages that it reads and writes, and for components in tables,
// which tables. Each parameter of a system declares its part (`Param<P>::access`, see params.hpp); the schedule
// compares the access sets of systems to see which of them may run at the same time.
#pragma once

#include <span>
#include <type_traits>

#include "stoa/detail/message/message_type.hpp"
#include "stoa/detail/schedule/access_set.hpp"

namespace stoa {

/// Declares what a parameter touches. The library passes one to Param<P>::access; it is valid during that call.
///
///     static void access(Access& access) { access.reads_resource<Input>().writes<Health>(); }
///
/// or, if the argument contains a query,
///
///     static void access(Access& access) { access.walks<const Position, Without<Hidden>>(); }
///
/// Two systems may run at the same time unless their access sets clash: both touch one component, resource or message
/// type, at least one of them writes it, and no filter keeps their entities in different tables. Filters on sparse
/// components do not count: entities with and without one share tables.
///
/// Requires: a parameter declares everything that its argument can reach. The library does not check this; an
/// undeclared access may be a data race when systems run on several threads.
///
/// For all calls here:
/// Returns: this object, for chaining.
/// Throws: std::bad_alloc, and then Phase::add has added no system.
/// Complexity: O(types named), once for each system: sets are made when it is added.
class Access {
  public:
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

    /// Effects: declares that the system reads the T of any entity. It does not run concurrently with a system that
    /// writes T.
    template <class T>
    Access& reads() {
        static_assert(detail::is_component<T>());
        set_.use_component(detail::type_handle<T>, false);
        return *this;
    }
    /// Effects: declares that the system writes, and may read, the T of any entity. It does not run concurrently with a
    /// system that reads or writes T. walks() names the entities more precisely, so that more systems can run
    /// concurrently.
    template <class T>
    Access& writes() {
        static_assert(detail::is_component<T>());
        set_.use_component(detail::type_handle<T>, true);
        return *this;
    }

    /// Effects: declares that the system reads the resource R. It does not skip the system while R is missing: that is
    /// for Param<P>::ready.
    template <class R>
    Access& reads_resource() {
        static_assert(detail::is_resource<R>());
        return use_resource<R>(false);
    }
    /// Effects: declares that the system writes, and may read, the resource R. Otherwise as reads_resource.
    template <class R>
    Access& writes_resource() {
        static_assert(detail::is_resource<R>());
        return use_resource<R>(true);
    }

    /// Effects: declares that the system reads messages of type T. It does not run concurrently with a system that
    /// sends them.
    template <class T>
    Access& reads_messages() {
        static_assert(detail::is_message<T>());
        set_.use_resource(detail::message_handle<T>, false);
        return *this;
    }
    /// Effects: declares that the system sends messages of type T. It does not run concurrently with a system that
    /// reads or sends them.
    template <class T>
    Access& sends_messages() {
        static_assert(detail::is_message<T>());
        set_.use_resource(detail::message_handle<T>, true);
        return *this;
    }

    /// Effects: declares what a query with these terms touches: the components that the terms read and write, in
    /// matching tables only, and the resources that they need. Changed and Added count as reading.
    template <class... Terms>
    Access& walks() {
        static_assert(detail::are_terms<Terms...>());
        static constexpr detail::DataUses<Terms...> data{};
        set_.use_query(detail::TermListOf<Terms...>::list, {data.all, data.count});
        use_needs(detail::NeededBy<Terms...>{});
        return *this;
    }

    /// Effects: declares that the system asks which entities a query with these terms matches, and touches none of
    /// their values. Only Changed and Added, and the resources that the terms need, count as read.
    template <class... Terms>
    Access& asks() {
        static_assert(detail::are_terms<Terms...>());
        set_.use_query(detail::TermListOf<Terms...>::list, {});
        read_needs(detail::NeededBy<Terms...>{});
        return *this;
    }

    /// Effects: declares that the system may read anything, and writes nothing. It may run concurrently with systems
    /// that only read.
    Access& reads_everything() {
        set_.use_everything();
        return *this;
    }

    /// Effects: declares that the system may change anything, the structure too. It runs alone.
    Access& exclusive() {
        set_.set_exclusive();
        return *this;
    }

  private:
    friend class detail::AccessSet;
    explicit Access(detail::AccessSet& set) noexcept : set_(set) {}

    template <class R>
    Access& use_resource(bool writes) {
        set_.use_resource(detail::resource_handle<R>, writes);
        return *this;
    }
    // Query::setup hands them out.
    template <class... Rs>
    void use_needs(detail::Types<Rs...>) {
        (use_resource<std::remove_const_t<Rs>>(!std::is_const_v<Rs>), ...);
    }

    template <class... Rs>
    void read_needs(detail::Types<Rs...>) {
        (use_resource<std::remove_const_t<Rs>>(false), ...);
    }

    detail::AccessSet& set_;
};

inline Access detail::AccessSet::recorder() noexcept { return Access(*this); }

}  // namespace stoa

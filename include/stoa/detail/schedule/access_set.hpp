// The access set of a parameter or of a system: which components and resources it reads and writes, and in which
// tables. Parameters fill it in through stoa::Access; the schedule compares sets to see which systems may run at the
// same time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "stoa/detail/query/filter_terms.hpp"
#include "stoa/detail/schedule/data_uses.hpp"

namespace stoa {

class Access;

namespace detail {

// All calls that add something throw std::bad_alloc.
class STOA_API AccessSet {
  public:
    struct Use {
        std::string_view name;
        std::uint32_t id;
        std::uint32_t scope;  // of the entities
        bool resource;
        bool writes;
        bool outside_tables;  // so that no scope separates two uses
    };
    // Which tables: those in which all conditions hold. A condition holds where one of its alternatives does.
    struct TableAlternative {
        std::uint32_t id;
        bool present;  // else the component is absent
    };
    using Condition = std::vector<TableAlternative>;
    using Scope = std::vector<Condition>;

    explicit AccessSet(Store& store) : store_(&store) {}

    // What a parameter gets to fill this set in. The set outlives it.
    Access recorder() noexcept;

    void use_component(TypeHandle& type, bool writes);
    void use_resource(ResourceHandle& type, bool writes);
    void use_query(const TermList& terms, std::span<const DataUse> data);
    void use_everything() { reads_everything_ = true; }  // for reading
    void set_exclusive() { exclusive_ = true; }
    void add(const AccessSet& other);

    bool is_exclusive() const { return exclusive_; }
    bool writes() const { return exclusive_ || written_ != 0; }
    std::span<const Use> uses() const { return uses_; }
    // A use of this set that must not run concurrently with a use of the other; null when there is none. Ignores
    // whether one of the sets is exclusive or reads everything.
    const Use* find_clash(const AccessSet& other) const;
    // Whether the two must not run at the same time.
    bool clashes(const AccessSet& other) const;

  private:
    Scope scope_of(const TermList& terms) const;
    void add_use(const Use& use);
    // Whether the two cannot touch the same value, because no table is in both scopes.
    bool are_disjoint(const Use& use, const AccessSet& other, const Use& others) const;

    Store* store_;
    std::vector<Use> uses_;
    std::vector<Scope> scopes_;
    // Each use has one bit, which several may share: sets without a common bit have no common use.
    std::uint64_t touched_ = 0;
    std::uint64_t written_ = 0;
    bool reads_everything_ = false;
    bool exclusive_ = false;
};

}  // namespace detail
}  // namespace stoa

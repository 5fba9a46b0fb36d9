// Comparing what systems touch.
#include "stoa/detail/access.hpp"

#include <algorithm>

#include "component/registry.hpp"

namespace stoa {

using detail::TermSpec;

void Access::note(const Use& use) {
    const std::uint64_t bit = std::uint64_t{1} << ((use.id + (use.resource ? 32 : 0)) % 64);
    touched_ |= bit;
    if (use.writes) written_ |= bit;
    uses_.push_back(use);
}

Access& Access::use_component(detail::TypeSlot& slot, bool writes) {
    const auto id = static_cast<std::uint32_t>(store_->id_of(slot));
    scopes_.push_back({{id}, {}});
    note({slot.type->name(), id, static_cast<std::uint32_t>(scopes_.size() - 1), false, writes, slot.type->is_sparse()});
    return *this;
}

Access& Access::use_resource(detail::ResourceSlot& slot, bool writes) {
    note({slot.type->name, static_cast<std::uint32_t>(store_->resources().id_of(slot)), 0, true, writes, true});
    return *this;
}

void Access::use_query(const detail::TermList& terms, std::span<const detail::DataUse> data) {
    Scope scope;
    const auto at = static_cast<std::uint32_t>(scopes_.size());
    for (std::uint32_t i = 0; i < terms.count; ++i) {
        const TermSpec& term = terms.specs[i];
        const auto id = static_cast<std::uint32_t>(store_->id_of(*term.slot));
        const bool sparse = term.slot->type->is_sparse();
        const bool tracks = term.role == TermSpec::Role::changed || term.role == TermSpec::Role::added;
        if (tracks) note({term.slot->type->name(), id, at, false, false, sparse});
        // Entities with and without a sparse component share tables, and with them the ticks of chunks.
        if (sparse || term.role == TermSpec::Role::any) continue;
        (term.role == TermSpec::Role::excluded ? scope.excluded : scope.required).push_back(id);
    }
    scopes_.push_back(std::move(scope));
    for (const detail::DataUse& use : data) {
        const detail::ComponentType& type = *use.slot->type;
        note({type.name(), static_cast<std::uint32_t>(store_->id_of(*use.slot)), at, false, use.writes, type.is_sparse()});
    }
}

bool Access::is_apart(const Use& use, const Access& other, const Use& others) const {
    if (use.anywhere) return false;
    const auto excludes = [](const Scope& a, const Scope& b) {
        return std::any_of(a.excluded.begin(), a.excluded.end(), [&](std::uint32_t id) {
            return std::find(b.required.begin(), b.required.end(), id) != b.required.end();
        });
    };
    const Scope& mine = scopes_[use.scope];
    const Scope& theirs = other.scopes_[others.scope];
    return excludes(mine, theirs) || excludes(theirs, mine);
}

const Access::Use* Access::find_clash(const Access& other) const {
    if (((written_ & other.touched_) | (touched_ & other.written_)) == 0) return nullptr;
    for (const Use& mine : uses_) {
        for (const Use& theirs : other.uses_) {
            if (mine.id != theirs.id || mine.resource != theirs.resource || (!mine.writes && !theirs.writes)) continue;
            if (!is_apart(mine, other, theirs)) return &mine;
        }
    }
    return nullptr;
}

bool Access::clashes(const Access& other) const {
    if (exclusive_ || other.exclusive_) return true;
    if ((reads_everything_ && other.written_ != 0) || (other.reads_everything_ && written_ != 0)) return true;
    return find_clash(other) != nullptr;
}

void Access::add(const Access& other) {
    const auto first = static_cast<std::uint32_t>(scopes_.size());
    scopes_.insert(scopes_.end(), other.scopes_.begin(), other.scopes_.end());
    for (Use use : other.uses_) {
        if (!use.resource) use.scope += first;
        note(use);
    }
    reads_everything_ |= other.reads_everything_;
    exclusive_ |= other.exclusive_;
}

}  // namespace stoa

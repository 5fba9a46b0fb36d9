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
    scopes_.push_back({{{id}}, {}});
    note({slot.type->name(), id, static_cast<std::uint32_t>(scopes_.size() - 1), false, writes, slot.type->is_sparse()});
    return *this;
}

Access& Access::use_resource(detail::ResourceSlot& slot, bool writes) {
    note({slot.type->name, static_cast<std::uint32_t>(store_->resources().id_of(slot)), 0, true, writes, true});
    return *this;
}

// Entities with and without a sparse component share tables, and with them the ticks of chunks: such a condition says
// nothing about tables, and neither does a group in which a sparse component is enough.
Access::Scope Access::scope_of(const detail::TermList& terms) {
    struct Group {
        std::vector<std::uint32_t> ids;
        bool sparse = false;
    };
    Scope scope;
    std::vector<Group> groups;
    for (const TermSpec& term : std::span(terms.specs, terms.count)) {
        const auto id = static_cast<std::uint32_t>(store_->id_of(*term.slot));
        const bool sparse = term.slot->type->is_sparse();
        switch (term.role) {  // no default: the compiler names a role that is missing here
            case TermSpec::Role::required:
            case TermSpec::Role::changed:
            case TermSpec::Role::added:
                if (!sparse) scope.one_of.push_back({id});
                continue;
            case TermSpec::Role::excluded:
                if (!sparse) scope.excluded.push_back(id);
                continue;
            case TermSpec::Role::any:
                if (term.group >= groups.size()) groups.resize(term.group + 1);
                groups[term.group].ids.push_back(id);
                groups[term.group].sparse |= sparse;
                continue;
        }
        exclusive_ = true;  // a role that is none of these may mean anything
    }
    for (Group& group : groups) {
        if (!group.sparse && !group.ids.empty()) scope.one_of.push_back(std::move(group.ids));
    }
    return scope;
}

void Access::use_query(const detail::TermList& terms, std::span<const detail::DataUse> data) {
    const auto at = static_cast<std::uint32_t>(scopes_.size());
    scopes_.push_back(scope_of(terms));
    for (const TermSpec& term : std::span(terms.specs, terms.count)) {
        if (term.role != TermSpec::Role::changed && term.role != TermSpec::Role::added) continue;
        const detail::ComponentType& type = *term.slot->type;
        const auto id = static_cast<std::uint32_t>(store_->id_of(*term.slot));
        note({type.name(), id, at, false, false, type.is_sparse()});
    }
    for (const detail::DataUse& use : data) {
        const detail::ComponentType& type = *use.slot->type;
        note({type.name(), static_cast<std::uint32_t>(store_->id_of(*use.slot)), at, false, use.writes, type.is_sparse()});
    }
}

bool Access::Scope::excludes(std::uint32_t id) const {
    return std::find(excluded.begin(), excluded.end(), id) != excluded.end();
}

// Whether no table is in both scopes: what one of them needs is excluded by the two together.
bool Access::is_apart(const Use& use, const Access& other, const Use& others) const {
    if (use.anywhere) return false;
    const Scope& mine = scopes_[use.scope];
    const Scope& theirs = other.scopes_[others.scope];
    const auto is_missing = [&](const std::vector<std::uint32_t>& group) {
        return std::all_of(group.begin(), group.end(),
                           [&](std::uint32_t id) { return mine.excludes(id) || theirs.excludes(id); });
    };
    return std::any_of(mine.one_of.begin(), mine.one_of.end(), is_missing) ||
           std::any_of(theirs.one_of.begin(), theirs.one_of.end(), is_missing);
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

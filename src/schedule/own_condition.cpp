// Making the condition of a system or a phase.
#include "schedule/own_condition.hpp"

#include <string>

#include "base/raise.hpp"
#include "schedule/schedule_errors.hpp"

namespace stoa::detail {

OwnCondition::OwnCondition(const Condition& condition, World& world, std::string_view verb, std::string_view owner)
    : node_(ConditionAccess::node(condition)) {
    if (!node_) return;
    state_.reset(node_->make(world));
    Store& store = store_of(world, "add");
    AccessSet access(store);
    add_access(access, store);
    if (!access.writes()) return;
    std::string written;
    for (const AccessSet::Use& use : access.uses()) {
        if (use.writes && written.empty()) written = use.name;
    }
    raise(Errc::conflict, std::string(verb) + ": a parameter of the condition " + in_quotes(name()) + " of " +
                              in_quotes(owner) + " writes " + (written.empty() ? "everything" : written) +
                              "; a condition only reads");
}

void OwnCondition::add_access(AccessSet& set, Store& store) const {
    if (state_ != nullptr) state_->add_access(set, store);
}

}  // namespace stoa::detail

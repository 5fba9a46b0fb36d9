// Access sets: recording and comparing what systems touch.
#include "stoa/detail/schedule/access_set.hpp"

#include <algorithm>

#include "component/registry.hpp"

namespace stoa::detail {
namespace {

// What is known about a table: for some components, whether it has them.
class KnownComponents {
  public:
    bool contradicts(const AccessSet::TableAlternative& alternative) const {
        return std::any_of(known_.begin(), known_.end(), [&](const AccessSet::TableAlternative& fact) {
            return fact.id == alternative.id && fact.present != alternative.present;
        });
    }
    bool implies(const AccessSet::TableAlternative& alternative) const {
        return std::any_of(known_.begin(), known_.end(), [&](const AccessSet::TableAlternative& fact) {
            return fact.id == alternative.id && fact.present == alternative.present;
        });
    }
    void add(const AccessSet::TableAlternative& fact) { known_.push_back(fact); }

  private:
    std::vector<AccessSet::TableAlternative> known_;
};

enum class Verdict { open, learned, impossible };

// Learns from a condition. If all alternatives but one are contradicted, that one holds.
Verdict take_in(const AccessSet::Condition& condition, KnownComponents& known) {
    const AccessSet::TableAlternative* left = nullptr;
    for (const AccessSet::TableAlternative& alternative : condition) {
        if (known.implies(alternative)) return Verdict::open;
        if (known.contradicts(alternative)) continue;
        if (left != nullptr) return Verdict::open;
        left = &alternative;
    }
    if (left == nullptr) return Verdict::impossible;
    known.add(*left);
    return Verdict::learned;
}

// Whether the conditions of both contradict each other. May return false although they do: it draws only conclusions
// from single conditions.
bool have_no_table_in_common(const AccessSet::Scope& a, const AccessSet::Scope& b) {
    KnownComponents known;
    for (bool learned = true; learned;) {
        learned = false;
        for (const AccessSet::Scope* scope : {&a, &b}) {
            for (const AccessSet::Condition& condition : *scope) {
                const Verdict verdict = take_in(condition, known);
                if (verdict == Verdict::impossible) return true;
                learned |= verdict == Verdict::learned;
            }
        }
    }
    return false;
}

}  // namespace

void AccessSet::add_use(const Use& use) {
    const std::uint64_t bit = std::uint64_t{1} << ((use.id + (use.resource ? 32 : 0)) % 64);
    touched_ |= bit;
    if (use.writes) written_ |= bit;
    uses_.push_back(use);
}

void AccessSet::use_component(TypeHandle& type, bool writes) {
    const auto id = static_cast<std::uint32_t>(store_->id_of(type));
    scopes_.push_back({{{id, true}}});
    const auto scope = static_cast<std::uint32_t>(scopes_.size() - 1);
    add_use({type.type->name(), id, scope, false, writes, type.type->is_sparse()});
}

void AccessSet::use_resource(ResourceHandle& type, bool writes) {
    add_use({type.type->name, static_cast<std::uint32_t>(store_->resources().id_of(type)), 0, true, writes, true});
}

// Entities with and without a sparse component share tables, and with them the ticks of chunks: a condition that a
// sparse component can decide says nothing about tables.
AccessSet::Scope AccessSet::scope_of(const TermList& terms) const {
    Scope scope;
    Condition condition;
    bool by_table = true;
    for (std::uint32_t i = 0; i < terms.count; ++i) {
        const Alternative& alternative = terms.alternatives[i];
        condition.push_back({static_cast<std::uint32_t>(store_->id_of(*alternative.type)), alternative.present});
        by_table &= !alternative.type->type->is_sparse();
        if (i + 1 < terms.count && terms.alternatives[i + 1].condition == alternative.condition) continue;
        if (by_table) scope.push_back(condition);
        condition.clear();
        by_table = true;
    }
    return scope;
}

void AccessSet::use_query(const TermList& terms, std::span<const DataUse> data) {
    const auto scope = static_cast<std::uint32_t>(scopes_.size());
    scopes_.push_back(scope_of(terms));
    const auto add = [&](TypeHandle& type, bool writes) {
        const auto id = static_cast<std::uint32_t>(store_->id_of(type));
        add_use({type.type->name(), id, scope, false, writes, type.type->is_sparse()});
    };
    for (const Alternative& alternative : std::span(terms.alternatives, terms.count)) {
        if (alternative.tracking != Tracking::none) add(*alternative.type, false);
    }
    for (const DataUse& use : data) add(*use.type, use.writes);
}

bool AccessSet::are_disjoint(const Use& use, const AccessSet& other, const Use& others) const {
    return !use.outside_tables && have_no_table_in_common(scopes_[use.scope], other.scopes_[others.scope]);
}

const AccessSet::Use* AccessSet::find_clash(const AccessSet& other) const {
    if (((written_ & other.touched_) | (touched_ & other.written_)) == 0) return nullptr;
    for (const Use& mine : uses_) {
        for (const Use& theirs : other.uses_) {
            if (mine.id != theirs.id || mine.resource != theirs.resource || (!mine.writes && !theirs.writes)) continue;
            if (!are_disjoint(mine, other, theirs)) return &mine;
        }
    }
    return nullptr;
}

bool AccessSet::clashes(const AccessSet& other) const {
    if (exclusive_ || other.exclusive_) return true;
    if ((reads_everything_ && other.written_ != 0) || (other.reads_everything_ && written_ != 0)) return true;
    return find_clash(other) != nullptr;
}

void AccessSet::add(const AccessSet& other) {
    const auto first = static_cast<std::uint32_t>(scopes_.size());
    scopes_.insert(scopes_.end(), other.scopes_.begin(), other.scopes_.end());
    for (Use use : other.uses_) {
        if (!use.resource) use.scope += first;
        add_use(use);
    }
    reads_everything_ |= other.reads_everything_;
    exclusive_ |= other.exclusive_;
}

}  // namespace stoa::detail

// Conditions that are made of others, and those that need no types.
#include "stoa/condition.hpp"

#include <memory>
#include <string>

#include "base/raise.hpp"
#include "stoa/detail/base/periods.hpp"
#include "stoa/timer.hpp"

namespace stoa {

namespace detail {

ConditionState::~ConditionState() = default;
ConditionNode::~ConditionNode() = default;

const Ref<ConditionNode>& ConditionAccess::node(const Condition& condition) noexcept { return condition.node_; }

std::string called(std::string_view verb, std::string_view types) {
    std::string name(verb);
    name += '<';
    name += types;
    return name += ">()";
}

namespace {

using Owner = std::unique_ptr<ConditionState>;

// Of two conditions; the second one is asked when the first one has not decided yet.
class PairState final : public ConditionState {
  public:
    PairState(Owner first, Owner second, bool deciding)
        : first_(std::move(first)), second_(std::move(second)), deciding_(deciding) {}

    void add_access(AccessSet& set, Store& store) const override {
        first_->add_access(set, store);
        second_->add_access(set, store);
    }
    bool holds(const SystemContext& at) override {
        return first_->holds(at) == deciding_ ? deciding_ : second_->holds(at);
    }
    void after() override {
        first_->after();
        second_->after();
    }
    const ConditionState* part(std::size_t number) const override {
        return number == 0 ? first_.get() : number == 1 ? second_.get() : nullptr;
    }

  private:
    Owner first_;
    Owner second_;
    bool deciding_;
};

class OppositeState final : public ConditionState {
  public:
    explicit OppositeState(Owner of) : of_(std::move(of)) {}

    void add_access(AccessSet& set, Store& store) const override { of_->add_access(set, store); }
    bool holds(const SystemContext& at) override { return !of_->holds(at); }
    void after() override { of_->after(); }
    const ConditionState* part(std::size_t number) const override { return number == 0 ? of_.get() : nullptr; }

  private:
    Owner of_;
};

using Node = Ref<ConditionNode>;

class PairNode final : public ConditionNode {
  public:
    PairNode(const std::string& name, Node first, Node second, bool deciding)
        : ConditionNode(name), first_(std::move(first)), second_(std::move(second)), deciding_(deciding) {}
    ConditionState* make(World& world) const override {
        Owner first(first_->make(world));
        Owner second(second_->make(world));
        return new PairState(std::move(first), std::move(second), deciding_);
    }

  private:
    Node first_;
    Node second_;
    bool deciding_;
};

class OppositeNode final : public ConditionNode {
  public:
    OppositeNode(const std::string& name, Node of) : ConditionNode(name), of_(std::move(of)) {}
    ConditionState* make(World& world) const override { return new OppositeState(Owner(of_->make(world))); }

  private:
    Node of_;
};

Node part(const Condition& condition) {
    const Node& node = ConditionAccess::node(condition);
    return node ? node : ConditionAccess::node(Condition("always", [] { return true; }));
}

// A combination in brackets, so that the name reads as the expression does.
std::string bracketed(std::string_view name) {
    const bool combined = name.find(" && ") != std::string_view::npos || name.find(" || ") != std::string_view::npos;
    std::string text(combined ? "(" : "");
    text += name;
    return text += combined ? ")" : "";
}

ConditionNode* pair_of(const Node& first, const char* word, const Node& second, bool deciding) {
    return new PairNode(bracketed(first->name()) + word + bracketed(second->name()), first, second, deciding);
}

// Where a system was in the multiples of a period, when it was last asked.
struct Beat {
    std::uint64_t step = 0;
    std::uint64_t count = 0;
};

bool reaches_multiple(double period, Beat& beat, const Time& time) {
    const auto multiples = [&](double elapsed) { return whole_periods(elapsed, period).count; };
    const std::uint64_t now = multiples(time.elapsed);
    // A system that was not asked in the run before, because it was disabled, has missed what came in it.
    const std::uint64_t before = beat.step + 1 == time.step ? beat.count : multiples(time.elapsed - time.delta);
    beat = {time.step, now};
    return now > before;
}

}  // namespace
}  // namespace detail

Condition Condition::both(const Condition& a, const Condition& b) {
    return Condition(detail::pair_of(detail::part(a), " && ", detail::part(b), false));
}

Condition Condition::either(const Condition& a, const Condition& b) {
    return Condition(detail::pair_of(detail::part(a), " || ", detail::part(b), true));
}

Condition Condition::opposite(const Condition& a) {
    const detail::Node node = detail::part(a);
    std::string name(1, '!');
    name += detail::bracketed(node->name());
    return Condition(new detail::OppositeNode(name, node));
}

Condition once() {
    return {"once()", [](detail::HasRun has_run) { return !has_run.value; }};
}

Condition every(double seconds) {
    if (!detail::is_time(seconds) || seconds == 0) {
        detail::raise(Errc::conflict,
                      "every: the time in seconds must be finite and above 0, and it is " + std::to_string(seconds));
    }
    std::string name = "every(" + std::to_string(seconds);
    while (name.back() == '0') name.pop_back();
    if (name.back() == '.') name.pop_back();
    return {name + ")", [seconds](Local<detail::Beat> beat, const Time& time) {
                return detail::reaches_multiple(seconds, *beat, time);
            }};
}

}  // namespace stoa

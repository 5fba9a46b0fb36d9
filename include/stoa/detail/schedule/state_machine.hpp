// What a schedule knows of a state: a StateMachine moves the value of the resource, and numbers the values for which
// there are systems. StateMachineOf implements it for a type.
//
// Invariant: what is asked of the resource during transitions is not their target; that was taken before they began.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "stoa/detail/storage/resource_verbs.hpp"
#include "stoa/state.hpp"

namespace stoa::detail {

class STOA_API StateMachine {
  public:
    static constexpr std::size_t none = ~std::size_t{0};

    StateMachine() = default;
    StateMachine(const StateMachine&) = delete;
    StateMachine& operator=(const StateMachine&) = delete;
    virtual ~StateMachine();

    virtual const ResourceType& type() const noexcept = 0;
    // Whether the world has a state of this type; adding and removing it.
    virtual bool is_in(const Store& store) const = 0;
    virtual void begin(Store& store) = 0;
    virtual void end(Store& store) = 0;

    // Effects: what was asked becomes the target; an older one that is left stays otherwise.
    virtual void take_request(Store& store) = 0;
    virtual bool has_target() const noexcept = 0;
    virtual void drop_target() noexcept = 0;
    // Whether the target is another value than that of the state. Requires: has_target().
    virtual bool target_differs(const Store& store) const = 0;
    // Effects: the state has the value of the target. Returns: false if the resource is gone.
    virtual bool reach_target(Store& store) = 0;
    // The number of the value of the state, if it has one, else `none`.
    virtual std::size_t number_now(const Store& store) const = 0;
    virtual std::string text(std::string_view prefix, std::size_t number) const = 0;
};

template <class E>
class StateMachineOf final : public StateMachine {
  public:
    explicit StateMachineOf(const E& first) : target_(first) {}

    const ResourceType& type() const noexcept override { return resource_type<State<E>>; }
    bool is_in(const Store& store) const override { return find(store) != nullptr; }
    void begin(Store& store) override { emplace_resource<State<E>>(store, StateKey{}, target_); }
    void end(Store& store) override { remove_resource<State<E>>(store); }

    void take_request(Store& store) override {
        const State<E>* state = find(store);
        if (state == nullptr || !state->asked_) return;
        State<E>& written = *find_resource<State<E>>(store);
        written.asked_ = false;
        has_target_ = false;
        target_ = std::move(written.next_);
        has_target_ = true;
    }
    bool has_target() const noexcept override { return has_target_; }
    void drop_target() noexcept override { has_target_ = false; }
    bool target_differs(const Store& store) const override {
        const State<E>* state = find(store);
        return state != nullptr && !(state->now_ == target_);
    }
    bool reach_target(Store& store) override {
        State<E>* state = hand_out_resource<State<E>>(store);
        if (state != nullptr) state->now_ = target_;
        return state != nullptr;
    }
    std::size_t number_now(const Store& store) const override {
        const State<E>* state = find(store);
        return state != nullptr ? number_of(state->now_) : none;
    }
    std::string text(std::string_view prefix, std::size_t number) const override {
        return state_text<E>(prefix, values_[number]);
    }

    std::size_t number_of(const E& value) const {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            if (values_[i] == value) return i;
        }
        return none;
    }
    std::size_t number_for(const E& value) {
        const std::size_t number = number_of(value);
        if (number != none) return number;
        values_.push_back(value);
        return values_.size() - 1;
    }

  private:
    static const State<E>* find(const Store& store) { return find_resource<const State<E>>(store); }

    std::vector<E> values_;  // for which there are systems
    E target_;
    bool has_target_ = false;
};

}  // namespace stoa::detail

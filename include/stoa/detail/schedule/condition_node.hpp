// What a Condition is made of. A ConditionNode is shared by all copies of a condition and never changes; each system
// that has the condition makes a ConditionState of it, with the states of the parameters.
#pragma once

#include <cstddef>
#include <stdexcept>  // for std::string; <string> costs users more
#include <string_view>
#include <type_traits>
#include <utility>

#include "stoa/detail/base/ref.hpp"
#include "stoa/detail/schedule/system.hpp"

namespace stoa {

class Condition;

namespace detail {

// A condition as one system, or one phase, has it.
class STOA_API ConditionState {
  public:
    ConditionState() = default;
    ConditionState(const ConditionState&) = delete;
    ConditionState& operator=(const ConditionState&) = delete;
    virtual ~ConditionState();

    // Adds what its parameters touch.
    virtual void add_access(AccessSet& set, Store& store) const = 0;
    virtual bool holds(const SystemContext& at) = 0;
    // The system has run.
    virtual void after() = 0;
    // The conditions that it is made of, by number; null behind the last one.
    virtual const ConditionState* part(std::size_t) const { return nullptr; }
};

class STOA_API ConditionNode : public RefCounted<ConditionNode> {
  public:
    virtual ~ConditionNode();
    std::string_view name() const noexcept { return name_; }
    // Throws std::bad_alloc, and what the states of parameters throw.
    virtual ConditionState* make(World& world) const = 0;

  protected:
    explicit ConditionNode(std::string_view name) : name_(name) {}

  private:
    std::string name_;
};

// For the library: the node of a condition, null if it is always true.
struct ConditionAccess {
    static const Ref<ConditionNode>& node(const Condition& condition) noexcept;
};

// What converts to a Condition; is_condition says what is wrong with others.
template <class F>
concept may_be_condition = std::is_class_v<F> || std::is_function_v<std::remove_pointer_t<F>>;

template <class P>
consteval bool is_param_that_writes() {
    if constexpr (requires { Param<P>::writes; }) return Param<P>::writes;
    return false;
}

template <class... Ps>
consteval bool only_read(Parameters<Ps...> params) {
    static_assert(are_system_params(params));
    static_assert((!is_param_that_writes<ParamKey<Ps>>() && ...),
                  "a condition only reads: it takes Res<const R>, Query<const T>, const World&, and neither Commands& "
                  "nor what writes");
    return true;
}

template <class F, class... Ps>
consteval bool returns_bool(Parameters<Ps...>) {
    return std::is_convertible_v<std::invoke_result_t<F&, Ps...>, bool>;
}

template <class F>
consteval bool is_condition() {
    static_assert(!std::is_void_v<CallParameters<F>>,
                  "a condition is a function or a callable object whose parameters have types of their own, so it is "
                  "neither overloaded nor a template");
    static_assert(std::is_copy_constructible_v<F>,
                  "the callable of a condition is copyable: each system that has the condition has a copy");
    if constexpr (!std::is_void_v<CallParameters<F>>) {
        static_assert(only_read(CallParameters<F>{}));
        static_assert(returns_bool<F>(CallParameters<F>{}), "a condition returns a bool");
    }
    return true;
}

template <class F, class Types, class Indices>
class CallableState;

template <class F, class... Ps, std::size_t... Is>
class CallableState<F, Parameters<Ps...>, std::index_sequence<Is...>> final : public ConditionState,
                                                                              private ParamCell<Is, ParamKey<Ps>>... {
  public:
    CallableState([[maybe_unused]] World& world, const F& callable)
        : ParamCell<Is, ParamKey<Ps>>(world)..., callable_(callable) {}

    void add_access([[maybe_unused]] AccessSet& set, [[maybe_unused]] Store& store) const override {
        (set.add(access_of<ParamKey<Ps>>(store)), ...);
    }
    bool holds([[maybe_unused]] const SystemContext& at) override {
        if (!(cell<Is, Ps>().ready(at) && ...)) return false;
        return call<decltype(cell<Is, Ps>().fetch(at))...>(cell<Is, Ps>().fetch(at)...);
    }
    void after() override { (cell<Is, Ps>().after(), ...); }

  private:
    template <std::size_t I, class P>
    ParamCell<I, ParamKey<P>>& cell() {
        return *this;
    }
    // `held` keeps the fetched values alive during the call.
    template <class... Held>
    bool call(Held... held) {
        return callable_(as_argument<Ps, Held>(held)...);
    }

    F callable_;
};

template <class F, class Types>
struct IndexedCondition;
template <class F, class... Ps>
struct IndexedCondition<F, Parameters<Ps...>> {
    using type = CallableState<F, Parameters<Ps...>, std::index_sequence_for<Ps...>>;
};

template <class F>
class CallableNode final : public ConditionNode {
  public:
    template <class From>
    CallableNode(std::string_view name, From&& callable)
        : ConditionNode(name), callable_(std::forward<From>(callable)) {}

    ConditionState* make(World& world) const override {
        return new typename IndexedCondition<F, CallParameters<F>>::type(world, callable_);
    }

  private:
    F callable_;
};

}  // namespace detail
}  // namespace stoa

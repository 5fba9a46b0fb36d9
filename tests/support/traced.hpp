// A number that keeps a ledger of its own life: it knows where it was built, so moving it as raw bytes, destroying it
// twice or reading it after its end is noticed in every build. Building and copying can be made to throw; moving and
// destroying never throw. Invariant: home_ == this while it lives. Called by the instrumented components.
#pragma once

#include "ledger.hpp"

namespace stoa_test {

inline constexpr int corrupt_value = -1'000'000'007;

template <class Family>
class Traced {
  public:
    Traced() : Traced(0) {}

    explicit Traced(int number) {
        ConstructionFaults::spend();
        value = number;
        settle();
        ++ledger().constructed;
    }

    Traced(const Traced& other) {
        ConstructionFaults::spend();
        value = other.checked();
        settle();
        ++ledger().copied;
    }

    Traced(Traced&& other) noexcept {
        value = other.checked();
        other.value = corrupt_value;
        settle();
        ++ledger().moved;
    }

    Traced& operator=(const Traced& other) {
        ConstructionFaults::spend();
        checked();
        value = other.checked();
        ++ledger().copied;
        return *this;
    }

    Traced& operator=(Traced&& other) noexcept {
        checked();
        const int taken = other.checked();
        other.value = corrupt_value;
        value = taken;
        ++ledger().moved;
        return *this;
    }

    ~Traced() {
        checked();
        home_ = nullptr;
        --ledger().alive;
        ++ledger().destroyed;
    }

    /// Returns the number, or corrupt_value when no object was built here.
    int checked() const {
        if (home_ != this) {
            ++ledger().wrong;
            return corrupt_value;
        }
        return value;
    }

    static Ledger& ledger() { return ledger_of<Family>; }

    int value;

  private:
    void settle() {
        home_ = this;
        ++ledger().alive;
    }

    const Traced* volatile home_;  // volatile: the mark of the dead must really be written
};

}  // namespace stoa_test

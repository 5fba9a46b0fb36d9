// Stores the first exception of several steps that must all run. Builds without exceptions just run the steps.
#pragma once

#include <exception>
#include <utility>

namespace stoa::detail {

class FirstError {
  public:
    // Returns: whether the step completed.
    template <class Step>
    bool attempt(Step&& step) noexcept {
#if defined(__cpp_exceptions)
        try {
            step();
            return true;
        } catch (...) {
            if (!error_) error_ = std::current_exception();
            return false;
        }
#else
        step();
        return true;
#endif
    }

    bool happened() const noexcept { return error_ != nullptr; }
    // Takes the exception of the other one, unless this one has an earlier exception.
    void append(FirstError& later) noexcept {
        std::exception_ptr error = std::exchange(later.error_, nullptr);
        if (!error_) error_ = std::move(error);
    }
    // Throws the exception, if there is one, and forgets it.
    void rethrow() {
        if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    }

  private:
    std::exception_ptr error_;
};

}  // namespace stoa::detail

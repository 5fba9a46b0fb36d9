// Stores the first exception of several steps that must all run. Builds without exceptions just run the steps.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "stoa/error.hpp"

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

    // Effects: an Error gets the name of the system in front of its sentence; another exception stays as it is.
    void name_system(const std::string& system) noexcept {
#if defined(__cpp_exceptions)
        if (!error_) return;
        try {
            std::rethrow_exception(error_);
        } catch (const Error& error) {
            attempt_naming(error, system);
        } catch (...) {
            return;
        }
#else
        static_cast<void>(system);
#endif
    }

  private:
#if defined(__cpp_exceptions)
    // Without memory for the longer sentence the error stays as it is.
    void attempt_naming(const Error& error, const std::string& system) noexcept {
        try {
            const std::string sentence = "in system '" + system + "': " + error.what();
            error_ = std::make_exception_ptr(Error(error.code(), sentence.c_str()));
        } catch (...) {
            return;
        }
    }
#endif

    std::exception_ptr error_;
};

}  // namespace stoa::detail

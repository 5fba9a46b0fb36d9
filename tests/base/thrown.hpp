// Catches what a call throws, so that a test can look at the code and at the sentence.
// Used by the tests of every room; it holds no state.
#pragma once

#include <stoa/stoa.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace api_test {

struct Thrown {
    stoa::Errc code{};
    std::string text;

    // True when the sentence contains `part`.
    [[nodiscard]] bool says(std::string_view part) const { return text.find(part) != std::string::npos; }
};

// What `call` throws as a stoa::Error; nothing when it returns. Other exceptions pass through.
template <class Call>
std::optional<Thrown> thrown_by(Call&& call) {
    try {
        std::forward<Call>(call)();
    } catch (const stoa::Error& error) {
        return Thrown{error.code(), error.what()};
    }
    return std::nullopt;
}

// True when `call` throws a stoa::Error with exactly this code.
template <class Call>
bool throws(stoa::Errc code, Call&& call) {
    const std::optional<Thrown> thrown = thrown_by(std::forward<Call>(call));
    return thrown.has_value() && thrown->code == code;
}

}  // namespace api_test

// Whether a planned fault happens once or again and again. Called by everything that plans faults.
#pragma once

namespace stoa_test {

enum class FaultMode {
    once,        // exactly one use fails
    persistent,  // that one and all after it fail
};

}  // namespace stoa_test

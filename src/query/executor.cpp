// SerialExecutor: runs jobs one after the other, on the thread of the caller.
#include "stoa/executor.hpp"

namespace stoa {

Executor::~Executor() = default;

void SerialExecutor::run(Jobs& jobs) {
    struct AtOnce final : Starter {
        Jobs& of;
        explicit AtOnce(Jobs& all) : of(all) {}
        void start(std::size_t job) noexcept override { of.run(job, *this); }
    } at_once{jobs};
    jobs.begin(at_once);
}

}  // namespace stoa

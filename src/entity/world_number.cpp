// The numbers of tagged worlds: one bit for each, set while a world has it.
#include "stoa/detail/entity/world_number.hpp"

#include <bitset>
#include <mutex>

#include "base/raise.hpp"

namespace stoa::detail {
namespace {

struct NumbersInUse {
    std::mutex mutex;
    std::bitset<WorldNumber::count> bits{1};  // 0 is never handed out
};

// Never destroyed, as worlds with static storage duration may use it until the end of the process.
NumbersInUse& numbers_in_use() {
    static auto* const numbers = new NumbersInUse;
    return *numbers;
}

}  // namespace

WorldNumber::WorldNumber(bool tagged) {
    if (!tagged) return;
    NumbersInUse& used = numbers_in_use();
    const std::lock_guard lock(used.mutex);
    if (used.bits.all()) {
        raise(Errc::capacity,
              "World: 4,095 worlds with WorldOptions::tagged exist already; destroy one, or make this one without it");
    }
    while (used.bits[number_]) ++number_;
    used.bits.set(number_);
}

WorldNumber::~WorldNumber() {
    if (number_ == 0) return;
    NumbersInUse& used = numbers_in_use();
    const std::lock_guard lock(used.mutex);
    used.bits.reset(number_);
}

std::uint32_t WorldNumber::first(std::uint32_t asked) const noexcept {
    if (number_ != 0) asked &= (1u << shift) - 1;
    return number_ << shift | (asked != 0 ? asked : 1);
}

std::uint32_t WorldNumber::last() const noexcept {
    return number_ != 0 ? number_ << shift | ((1u << shift) - 1) : 0xffffffff;
}

}  // namespace stoa::detail

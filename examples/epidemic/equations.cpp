// The classical Runge-Kutta method in steps of a hundredth of a day, whose error is far below a pixel of the chart.
#include "equations.hpp"

#include <cmath>
#include <utility>

namespace epidemic {
namespace {

Shares slope(const Shares& at, const Rates& rates) {
    const double infections = rates.infection * at.susceptible * at.infected;
    const double recoveries = rates.recovery * at.infected;
    return {-infections, infections - recoveries, recoveries};
}

Shares moved(const Shares& from, const Shares& slope, double days) {
    return {from.susceptible + slope.susceptible * days, from.infected + slope.infected * days,
            from.recovered + slope.recovered * days};
}

}  // namespace

Shares solve(Shares shares, const Rates& rates, double days) {
    const auto steps = static_cast<int>(std::ceil(days * 100));
    const double step = days / steps;
    for (int i = 0; i < steps; ++i) {
        const Shares a = slope(shares, rates);
        const Shares b = slope(moved(shares, a, step / 2), rates);
        const Shares c = slope(moved(shares, b, step / 2), rates);
        const Shares d = slope(moved(shares, c, step), rates);
        for (const auto& [part, weight] : {std::pair{&a, 1}, {&b, 2}, {&c, 2}, {&d, 1}})
            shares = moved(shares, *part, step * weight / 6);
    }
    return shares;
}

}  // namespace epidemic

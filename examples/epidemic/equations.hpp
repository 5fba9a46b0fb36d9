// The SIR equations, which the agents are compared with: everybody meets everybody alike.
//
//     s' = -beta s i      i' = beta s i - gamma i      r' = gamma i
//
// s, i and r are shares of the population, so s + i + r = 1.
#pragma once

namespace epidemic {

/// Rates by day.
struct Rates {
    double infection;  // beta: how many others an infected agent would infect if all were susceptible
    double recovery;   // gamma: 1 / the mean number of days of an infection
};

struct Shares {
    double susceptible;
    double infected;
    double recovered;
};

/// Returns: the shares `days` later.
Shares solve(Shares shares, const Rates& rates, double days);

}  // namespace epidemic

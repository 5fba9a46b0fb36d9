// The normal distribution, and the errors of Random. Invariant: each operation is rounded by itself and none is left to
// a mathematical library, so that results are bit-equal everywhere. src/CMakeLists.txt compiles this file without
// contraction and without fast mathematics; only +, -, *, / and sqrt, which IEEE 754 defines to the bit, are used.
#include "stoa/random.hpp"

#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>
#include <string>

#include "base/raise.hpp"

#if defined(__FAST_MATH__)
#error random.cpp needs -fno-fast-math: its results must not depend on options of the build
#endif

namespace stoa::detail {
namespace {

static_assert(std::numeric_limits<double>::is_iec559 && FLT_EVAL_METHOD == 0,
              "the results of Random need IEEE 754 arithmetic without excess precision");

// The value of a polynomial by Horner's rule; the coefficient of the highest power comes first.
template <std::size_t Count>
double polynomial(const double (&coefficients)[Count], double x) {
    double sum = coefficients[0];
    for (std::size_t i = 1; i < Count; ++i) sum = sum * x + coefficients[i];
    return sum;
}

// Returns: the natural logarithm of a normal number above 0, within 2 units in the last place for x < 1/2.
double logarithm(double x) {
    // x = 2^exponent * m with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh s with s = (m - 1) / (m + 1), |s| < 0.1716.
    constexpr std::uint64_t half_root_bits = 0x3fe6a09e667f3bcdu;  // sqrt(1/2)
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const std::int64_t exponent = (static_cast<std::int64_t>(bits) - static_cast<std::int64_t>(half_root_bits)) >> 52;
    const double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(exponent) << 52));
    constexpr double series[] = {2.0 / 21, 2.0 / 19, 2.0 / 17, 2.0 / 15, 2.0 / 13, 2.0 / 11,
                                 2.0 / 9,  2.0 / 7,  2.0 / 5,  2.0 / 3,  2.0};
    const double s = (m - 1) / (m + 1);
    return static_cast<double>(exponent) * 0x1.62e42fefa39efp-1 + s * polynomial(series, s * s);
}

// The inverse of the normal distribution by Wichura, algorithm AS 241 (PPND16), Applied Statistics 37, 1988: quotients
// of polynomials, with a relative error of about 10^-16.

// Returns: the number whose distance from the centre is q = 1/2 - p, for q <= 0.425.
double central_quantile(double q) {
    constexpr double numerator[] = {2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
                                    4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
                                    1.3314166789178437745e2, 3.3871328727963666080e0};
    constexpr double denominator[] = {
        5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
        5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0};
    const double r = 0.180625 - q * q;
    return q * polynomial(numerator, r) / polynomial(denominator, r);
}

// Returns: the number that a share p of all numbers exceed, for p < 0.075; `root` is sqrt(-log p).
double outer_quantile(double root) {
    constexpr double numerator[] = {7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
                                    1.27045825245236838258e0,  3.64784832476320460504e0,  5.76949722146069140550e0,
                                    4.63033784615654529590e0,  1.42343711074968357734e0};
    constexpr double denominator[] = {
        1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
        6.89767334985100004550e-1, 1.67638483018380384940e0,  2.05319162663775882187e0,  1.0};
    const double r = root - 1.6;
    return polynomial(numerator, r) / polynomial(denominator, r);
}

// The same for p below e^-25, about 10^-11.
double far_quantile(double root) {
    constexpr double numerator[] = {2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
                                    2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0,
                                    5.46378491116411436990e0,  6.65790464350110377720e0};
    constexpr double denominator[] = {
        2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
        1.48753612908506148525e-2,  1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0};
    const double r = root - 5;
    return polynomial(numerator, r) / polynomial(denominator, r);
}

}  // namespace

double normal_of(std::uint64_t bits) noexcept {
    // p is an odd multiple of 2^-64 below 1/2, rounded: never 0, and finer the farther out it lies.
    constexpr std::uint64_t sign = std::uint64_t{1} << 63;
    const double p = static_cast<double>(static_cast<std::int64_t>((bits & ~sign) | 1)) * 0x1p-64;
    const double q = 0.5 - p;
    double distance = 0;
    if (q <= 0.425) {
        distance = central_quantile(q);
    } else {
        const double root = std::sqrt(-logarithm(p));
        distance = root <= 5 ? outer_quantile(root) : far_quantile(root);
    }
    return (bits & sign) != 0 ? -distance : distance;
}

void fail_index() {
    raise(Errc::conflict, "index: there is no number below 0; ask for one of at least 1, and not of an empty range");
}

void fail_between(double a, double b) {
    raise(Errc::conflict, "between: there is no number in [" + std::to_string(a) + ", " + std::to_string(b) +
                              "); the bounds must be finite, and the first below the second");
}

}  // namespace stoa::detail

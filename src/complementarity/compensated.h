// Error-free transformations, and the double-double number built from them.
//   two_sum    a + b = s + e exactly                       [Knuth, TAOCP 2, §4.2.2, theorem B]
//   two_product  a b = p + e exactly, by Dekker's splitting: the baseline instruction set has no
//              fused multiply-add, and bits must not depend on whether the machine has one.
// Exact as long as nothing overflows or underflows. A splitting overflows above 2^996; the
// resulting NaN fails every test downstream.
#pragma once

#include <cmath>

namespace tenpin::complementarity {

// An unevaluated sum with |low| <= ulp(high) / 2: about 106 bits.
struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : high(value) {}
  constexpr DoubleDouble(double h, double l) : high(h), low(l) {}
  explicit constexpr operator double() const { return high; }
};

constexpr DoubleDouble two_sum(double a, double b) {
  const double s = a + b;
  const double b_part = s - a;
  return {s, (a - (s - b_part)) + (b - b_part)};
}

// Needs |a| >= |b| or a = 0.
constexpr DoubleDouble fast_two_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}

// Splits a into halves of 26 bits each, so that products of halves are exact.
constexpr DoubleDouble split(double a) {
  constexpr double kSplitter = 134217729.0;  // 2^27 + 1
  const double t = kSplitter * a;
  const double high = t - (t - a);
  return {high, a - high};
}

constexpr DoubleDouble two_product(double a, double b) {
  const double p = a * b;
  const DoubleDouble x = split(a);
  const DoubleDouble y = split(b);
  return {p, ((x.high * y.high - p) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

constexpr DoubleDouble operator-(DoubleDouble a) {
  return {-a.high, -a.low};
}

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble s = two_sum(a.high, b.high);
  const DoubleDouble t = two_sum(a.low, b.low);
  const DoubleDouble r = fast_two_sum(s.high, s.low + t.high);
  return fast_two_sum(r.high, r.low + t.low);
}

constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
  return a + (-b);
}

constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble p = two_product(a.high, b.high);
  return fast_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// Long division with three quotient digits, each a double.
constexpr DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
  const double q1 = a.high / b.high;
  DoubleDouble r = a - b * DoubleDouble(q1);
  const double q2 = r.high / b.high;
  r = r - b * DoubleDouble(q2);
  const double q3 = r.high / b.high;
  return fast_two_sum(q1, q2) + DoubleDouble(q3);
}

constexpr bool operator<(DoubleDouble a, DoubleDouble b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

constexpr bool operator==(DoubleDouble a, DoubleDouble b) {
  return a.high == b.high && a.low == b.low;
}

}  // namespace tenpin::complementarity

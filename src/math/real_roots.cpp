#include "math/real_roots.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tenpin {

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Polynomial {
  std::array<double, 5> c = {};
  int degree = 0;

  double value(double x) const {
    double sum = c[static_cast<std::size_t>(degree)];
    for (int i = degree - 1; i >= 0; --i) sum = sum * x + c[static_cast<std::size_t>(i)];
    return sum;
  }
  // A bound on the rounding error of value(x).
  double uncertainty(double x) const {
    double sum = 0.0;
    for (int i = degree; i >= 0; --i) {
      sum = sum * std::fabs(x) + std::fabs(c[static_cast<std::size_t>(i)]);
    }
    return 4.0 * kEpsilon * sum;
  }
  Polynomial derivative() const {
    Polynomial d;
    d.degree = std::max(degree - 1, 0);
    for (int i = 1; i <= degree; ++i) {
      d.c[static_cast<std::size_t>(i - 1)] = i * c[static_cast<std::size_t>(i)];
    }
    return d;
  }
  // Twice Cauchy's bound: all roots are much smaller.
  double bound() const {
    double largest = 0.0;
    for (int i = 0; i < degree; ++i) {
      largest = std::max(largest, std::fabs(c[static_cast<std::size_t>(i)]));
    }
    return 2.0 + 2.0 * largest / std::fabs(c[static_cast<std::size_t>(degree)]);
  }
};

// Newton's method that falls back to bisection; value(low) and value(high) differ in sign. The
// bracket shrinks in every iteration, so this ends.
double find_bracketed(const Polynomial& f, const Polynomial& slope, double low, double high) {
  const bool is_rising = f.value(low) < 0.0;
  double x = 0.5 * (low + high);
  for (int i = 0; i < 2200; ++i) {  // bisection from the largest double needs no more than this
    const double y = f.value(x);
    if (y == 0.0) return x;
    ((y < 0.0) == is_rising ? low : high) = x;
    double next = x - y / slope.value(x);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == x || next == low || next == high) return next;
    x = next;
  }
  return x;
}

RealRoots find_roots(const Polynomial& f) {
  RealRoots roots;
  const auto add = [&roots](double x) {
    if (roots.count == 0 || x > roots.x[static_cast<std::size_t>(roots.count - 1)]) {
      roots.x[static_cast<std::size_t>(roots.count++)] = x;
    }
  };
  if (f.degree == 0) return roots;
  if (f.degree == 1) {
    add(-f.c[0] / f.c[1]);
    return roots;
  }
  const Polynomial slope = f.derivative();
  const RealRoots extrema = find_roots(slope);
  const double bound = f.bound();
  double low = -bound;
  for (int i = 0; i <= extrema.count; ++i) {
    const bool is_last = i == extrema.count;
    const double high = is_last ? bound : extrema.x[static_cast<std::size_t>(i)];
    const bool is_touching = !is_last && std::fabs(f.value(high)) <= f.uncertainty(high);
    const bool began_touching = i > 0 && std::fabs(f.value(low)) <= f.uncertainty(low);
    if (is_touching) {
      add(high);
    } else if (!began_touching && (f.value(low) < 0.0) != (f.value(high) < 0.0)) {
      add(find_bracketed(f, slope, low, high));
    }
    low = high;
  }
  return roots;
}

}  // namespace

RealRoots find_real_roots(const std::array<double, 5>& c) {
  Polynomial f{c, 4};
  while (f.degree > 0 && c[static_cast<std::size_t>(f.degree)] == 0.0) --f.degree;
  return find_roots(f);
}

}  // namespace tenpin

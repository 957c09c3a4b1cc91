#include "dynamics/time_curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/check.h"

namespace tenpin::dynamics {

namespace {

// The slopes of a cubic spline through (t, y) with two continuous derivatives and zero slope at
// both ends: a tridiagonal system, diagonally dominant.
std::vector<double> calc_spline_slopes(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> slopes(n, 0.0);
  if (n < 3) return slopes;
  std::vector<double> upper(n, 0.0);  // of the eliminated rows
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = 1.0 / (t[i] - t[i - 1]);
    const double after = 1.0 / (t[i + 1] - t[i]);
    const double right =
        3.0 * ((y[i] - y[i - 1]) * before * before + (y[i + 1] - y[i]) * after * after);
    const double pivot = 2.0 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    slopes[i] = (right - before * slopes[i - 1]) / pivot;
  }
  for (std::size_t i = n - 2; i > 0; --i) slopes[i] -= upper[i] * slopes[i + 1];
  return slopes;
}

std::array<double, 5> make_line(double y0, double y1, double h) {
  return {y0, (y1 - y0) / h, 0.0, 0.0, 0.0};
}

// Hermite's cubic from (0, y0) to (h, y1) with the slopes s0 and s1.
std::array<double, 5> make_cubic(const std::array<double, 2>& y, const std::array<double, 2>& s,
                                 double h) {
  const double mean = (y[1] - y[0]) / h;
  return {y[0], s[0], (3.0 * mean - 2.0 * s[0] - s[1]) / h, (s[0] + s[1] - 2.0 * mean) / (h * h),
          0.0};
}

double evaluate(const std::array<double, 5>& p, double u, int derivative) {
  double sum = 0.0;
  for (int k = 4; k >= derivative; --k) {
    double factor = 1.0;
    for (int j = 0; j < derivative; ++j) factor *= k - j;
    sum = sum * u + factor * p[static_cast<std::size_t>(k)];
  }
  return sum;
}

}  // namespace

TimeCurve::TimeCurve(const TimeTable& table) {
  if (table.empty()) return;
  const std::size_t n = table.times.size();
  const auto columns = static_cast<std::size_t>(table.columns);
  TENPIN_DEMAND(table.values.size() == n * columns);
  Pieces pieces;
  pieces.times = table.times;
  pieces.columns = table.columns;
  pieces.smoothness = table.interpolation == Interpolation::kStep     ? 0
                      : table.interpolation == Interpolation::kLinear ? 1
                                                                      : 2;
  pieces.origins = {table.times.front()};
  pieces.origins.insert(pieces.origins.end(), table.times.begin(), table.times.end());
  pieces.polynomials.resize((n + 1) * columns);
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<double> y(n);
    for (std::size_t i = 0; i < n; ++i) y[i] = table.values[i * columns + c];
    const std::vector<double> slopes = table.interpolation == Interpolation::kCubic
                                           ? calc_spline_slopes(table.times, y)
                                           : std::vector<double>();
    pieces.polynomials[c] = {y.front()};
    pieces.polynomials[n * columns + c] = {y.back()};
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double h = table.times[i + 1] - table.times[i];
      Polynomial& p = pieces.polynomials[(i + 1) * columns + c];
      switch (table.interpolation) {
        case Interpolation::kStep:
          p = {y[i]};
          break;
        case Interpolation::kLinear:
          p = make_line(y[i], y[i + 1], h);
          break;
        case Interpolation::kCubic:
          p = make_cubic({y[i], y[i + 1]}, {slopes[i], slopes[i + 1]}, h);
          break;
      }
    }
  }
  pieces_ = std::make_shared<const Pieces>(std::move(pieces));
}

TimeCurve TimeCurve::integral() const {
  TimeCurve result;
  if (empty()) return result;
  Pieces pieces = *pieces_;
  const auto columns = static_cast<std::size_t>(pieces.columns);
  for (std::size_t c = 0; c < columns; ++c) {
    double sum = 0.0;  // up to the origin of the current polynomial
    for (std::size_t s = 0; s < pieces.origins.size(); ++s) {
      Polynomial& p = pieces.polynomials[s * columns + c];
      TENPIN_DEMAND(p.back() == 0.0);
      for (std::size_t k = p.size() - 1; k > 0; --k) p[k] = p[k - 1] / static_cast<double>(k);
      p[0] = sum;
      if (s > 0 && s + 1 < pieces.origins.size()) {
        sum = evaluate(p, pieces.origins[s + 1] - pieces.origins[s], 0);
      }
    }
  }
  pieces.smoothness += 1;
  result.pieces_ = std::make_shared<const Pieces>(pieces);
  for (std::size_t c = 0; c < columns; ++c) {
    const double at_zero = result.value(static_cast<int>(c), 0.0);
    for (std::size_t s = 0; s < pieces.origins.size(); ++s) {
      pieces.polynomials[s * columns + c][0] -= at_zero;
    }
  }
  result.pieces_ = std::make_shared<const Pieces>(std::move(pieces));
  return result;
}

std::size_t TimeCurve::find_piece(const Pieces& pieces, double t) {
  return static_cast<std::size_t>(std::upper_bound(pieces.times.begin(), pieces.times.end(), t) -
                                  pieces.times.begin());
}

double TimeCurve::calc(int column, double t, int derivative) const {
  if (pieces_ == nullptr) return 0.0;
  const std::size_t s = find_piece(*pieces_, t);
  const auto columns = static_cast<std::size_t>(pieces_->columns);
  const Polynomial& p = pieces_->polynomials[s * columns + static_cast<std::size_t>(column)];
  return evaluate(p, t - pieces_->origins[s], derivative);
}

double TimeCurve::calc_bound(int column, double t, int derivative) const {
  if (pieces_ == nullptr) return 0.0;
  const std::size_t s = find_piece(*pieces_, t);
  const auto columns = static_cast<std::size_t>(pieces_->columns);
  Polynomial p = pieces_->polynomials[s * columns + static_cast<std::size_t>(column)];
  for (double& c : p) c = std::fabs(c);
  // The outer polynomials are at most linear, so their length does not matter.
  const bool is_outer = s == 0 || s + 1 == pieces_->origins.size();
  return evaluate(p, is_outer ? 0.0 : pieces_->times[s] - pieces_->origins[s], derivative);
}

const std::vector<double>& TimeCurve::times() const {
  static const std::vector<double> none;
  return pieces_ == nullptr ? none : pieces_->times;
}

int TimeCurve::smoothness() const {
  return pieces_ == nullptr ? kMostTerms : pieces_->smoothness;
}

bool TimeCurve::is_stepwise() const {
  return pieces_ == nullptr ||
         std::all_of(pieces_->polynomials.begin(), pieces_->polynomials.end(),
                     [](const Polynomial& p) {
                       return std::all_of(p.begin() + 1, p.end(), [](double c) {
                         return c == 0.0;
                       });
                     });
}

}  // namespace tenpin::dynamics

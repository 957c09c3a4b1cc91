// Functions of time that a scene gives as tables: forces, targets of motors and motions. A curve
// consists of polynomials between the table's times; outside the table it keeps its first or last
// value. At a time of the table it has the value to the right of that time.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace tenpin::dynamics {

// s   A time slightly before t, such that rounding in sums of times cannot reach t. A step up to a
// time at which a curve jumps ends here, so that the whole step uses the values before the jump.
// The motion during the gap, about 1e-15 of the time, is left out.
[[nodiscard]] inline double left_of(double t) {
  constexpr double kUlps = 16.0 * std::numeric_limits<double>::epsilon();
  return t - kUlps * (t < 0.0 ? -t : t);
}

enum class Interpolation {
  kStep,    // each value holds until the next time
  kLinear,  // straight lines
  kCubic,   // one cubic spline, with zero slope at both ends
};

struct TimeTable {
  std::vector<double> times;   // s   rising
  std::vector<double> values;  // row by row, `columns` of them per time
  int columns = 1;
  Interpolation interpolation = Interpolation::kLinear;

  bool empty() const { return times.empty(); }
  friend bool operator==(const TimeTable&, const TimeTable&) = default;
};

class TimeCurve {
 public:
  TimeCurve() = default;
  explicit TimeCurve(const TimeTable& table);

  // The integral of the curve from time 0.
  [[nodiscard]] TimeCurve integral() const;

  bool empty() const { return pieces_ == nullptr; }
  // The value of a column; zero for an empty curve.
  [[nodiscard]] double value(int column, double t) const { return calc(column, t, 0); }
  [[nodiscard]] double rate(int column, double t) const { return calc(column, t, 1); }
  [[nodiscard]] double second_rate(int column, double t) const { return calc(column, t, 2); }

  // Bounds on |rate| and |second rate| of a column from t to the next of the curve's times.
  [[nodiscard]] double bound_rate(int column, double t) const { return calc_bound(column, t, 1); }
  [[nodiscard]] double bound_second_rate(int column, double t) const {
    return calc_bound(column, t, 2);
  }

  // s   The times where two polynomials meet.
  [[nodiscard]] const std::vector<double>& times() const;
  // The number of continuous derivatives at these times, counting the value: 0 for steps, 1 for
  // lines.
  [[nodiscard]] int smoothness() const;
  // True if the value is constant within each polynomial.
  [[nodiscard]] bool is_stepwise() const;

 private:
  static constexpr int kMostTerms = 5;
  // in t - origin; the constant term comes first
  using Polynomial = std::array<double, kMostTerms>;
  struct Pieces {
    std::vector<double> times;
    std::vector<double> origins;          // one per piece: times.size() + 1
    std::vector<Polynomial> polynomials;  // piece by piece, one per column
    int columns = 1;
    int smoothness = 0;
  };

  [[nodiscard]] double calc(int column, double t, int derivative) const;
  [[nodiscard]] double calc_bound(int column, double t, int derivative) const;
  [[nodiscard]] static std::size_t find_piece(const Pieces& pieces, double t);

  std::shared_ptr<const Pieces> pieces_;  // shared by copies, because it never changes
};

}  // namespace tenpin::dynamics

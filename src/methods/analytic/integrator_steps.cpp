#include "methods/analytic/integrator_steps.h"

#include <bit>
#include <cmath>

namespace tenpin::methods::analytic {

// Coefficients of the tableau.   [HNW93, Table 5.2]
// clang-format off
namespace dormand_prince {
constexpr double kC[7] = {0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0};
constexpr double kA[7][6] = {
    {},
    {1.0 / 5.0},
    {3.0 / 40.0, 9.0 / 40.0},
    {44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0},
    {19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0},
    {9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0},
    {35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0}};
constexpr double kError[7] = {71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0,
                              -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0};
constexpr double kDense[7] = {
    -12715105075.0 / 11282082432.0, 0.0, 87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0, 701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0, 69997945.0 / 29380423.0};
}  // namespace dormand_prince
// clang-format on

double DormandPrince::try_step(Equations* equations, double h, double tolerance) {
  using namespace dormand_prince;  // NOLINT(google-build-using-namespace): its own tableau
  for (int s = 0; s < 7; ++s) {
    y_end_ = y0_;
    for (int j = 0; j < s; ++j) {
      if (kA[s][j] != 0.0) y_end_ += (h * kA[s][j]) * k_[j];
    }
    evaluate(equations, t0_ + kC[s] * h, y_end_, &k_[s]);
  }
  scratch_.setZero(y0_.size());
  dense_[4].setZero(y0_.size());
  for (int s = 0; s < 7; ++s) {
    scratch_ += (h * kError[s]) * k_[s];
    dense_[4] += (h * kDense[s]) * k_[s];
  }
  dense_[0] = y0_;
  dense_[1] = y_end_ - y0_;
  dense_[2] = h * k_[0] - dense_[1];
  dense_[3] = dense_[1] - h * k_[6] - dense_[2];
  return calc_error(scratch_, tolerance);
}

void DormandPrince::interpolate(double theta, VecX* y) const {
  const double rest = 1.0 - theta;
  *y =
      dense_[0] + theta * (dense_[1] + rest * (dense_[2] + theta * (dense_[3] + rest * dense_[4])));
}

void RungeKutta4::advance(Equations* equations, double t, double h, const VecX& y,
                          const VecX& first, VecX* end) {
  scratch_ = y + (0.5 * h) * first;
  evaluate(equations, t + 0.5 * h, scratch_, &k2_);
  scratch_ = y + (0.5 * h) * k2_;
  evaluate(equations, t + 0.5 * h, scratch_, &k3_);
  scratch_ = y + h * k3_;
  evaluate(equations, t + h, scratch_, &k4_);
  *end = y + (h / 6.0) * (first + 2.0 * k2_ + 2.0 * k3_ + k4_);
}

double RungeKutta4::try_step(Equations* equations, double h, double tolerance) {
  evaluate(equations, t0_, y0_, &rate_start_);
  advance(equations, t0_, h, y0_, rate_start_, &whole_);
  advance(equations, t0_, 0.5 * h, y0_, rate_start_, &middle_);
  evaluate(equations, t0_ + 0.5 * h, middle_, &rate_middle_);
  advance(equations, t0_ + 0.5 * h, 0.5 * h, middle_, rate_middle_, &y_end_);
  whole_ = (y_end_ - whole_) / 15.0;
  y_end_ += whole_;
  evaluate(equations, t0_ + h, y_end_, &rate_end_);
  rate_start_ *= h;  // the quintic takes rates times h
  rate_middle_ *= h;
  rate_end_ *= h;
  return calc_error(whole_, tolerance);
}

void RungeKutta4::interpolate(double theta, VecX* y) const {
  const double l0 = (2.0 * theta - 1.0) * (theta - 1.0);
  const double lm = 4.0 * theta * (1.0 - theta);
  const double l1 = theta * (2.0 * theta - 1.0);
  const double s0 = l0 * l0;
  const double sm = lm * lm;
  const double s1 = l1 * l1;
  *y = ((1.0 + 6.0 * theta) * s0) * y0_ + sm * middle_ + ((7.0 - 6.0 * theta) * s1) * y_end_ +
       (theta * s0) * rate_start_ + ((theta - 0.5) * sm) * rate_middle_ +
       ((theta - 1.0) * s1) * rate_end_;
}

void Adams::restart() {
  num_past_ = 0;
  has_rate_ = false;
}

// Words: the number of rates, their spacing, the time of the last one, and the rates, last first.
void Adams::save(std::vector<std::uint64_t>* words) const {
  words->clear();
  if (!has_rate_) return;
  words->push_back(static_cast<std::uint64_t>(num_past_));
  words->push_back(std::bit_cast<std::uint64_t>(past_h_));
  words->push_back(std::bit_cast<std::uint64_t>(t_rate_));
  for (const double x : rate_) words->push_back(std::bit_cast<std::uint64_t>(x));
  for (int k = 0; k < num_past_; ++k) {
    for (const double x : past_[k]) words->push_back(std::bit_cast<std::uint64_t>(x));
  }
}

void Adams::load(std::span<const std::uint64_t> words) {
  constexpr std::size_t kAdamsHead = 3;
  restart();
  if (words.size() < kAdamsHead || words[0] > kPast) return;
  const auto num_past = static_cast<int>(words[0]);
  const std::size_t size = (words.size() - kAdamsHead) / (words[0] + 1);
  past_h_ = std::bit_cast<double>(words[1]);
  t_rate_ = std::bit_cast<double>(words[2]);
  const auto unpack = [&](int k, VecX* rate) {
    rate->resize(static_cast<Eigen::Index>(size));
    for (std::size_t i = 0; i < size; ++i) {
      (*rate)[static_cast<Eigen::Index>(i)] =
          std::bit_cast<double>(words[kAdamsHead + k * size + i]);
    }
  };
  unpack(0, &rate_);
  for (int k = 0; k < num_past; ++k) unpack(k + 1, &past_[k]);
  num_past_ = num_past;
  has_rate_ = true;
}

// Step lengths that differ only by rounding count as equal.
bool Adams::can_continue(double h) const {
  return num_past_ == kPast && std::fabs(h - past_h_) <= 1e-9 * h;
}

// A step slightly longer than the previous ones is shortened to their length.
double Adams::admit(double h) const {
  return num_past_ > 0 && h > past_h_ && h < 2.0 * past_h_ ? past_h_ : h;
}

// Stores the rate at the start of the previous step, if this step continues it.
void Adams::remember() {
  if (!has_rate_ || t0_ <= t_rate_) return;
  if (rate_.size() != y0_.size()) {  // the set of contacts changed, and so did the equations
    restart();
    return;
  }
  const double h = t0_ - t_rate_;
  if (std::fabs(h - past_h_) > 1e-9 * h) num_past_ = 0;
  past_h_ = h;
  for (int k = kPast - 1; k > 0; --k) past_[k].swap(past_[k - 1]);
  past_[0] = rate_;
  num_past_ = num_past_ < kPast ? num_past_ + 1 : kPast;
}

double Adams::try_step(Equations* equations, double h, double tolerance) {
  remember();
  evaluate(equations, t0_, y0_, &rate_);
  t_rate_ = t0_;
  has_rate_ = true;
  by_starter_ = !can_continue(h);
  if (by_starter_) {
    const bool good = starter_.step(
        equations, t0_, y0_,
        {.h_max = h, .h_guess = h, .tolerance = tolerance, .num_steering = num_steering_});
    y_end_ = starter_.end();
    // The error that corresponds to the starter's next step.
    const double shrink = 0.9 * h / starter_.h_next();
    const double square = shrink * shrink;
    return good && starter_.h() == h ? std::fmin(1.0, square * square * shrink) : 2.0;
  }
  predicted_ =
      y0_ + (h / 24.0) * (55.0 * rate_ - 59.0 * past_[0] + 37.0 * past_[1] - 9.0 * past_[2]);
  evaluate(equations, t0_ + h, predicted_, &rate_end_);
  y_end_ = y0_ + (h / 24.0) * (9.0 * rate_end_ + 19.0 * rate_ - 5.0 * past_[0] + past_[1]);
  h_ = h;
  scratch_ = (19.0 / 270.0) * (y_end_ - predicted_);
  return calc_error(scratch_, tolerance);
}

// Integrates the cubic through the four rates of the corrector.
void Adams::interpolate(double theta, VecX* y) const {
  if (by_starter_) {
    starter_.interpolate(theta, y);
    return;
  }
  const double t2 = theta * theta;
  const double t3 = t2 * theta;
  const double t4 = t2 * t2;
  const double w1 = (t4 / 4.0 + t3 + t2) / 6.0;
  const double w0 = -0.5 * (t4 / 4.0 + 2.0 * t3 / 3.0 - t2 / 2.0 - 2.0 * theta);
  const double w_1 = 0.5 * (t4 / 4.0 + t3 / 3.0 - t2);
  const double w_2 = -(t4 / 4.0 - t2 / 2.0) / 6.0;
  *y = y0_ + h_ * (w1 * rate_end_ + w0 * rate_ + w_1 * past_[0] + w_2 * past_[1]);
}

}  // namespace tenpin::methods::analytic

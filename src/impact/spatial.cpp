#include "impact/spatial.h"

#include <algorithm>
#include <cmath>

#include "impact/restitution.h"
#include "impact/tolerances.h"

namespace tenpin::impact {

namespace {

// -   Slip below this fraction of the velocities counts as zero.
constexpr double kNoSlip = 1e-15;
// -   Slip counts as ended when the rest of its path is straight to this fraction of its initial
// size.
constexpr double kStraightEnd = 1e-16;
// A ray counts as isolated, and not as part of the continuum of a ball, if the field turns at least
// this fast beside it.
constexpr double kIsolated = 1e-6;
constexpr int kMaxSeries = 20000;
constexpr int kMaxRecompressions = 100;
constexpr int kTracePerSeries = 6;

// A straight segment of the path: rates per unit of normal impulse.
struct Line {
  Vec2 p_t;                // -
  Vec2 v_t;                // 1/kg
  double v_z = 0.0;        // 1/kg
  double length = kNever;  // N s
};

class SpatialWalk {
 public:
  SpatialWalk(const SpatialContact& contact, const Surface& surface,
              std::vector<SpatialPoint>* trace, TraceDetail detail)
      : surface_(surface),
        field_(contact.W, surface.mu),
        trace_(trace),
        is_drawn_(trace != nullptr && detail == TraceDetail::kDrawing) {
    here_.v = contact.v;
    slip_before_ = contact.v.head<2>().norm();
    if (slip_before_ <= kNoSlip * std::fabs(contact.v[2])) {
      slip_before_ = 0.0;
      here_.v.head<2>().setZero();
    }
    impact_.start = impact_.compression = impact_.end = here_;
  }

  SpatialImpact run() {
    record();
    if (!(here_.v[2] < 0.0) && !is_pulled_in()) {
      impact_.status = ImpactStatus::kSeparating;
      return impact_;
    }
    walk();
    if (!is_done_) impact_.status = ImpactStatus::kUnbounded;
    impact_.end = here_;
    return impact_;
  }

 private:
  // True for Painlevé's paradox: friction can pull a sliding contact together although it does not
  // approach.
  bool is_pulled_in() const {
    if (here_.v[2] > 0.0 || slip_before_ == 0.0) return false;
    return field_.normal_rate(-surface_.mu * here_.v.head<2>() / slip_before_) < 0.0;
  }

  void walk() {
    if (surface_.mu_static == 0.0) {
      enter(SlipMode::kFrictionless);
      walk_line({Vec2::Zero(), field_.coupling(), field_.normal_entry(), kNever});
      return;
    }
    if (slip_before_ > 0.0) {
      walk_slip();
      if (is_done_ || slip() > 0.0) return;
    }
    leave_rest();
  }

  double slip() const { return here_.v.head<2>().norm(); }

  void enter(SlipMode mode) { impact_.modes[static_cast<std::size_t>(impact_.num_modes++)] = mode; }
  void record() {
    if (trace_ != nullptr) trace_->push_back(here_);
  }

  void walk_slip() {
    const Vec2 e = here_.v.head<2>() / slip_before_;
    if (!field_.is_on_ray(e)) {
      enter(SlipMode::kSlide);
      walk_curve();
      return;
    }
    const bool is_isolated = std::fabs(field_.turning_slope(e)) > kIsolated * field_.scale();
    enter(is_isolated && field_.growth(e) < 0.0 ? SlipMode::kSlideIn : SlipMode::kSlide);
    walk_ray(e);
  }

  // Follows straight slip, to its end if it shrinks.
  void walk_ray(const Vec2& e) {
    const double growth = field_.growth(e);
    const Vec2 p_t = -surface_.mu * e;
    Line line{p_t, growth * e, field_.normal_rate(p_t), kNever};
    if (growth < 0.0) line.length = slip() / -growth;
    walk_line(line);
    if (!is_done_ && growth < 0.0) end_slip();
  }

  void end_slip() {
    here_.v.head<2>().setZero();
    impact_.slip_end = here_.p[2];
    impact_.slip_ends_in_compression = !is_restoring_;
    record();
  }

  // Continues from zero slip: the contact sticks if friction suffices; otherwise slip starts along
  // the only outward ray. [MC95, §Sticking mode]
  void leave_rest() {
    const Ray out = field_.sticks(surface_.mu_static) ? Ray{} : field_.find_outgoing_ray();
    if (out.growth > 0.0) {
      enter(SlipMode::kSlideOut);
      impact_.out_direction = out.direction;
      walk_ray(out.direction);
    } else {
      enter(SlipMode::kStick);
      const Vec2& p_t = field_.stick_ratio();
      // While a contact sticks, an impulse never pulls it in: a lower rate is rounding.
      const double rate = field_.normal_rate(p_t);
      const bool is_locked = rate <= kSingularImpact * field_.normal_entry();
      if (is_locked && is_approach_rounding()) pass_event();
      walk_line({p_t, Vec2::Zero(), is_locked ? 0.0 : rate, kNever});
    }
  }

  // A body with a single freedom stops at once. Where rounding ends its slip first, it may leave an
  // approach that no impulse of a contact that sticks can end.
  bool is_approach_rounding() const {
    constexpr double kRounding = 1e-14;  // of the velocity before: from some sums of its terms
    return !is_restoring_ && std::fabs(here_.v[2]) <= kRounding * impact_.start.v.norm();
  }

  // --- straight segments -----------------------------------------------------------------------

  void walk_line(const Line& line) {
    double left = line.length;
    while (!is_done_ && left > 0.0) {
      const double to_event = is_restoring_ ? to_end_or_fall(line) : to_compression(line);
      if (to_event == kNever && left == kNever) return;
      const bool is_event = to_event <= left;
      const double d = is_event ? to_event : left;
      move(line, d);
      left -= d;
      if (is_event) pass_event();
    }
  }

  double to_compression(const Line& line) const {
    return line.v_z > kSingularImpact * field_.normal_entry() ? -here_.v[2] / line.v_z : kNever;
  }
  double to_end_or_fall(const Line& line) {
    const double to_end = goal_.calc_impulse_to(normal_state(), line.v_z);
    const double to_fall = line.v_z < 0.0 ? -here_.v[2] / line.v_z : kNever;
    falls_ = to_fall < to_end;
    return std::min(to_fall, to_end);
  }

  void move(const Line& line, double d) {
    const Vec3 before = here_.v;
    here_.v.head<2>() += d * line.v_t;
    here_.v[2] += d * line.v_z;
    here_.p.head<2>() += d * line.p_t;
    here_.p[2] += d;
    here_.E_n += 0.5 * d * (before[2] + here_.v[2]);
    here_.E_f += 0.5 * d * line.p_t.dot(before.head<2>() + here_.v.head<2>());
    record();
  }

  // --- phases ----------------------------------------------------------------------------------

  NormalState normal_state() const { return {here_.p[2], here_.v[2], here_.E_n}; }

  // Goes to the next phase: compression, restitution, end; and back to compression if v_z becomes
  // negative again.
  void pass_event() {
    if (!is_restoring_) {
      here_.v[2] = 0.0;
      impact_.compression = here_;
      goal_ = Goal(surface_, impact_.start.v[2], normal_state());
      is_restoring_ = true;
      is_done_ = surface_.restitution == 0.0;
    } else if (falls_) {
      here_.v[2] = 0.0;
      is_restoring_ = false;
      ++impact_.num_recompressions;
    } else {
      is_done_ = true;
    }
  }

  // --- the curve -------------------------------------------------------------------------------

  void walk_curve() {
    while (impact_.num_series < kMaxSeries && impact_.num_recompressions <= kMaxRecompressions) {
      series_.expand(field_, here_);
      ++impact_.num_series;
      walk_series();
      if (is_done_) return;
      const Vec2 e = here_.v.head<2>() / slip();
      if (is_straight_from_here(e)) {
        walk_ray(e);
        return;
      }
    }
  }

  void walk_series() {
    double from = 0.0;
    while (true) {
      const double s = is_restoring_ ? find_end_or_fall(from) : find_compression(from);
      const bool is_event = s >= 0.0;
      const double to = is_event ? s : series_.length();
      trace_series(from, to);
      here_ = series_.at(to);
      record();
      if (!is_event) return;
      pass_event();
      if (is_done_ || impact_.num_recompressions > kMaxRecompressions) return;
      from = to;
    }
  }

  double find_compression(double from) const {
    return series_.find_rise(SlipSeries::kVz, 0.0, from, series_.length());
  }

  double find_end_or_fall(double from) {
    const SlipSeries::Quantity quantity = goal_.law() == Law::kNewton    ? SlipSeries::kVz
                                          : goal_.law() == Law::kPoisson ? SlipSeries::kPz
                                                                         : SlipSeries::kEn;
    const double end = series_.find_rise(quantity, goal_.value(), from, series_.length());
    const double fall = series_.find_fall(SlipSeries::kVz, 0.0, from, series_.length());
    falls_ = fall >= 0.0 && (end < 0.0 || fall < end);
    return falls_ ? fall : end;
  }

  void trace_series(double from, double to) {
    if (!is_drawn_) return;
    for (int i = 1; i < kTracePerSeries; ++i) {
      trace_->push_back(series_.at(from + (to - from) * i / kTracePerSeries));
    }
  }

  // True if the rest of the slip is straight: slip that shrinks beside a ray misses the origin by
  // its size times the angle to the ray.
  bool is_straight_from_here(const Vec2& e) const {
    const double turning = std::fabs(field_.turning(e));
    const double slope = field_.turning_slope(e);
    if (slope < 0.0 && turning <= kSettledSlip * field_.scale()) return true;
    const double miss = slip() * std::min(1.0, turning / std::fabs(slope));
    return field_.growth(e) < 0.0 && miss <= kStraightEnd * slip_before_;
  }

  const Surface& surface_;
  SlipField field_;
  std::vector<SpatialPoint>* trace_;
  bool is_drawn_;
  SlipSeries series_;
  SpatialPoint here_;
  double slip_before_ = 0.0;  // m/s
  Goal goal_;
  bool is_restoring_ = false;
  bool falls_ = false;
  bool is_done_ = false;
  SpatialImpact impact_;
};

}  // namespace

std::string_view to_string(SlipMode mode) {
  constexpr std::array<std::string_view, 5> kModeNames = {"frictionless", "slide", "slide-in",
                                                          "stick", "slide-out"};
  return kModeNames[static_cast<std::size_t>(mode)];
}

SpatialImpact solve_spatial(const SpatialContact& contact, const Surface& surface,
                            std::vector<SpatialPoint>* trace, TraceDetail detail) {
  return SpatialWalk(contact, surface, trace, detail).run();
}

}  // namespace tenpin::impact

#include "impact/planar.h"

#include <algorithm>
#include <cmath>

#include "impact/restitution.h"

namespace tenpin::impact {

namespace {

// The rates of all quantities per normal impulse, which are constant along a straight segment.
struct Rates {
  double p_t = 0.0;
  double v_t = 0.0;
  double v_n = 0.0;
  Slip slip = Slip::kSlide;
};

class Walk {
 public:
  Walk(const PlanarContact& contact, const Surface& surface)
      : contact_(contact), surface_(surface) {
    impact_.points[0].v_n = contact.v_n;
    impact_.points[0].v_t = contact.v_t;
    // The ratio of tangential to normal impulse that keeps v_t at zero.   [M11, eq. (3.1)]
    impact_.stick_ratio = contact.W_tt > 0.0 ? -contact.W_tn / contact.W_tt : 0.0;
    rates_ = contact.v_t == 0.0 ? leave_rest(Slip::kSlide) : slide(contact.v_t, Slip::kSlide);
  }

  PlanarImpact run() {
    const bool is_pulled_in = contact_.v_n == 0.0 && rates_.v_n < 0.0;
    if (!(contact_.v_n < 0.0) && !is_pulled_in) return stop(ImpactStatus::kSeparating);
    compress();
    if (impact_.normal_pause < 0) return stop(ImpactStatus::kUnbounded);
    restore();
    return impact_;
  }

 private:
  PlanarImpact& stop(ImpactStatus status) {
    impact_.status = status;
    return impact_;
  }

  const PlanarPoint& here() const { return impact_.end(); }

  // The rates while sliding. Friction opposes the slip; both signs give the two slopes of the path.
  // [M11, eq. (2.12)]
  Rates slide(double direction, Slip slip) const {
    const double p_t = direction > 0.0 ? -surface_.mu : surface_.mu;
    return make_rates(p_t, slip);
  }

  // The rates where v_t = 0: the contact sticks if friction suffices; otherwise it slips to the
  // side to which the normal impulse drives it. [M11, eq. (2.12)], [M11, eq. (3.1), errata]
  Rates leave_rest(Slip otherwise) const {
    if (std::fabs(impact_.stick_ratio) <= surface_.mu_static) {
      Rates rates = make_rates(impact_.stick_ratio, Slip::kStick);
      rates.v_t = 0.0;
      return rates;
    }
    return slide(contact_.W_tn, otherwise);
  }

  Rates make_rates(double p_t, Slip slip) const {
    return {.p_t = p_t,
            .v_t = contact_.W_tn + contact_.W_tt * p_t,
            .v_n = contact_.W_nn + contact_.W_tn * p_t,
            .slip = slip};
  }

  // The normal impulse from the start to v_t = 0; kNever if the slope leads away from it or is
  // parallel. [M11, eq. (3.2)]
  double find_tangential_pause() const {
    return contact_.v_t * rates_.v_t < 0.0 ? -contact_.v_t / rates_.v_t : kNever;
  }
  // The normal impulse from here to the end of compression. Rounding may have passed it if both
  // pauses coincide. [M11, eq. (3.3)]
  double to_normal_pause() const {
    if (!(rates_.v_n > kSingularImpact * contact_.W_nn)) return kNever;
    return std::max(-here().v_n / rates_.v_n, 0.0);
  }

  // Advances along a straight segment. The mean velocity of the segment is that at its middle, so
  // both works are exact. [M11, eq. (2.21), errata]
  void advance(double p_n) {
    const PlanarPoint& from = here();
    PlanarPoint to;
    to.p_n = from.p_n + p_n;
    to.p_t = from.p_t + rates_.p_t * p_n;
    to.v_n = from.v_n + rates_.v_n * p_n;
    to.v_t = from.v_t + rates_.v_t * p_n;
    to.E_n = from.E_n + 0.5 * (from.v_n + to.v_n) * p_n;
    to.E_f = from.E_f + 0.5 * (from.v_t + to.v_t) * rates_.p_t * p_n;
    impact_.slips[static_cast<std::size_t>(impact_.num_points - 1)] = rates_.slip;
    impact_.points[static_cast<std::size_t>(impact_.num_points++)] = to;
  }

  void pause_slip(double p_n) {
    advance(p_n);
    impact_.tangential_pause = impact_.num_points - 1;
    impact_.points[static_cast<std::size_t>(impact_.tangential_pause)].v_t = 0.0;
    rates_ = leave_rest(Slip::kReverse);
  }

  void compress() {
    const double p_tangential = find_tangential_pause();
    if (p_tangential <= to_normal_pause() && p_tangential < kNever) pause_slip(p_tangential);
    p_tangential_ = p_tangential;
    const double to_normal = to_normal_pause();
    if (to_normal == kNever) return;
    advance(to_normal);
    impact_.normal_pause = impact_.num_points - 1;
    impact_.points[static_cast<std::size_t>(impact_.normal_pause)].v_n = 0.0;
  }

  void restore() {
    if (surface_.restitution == 0.0) return;
    const PlanarPoint& c = impact_.compression();
    const Goal goal(surface_, contact_.v_n, {c.p_n, c.v_n, c.E_n});
    const double to_tangential = p_tangential_ - here().p_n;
    const bool is_ahead = impact_.tangential_pause < 0;
    if (is_ahead && to_tangential < to_end(goal)) pause_slip(to_tangential);
    advance(to_end(goal));
  }

  // The normal impulse from here to the end, along this slope.
  double to_end(const Goal& goal) const {
    return goal.calc_impulse_to({here().p_n, here().v_n, here().E_n}, rates_.v_n);
  }

  const PlanarContact& contact_;
  const Surface& surface_;
  PlanarImpact impact_;
  Rates rates_;
  double p_tangential_ = kNever;  // N s   where the first slope meets v_t = 0
};

}  // namespace

std::string_view PlanarImpact::order() const {
  if (status == ImpactStatus::kSeparating) return "a";
  if (tangential_pause < 0) return "ace";
  return normal_pause < 0 || tangential_pause < normal_pause ? "abce" : "acde";
}

PlanarImpact solve_planar(const PlanarContact& contact, const Surface& surface) {
  return Walk(contact, surface).run();
}

}  // namespace tenpin::impact

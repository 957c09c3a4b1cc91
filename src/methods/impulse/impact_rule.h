// The impact at one contact: whether it collides, by which rule, and with what proof.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "contact/contact.h"
#include "impact/certify.h"
#include "impact/spatial.h"
#include "methods/impulse/thresholds.h"

namespace tenpin::methods::impulse {

enum class ImpactKind : std::uint8_t {
  kLaw,      // by the law of impact, with the surface's restitution
  kMicro,    // slow: the impulse that reverses the velocity and does no work
  kSliding,  // slow and beyond the friction cone: it slides, and the normal impulse does no work.
             // Corners of a face bounce by their restitution, so that rocking decays. A contact
             // that would leave the envelope leaves slower than it came.
  kLift,     // slow and too close: one of these, but leaves faster than it came, which does work
};

// One contact as the rules see it. x, y tangential, z along the normal, b relative to a.
struct ImpactProblem {
  Mat3 W = Mat3::Zero();  // 1/kg
  Vec3 v = Vec3::Zero();  // m/s
  double gap = 0.0;       // m
  double fall = 0.0;      // m/s^2   relative acceleration of the bodies towards each other; 0: none
  Vec2 drift = Vec2::Zero();  // -   tangential over normal part of that acceleration
  impact::Surface surface;
  bool is_ball = false;    // W is diagonal, with W_xx = W_yy
  bool is_planar = false;  // nothing moves along y
  bool is_corner = false;  // of a face whose other points will meet, too
};

struct ImpactAnswer {
  impact::ImpactStatus status = impact::ImpactStatus::kSolved;
  ImpactKind kind = ImpactKind::kLaw;
  Vec3 p = Vec3::Zero();                // N s
  double lift = 0.0;                    // N s   part of p_z that only lifts
  std::optional<double> friction_work;  // J   along the path; none for rules without a path
  double gain = 0.0;                    // -   energy gained, relative to those of the impact
  bool is_guarded = false;      // Newton's law would gain energy; the energetic law replaces it
  double residual = 0.0;        // -     worst number of the certificate
  double cone_violation = 0.0;  // N s
};

class ImpactRule {
 public:
  ImpactRule(const Thresholds& thresholds, bool microcollisions)
      : thresholds_(thresholds), microcollisions_(microcollisions) {}

  // Must a contact collide now? It approaches and is fast; or it is slow but has come half way down
  // from its turning point; or it is at the floor. The paper lets every approach within the
  // envelope collide, which happens at an unbounded rate for resting bodies; ours bounds the rate
  // by sqrt(fall / envelope).   [MC95, §Prioritizing collisions]
  [[nodiscard]] bool collides(double gap, double v_n, double fall) const;

  // m/s   Upward speed that takes a contact from the floor to the refuge; 0 above the floor, and 0
  // for overlaps beyond the envelope, which are errors.
  [[nodiscard]] double calc_lift_speed(double gap, double fall) const;
  // m/s   Upward speed that would leave the envelope, which a slow contact must not exceed.
  [[nodiscard]] double calc_slow_limit(double gap) const;
  [[nodiscard]] bool is_slow(double v_n) const { return -v_n < thresholds_.speed; }

  // [MC95, §Static contact and microcollisions], [MC95, eq. (10)]
  [[nodiscard]] ImpactAnswer solve(const ImpactProblem& problem);
  // The same for the stop of a joint: W_nn in 1/kg, gap in m, v_n in m/s.
  [[nodiscard]] ImpactAnswer solve_stop(double W, double gap, double v_n) const;

 private:
  bool reverse(const ImpactProblem& problem, const Vec3& goal, ImpactAnswer* answer) const;
  void solve_slow(const ImpactProblem& problem, ImpactAnswer* answer);
  bool slide(const ImpactProblem& problem, double v_n_after, ImpactAnswer* answer) const;
  void rub(const ImpactProblem& problem, double v_n_after, ImpactAnswer* answer);
  void follow_law(const ImpactProblem& problem, const impact::Surface& surface,
                  ImpactAnswer* answer);
  void follow_path(const ImpactProblem& problem, const impact::Surface& surface,
                   ImpactAnswer* answer);
  void solve_ball(const ImpactProblem& problem, const impact::Surface& surface,
                  ImpactAnswer* answer);
  static void solve_in_plane(const ImpactProblem& problem, const impact::Surface& surface,
                             ImpactAnswer* answer);
  void solve_in_space(const ImpactProblem& problem, const impact::Surface& surface,
                      ImpactAnswer* answer);

  Thresholds thresholds_;
  bool microcollisions_;
  std::vector<impact::SpatialPoint> trace_;
};

}  // namespace tenpin::methods::impulse

// How slip turns and vanishes during an impact.   [MC95, eq. (10)], [M11, eq. (4.9)]
//   paper            here            meaning
//   M (MC95)         W               3 x 3: change of the contact's velocity per impulse
//   u                v               contact velocity; x, y tangential, z normal
//   (alpha, beta)    stick_ratio     tangential impulse per normal impulse that keeps slip at zero
// The field depends only on the direction e of the slip, not on its size. In polar form, per unit
// of normal impulse,
//   slip' = g(e) = e . (w - mu A e)        slip angle' = h(e) = e_perp . (w - mu A e)
// with A = W_tt and w = W_tz. Directions with h = 0 are rays, along which slip is straight.
#pragma once

#include <array>

#include "math/types.h"

namespace tenpin::impact {

struct Ray {
  Vec2 direction;       // -      unit vector
  double growth = 0.0;  // 1/kg   g: positive if slip grows, negative if it shrinks to zero
};

struct Rays {
  std::array<Ray, 4> rays;
  int count = 0;  // 0 also where every direction is a ray

  const Ray* begin() const { return rays.data(); }
  const Ray* end() const { return rays.data() + count; }
};

class SlipField {
 public:
  SlipField(const Mat3& W, double mu);

  [[nodiscard]] double growth(const Vec2& e) const { return e.dot(force(e)); }      // g
  [[nodiscard]] double turning(const Vec2& e) const { return cross(e, force(e)); }  // h
  [[nodiscard]] double turning_slope(const Vec2& e) const;                          // dh/dangle
  [[nodiscard]] double normal_rate(const Vec2& p_t) const { return W_nn_ + w_.dot(p_t); }
  // 1/kg   The scale of g and h.
  [[nodiscard]] double scale() const { return scale_; }

  // The stick ratio. [MC95, §Sticking mode], [M11, eq. (4.12)]
  [[nodiscard]] const Vec2& stick_ratio() const { return stick_ratio_; }
  [[nodiscard]] bool sticks(double mu_static) const { return stick_ratio_.norm() <= mu_static; }

  // The directions in which slip can vanish or begin: the real roots of a quartic.
  // [MC95, §Sticking mode]
  [[nodiscard]] Rays find_rays() const;
  // True if slip in this direction does not turn, up to rounding.
  [[nodiscard]] bool is_on_ray(const Vec2& e) const;
  // The ray along which slip starts fastest; growth <= 0 if there is none.
  [[nodiscard]] Ray find_outgoing_ray() const;

  double normal_entry() const { return W_nn_; }  // 1/kg   W_zz
  double mu() const { return mu_; }
  const Vec2& coupling() const { return w_; }          // 1/kg   w
  const Mat2& tangential_block() const { return A_; }  // 1/kg   A

 private:
  static double cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }
  Vec2 force(const Vec2& e) const { return w_ - mu_ * (A_ * e); }
  Vec2 find_turning_direction() const;
  Vec2 polish(Vec2 e) const;

  Mat2 A_;
  Vec2 w_;
  double W_nn_;
  double mu_;
  double scale_;
  Vec2 stick_ratio_;
};

}  // namespace tenpin::impact

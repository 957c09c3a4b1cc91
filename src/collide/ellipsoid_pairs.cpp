// While the same features touch, the separation along a unit direction m out of the ellipsoid E is
//   s(m) = m . rho(m),   rho(m) = y(m) - x(m),
// with x(m) the point of E farthest along m and y(m) that of the other core's feature farthest
// along -m. At the maximum rho is parallel to m. The derivatives of x and -y by m are the symmetric
// matrices K_E and K_C (calc_ellipsoid_spread), and on the unit sphere the gradient of s is the
// part of rho across m and its Hessian -(s + K_E + K_C). Hence Newton's step (s + K_E + K_C) dm =
// rho, across m. On an edge the direction can only turn about it, on the side of a cone only about
// the cone's axis.
#include "collide/ellipsoid_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "collide/features.h"
#include "collide/tolerances.h"
#include "collide/witness.h"
#include "shapes/ellipsoid.h"

namespace tenpin::collide {
namespace {

enum class Opposite { kVertex, kEdge, kSide, kSlope, kFace, kRim, kSmooth };

// A feature of the other core, in A's frame.
struct OppositeFeature {
  Opposite kind = Opposite::kVertex;
  std::uint32_t id = 0;
  Vec3 p = Vec3::Zero();  // m   the vertex, one end of a line, a point of a face, a rim's centre,
                          //     the apex of a slope
  Vec3 q = Vec3::Zero();  // m   the other end of a line, the centre of the base of a slope
  Vec3 axis = Vec3::UnitZ();  // -   along a line, out of a face, of a rim or slope
  double radius = 0.0;        // m   of a rim, of the side about a line, of a base
  int face = -1;
  double height = 0.0;  // -   of directions at a slope, along its axis

  // The direction nearest to `m` at which the slope touches.
  Vec3 lean(const Vec3& m) const {
    return height * axis + std::sqrt(1.0 - height * height) * calc_across(m);
  }
  // The unit direction across the axis on the side of m; any for an m along the axis.
  Vec3 calc_across(const Vec3& m) const {
    constexpr double kAlong = 1e-12;  // rad   less is rounding
    Vec3 across = m - axis.dot(m) * axis;
    across -= axis.dot(across) * axis;
    const double length = across.norm();
    return length > kAlong ? Vec3(across / length) : axis.unitOrthogonal();
  }
  bool is_line() const { return kind == Opposite::kEdge || kind == Opposite::kSide; }
};

// A direction and the points that touch along it.
struct Stationary {
  Vec3 m = Vec3::UnitZ();
  Vec3 x = Vec3::Zero();  // m   on E
  double height = 0.0;    // m   s(m)
};

class EllipsoidRefiner {
 public:
  explicit EllipsoidRefiner(CorePair* pair)
      : pair_(*pair),
        of_A_(pair->A.is_ellipsoid()),
        E_(of_A_ ? pair->A : pair->B),
        C_(of_A_ ? pair->B : pair->A),
        X_AE_(of_A_ ? Pose() : pair->X_AB),
        X_AC_(of_A_ ? pair->X_AB : Pose()),
        size_(pair->size()) {}

  SmoothTouch refine(Separation* separation) {
    separation->certified = false;
    best_.m = of_A_ ? separation->n : Vec3(-separation->n);
    best_.height = calc_separation(best_.m);
    best_.x = calc_x(best_.m);
    for (int round = 0; round < kMaxFeatureRounds && !proven_; ++round) {
      const double before = best_.height;
      visit_features();
      if (!(best_.height > before + kGain * size_)) break;
    }
    const Vec3 y = best_.x + best_.height * best_.m;
    separation->n = of_A_ ? best_.m : Vec3(-best_.m);
    separation->gap = best_.height;
    separation->a = of_A_ ? best_.x : y;
    separation->b = of_A_ ? y : best_.x;
    separation->certified = proven_;
    const std::uint32_t smooth = make_feature(FeatureKind::kSmooth, 0);
    return {.feature_A = of_A_ ? smooth : feature_, .feature_B = of_A_ ? feature_ : smooth};
  }

 private:
  static constexpr double kGain = 1e-15;  // -   of the size: smaller gains are rounding
  static constexpr double kTie = 1e-13;   // -   of the size: other features do not reach farther

  double calc_separation(const Vec3& m) { return pair_.separation(of_A_ ? m : Vec3(-m)); }

  Vec3 calc_x(const Vec3& m) const {
    return X_AE_ * shapes::calc_ellipsoid_point(E_.semiaxes(), X_AE_.R.transpose() * m);
  }

  static Mat3 calc_spread(const Core& core, const Pose& X, const Vec3& m) {
    const Vec3 local = X.R.transpose() * m;
    return X.R * shapes::calc_ellipsoid_spread(core.semiaxes(), local) * X.R.transpose();
  }

  // The feature's point farthest along -m; for a line, any of the farthest points.
  Vec3 calc_y(const OppositeFeature& f, const Vec3& m) const {
    if (f.kind == Opposite::kSmooth) return X_AC_ * C_.support(-(X_AC_.R.transpose() * m), 0).point;
    if (f.kind == Opposite::kSide) return f.p - f.radius * m;
    if (f.kind != Opposite::kRim) return f.p;
    const Vec3 radial = m - f.axis.dot(m) * f.axis;
    const double rho = radial.norm();
    return rho > 0.0 ? Vec3(f.p - (f.radius / rho) * radial) : f.p;
  }

  Mat3 calc_opposite_spread(const OppositeFeature& f, const Vec3& m) const {
    if (f.kind == Opposite::kSmooth) return calc_spread(C_, X_AC_, m);
    if (f.kind == Opposite::kSide) return f.radius * Mat3::Identity();
    if (f.kind != Opposite::kRim) return Mat3::Zero();
    const Vec3 radial = m - f.axis.dot(m) * f.axis;
    const double rho = radial.norm();
    if (!(rho > 0.0)) return Mat3::Zero();
    const Vec3 t = f.axis.cross(radial / rho);
    return (f.radius / rho) * t * t.transpose();
  }

  Stationary evaluate(const OppositeFeature& f, const Vec3& m) const {
    Stationary at{.m = m, .x = calc_x(m)};
    at.height = m.dot(calc_y(f, m) - at.x);
    return at;
  }

  // Newton's step across m, or a step uphill where the separation is not concave.
  Vec3 calc_step(const OppositeFeature& f, const Stationary& at) const {
    const Vec3 rho = calc_y(f, at.m) - at.x;
    const Mat3 K = calc_spread(E_, X_AE_, at.m) + calc_opposite_spread(f, at.m);
    const double uphill = std::abs(at.height) + K.trace();
    if (f.kind == Opposite::kSlope) {
      const Vec3 e = f.axis.cross(at.m);
      const double bend = e.dot(K * e) - f.axis.cross(e).dot(rho);
      return (e.dot(rho) / (bend > kFlat * uphill ? bend : uphill)) * e;
    }
    if (f.is_line()) {
      const Vec3 e = f.axis.cross(at.m);
      const double bend = at.height + e.dot(K * e);
      return (e.dot(rho) / (bend > kFlat * uphill ? bend : uphill)) * e;
    }
    const Vec3 t1 = at.m.unitOrthogonal();
    const Vec3 t2 = at.m.cross(t1);
    const Vec2 slope(t1.dot(rho), t2.dot(rho));
    const double h11 = at.height + t1.dot(K * t1);
    const double h22 = at.height + t2.dot(K * t2);
    const double h12 = t1.dot(K * t2);
    const double det = h11 * h22 - h12 * h12;
    const bool is_concave = h11 + h22 > 0.0 && det > kFlat * uphill * uphill;
    const Vec2 step =
        is_concave
            ? Vec2(Vec2(h22 * slope[0] - h12 * slope[1], h11 * slope[1] - h12 * slope[0]) / det)
            : Vec2(slope / uphill);
    return step[0] * t1 + step[1] * t2;
  }

  // Follows the separation of one feature to its maximum near `from`.
  Stationary maximise(const OppositeFeature& f, const Vec3& from) const {
    constexpr int kMaxNewton = 40;
    const auto turn = [&f](const Vec3& m) {
      return f.kind == Opposite::kSlope ? f.lean(m) : Vec3(m.normalized());
    };
    Stationary at = evaluate(f, from);
    for (int k = 0; k < kMaxNewton; ++k) {
      Vec3 step = calc_step(f, at);
      const double length = step.norm();
      if (!(length > kSettledDirection)) break;
      if (length > kLongestTurn) step *= kLongestTurn / length;
      Stationary next = evaluate(f, turn(at.m + step));
      int halvings = 0;
      while (!(next.height >= at.height - kGain * size_) && ++halvings <= kMaxDirectionHalvings) {
        step *= 0.5;
        next = evaluate(f, turn(at.m + step));
      }
      if (halvings > kMaxDirectionHalvings) break;
      at = next;
    }
    return at;
  }

  // m   How far the point x + height m is from the feature, given that no point of the core lies
  // beyond it: zero proves that x and that point are as far apart as the cores.
  double calc_residual(const OppositeFeature& f, const Stationary& at) const {
    const Vec3 y = at.x + at.height * at.m;
    if (f.kind == Opposite::kFace) return calc_beyond_face(f, y);
    const bool is_slope = f.kind == Opposite::kSlope;
    if (!f.is_line() && !is_slope) return (calc_y(f, at.m) - y).norm();
    const Vec3 on_line = is_slope ? y : Vec3(y + f.radius * at.m);
    const Vec3 d = is_slope ? calc_slope_line(f, at.m) : Vec3(f.q - f.p);
    const double s = std::clamp(d.dot(on_line - f.p) / d.squaredNorm(), 0.0, 1.0);
    return (f.p + s * d - on_line).norm();
  }

  // m   From the apex to the rim, along the line of the slope that faces along -m.
  static Vec3 calc_slope_line(const OppositeFeature& f, const Vec3& m) {
    return f.q - f.p - f.radius * f.calc_across(m);
  }

  double calc_beyond_face(const OppositeFeature& f, const Vec3& y) const {
    const Vec3 local = X_AC_.inverse() * y;
    if (C_.has_caps()) return std::max(0.0, local.head<2>().norm() - C_.radius());
    const Polytope& polytope = C_.polytope();
    const std::span<const int> loop = polytope.face(f.face);
    double beyond = 0.0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const Vec3& from = polytope.vertices[loop[i]];
      const Vec3 edge = polytope.vertices[loop[i + 1 < loop.size() ? i + 1 : 0]] - from;
      const Vec3 out = edge.cross(polytope.normals[f.face]).normalized();
      beyond = std::max(beyond, out.dot(local - from));
    }
    return beyond;
  }

  void visit(const OppositeFeature& f) {
    constexpr double kAlong = 0.1;  // -   a direction nearly along a line is not near its circle
    if (proven_) return;
    Vec3 from = best_.m;
    if (f.kind == Opposite::kSlope) from = f.lean(from);
    if (f.is_line()) {
      from -= f.axis.dot(from) * f.axis;
      if (from.norm() < kAlong) return;
      from.normalize();
      from = (from - f.axis.dot(from) * f.axis).normalized();
    }
    const Stationary at = f.kind == Opposite::kFace ? evaluate(f, -f.axis) : maximise(f, from);
    const double separation = calc_separation(at.m);
    if (separation < at.height - kTie * size_) {
      if (separation > best_.height) keep(f, {at.m, at.x, separation});
      return;
    }
    const bool proven = calc_residual(f, at) <= kWitnessRounding * size_;
    if (!proven && !(separation > best_.height)) return;
    // For deep overlaps, a proof holds for a local maximum only, so the best one is kept.
    if (proven && at.height < best_.height - kTie * size_) return;
    keep(f, at);
    proven_ = proven;
  }

  void keep(const OppositeFeature& f, const Stationary& at) {
    best_ = at;
    feature_ = f.id;
  }

  void visit_features() {
    if (C_.is_ellipsoid()) {
      visit({.kind = Opposite::kSmooth, .id = make_feature(FeatureKind::kSmooth, 0)});
    } else if (C_.is_cylinder()) {
      visit_cylinder();
    } else if (C_.is_cone()) {
      visit_cone();
    } else {
      visit_polytope();
    }
  }

  void visit_cylinder() {
    const Vec3 axis = X_AC_.R.col(2);
    const int end = axis.dot(best_.m) <= 0.0 ? 1 : 0;  // the cap that faces E
    const Vec3 half = C_.half_length() * axis;
    const Vec3 centre = end == 1 ? Vec3(X_AC_.p + half) : Vec3(X_AC_.p - half);
    visit({.kind = Opposite::kFace,
           .id = make_feature(FeatureKind::kFace, end),
           .p = centre,
           .axis = end == 1 ? axis : Vec3(-axis),
           .face = end});
    visit({.kind = Opposite::kSide,
           .id = make_feature(FeatureKind::kSide, 0),
           .p = X_AC_.p - half,
           .q = X_AC_.p + half,
           .axis = axis,
           .radius = C_.radius()});
    visit({.kind = Opposite::kRim,
           .id = make_feature(FeatureKind::kRim, end),
           .p = centre,
           .axis = axis,
           .radius = C_.radius()});
  }

  void visit_cone() {
    const Vec3 axis = X_AC_.R.col(2);
    const Vec3 centre = X_AC_ * Vec3(-C_.apex());
    const Vec3 apex = X_AC_ * C_.apex();
    visit({.kind = Opposite::kSlope,
           .id = make_feature(FeatureKind::kSide, 0),
           .p = apex,
           .q = centre,
           .axis = axis,
           .radius = C_.radius(),
           .height = -C_.side_height()});
    // Deep inside a flat cone both the side and the base are proven, and nearly as good.
    const bool is_slope_proven = std::exchange(proven_, false);
    const Vec3 m = best_.m;
    visit({.kind = Opposite::kFace,
           .id = make_feature(FeatureKind::kFace, 0),
           .p = centre,
           .axis = -axis,
           .face = 0});
    proven_ = proven_ || (is_slope_proven && best_.m == m);
    visit({.kind = Opposite::kRim,
           .id = make_feature(FeatureKind::kRim, 0),
           .p = centre,
           .axis = axis,
           .radius = C_.radius()});
    visit({.id = make_feature(FeatureKind::kVertex, 0), .p = apex});
  }

  void visit_polytope() {
    const Polytope& polytope = C_.polytope();
    const int start = of_A_ ? pair_.start_B : pair_.start_A;
    const int v = C_.support(-(X_AC_.R.transpose() * best_.m), start).vertex;
    const Vec3 p = X_AC_ * polytope.vertices[v];
    for (const int e : polytope.edges_of(v)) {
      // Every face at the vertex is to the left of one of the edges that leave it.
      const int face =
          polytope.edges[e].from == v ? polytope.edges[e].left : polytope.edges[e].right;
      if (face < 0) continue;
      visit({.kind = Opposite::kFace,
             .id = make_feature(FeatureKind::kFace, face),
             .p = p,
             .axis = X_AC_.R * polytope.normals[face],
             .face = face});
    }
    for (const int e : polytope.edges_of(v)) {
      const int u = polytope.edges[e].from == v ? polytope.edges[e].to : polytope.edges[e].from;
      const Vec3 q = X_AC_ * polytope.vertices[u];
      visit({.kind = Opposite::kEdge,
             .id = make_feature(FeatureKind::kEdge, e),
             .p = p,
             .q = q,
             .axis = (q - p).normalized()});
    }
    visit({.id = make_feature(FeatureKind::kVertex, v), .p = p});
  }

  static constexpr double kFlat = 1e-14;  // -   smaller relative curvatures count as zero

  CorePair& pair_;
  // true if A is the ellipsoid (of two ellipsoids: the one whose directions are searched)
  bool of_A_;
  const Core& E_;
  const Core& C_;
  Pose X_AE_;
  Pose X_AC_;
  double size_;  // m
  Stationary best_;
  std::uint32_t feature_ = 0;  // feature of C that touches at best_
  bool proven_ = false;
};

}  // namespace

SmoothTouch refine_ellipsoid(Separation* separation, CorePair* pair) {
  return EllipsoidRefiner(pair).refine(separation);
}

}  // namespace tenpin::collide

#include "collide/refine.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collide/ellipsoid_pairs.h"
#include "collide/shown.h"
#include "collide/smooth_separation.h"
#include "collide/tolerances.h"
#include "collide/witness.h"

namespace tenpin::collide {
namespace {

// rad   An edge this close to orthogonal to the direction may limit the direction.
constexpr double kEdgeAngle = 1e-2;  // rad
constexpr double kSideAngle = 0.3;   // rad
constexpr double kEqual = 1e-13;     // relative to size; directions worth a second look

// Limits of a separating direction on one core: only the vertex (or rim) that touches, or a line
// at a fixed angle from the direction (an edge, the axis of a cylinder or cone).
struct Limit {
  Vec3 point =
      Vec3::Zero();    // m   the vertex, a vertex of the edge, or the centre of the rim; A's frame
  Crease crease = {};  // -   A's frame
  double rim = 0.0;    // m   radius of the rim about the point; 0: a vertex
  double slant = -1.0;
};

// Sorted from the flattest; the limit without a line comes first.
struct Limits {
  static constexpr int kMax = 17;
  std::array<Limit, kMax> items;
  int count = 0;

  void insert(const Limit& limit) {
    if (count == kMax && limit.slant >= items[count - 1].slant) return;
    int i = count < kMax ? count++ : count - 1;
    for (; i > 0 && items[i - 1].slant > limit.slant; --i) items[i] = items[i - 1];
    items[i] = limit;
  }
};

Limits find_cylinder_limits(const Core& core, const Pose& X_AC, const Vec3& n) {
  Limits limits;
  const double h = core.half_length();
  const Vec3 centre = X_AC * Vec3(0.0, 0.0, n.z() >= 0.0 ? h : -h);
  const double rim = core.radius();
  limits.insert({.point = centre, .rim = rim});
  const double slant = std::abs(n.z());
  if (slant < kSideAngle) {
    limits.insert({.point = centre, .crease = {.line = X_AC.R.col(2)}, .rim = rim, .slant = slant});
  }
  return limits;
}

// `side` is 1 for A and -1 for B, whose outward directions are opposite to the separating one.
Limits find_cone_limits(const Core& core, const Pose& X_AC, const Vec3& n, double side) {
  Limits limits;
  const Vec3 apex = X_AC * core.apex();
  const double height = core.side_height();
  const double slant = std::abs(n.z() - height);
  const bool is_apex = n.z() > height;
  const Limit rim = {.point = X_AC * Vec3(-core.apex()), .rim = core.radius()};
  if (!is_apex || slant < kSideAngle) limits.insert(rim);
  if (is_apex || slant < kSideAngle) limits.insert({.point = apex});
  if (slant < kSideAngle) {
    limits.insert({.point = apex,
                   .crease = {.line = X_AC.R.col(2), .height = side * height},
                   .slant = slant});
  }
  return limits;
}

// n is in the core's frame. Vertices at the end of edges that rise by less than `flat` (m) are
// treated like the extreme vertex.
Limits find_limits(const Core& core, const Pose& X_AC, const Vec3& n, int vertex, double flat) {
  Limits limits;
  const Polytope& polytope = core.polytope();
  limits.insert({.point = X_AC * polytope.vertices[vertex]});
  const auto add_edge = [&](int v, int u) {
    const Vec3 edge = polytope.vertices[u] - polytope.vertices[v];
    const double length = edge.norm();
    if (length == 0.0) return;
    const double slant = std::abs(edge.dot(n)) / length;
    if (!(slant < kEdgeAngle)) return;
    limits.insert({.point = X_AC * polytope.vertices[v],
                   .crease = {X_AC.R * (edge / length)},
                   .slant = slant});
    if (slant * length < flat) limits.insert({.point = X_AC * polytope.vertices[u]});
  };
  for (const int u : polytope.neighbours_of(vertex)) add_edge(vertex, u);
  const int face = find_face(core, n, vertex);
  if (face < 0 || polytope.normals[face].dot(n) <= kFaceCosine) return limits;
  const std::span<const int> loop = polytope.face(face);
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const int next = loop[i + 1 < loop.size() ? i + 1 : 0];
    if (loop[i] != vertex && next != vertex) add_edge(loop[i], next);
  }
  return limits;
}

// The direction near n that both lines allow, one of them a cone's; zero if there is none.
Vec3 solve_creases(const Crease& A, const Crease& B, const Vec3& n) {
  const double c = A.line.dot(B.line);
  const Vec3 cross = A.line.cross(B.line);
  const double sine2 = cross.squaredNorm();
  if (!(sine2 > 1e-20)) return Vec3::Zero();
  const Vec3 middle =
      ((A.height - c * B.height) * A.line + (B.height - c * A.height) * B.line) / sine2;
  const double rest = 1.0 - middle.squaredNorm();
  if (!(rest >= 0.0)) return Vec3::Zero();
  const Vec3 aside = std::sqrt(rest / sine2) * cross;
  return (cross.dot(n) >= 0.0 ? Vec3(middle + aside) : Vec3(middle - aside)).normalized();
}

// The direction orthogonal to both lines. Nearly parallel lines cancel in the product; projecting
// again restores the digits. Zero if they are parallel.
Vec3 solve_lines(const Vec3& line_A, const Vec3& line_B, const Vec3& n) {
  const Vec3 cross = line_A.cross(line_B);
  const double length = cross.norm();
  if (!(length > kParallelDirections)) return Vec3::Zero();
  Vec3 across = cross / (cross.dot(n) >= 0.0 ? length : -length);
  across -= line_A.dot(across) * line_A;
  across -= line_B.dot(across) * line_B;
  return across.normalized();
}

// Visits the exact direction of every plausible pair of features near a given direction.
class Refiner {
 public:
  // `flat` (m): see find_limits.
  Refiner(double flat, Separation* best, CorePair* pair) : flat_(flat), best_(best), pair_(pair) {}
  virtual ~Refiner() = default;
  Refiner(const Refiner&) = delete;
  Refiner& operator=(const Refiner&) = delete;

  void visit_all() {
    n_ = best_->n;
    pair_->support(n_);
    const Vec3 n_B = -(pair_->X_AB.R.transpose() * n_);
    const Limits limits_A = find(pair_->A, Pose(), n_, true);
    const Limits limits_B = find(pair_->B, pair_->X_AB, n_B, false);
    for (int i = 0; i < limits_A.count; ++i) {
      for (int j = 0; j < limits_B.count; ++j) visit_pair(limits_A.items[i], limits_B.items[j]);
    }
  }

 protected:
  virtual void visit(const Vec3& solved) = 0;

  double flat_;
  Separation* best_;
  CorePair* pair_;
  Vec3 n_ = Vec3::UnitZ();  // the direction whose features are examined

 private:
  Limits find(const Core& core, const Pose& X_AC, const Vec3& n, bool of_A) const {
    if (core.is_cylinder()) return find_cylinder_limits(core, X_AC, n);
    if (core.is_cone()) return find_cone_limits(core, X_AC, n, of_A ? 1.0 : -1.0);
    return find_limits(core, X_AC, n, of_A ? pair_->start_A : pair_->start_B, flat_);
  }

  void visit_pair(const Limit& A, const Limit& B) {
    SmoothSeparation f{.w = B.point - A.point};
    if (A.rim > 0.0) f.add_rim(Vec3::UnitZ(), A.rim);
    if (B.rim > 0.0) f.add_rim(pair_->X_AB.R.col(2), B.rim);
    if (!A.crease.line.isZero() && !B.crease.line.isZero()) {
      const bool is_round = A.crease.height != 0.0 || B.crease.height != 0.0;
      const Vec3 across = is_round ? solve_creases(A.crease, B.crease, n_)
                                   : solve_lines(A.crease.line, B.crease.line, n_);
      if (!across.isZero()) {
        visit_promising(f, across);
        return;
      }
    }
    const Crease& crease = A.crease.line.isZero() ? B.crease : A.crease;
    if (crease.line.isZero() && f.num_rims > 0) {
      visit_free(f);
    } else {
      visit_circle(f, crease);
    }
  }

  void visit_free(const SmoothSeparation& f) {
    if (f.num_rims == 1) {
      visit_promising(f, solve_rim_vertex(f, n_));
      visit_promising(f, project_on_meridian(f, n_));
      return;
    }
    const RimDirections directions = solve_rims(f, n_);
    for (int i = 0; i < directions.count; ++i) visit_promising(f, directions.items[i]);
  }

  // Directions that the crease allows, if there is one: vertices and rims.
  void visit_circle(const SmoothSeparation& f, const Crease& crease) {
    visit_circle(f, crease, f.num_rims > 0 ? n_ : f.w);
    // Near the axis of a cone all directions around it are equal for a vertex; other features
    // decide.
    if (crease.height != 0.0 && f.num_rims == 0) visit_circle(f, crease, n_);
  }

  void visit_circle(const SmoothSeparation& f, const Crease& crease, Vec3 start) {
    constexpr double kAlong = 1e-12;  // rad   less from the axis of a cone is rounding
    const double least = crease.height != 0.0 ? kAlong * start.norm() : 0.0;
    for (int i = 0; i < 2; ++i) start -= crease.line.dot(start) * crease.line;
    const double length = start.norm();
    if (!(length > least)) return;
    if (crease.height != 0.0) {  // the side that faces along `start` is the one that touches
      start = crease.calc_direction(start);
    } else {
      start /= start.dot(n_) >= 0.0 ? length : -length;
    }
    visit_promising(f, f.num_rims > 0 ? maximise_on_circle(f, crease, start) : start);
  }

  // The cores are never farther apart than the features, so pairs of features that are worse are
  // skipped.
  void visit_promising(const SmoothSeparation& f, const Vec3& solved) {
    if (calc_separation(f, solved) >= best_->gap - kEqual * pair_->size()) visit(solved);
  }
};

// Keeps the direction with the largest separation. Exact directions win ties against the
// approximate one.
class Climber : public Refiner {
 public:
  Climber(Separation* best, CorePair* pair) : Refiner(0.0, best, pair) {}

  void visit_faces() {
    for (const bool of_A : {false, true}) {
      pair_->support(best_->n);
      const Core& core = of_A ? pair_->A : pair_->B;
      const Vec3 n = of_A ? best_->n : Vec3(-(pair_->X_AB.R.transpose() * best_->n));
      const int face = find_face(core, n, of_A ? pair_->start_A : pair_->start_B);
      if (face < 0) continue;
      const Vec3 normal = face_normal(core, face);
      consider(of_A ? normal : Vec3(-(pair_->X_AB.R * normal)));
    }
  }

 private:
  bool consider(const Vec3& n) {
    const double gap = pair_->separation(n);
    if (gap < best_->gap - kSeparationRounding * pair_->size()) return false;
    best_->gap = gap;
    best_->n = n;
    return true;
  }

  // Other features may lie between the start and a distant solution; if so, part of the way is
  // tried.
  void visit(const Vec3& solved) override {
    const int max_trials = pair_->is_curved() ? 8 : 1;
    Vec3 trial = solved;
    for (int k = 0; k < max_trials && !consider(trial); ++k) trial = (trial + n_).normalized();
  }
};

// Among directions that separate equally well, keeps the one with the best witness.
class Settler : public Refiner {
 public:
  Settler(Separation* best, CorePair* pair)
      : Refiner(kFlatEdge * pair->size(), best, pair), least_(best->gap - kEqual * pair->size()) {
    residual_ = (best->b - best->a - best->gap * best->n).norm();
    visit(best->n);
  }
  double residual() const { return residual_; }

 private:
  void visit(const Vec3& solved) override {
    if (residual_ <= kWitnessRounding * pair_->size()) return;
    const double gap = pair_->separation(solved);
    if (gap < least_) return;
    const Witness witness = find_witness(solved, gap, pair_);
    if (!(witness.residual < residual_)) return;
    residual_ = witness.residual;
    best_->n = solved;
    best_->gap = gap;
    best_->a = witness.a;
    best_->b = witness.b;
  }

  double least_;
  double residual_ = 1e300;
};

}  // namespace

void refine_separation(Separation* separation, CorePair* pair) {
  if (pair->has_ellipsoid()) {
    refine_ellipsoid(separation, pair);
    return;
  }
  Climber climber(separation, pair);
  for (int round = 0; round < kMaxRefinements; ++round) {
    const double before = separation->gap;
    climber.visit_all();
    climber.visit_faces();
    if (!(separation->gap > before + 1e-15 * pair->size())) break;
  }
}

void settle_separation(Separation* separation, CorePair* pair) {
  if (pair->has_ellipsoid()) return;  // refine_ellipsoid() proves its result
  Settler settler(separation, pair);
  settler.visit_all();
  separation->certified = settler.residual() <= kWitnessRounding * pair->size();
}

}  // namespace tenpin::collide

// Manifolds of two cores: from the best separating direction to the features that face each other
// along it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/box_box.h"
#include "collide/ellipsoid_pairs.h"
#include "collide/narrow_phase.h"
#include "collide/refine.h"

namespace tenpin::collide {
namespace {

// rad   If a direction is this close to a face's normal, the normal may replace it, so that
// slightly tilted faces give all their contact points instead of one. Gaps along the normal differ
// by the relative amount 1 - cos(angle).
constexpr double kFaceAngle = 0.02;  // rad
constexpr double kGapChange = 1e-3;
// -   relative to size. A face's normal counts as exact if it separates as well as the best
// direction to within this.
constexpr double kFaceTie = 1e-13;
constexpr double kExact = 1e-12;
constexpr double kGapTolerance = 3e-10;

Pose calc_relative(const Pose& X_WA, const Pose& X_WB) {
  const Mat3 R_AW = X_WA.R.transpose();
  return {.R = R_AW * X_WB.R, .p = R_AW * (X_WB.p - X_WA.p)};
}

}  // namespace

struct NarrowPhase::Touch {
  const PairQuery& query;
  const Separation& separation;
  CorePair* pair;

  double rounding() const { return pair->A.rounding() + pair->B.rounding(); }
};

Separation NarrowPhase::separate(const PairQuery& query, double margin, CorePair* pair) {
  Vec3 guess = pair->X_AB.p;
  if (query.hint != nullptr) {
    pair->start_A = query.hint->vertex_A;
    pair->start_B = query.hint->vertex_B;
    if (!query.hint->direction.isZero()) guess = query.hint->direction;
  }
  Separation separation = find_separation(margin, guess, &epa_, pair);
  if (query.hint != nullptr) {
    *query.hint = {.direction = separation.n,
                   .vertex_A = std::max(pair->start_A, 0),
                   .vertex_B = std::max(pair->start_B, 0)};
  }
  return separation;
}

// The separating direction, from the hint or the known distance if the caller gives one.
Separation NarrowPhase::recall(const PairQuery& query, CorePair* pair) {
  if (query.hint != nullptr) {
    pair->start_A = query.hint->vertex_A;
    pair->start_B = query.hint->vertex_B;
  }
  const Distance& d = *query.distance;
  const Mat3 R_AW = query.X_WA.R.transpose();
  const Vec3 n = R_AW * d.normal;
  return {.n = n,
          .gap = d.gap + pair->A.rounding() + pair->B.rounding(),
          .a = R_AW * (d.p_A - query.X_WA.p) - pair->A.rounding() * n,
          .b = R_AW * (d.p_B - query.X_WA.p) + pair->B.rounding() * n,
          .certified = true};
}

NarrowPhase::Reference NarrowPhase::find_reference(const Touch& touch, bool of_A) {
  CorePair& pair = *touch.pair;
  const Core& core = of_A ? pair.A : pair.B;
  const Vec3 n = of_A ? touch.separation.n : Vec3(-(pair.X_AB.R.transpose() * touch.separation.n));
  const int start = of_A ? pair.start_A : pair.start_B;
  const int face = find_face(core, n, core.support(n, start).vertex);
  Reference reference{.of_A = of_A, .face = face};
  if (face < 0) return reference;
  const Vec3 normal = face_normal(core, face);
  reference.angle = (n - normal).norm();
  if (reference.angle > kFaceAngle) return reference;
  reference.gap = pair.separation(of_A ? normal : Vec3(-(pair.X_AB.R * normal)));
  reference.exact = reference.gap >= touch.separation.gap - kFaceTie * pair.size();
  return reference;
}

// Converts face_.patch, given in the frame of the reference, to contact points.
void NarrowPhase::append_patch(const PairQuery& query, const Vec3& normal_W, bool of_A,
                               std::vector<ContactPoint>* points) const {
  const Pose& X_WR = of_A ? query.X_WA : query.X_WB;
  for (const PatchPoint& patch_point : face_.patch) {
    ContactPoint point;
    const Vec3 p_I = X_WR * patch_point.p;
    const Vec3 p_R = p_I - patch_point.gap * normal_W;
    point.p_A = of_A ? p_R : p_I;
    point.p_B = of_A ? p_I : p_R;
    point.normal = of_A ? normal_W : Vec3(-normal_W);
    point.gap = patch_point.gap;
    point.feature_A = of_A ? patch_point.feature_R : patch_point.feature_I;
    point.feature_B = of_A ? patch_point.feature_I : patch_point.feature_R;
    points->push_back(point);
  }
}

// Appends the contact points on a face. Returns false and appends nothing if the closest points are
// not on the face.
bool NarrowPhase::append_face(const Touch& touch, const Reference& reference, double margin,
                              std::vector<ContactPoint>* points) {
  const bool of_A = reference.of_A;
  const Core& core = of_A ? touch.pair->A : touch.pair->B;
  const Core& incident = of_A ? touch.pair->B : touch.pair->A;
  face_.region.set_face(core, reference.face);
  face_.region.set_tolerance(kOutlineTolerance * touch.pair->size());
  const Pose& X_AB = touch.pair->X_AB;
  face_.start = std::max(of_A ? touch.pair->start_B : touch.pair->start_A, 0);
  update_face_patch(incident, of_A ? X_AB : X_AB.inverse(), margin, &face_);
  double least = std::numeric_limits<double>::infinity();
  for (const PatchPoint& point : face_.patch) least = std::min(least, point.gap);
  const double size = touch.pair->size();
  const double allowance = reference.exact
                               ? kExact * size
                               : kGapTolerance * size + face_.region.unevenness() +
                                     kGapChange * std::abs(touch.separation.gap - touch.rounding());
  if (!(std::abs(least - touch.separation.gap) <= allowance)) return false;
  const Mat3& R_WR = of_A ? touch.query.X_WA.R : touch.query.X_WB.R;
  append_patch(touch.query, R_WR * face_.region.normal(), of_A, points);
  return true;
}

// Appends contact points of flat faces. Exact normals are tried first, and faces of A before faces
// of B.
bool NarrowPhase::append_flat(const Touch& touch, double margin, Faces faces,
                              std::vector<ContactPoint>* points) {
  Reference A = find_reference(touch, true);
  Reference B = find_reference(touch, false);
  for (Reference* reference : {&A, &B}) {
    if (reference->exact && append_face(touch, *reference, margin, points)) return true;
    reference->exact = false;
  }
  if (faces == Faces::kExact) return false;
  const double harmless = touch.pair->is_curved() ? kGapTolerance : kExact;
  const bool A_first = A.gap >= B.gap - kGapTolerance * touch.pair->size();
  for (const Reference* reference : {A_first ? &A : &B, A_first ? &B : &A}) {
    const double shift = reference->angle * std::abs(touch.separation.gap);
    if (reference->angle > kFaceAngle) continue;
    if (faces == Faces::kHarmless && shift > harmless * touch.pair->size()) continue;
    if (append_face(touch, *reference, margin, points)) return true;
  }
  return false;
}

ContactPoint NarrowPhase::make_smooth_point(const Touch& touch, const SmoothTouch& features) {
  ContactPoint point;
  point.normal = touch.query.X_WA.R * touch.separation.n;
  point.gap = touch.separation.gap;
  point.p_A = touch.query.X_WA * touch.separation.a;
  point.p_B = point.p_A + point.gap * point.normal;
  point.feature_A = features.feature_A;
  point.feature_B = features.feature_B;
  return point;
}

void NarrowPhase::append_edges(const Touch& touch, double margin,
                               std::vector<ContactPoint>* points) {
  edge_points_.clear();
  append_edge_points(touch.separation, margin, touch.pair, &edge_points_);
  const Vec3 normal = touch.query.X_WA.R * touch.separation.n;
  for (const EdgePoint& edge_point : edge_points_) {
    ContactPoint point;
    point.p_A = touch.query.X_WA * edge_point.p_A;
    point.p_B = point.p_A + edge_point.gap * normal;
    point.normal = normal;
    point.gap = edge_point.gap;
    point.feature_A = edge_point.feature_A;
    point.feature_B = edge_point.feature_B;
    points->push_back(point);
  }
}

// Appends the contacts of two boxes. The directions of their faces and edges decide most cases:
// those in which the boxes overlap, or a face has contact points at the distance by which it
// separates. Returns false if the closest features are still unknown.
bool NarrowPhase::append_box_manifold(const PairQuery& query, double margin, CorePair* pair,
                                      std::vector<ContactPoint>* points) {
  if (pair->A.kind() != CoreKind::kBox || pair->B.kind() != CoreKind::kBox) return false;
  if (pair->A.rounding() > 0.0 || pair->B.rounding() > 0.0) return false;
  const Separation separation = find_box_separation(
      std::get<shapes::Box>(query.A).half, std::get<shapes::Box>(query.B).half, pair->X_AB);
  if (separation.gap > margin) return true;
  const Touch touch{.query = query, .separation = separation, .pair = pair};
  const bool overlap = separation.gap <= 0.0;
  if (append_flat(touch, margin, overlap ? Faces::kNearlyFlat : Faces::kExact, points)) return true;
  if (overlap) append_edges(touch, margin, points);
  return overlap;
}

void NarrowPhase::append_core_manifold(const PairQuery& query, double margin,
                                       std::vector<ContactPoint>* points) {
  const Core A(query.A);
  const Core B(query.B);
  const Pose X_AB = calc_relative(query.X_WA, query.X_WB);
  CorePair pair{.A = A, .B = B, .X_AB = X_AB};
  if (append_box_manifold(query, margin, &pair, points)) return;
  const double core_margin = margin + A.rounding() + B.rounding();
  const bool is_known = query.distance != nullptr && query.distance->certified;
  Separation separation = is_known ? recall(query, &pair) : separate(query, core_margin, &pair);
  if (separation.gap > core_margin) return;
  const Touch touch{.query = query, .separation = separation, .pair = &pair};
  const std::size_t begin = points->size();
  if (pair.has_ellipsoid()) {
    const SmoothTouch features = refine_ellipsoid(&separation, &pair);
    points->push_back(make_smooth_point(touch, features));
  } else {
    if (!separation.certified) certify_by_features(&separation, &pair);
    if (!append_flat(touch, core_margin, Faces::kNearlyFlat, points)) {
      if (!separation.certified) settle_separation(&separation, &pair);
      append_edges(touch, core_margin, points);
    }
  }
  for (std::size_t i = begin; i < points->size(); ++i) {
    ContactPoint& point = (*points)[i];
    point.gap -= touch.rounding();
    point.p_A += A.rounding() * point.normal;
    point.p_B -= B.rounding() * point.normal;
    point.radius_A = A.rounding();
    point.radius_B = B.rounding();
  }
}

Distance NarrowPhase::calc_core_distance(const PairQuery& query) {
  const Core A(query.A);
  const Core B(query.B);
  const Pose X_AB = calc_relative(query.X_WA, query.X_WB);
  CorePair pair{.A = A, .B = B, .X_AB = X_AB};
  Separation separation = separate(query, std::numeric_limits<double>::infinity(), &pair);
  if (!separation.certified) certify_by_features(&separation, &pair);
  const Touch touch{.query = query, .separation = separation, .pair = &pair};
  contacts_.clear();
  bool exact = false;
  if (!separation.certified && !pair.has_ellipsoid()) {
    // The closest points are the points of a manifold with no margin beyond the gap.
    const double margin = separation.gap + kGapTolerance * pair.size();
    exact = append_flat(touch, margin, Faces::kExact, &contacts_);
    if (!exact) settle_separation(&separation, &pair);
    if (!exact && !separation.certified) append_flat(touch, margin, Faces::kHarmless, &contacts_);
  }
  Distance distance{.gap = separation.gap - touch.rounding(),
                    .p_A = query.X_WA * separation.a,
                    .normal = query.X_WA.R * separation.n};
  if (!contacts_.empty()) {
    const auto nearest = std::min_element(contacts_.begin(), contacts_.end(),
                                          [](const ContactPoint& x, const ContactPoint& y) {
                                            return x.gap < y.gap;
                                          });
    distance.p_A = nearest->p_A;
    if (exact) distance.normal = nearest->normal;
  }
  distance.p_A += A.rounding() * distance.normal;
  distance.p_B = distance.p_A + distance.gap * distance.normal;
  distance.certified = separation.certified && contacts_.empty();
  return distance;
}

}  // namespace tenpin::collide

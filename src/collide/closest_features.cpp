#include "collide/closest_features.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/minkowski.h"
#include "collide/separation.h"
#include "collide/tolerances.h"

namespace tenpin::collide {

namespace {

constexpr double kRoundOff = 4.0 * std::numeric_limits<double>::epsilon();

// Up to four vertex pairs and the point of their hull closest to the origin.
struct Span {
  std::array<MinkowskiPoint, 4> points;
  std::array<double, 3> weights = {1.0, 0.0, 0.0};
  int size = 0;
};

// A subset of the span whose closest point is in its interior.
struct Candidate {
  double square = std::numeric_limits<double>::infinity();  // m^2
  std::array<int, 3> members = {};
  std::array<double, 3> weights = {};
  int size = 0;
};

void take_if_closer(const Candidate& candidate, Candidate* best) {
  if (candidate.square < best->square) *best = candidate;
}

void try_vertex(const Span& s, int i, Candidate* best) {
  take_if_closer({s.points[i].w.squaredNorm(), {i}, {1.0}, 1}, best);
}

void try_edge(const Span& s, int i, int j, Candidate* best) {
  const Vec3& p = s.points[i].w;
  const Vec3 e = s.points[j].w - p;
  const double length = e.squaredNorm();
  const double along = -e.dot(p);
  if (along <= 0.0 || along >= length) return;
  const double t = along / length;
  take_if_closer({(p + t * e).squaredNorm(), {i, j}, {1.0 - t, t}, 2}, best);
}

void try_face(const Span& s, const std::array<int, 3>& f, Candidate* best) {
  const Vec3& p = s.points[f[0]].w;
  const Vec3& q = s.points[f[1]].w;
  const Vec3& r = s.points[f[2]].w;
  const Vec3 normal = (q - p).cross(r - p);
  const double area = normal.squaredNorm();
  const double u = normal.dot(q.cross(r));
  const double v = normal.dot(r.cross(p));
  const double w = normal.dot(p.cross(q));
  if (area == 0.0 || u <= 0.0 || v <= 0.0 || w <= 0.0) return;
  const double sum = u + v + w;
  const double height = normal.dot(p);
  take_if_closer({height * height / area, f, {u / sum, v / sum, w / sum}, 3}, best);
}

// Searches the subsets that contain the vertex pair `must`, or all subsets if `must` is negative.
Candidate find_closest_part(const Span& s, int must) {
  Candidate best;
  const auto wanted = [must](int i, int j, int k) {
    return must < 0 || i == must || j == must || k == must;
  };
  for (int i = 0; i < s.size; ++i) {
    if (wanted(i, i, i)) try_vertex(s, i, &best);
    for (int j = i + 1; j < s.size; ++j) {
      if (wanted(i, j, j)) try_edge(s, i, j, &best);
      for (int k = j + 1; k < s.size; ++k) {
        if (wanted(i, j, k)) try_face(s, {i, j, k}, &best);
      }
    }
  }
  return best;
}

// Keeps the vertex pairs that the closest point needs. Indices ascend, so points move to places
// that were already read.
void keep_part(const Candidate& part, Span* s) {
  for (int i = 0; i < part.size; ++i) {
    if (part.members[i] != i) s->points[i] = s->points[part.members[i]];
    s->weights[i] = part.weights[i];
  }
  s->size = part.size;
}

Vec3 blend(const Span& s, Vec3 MinkowskiPoint::*which) {
  Vec3 sum = s.weights[0] * (s.points[0].*which);
  for (int i = 1; i < s.size; ++i) sum += s.weights[i] * (s.points[i].*which);
  return sum;
}

bool is_member(const Span& s, const MinkowskiPoint& point) {
  return std::any_of(s.points.begin(), s.points.begin() + s.size,
                     [&point](const MinkowskiPoint& p) {
                       return p.vertex_A == point.vertex_A && p.vertex_B == point.vertex_B;
                     });
}

bool surrounds_origin(const Span& s) {
  constexpr std::array<std::array<int, 4>, 4> kSides = {
      {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}}};
  return std::all_of(kSides.begin(), kSides.end(), [&s](const std::array<int, 4>& f) {
    const Vec3& p = s.points[f[0]].w;
    const Vec3 normal = (s.points[f[1]].w - p).cross(s.points[f[2]].w - p);
    const double apex = normal.dot(s.points[f[3]].w - p);
    const double origin = -normal.dot(p);
    return apex > 0.0 ? origin > 0.0 : (apex < 0.0 && origin < 0.0);
  });
}

// Restores the vertex pairs of the last query, at the poses of this query.
void restore(const FeaturePair& from, const CorePair& pair, Span* s) {
  for (int i = 0; i < from.size; ++i) {
    const Vec3& a = pair.A.polytope().vertices[from.vertices_A[i]];
    const Vec3 b = pair.X_AB * pair.B.polytope().vertices[from.vertices_B[i]];
    s->points[i] = {
        .w = b - a, .a = a, .b = b, .vertex_A = from.vertices_A[i], .vertex_B = from.vertices_B[i]};
  }
  s->size = from.size;
  keep_part(find_closest_part(*s, -1), s);
}

void remember(const Span& s, FeaturePair* pair) {
  pair->size = s.size;
  for (int i = 0; i < s.size; ++i) {
    pair->vertices_A[i] = s.points[i].vertex_A;
    pair->vertices_B[i] = s.points[i].vertex_B;
  }
}

// A direction and the separation along it.
struct Proof {
  Vec3 n = Vec3::UnitZ();
  double gap = -std::numeric_limits<double>::infinity();  // m
};

void keep_better_proof(const Vec3& n, CorePair* pair, Proof* best) {
  const double gap = pair->separation(n);
  if (gap > best->gap) *best = {.n = n, .gap = gap};
}

// Tries the normals of the faces towards v, and the cross product of the two edges if the span has
// two. At small distances rounding changes the direction between two points, but not these
// directions.
Proof find_feature_proof(const Span& s, const FeaturePair& features, const Vec3& v,
                         CorePair* pair) {
  Proof best;
  const Vec3 v_B = -(pair->X_AB.R.transpose() * v);
  const int face_A = find_face(pair->A, v, pair->start_A);
  const int face_B = find_face(pair->B, v_B, pair->start_B);
  if (face_A >= 0) keep_better_proof(face_normal(pair->A, face_A), pair, &best);
  if (face_B >= 0) {
    keep_better_proof(-(pair->X_AB.R * face_normal(pair->B, face_B)), pair, &best);
  }
  if (features.span_A() == FeatureSpan::kEdge && features.span_B() == FeatureSpan::kEdge) {
    const auto along = [&s](Vec3 MinkowskiPoint::*which) {
      const Vec3 first = s.points[1].*which - s.points[0].*which;
      return first.isZero() ? Vec3(s.points[2].*which - s.points[0].*which) : first;
    };
    const Vec3 across = along(&MinkowskiPoint::a).cross(along(&MinkowskiPoint::b));
    const double length = across.dot(v) < 0.0 ? -across.norm() : across.norm();
    if (length != 0.0) keep_better_proof(across / length, pair, &best);
  }
  return best;
}

bool is_polytope(const TrackedShape& shape) {
  return shape.core() != nullptr && !shape.core()->is_curved();
}

bool is_plane(const TrackedShape& shape) {
  return std::holds_alternative<shapes::Plane>(shape.shape());
}

bool has_faces(const TrackedShape& shape) {
  return is_polytope(shape) && !shape.core()->polytope().normals.empty();
}

// The distance of a shape from a plane A, searched from the vertex found last.
Distance calc_distance_from_plane(const TrackedShape& B, const Pose& X_WA, const Pose& X_WB,
                                  int* vertex) {
  const Vec3 normal = X_WA.R.col(2);
  const Support lowest = B.core()->support(-(X_WB.R.transpose() * normal), *vertex);
  *vertex = lowest.vertex;
  const Vec3 p_B = X_WB * lowest.point - B.core()->rounding() * normal;
  const double gap = normal.dot(p_B - X_WA.p);
  return {.gap = gap, .p_A = p_B - gap * normal, .p_B = p_B, .normal = normal};
}

}  // namespace

bool FeatureTracker::descend(const FeatureQuery& query, FeaturePair* pair, Distance* distance) {
  const Core& A = *query.A.core();
  const Core& B = *query.B.core();
  const Pose X_AB{.R = query.X_WA.R.transpose() * query.X_WB.R,
                  .p = query.X_WA.R.transpose() * (query.X_WB.p - query.X_WA.p)};
  CorePair cores{.A = A, .B = B, .X_AB = X_AB};
  Span span;
  if (pair->size > 0) {
    restore(*pair, cores, &span);
  } else {
    span.points[0] = cores.support(X_AB.p.squaredNorm() > 0.0 ? X_AB.p : Vec3(Vec3::UnitX()));
    span.size = 1;
  }
  Vec3 v = blend(span, &MinkowskiPoint::w);
  double square = v.squaredNorm();
  const double size = cores.size();
  const double floor = kNearlyTouching * size;
  double proven =
      -std::numeric_limits<double>::infinity();  // m   proven lower bound of the distance
  for (int step = 0; step < kMaxFeatureSteps; ++step) {
    if (square <= floor * floor) return false;
    const MinkowskiPoint beyond = cores.support_near(v, span.points[0]);
    const double reached = v.dot(beyond.w);
    proven = std::max(proven, reached / std::sqrt(square));
    if (square - reached <= kRoundOff * square || is_member(span, beyond)) break;
    span.points[span.size++] = beyond;
    if (span.size == 4 && surrounds_origin(span)) return false;
    const Candidate part = find_closest_part(span, span.size - 1);
    if (!(part.square < square)) {
      --span.size;
      break;
    }
    ++num_steps_;
    keep_part(part, &span);
    v = blend(span, &MinkowskiPoint::w);
    square = v.squaredNorm();
  }
  remember(span, pair);
  const double length = std::sqrt(square);
  Vec3 n_A = v / length;
  if (!(length - proven <= kWitnessRounding * size)) {
    const Proof proof = find_feature_proof(span, *pair, v, &cores);
    if (!((v - proof.gap * proof.n).norm() <= kWitnessRounding * size)) return false;
    n_A = proof.n;
  }
  const Vec3 n = query.X_WA.R * n_A;
  distance->normal = n;
  distance->certified = true;
  distance->gap = length - A.rounding() - B.rounding();
  distance->p_A = query.X_WA * blend(span, &MinkowskiPoint::a) + A.rounding() * n;
  distance->p_B = query.X_WA * blend(span, &MinkowskiPoint::b) - B.rounding() * n;
  return true;
}

Distance FeatureTracker::calc_distance(const FeatureQuery& query, FeaturePair* pair) {
  ++num_queries_;
  const bool plane_A = is_plane(query.A);
  const bool plane_B = is_plane(query.B);
  if (plane_A && query.B.core() != nullptr) {
    return calc_distance_from_plane(query.B, query.X_WA, query.X_WB, &pair->vertices_B[0]);
  }
  if (plane_B && query.A.core() != nullptr) {
    Distance d = calc_distance_from_plane(query.A, query.X_WB, query.X_WA, &pair->vertices_A[0]);
    std::swap(d.p_A, d.p_B);
    d.normal = -d.normal;
    return d;
  }
  Distance distance;
  const bool tracked =
      is_polytope(query.A) && is_polytope(query.B) && (has_faces(query.A) || has_faces(query.B));
  if (tracked && descend(query, pair, &distance)) return distance;
  return narrow_phase_.calc_distance(
      {.A = query.A.shape(), .X_WA = query.X_WA, .B = query.B.shape(), .X_WB = query.X_WB});
}

}  // namespace tenpin::collide

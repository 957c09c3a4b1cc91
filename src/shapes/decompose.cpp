// A piece is a list of triangles. Where a cut opens it, triangles from one point of the cut to
// every side of the cut close it. These triangles have signs: they may overlap and extend beyond
// the cut, but the signs cancel, so volumes are exact and holes in a cut need no special treatment.
// Hulls are made from the other triangles.
#include "shapes/decompose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "math/trig.h"
#include "shapes/convex_hull.h"
#include "shapes/mass_properties.h"

namespace tenpin::shapes {

namespace {

constexpr double kEnough = 1e-3;        // -   of the volume: hulls may add this much
constexpr double kLeastPiece = 1e-4;    // -   of the volume: smaller pieces are not cut off
constexpr double kOnPlane = 1e-9;       // -   of the size: corners this near count as on the plane
constexpr int kSlices = 9;              // number of planes across each axis
constexpr std::size_t kMostFaces = 24;  // number of planes at inward edges
// -   Penalties of a cut, which decide between cuts that are otherwise equal: a fraction of the
// difference between its two volumes and, if it follows no face, a fraction of the hull's volume.
constexpr double kBalance = 0.005;
constexpr double kFollow = 0.002;
// -   of the volume that a hull adds: if no cut gains this much, the middle of the longest axis is
// cut. A ring, for example, must be cut twice before anything is gained.
constexpr double kLeastGain = 0.1;
// For candidates with more corners, the volume is computed from the extreme corners in this many
// directions. With fewer corners or directions, the error would outweigh the gain of a good cut.
constexpr std::size_t kMostCorners = 1500;
constexpr int kDirections = 700;

struct Triangle {
  std::array<Vec3, 3> corners;
  bool is_cap = false;  // closes a cut
};

struct CutPlane {
  Vec3 normal = Vec3::UnitX();
  double offset = 0.0;   // m
  bool is_face = false;  // of the mesh
};

struct Piece {
  std::vector<Triangle> triangles;
  double volume = 0.0;  // m^3
  std::shared_ptr<const ConvexMesh> hull;
  double added = 0.0;  // m^3
  bool is_final = false;
};

double calc_volume(const std::vector<Triangle>& triangles) {
  if (triangles.empty()) return 0.0;
  const Vec3 origin = triangles.front().corners[0];
  double sum = 0.0;
  for (const Triangle& t : triangles) {
    const auto& [a, b, c] = t.corners;
    sum += (a - origin).dot((b - origin).cross(c - origin));
  }
  return sum / 6.0;
}

double calc_hull_volume(const std::shared_ptr<const ConvexMesh>& hull) {
  const PlacedShape solid = {Polyhedron{hull}, Pose()};
  return calc_mass_properties({&solid, 1}, 1.0).mass;
}

std::vector<Vec3> list_corners(const std::vector<Triangle>& triangles) {
  std::vector<Vec3> corners;
  for (const Triangle& t : triangles) {
    if (!t.is_cap) corners.insert(corners.end(), t.corners.begin(), t.corners.end());
  }
  std::sort(corners.begin(), corners.end(), [](const Vec3& a, const Vec3& b) {
    return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
  });
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

// Keeps the extreme points in directions that are spread evenly over the sphere.
std::vector<Vec3> keep_extreme(const std::vector<Vec3>& points) {
  if (points.size() <= kMostCorners) return points;
  std::vector<Vec3> extreme;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / kDirections;
    const SinCos at = sin_cos(2.399963229728653 * i);  // the golden angle
    const double r = std::sqrt(1.0 - z * z);
    const Vec3 direction(r * at.cos, r * at.sin, z);
    extreme.push_back(
        *std::max_element(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
          return a.dot(direction) < b.dot(direction);
        }));
  }
  return extreme;
}

std::shared_ptr<const ConvexMesh> try_hull(const std::vector<Vec3>& points) {
  try {
    return make_convex_hull(points);
  } catch (const InputError&) {  // the points lie in a plane
    return nullptr;
  }
}

// A corner of the part of a triangle on one side of a plane.
struct Corner {
  Vec3 p;
  bool is_on = false;  // on the plane
};

// m   Heights of the corners over the plane; 0 if within the tolerance.
std::array<double, 3> calc_heights(const std::array<Vec3, 3>& t, const CutPlane& plane,
                                   double tolerance) {
  std::array<double, 3> height{};
  for (std::size_t k = 0; k < 3; ++k) {
    height[k] = plane.normal.dot(t[k]) - plane.offset;
    if (std::fabs(height[k]) <= tolerance) height[k] = 0.0;
  }
  return height;
}

// The part of a triangle below the plane.
std::vector<Corner> clip(const std::array<Vec3, 3>& t, const std::array<double, 3>& height) {
  std::vector<Corner> polygon;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3;
    if (height[k] <= 0.0) polygon.push_back({t[k], height[k] == 0.0});
    if (height[k] * height[next] >= 0.0) continue;
    // Interpolates from the lower end, so that both triangles at an edge find the same point.
    const bool up = height[k] < 0.0;
    const double low = up ? height[k] : height[next];
    const double high = up ? height[next] : height[k];
    const Vec3& from = up ? t[k] : t[next];
    const Vec3& to = up ? t[next] : t[k];
    polygon.push_back({from + (to - from) * (low / (low - high)), true});
  }
  return polygon;
}

// The part of a solid below a plane, closed by triangles in the plane.
std::vector<Triangle> cut(const std::vector<Triangle>& triangles, const CutPlane& plane,
                          double tolerance) {
  std::vector<Triangle> result;
  std::optional<Vec3> apex;
  for (const auto& [t, is_cap] : triangles) {
    const std::array<double, 3> height = calc_heights(t, plane, tolerance);
    if (*std::min_element(height.begin(), height.end()) >= 0.0) continue;
    const std::vector<Corner> polygon = clip(t, height);
    for (std::size_t k = 2; k < polygon.size(); ++k) {
      result.push_back({{polygon[0].p, polygon[k - 1].p, polygon[k].p}, is_cap});
    }
    for (std::size_t k = 0; k < polygon.size(); ++k) {
      const Corner& a = polygon[k];
      const Corner& b = polygon[(k + 1) % polygon.size()];
      if (!a.is_on || !b.is_on) continue;
      if (!apex) apex = a.p;
      result.push_back({{*apex, b.p, a.p}, true});
    }
  }
  return result;
}

class Decomposer {
 public:
  explicit Decomposer(const TriangleMesh& mesh) {
    Piece whole;
    for (const auto& [a, b, c] : mesh.triangles) {
      whole.triangles.push_back({{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}});
    }
    volume_ = calc_volume(whole.triangles);
    whole.volume = volume_;
    whole.hull = make_convex_hull(mesh.vertices);
    whole.added = calc_hull_volume(whole.hull) - volume_;
    low_ = high_ = mesh.vertices.front();
    for (const Vec3& v : mesh.vertices) {
      low_ = low_.cwiseMin(v);
      high_ = high_.cwiseMax(v);
    }
    tolerance_ = kOnPlane * (high_ - low_).maxCoeff();
    pieces_.push_back(std::move(whole));
    list_inward_planes(mesh);
  }

  Decomposition run(int most) {
    while (static_cast<int>(pieces_.size()) < most && calc_added() > kEnough * volume_) {
      const auto worst =
          std::max_element(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
            return (a.is_final ? 0.0 : a.added) < (b.is_final ? 0.0 : b.added);
          });
      if (worst->is_final || !(worst->added > 0.0)) break;
      divide(static_cast<std::size_t>(worst - pieces_.begin()));
    }
    Decomposition result = {.pieces = {}, .volume = volume_, .added = calc_added()};
    for (const Piece& piece : pieces_) result.pieces.push_back(piece.hull);
    return result;
  }

 private:
  double calc_added() const {
    double sum = 0.0;
    for (const Piece& piece : pieces_) sum += piece.added;
    return sum;
  }

  // Lists the planes of both faces at each edge where the solid is not convex, without duplicates;
  // if there are many, those with the longest edges.
  void list_inward_planes(const TriangleMesh& mesh) {
    std::map<std::pair<int, int>, int> sides;  // the triangle along a directed side
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
      const auto& corners = mesh.triangles[t];
      for (std::size_t k = 0; k < 3; ++k) sides[{corners[k], corners[(k + 1) % 3]}] = t;
    }
    std::vector<std::pair<double, CutPlane>> planes;  // sorted by negative length
    for (const auto& [ends, t] : sides) {
      const auto back = sides.find({ends.second, ends.first});
      if (back == sides.end()) continue;
      const CutPlane plane = plane_of(mesh, t);
      double rise = 0.0;
      for (const int v : mesh.triangles[back->second]) {
        rise = std::max(rise, plane.normal.dot(mesh.vertices[v]) - plane.offset);
      }
      if (rise <= 1e3 * tolerance_) continue;
      planes.emplace_back(-(mesh.vertices[ends.first] - mesh.vertices[ends.second]).norm(), plane);
    }
    std::stable_sort(planes.begin(), planes.end(), [](const auto& a, const auto& b) {
      return a.first < b.first;
    });
    for (const auto& entry : planes) {
      const CutPlane& plane = entry.second;
      const bool is_known = std::any_of(inward_.begin(), inward_.end(), [&](const CutPlane& other) {
        return (other.normal - plane.normal).norm() < 1e-6 &&
               std::fabs(other.offset - plane.offset) < 1e3 * tolerance_;
      });
      if (!is_known && inward_.size() < kMostFaces) inward_.push_back(plane);
    }
  }

  static CutPlane plane_of(const TriangleMesh& mesh, int t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const Vec3& p = mesh.vertices[a];
    const Vec3 normal = (mesh.vertices[b] - p).cross(mesh.vertices[c] - p).normalized();
    return {normal, normal.dot(p), true};
  }

  std::vector<CutPlane> list_planes(const Piece& piece) const {
    std::vector<CutPlane> planes = inward_;
    Vec3 low;
    Vec3 high;
    find_box(piece, &low, &high);
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 1; i <= kSlices; ++i) {
        const double part = static_cast<double>(i) / (kSlices + 1);
        planes.push_back({Vec3::Unit(axis), low[axis] + part * (high[axis] - low[axis])});
      }
    }
    return planes;
  }

  struct Verdict {
    double sum = 0.0;   // m^3   sum of the two hulls' volumes, nearly
    double cost = 0.0;  // m^3   the sum and the cost of imbalance
  };

  // The verdict on a plane; nothing if the plane misses the piece.
  std::optional<Verdict> judge(const Piece& piece, const CutPlane& plane) const {
    double sum = 0.0;
    double difference = 0.0;
    for (const double sign : {1.0, -1.0}) {
      const CutPlane side = {sign * plane.normal, sign * plane.offset};
      const std::vector<Triangle> part = cut(piece.triangles, side, tolerance_);
      const double volume = calc_volume(part);
      if (volume < kLeastPiece * volume_) return std::nullopt;
      const auto hull = try_hull(keep_extreme(list_corners(part)));
      if (!hull) return std::nullopt;
      sum += calc_hull_volume(hull);
      difference += sign * volume;
    }
    const double follow = plane.is_face ? 0.0 : kFollow * (piece.volume + piece.added);
    return Verdict{sum, sum + kBalance * std::fabs(difference) + follow};
  }

  // The best plane or, if no plane gains enough, the middle of the longest axis.
  std::optional<CutPlane> choose(const Piece& piece) const {
    std::optional<CutPlane> best;
    Verdict least;
    for (const CutPlane& plane : list_planes(piece)) {
      const std::optional<Verdict> verdict = judge(piece, plane);
      if (!verdict || (best && verdict->cost >= least.cost)) continue;
      best = plane;
      least = *verdict;
    }
    const double gain = piece.volume + piece.added - least.sum;
    if (best && gain >= kLeastGain * piece.added) return best;
    Vec3 low;
    Vec3 high;
    find_box(piece, &low, &high);
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    const CutPlane middle = {Vec3::Unit(axis), 0.5 * (low[axis] + high[axis])};
    return judge(piece, middle) ? middle : best;
  }

  static void find_box(const Piece& piece, Vec3* low, Vec3* high) {
    *low = *high = piece.hull->vertices.front();
    for (const Vec3& v : piece.hull->vertices) {
      *low = low->cwiseMin(v);
      *high = high->cwiseMax(v);
    }
  }

  void divide(std::size_t index) {
    const Piece& piece = pieces_[index];
    std::optional<CutPlane> best = choose(piece);
    std::array<Piece, 2> halves;
    for (std::size_t i = 0; best && i < 2; ++i) {
      const double sign = i == 0 ? 1.0 : -1.0;
      halves[i].triangles =
          cut(piece.triangles, {sign * best->normal, sign * best->offset}, tolerance_);
      halves[i].volume = calc_volume(halves[i].triangles);
      halves[i].hull = try_hull(list_corners(halves[i].triangles));
      if (!halves[i].hull) best.reset();
      if (best) halves[i].added = calc_hull_volume(halves[i].hull) - halves[i].volume;
    }
    if (!best) {
      pieces_[index].is_final = true;
      return;
    }
    pieces_[index] = std::move(halves[0]);
    pieces_.push_back(std::move(halves[1]));
  }

  std::vector<Piece> pieces_;
  std::vector<CutPlane> inward_;
  Vec3 low_, high_;
  double volume_ = 0.0;     // m^3
  double tolerance_ = 0.0;  // m
};

}  // namespace

Decomposition decompose(const TriangleMesh& mesh, int most) {
  return Decomposer(mesh).run(most);
}

}  // namespace tenpin::shapes

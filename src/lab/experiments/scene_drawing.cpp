#include "lab/experiments/scene_drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "math/trig.h"
#include "shapes/convex_mesh.h"
#include "shapes/support.h"
#include "shapes/surface_mesh.h"

namespace tenpin::lab::experiments {

namespace {

constexpr Colour kBodyColours[] = {Colour::kBlue,   Colour::kVermilion, Colour::kGreen,
                                   Colour::kPurple, Colour::kOrange,    Colour::kSky};

PlotPoint project(const Camera& camera, const Vec3& p) {
  return {camera.right.dot(p), camera.up.dot(p)};
}

// The convex outline of the projected corners of a box or hull, in order.
std::vector<PlotPoint> calc_hull_outline(std::vector<PlotPoint> points) {
  std::sort(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) {
    return a.x != b.x ? a.x < b.x : a.y < b.y;
  });
  std::vector<PlotPoint> hull;
  const auto walk = [&hull](auto begin, auto end) {
    const std::size_t first = hull.size();
    for (auto p = begin; p != end; ++p) {
      while (hull.size() >= first + 2) {
        const PlotPoint& a = hull[hull.size() - 2];
        const PlotPoint& b = hull.back();
        if ((b.x - a.x) * (p->y - a.y) - (b.y - a.y) * (p->x - a.x) > 0.0) break;
        hull.pop_back();
      }
      hull.push_back(*p);
    }
    hull.pop_back();
  };
  walk(points.begin(), points.end());
  walk(points.rbegin(), points.rend());
  return hull;
}

std::vector<PlotPoint> make_lower_half(const Pose& X_WS, double radius, const Camera& camera) {
  constexpr int kPoints = 64;
  std::vector<PlotPoint> points;
  for (int i = 0; i <= kPoints; ++i) {
    const SinCos at = sin_cos(-kPi * i / kPoints);
    points.push_back(project(camera, X_WS * Vec3(radius * at.cos, 0.0, radius * at.sin)));
  }
  return points;
}

std::vector<Vec3> make_corners(const shapes::Box& box) {
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k) {
    const Vec3 sign((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0,
                    (k & 4) != 0 ? 1.0 : -1.0);
    corners.push_back(sign.cwiseProduct(box.half));
  }
  return corners;
}

// The silhouette of a round shape: its extreme points in directions of the picture.
std::vector<PlotPoint> make_round_outline(const shapes::Shape& shape, const Pose& X_WS,
                                          const Camera& camera) {
  constexpr int kDirections = 96;
  std::vector<PlotPoint> points;
  for (int i = 0; i < kDirections; ++i) {
    // Offset by half a step from the axes, because whole edges of cylinders are extreme there.
    const SinCos at = sin_cos(2.0 * kPi * (i + 0.5) / kDirections);
    const Vec3 direction = at.cos * camera.right + at.sin * camera.up;
    const Vec3 farthest = shapes::support(shape, X_WS.R.transpose() * direction).point;
    points.push_back(project(camera, X_WS * farthest));
  }
  return points;
}

// A part's outline, or nothing for a plane.
std::vector<PlotPoint> calc_outline(const shapes::PlacedShape& placed, const Pose& X_WB,
                                    const Camera& camera) {
  const Pose X_WS = X_WB * placed.X_BS;
  if (const auto* bowl = std::get_if<shapes::Bowl>(&placed.shape)) {
    return make_lower_half(X_WS, bowl->radius, camera);
  }
  if (std::holds_alternative<shapes::Plane>(placed.shape)) return {};
  if (const auto* surface = std::get_if<shapes::TriangleSurface>(&placed.shape)) {
    std::vector<PlotPoint> points;
    for (const Vec3& p : surface->mesh->vertices) points.push_back(project(camera, X_WS * p));
    return calc_hull_outline(points);
  }
  const auto* box = std::get_if<shapes::Box>(&placed.shape);
  const auto* polyhedron = std::get_if<shapes::Polyhedron>(&placed.shape);
  const bool is_sharp_box = box != nullptr && box->radius == 0.0;
  if (!is_sharp_box && polyhedron == nullptr) {
    return make_round_outline(placed.shape, X_WS, camera);
  }
  std::vector<PlotPoint> corners;
  for (const Vec3& p : is_sharp_box ? make_corners(*box) : polyhedron->mesh->vertices) {
    corners.push_back(project(camera, X_WS * p));
  }
  return calc_hull_outline(corners);
}

// The part of a plane's line within the view; empty if the line is outside or the plane faces the
// viewer.
std::vector<PlotPoint> clip_plane(const Pose& X_WS, const View& view) {
  const Vec3 n = X_WS.R.col(2);
  const PlotPoint along{n.z(), -n.x()};
  double first = -std::numeric_limits<double>::infinity();
  double last = std::numeric_limits<double>::infinity();
  const auto clip = [&](double at, double rate, const Range& range) {
    if (std::fabs(rate) < 1e-12) {
      if (at < range.low || at > range.high) last = first;
      return;
    }
    const double a = (range.low - at) / rate;
    const double b = (range.high - at) / rate;
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
  };
  clip(X_WS.p.x(), along.x, view.x);
  clip(X_WS.p.z(), along.y, view.z);
  if (!(first < last) || !std::isfinite(first) || !std::isfinite(last)) return {};
  return {{X_WS.p.x() + first * along.x, X_WS.p.z() + first * along.y},
          {X_WS.p.x() + last * along.x, X_WS.p.z() + last * along.y}};
}

// --- solid bodies --------------------------------------------------------------------------------

// Adds an opaque facet, which is lighter the more it faces up.
void add_facet(const std::vector<PlotPoint>& points, Colour colour, double shade,
               std::vector<Outline>* outlines) {
  constexpr double kEdge = 0.7;    // px
  constexpr double kGround = 0.3;  // factor of the shade for fixed bodies
  outlines->push_back({.points = points, .colour = Colour::kPaper, .fill = 1.0, .width = kEdge});
  outlines->push_back({.points = points,
                       .colour = colour,
                       .fill = colour == Colour::kInk ? kGround * shade : shade,
                       .width = kEdge});
}

double calc_shade(const Vec3& normal, const Camera& camera) {
  return 0.55 - 0.3 * normal.dot((camera.up + camera.towards()).normalized());
}

void add_mesh(const shapes::ConvexMesh& mesh, const Pose& X_WS, const Camera& camera, Colour colour,
              std::vector<Outline>* outlines) {
  for (int f = 0; f < mesh.num_faces(); ++f) {
    const Vec3 normal = X_WS.R * mesh.normals[f];
    if (normal.dot(camera.towards()) <= 0.0) continue;
    std::vector<PlotPoint> points;
    for (const int v : mesh.face(f)) points.push_back(project(camera, X_WS * mesh.vertices[v]));
    add_facet(points, colour, calc_shade(normal, camera), outlines);
  }
}

void add_box(const shapes::Box& box, const Pose& X_WS, const Camera& camera, Colour colour,
             std::vector<Outline>* outlines) {
  for (int k = 0; k < 6; ++k) {
    const int axis = k / 2;
    const double sign = k % 2 == 0 ? 1.0 : -1.0;
    const Vec3 normal = sign * X_WS.R.col(axis);
    if (normal.dot(camera.towards()) <= 0.0) continue;
    std::vector<PlotPoint> points;
    for (const auto& [a, b] : {std::pair{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}) {
      Vec3 corner = Vec3::Zero();
      corner[axis] = sign;
      corner[(axis + 1) % 3] = a;
      corner[(axis + 2) % 3] = b;
      points.push_back(project(camera, X_WS * Vec3(corner.cwiseProduct(box.half))));
    }
    add_facet(points, colour, calc_shade(normal, camera), outlines);
  }
}

void add_cap(const shapes::Cylinder& cylinder, const Pose& X_WS, const Camera& camera,
             Colour colour, std::vector<Outline>* outlines) {
  constexpr int kPoints = 48;
  const double sign = X_WS.R.col(2).dot(camera.towards()) > 0.0 ? 1.0 : -1.0;
  std::vector<PlotPoint> points;
  for (int i = 0; i < kPoints; ++i) {
    const SinCos at = sin_cos(2.0 * kPi * i / kPoints);
    points.push_back(project(camera, X_WS * Vec3(cylinder.radius * at.cos, cylinder.radius * at.sin,
                                                 sign * cylinder.half_length)));
  }
  add_facet(points, colour, calc_shade(sign * X_WS.R.col(2), camera), outlines);
}

void add_solid(const shapes::PlacedShape& placed, const Pose& X_WB, const Camera& camera,
               Colour colour, std::vector<Outline>* outlines) {
  constexpr int kMostFaces = 64;  // largest number of faces of a mesh that are drawn with edges
  constexpr double kRoundShade = 0.55;
  const Pose X_WS = X_WB * placed.X_BS;
  const auto* polyhedron = std::get_if<shapes::Polyhedron>(&placed.shape);
  const auto* box = std::get_if<shapes::Box>(&placed.shape);
  if (box != nullptr && box->radius == 0.0) {
    return add_box(*box, X_WS, camera, colour, outlines);
  }
  if (polyhedron != nullptr && polyhedron->mesh->num_faces() <= kMostFaces) {
    return add_mesh(*polyhedron->mesh, X_WS, camera, colour, outlines);
  }
  const std::vector<PlotPoint> outline = calc_outline(placed, X_WB, camera);
  if (outline.empty()) return;
  add_facet(outline, colour, kRoundShade, outlines);
  if (const auto* cylinder = std::get_if<shapes::Cylinder>(&placed.shape)) {
    add_cap(*cylinder, X_WS, camera, colour, outlines);
  }
}

Vec3 calc_centre(const shapes::PlacedShape& placed, const Pose& X_WB) {
  const Pose X_WS = X_WB * placed.X_BS;
  const auto* polyhedron = std::get_if<shapes::Polyhedron>(&placed.shape);
  if (polyhedron == nullptr) return X_WS.p;
  Vec3 sum = Vec3::Zero();
  for (const Vec3& p : polyhedron->mesh->vertices) sum += p;
  return X_WS * Vec3(sum / polyhedron->mesh->num_vertices());
}

// Sorts the parts in painting order.
std::vector<int> sort_parts(const dynamics::Model& model, const std::vector<Pose>& X_WB,
                            const Moments& moments) {
  std::vector<int> order;
  for (int i = 0; i < static_cast<int>(model.parts.size()); ++i) {
    const std::string& name = model.bodies[model.parts[i].body].name;
    const auto& hidden = moments.hidden;
    if (std::find(hidden.begin(), hidden.end(), name) == hidden.end()) order.push_back(i);
  }
  const auto place = [&](int i) {
    const dynamics::Part& part = model.parts[i];
    const Vec3 centre = calc_centre(part.placed, X_WB[part.body]);
    return std::pair(model.bodies[part.body].is_mobile(), moments.camera.towards().dot(centre));
  };
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return place(a) < place(b);
  });
  return order;
}

void widen(Range* range, double value) {
  range->low = std::min(range->low, value);
  range->high = std::max(range->high, value);
}

}  // namespace

View calc_view(const dynamics::Model& model, const std::vector<std::vector<Pose>>& poses,
               const Camera& camera) {
  constexpr double kMargin = 0.05;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  View view{.x = {kFar, -kFar}, .z = {kFar, -kFar}};
  for (const std::vector<Pose>& X_WB : poses) {
    for (const dynamics::Part& part : model.parts) {
      for (const PlotPoint& p : calc_outline(part.placed, X_WB[part.body], camera)) {
        widen(&view.x, p.x);
        widen(&view.z, p.y);
      }
      // The floor under nearby bodies is seen from the side.
      const bool is_plane = std::holds_alternative<shapes::Plane>(part.placed.shape);
      const Pose X_WS = X_WB[part.body] * part.placed.X_BS;
      if (is_plane && X_WS.R.col(2).z() > 0.999 && camera.up.z() > 0.999)
        widen(&view.z, X_WS.p.z());
    }
  }
  if (!(view.x.low <= view.x.high)) return {};
  const double more = kMargin * std::max(view.x.high - view.x.low, view.z.high - view.z.low);
  return {.x = {view.x.low - more, view.x.high + more},
          .z = {view.z.low - more, view.z.high + more}};
}

Plot draw_bodies(const dynamics::Model& model, const std::vector<Pose>& X_WB, const View& view) {
  Plot plot{.x_label = "x / m", .y_label = "z / m", .equal_scale = true};
  plot.x_range = view.x;
  plot.y_range = view.z;
  for (const dynamics::Part& part : model.parts) {
    Outline outline;
    if (std::holds_alternative<shapes::Plane>(part.placed.shape)) {
      outline.points = clip_plane(X_WB[part.body] * part.placed.X_BS, view);
      outline.closed = false;
    } else {
      const bool is_open = shapes::is_boundless(part.placed.shape);
      outline.points = calc_outline(part.placed, X_WB[part.body], Camera{});
      outline.closed = !is_open;
      outline.fill = is_open ? 0.0 : 0.25;
    }
    if (outline.points.empty()) continue;
    const bool moves = model.bodies[part.body].is_mobile();
    outline.colour = moves ? kBodyColours[part.body % std::size(kBodyColours)] : Colour::kInk;
    plot.outlines.push_back(std::move(outline));
  }
  return plot;
}

Arrow draw_normal(const Vec3& position, const Vec3& normal, const View& view) {
  const double length = 0.08 * std::max(view.x.high - view.x.low, view.z.high - view.z.low);
  return {.from = project(Camera{}, position), .to = project(Camera{}, position + length * normal)};
}

namespace {

// The floor below the moving bodies at all moments; empty if there is no horizontal plane.
std::vector<PlotPoint> make_floor(const dynamics::Model& model, const Moments& moments) {
  constexpr double kMargin = 0.15;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Range x{kFar, -kFar};
  Range y{kFar, -kFar};
  std::optional<double> z = moments.floor;
  for (const std::vector<Pose>& X_WB : moments.poses) {
    for (const dynamics::Part& part : model.parts) {
      const Pose X_WS = X_WB[part.body] * part.placed.X_BS;
      const bool is_plane = std::holds_alternative<shapes::Plane>(part.placed.shape);
      if (is_plane && !z && X_WS.R.col(2).z() > 0.999) z = X_WS.p.z();
      if (!model.bodies[part.body].is_mobile()) continue;
      for (const PlotPoint& p : calc_outline(part.placed, X_WB[part.body], look_down())) {
        widen(&x, p.x);
        widen(&y, p.y);
      }
    }
  }
  if (!z || !(x.low <= x.high)) return {};
  const double more = kMargin * std::max(x.high - x.low, y.high - y.low);
  std::vector<PlotPoint> corners;
  for (const auto& [a, b] : {std::pair{x.low - more, y.low - more},
                             {x.high + more, y.low - more},
                             {x.high + more, y.high + more},
                             {x.low - more, y.high + more}}) {
    corners.push_back(project(moments.camera, Vec3(a, b, *z)));
  }
  return corners;
}

void widen(View* view, const std::vector<Outline>& outlines) {
  for (const Outline& outline : outlines) {
    for (const PlotPoint& p : outline.points) {
      widen(&view->x, p.x);
      widen(&view->z, p.y);
    }
  }
}

}  // namespace

Camera look_down() {
  return {.right = Vec3::UnitX(), .up = Vec3::UnitY()};
}

Camera look_from(double azimuth, double elevation) {
  const SinCos a = sin_cos(azimuth);
  const SinCos e = sin_cos(elevation);
  return {.right = Vec3(a.cos, a.sin, 0.0), .up = Vec3(-a.sin * e.sin, a.cos * e.sin, e.cos)};
}

Figure draw_moments(const dynamics::Model& model, const Moments& moments,
                    const std::string& caption) {
  constexpr int kColumns = 3;
  constexpr double kGap = 0.06;    // relative to a picture's width: gap between two pictures
  constexpr double kTitle = 0.07;  // relative to a picture's width: height of the time above it
  constexpr double kFar = std::numeric_limits<double>::infinity();
  const bool from_the_side = moments.camera.up.z() > 0.999;
  const std::vector<PlotPoint> floor =
      from_the_side ? std::vector<PlotPoint>() : make_floor(model, moments);
  std::vector<std::vector<Outline>> pictures;
  View view{.x = {kFar, -kFar}, .z = {kFar, -kFar}};
  for (const std::vector<Pose>& X_WB : moments.poses) {
    std::vector<Outline>& picture = pictures.emplace_back();
    if (!floor.empty()) add_facet(floor, Colour::kInk, 0.15, &picture);
    for (const int i : sort_parts(model, X_WB, moments)) {
      const dynamics::Part& part = model.parts[i];
      const bool moves = model.bodies[part.body].is_mobile();
      const Colour colour =
          moves ? kBodyColours[part.body % std::size(kBodyColours)] : Colour::kInk;
      add_solid(part.placed, X_WB[part.body], moments.camera, colour, &picture);
    }
    widen(&view, picture);
  }
  for (std::size_t k = 0; from_the_side && k < pictures.size(); ++k) {
    for (const dynamics::Part& part : model.parts) {
      if (!std::holds_alternative<shapes::Plane>(part.placed.shape)) continue;
      const Pose X_WS = moments.poses[k][part.body] * part.placed.X_BS;
      pictures[k].push_back({.points = clip_plane(X_WS, view), .closed = false});
    }
  }
  const double width = view.x.high - view.x.low;
  const double height = view.z.high - view.z.low;
  Plot plot{.equal_scale = true, .axes = false};
  plot.description = caption;
  for (std::size_t k = 0; k < pictures.size(); ++k) {
    const std::size_t row = k / kColumns;
    const double dx = static_cast<double>(k % kColumns) * (1.0 + kGap) * width;
    const double dy = -static_cast<double>(row) * (height + (kGap + kTitle) * width);
    for (Outline& outline : pictures[k]) {
      for (PlotPoint& p : outline.points) p = {p.x + dx, p.y + dy};
      plot.outlines.push_back(std::move(outline));
    }
    plot.labels.push_back({.at = {view.x.low + dx, view.z.high + dy + 0.4 * kTitle * width},
                           .text = fmt::format("t = {:.3g} s", moments.t[k]),
                           .anchor = Label::Anchor::kStart});
  }
  const auto columns = static_cast<double>(std::min<std::size_t>(pictures.size(), kColumns));
  const std::size_t num_rows = (pictures.size() + kColumns - 1) / kColumns;
  const auto rows = static_cast<double>(num_rows);
  plot.x_range = {view.x.low - 0.02 * width, view.x.low + columns * (1.0 + kGap) * width};
  plot.y_range = {view.z.high - rows * (height + (kGap + kTitle) * width),
                  view.z.high + 1.2 * kTitle * width};
  return {.caption = caption, .svg = draw_svg(plot)};
}

}  // namespace tenpin::lab::experiments

#include "lab/experiments/scene_drawing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

PlotPoint seen_from_the_side(const Vec3& p) {
  return {p.x(), p.z()};
}

// Corners of a box or hull, in the order of a walk round what is seen of them.
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

std::vector<PlotPoint> make_lower_half(const Pose& X_WS, double radius) {
  constexpr int kPoints = 64;
  std::vector<PlotPoint> points;
  for (int i = 0; i <= kPoints; ++i) {
    const SinCos at = sin_cos(-kPi * i / kPoints);
    points.push_back(seen_from_the_side(X_WS * Vec3(radius * at.cos, 0.0, radius * at.sin)));
  }
  return points;
}

// A part's outline along y, or nothing for shapes that go on for ever.
std::vector<PlotPoint> calc_outline(const shapes::PlacedShape& placed, const Pose& X_WB) {
  const Pose X_WS = X_WB * placed.X_BS;
  if (const auto* box = std::get_if<shapes::Box>(&placed.shape)) {
    std::vector<PlotPoint> corners;
    for (int k = 0; k < 8; ++k) {
      const Vec3 sign((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0,
                      (k & 4) != 0 ? 1.0 : -1.0);
      corners.push_back(seen_from_the_side(X_WS * Vec3(sign.cwiseProduct(box->half))));
    }
    return calc_hull_outline(corners);
  }
  if (const auto* capsule = std::get_if<shapes::Capsule>(&placed.shape)) {
    const Vec3 axis = X_WS.R.col(2);
    return make_capsule(seen_from_the_side(X_WS.p), arc_tangent(axis.z(), axis.x()),
                        capsule->half_length, capsule->radius);
  }
  if (const auto* cylinder = std::get_if<shapes::Cylinder>(&placed.shape)) {
    return make_circle(seen_from_the_side(X_WS.p), cylinder->radius);
  }
  if (const auto* sphere = std::get_if<shapes::Sphere>(&placed.shape)) {
    return make_circle(seen_from_the_side(X_WS.p), sphere->radius);
  }
  if (const auto* bowl = std::get_if<shapes::Bowl>(&placed.shape)) {
    return make_lower_half(X_WS, bowl->radius);
  }
  return {};
}

// The part of a plane's line within the view; empty if it misses it or faces the eye.
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

void widen(Range* range, double value) {
  range->low = std::min(range->low, value);
  range->high = std::max(range->high, value);
}

}  // namespace

View calc_view(const dynamics::Model& model, const std::vector<std::vector<Pose>>& poses) {
  constexpr double kMargin = 0.05;
  constexpr double kFar = std::numeric_limits<double>::infinity();
  View view{.x = {kFar, -kFar}, .z = {kFar, -kFar}};
  for (const std::vector<Pose>& X_WB : poses) {
    for (const dynamics::Part& part : model.parts) {
      for (const PlotPoint& p : calc_outline(part.placed, X_WB[part.body])) {
        widen(&view.x, p.x);
        widen(&view.z, p.y);
      }
      // A floor is seen if it is not far from what lies on it.
      const bool is_plane = std::holds_alternative<shapes::Plane>(part.placed.shape);
      const Pose X_WS = X_WB[part.body] * part.placed.X_BS;
      if (is_plane && X_WS.R.col(2).z() > 0.999) widen(&view.z, X_WS.p.z());
    }
  }
  if (!(view.x.low <= view.x.high)) return {};
  const double more = kMargin * std::max(view.x.high - view.x.low, view.z.high - view.z.low);
  return {.x = {view.x.low - more, view.x.high + more},
          .z = {view.z.low - more, view.z.high + more}};
}

Plot draw_bodies(const dynamics::Model& model, const std::vector<Pose>& X_WB, const View& view) {
  constexpr Colour kColours[] = {Colour::kBlue,   Colour::kVermilion, Colour::kGreen,
                                 Colour::kPurple, Colour::kOrange,    Colour::kSky};
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
      outline.points = calc_outline(part.placed, X_WB[part.body]);
      outline.closed = !is_open;
      outline.fill = is_open ? 0.0 : 0.25;
    }
    if (outline.points.empty()) continue;
    const bool moves = model.bodies[part.body].is_mobile();
    outline.colour = moves ? kColours[part.body % std::size(kColours)] : Colour::kInk;
    plot.outlines.push_back(std::move(outline));
  }
  return plot;
}

Arrow draw_normal(const Vec3& position, const Vec3& normal, const View& view) {
  const double length = 0.08 * std::max(view.x.high - view.x.low, view.z.high - view.z.low);
  return {.from = seen_from_the_side(position),
          .to = seen_from_the_side(position + length * normal)};
}

}  // namespace tenpin::lab::experiments

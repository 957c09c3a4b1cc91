#include "lab/impact_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/svg_plot.h"

namespace tenpin::lab {

namespace {

using impact::PlanarImpact;
using impact::PlanarPoint;

constexpr double kFar = 1e3;  // in units of the picture's size: a distance beyond its frame

// Maps the contact's velocity to the plane that is drawn.
class VelocityPlane {
 public:
  explicit VelocityPlane(const std::optional<Mat2>& J) {
    constexpr double kRegular = 1e-6;
    if (!J) return;
    const Mat2& A = *J;
    const double determinant = A(0, 0) * A(1, 1) - A(0, 1) * A(1, 0);
    is_joint_ = std::fabs(determinant) > kRegular * A.squaredNorm();
    if (is_joint_) {
      from_contact_ << A(1, 1), -A(0, 1), -A(1, 0), A(0, 0);
      from_contact_ /= determinant;
    }
  }
  bool is_joint() const { return is_joint_; }
  PlotPoint at(double v_t, double v_n) const {
    const Vec2 u = from_contact_ * Vec2(v_t, v_n);
    return {u[0], u[1]};
  }

 private:
  bool is_joint_ = false;
  Mat2 from_contact_ = Mat2::Identity();
};

// The extent of everything that is drawn, including the origin, with a margin.
class Frame {
 public:
  void include(const PlotPoint& p) {
    x_ = {std::min(x_.low, p.x), std::max(x_.high, p.x)};
    y_ = {std::min(y_.low, p.y), std::max(y_.high, p.y)};
  }
  double size() const { return std::max(x_.high - x_.low, y_.high - y_.low); }
  Range x() const { return widen(x_); }
  Range y() const { return widen(y_); }

 private:
  // Widens the extent to a square, so that lines of every slope have room.
  Range widen(const Range& range) const {
    const double middle = 0.5 * (range.low + range.high);
    const double half = 0.64 * size();
    return {middle - half, middle + half};
  }
  Range x_ = {0.0, 0.0};
  Range y_ = {0.0, 0.0};
};

double calc_distance(const PlotPoint& a, const PlotPoint& b) {
  return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

char letter_of(const PlanarImpact& impact, int point) {
  if (point == 0) return 'a';
  if (point == impact.tangential_pause) return point < impact.normal_pause ? 'b' : 'd';
  return point == impact.normal_pause && point + 1 < impact.num_points ? 'c' : 'e';
}

class PlanePicture {
 public:
  explicit PlanePicture(const PlanarPicture& picture)
      : picture_(picture), impact_(picture.impact), plane_(picture.J) {
    plot_.equal_scale = true;
    plot_.width = 620.0;
    plot_.x_label = plane_.is_joint() ? "u1 (rad/s)" : "v_t (m/s)";
    plot_.y_label = plane_.is_joint() ? "u2 (rad/s)" : "v_n (m/s)";
  }

  Plot draw() {
    for (int i = 0; i < impact_.num_points; ++i) frame_.include(place(point(i)));
    if (picture_.with_first_line) draw_first_line();
    if (picture_.with_directions) draw_directions();
    draw_path();
    draw_axis(1.0, 0.0, "v_n = 0");
    draw_axis(0.0, 1.0, "v_t = 0");
    plot_.x_range = frame_.x();
    plot_.y_range = frame_.y();
    return plot_;
  }

 private:
  const PlanarPoint& point(int i) const { return impact_.points[static_cast<std::size_t>(i)]; }
  PlotPoint place(const PlanarPoint& p) const { return plane_.at(p.v_t, p.v_n); }

  // Draws the line through the origin along a direction of the contact's velocity, with a label
  // where it leaves the frame.
  void draw_axis(double v_t, double v_n, const char* name) {
    const PlotPoint p = plane_.at(v_t, v_n);
    const double length = std::sqrt(p.x * p.x + p.y * p.y);
    const double ux = p.x / length;
    const double uy = p.y / length;
    const double far = kFar * frame_.size();
    plot_.outlines.push_back({.points = {{-far * ux, -far * uy}, {far * ux, far * uy}},
                              .colour = Colour::kInk,
                              .closed = false,
                              .dashed = v_n != 0.0,
                              .width = 1.4});
    name_axis(ux, uy, name);
  }

  // Places the label where the line leaves the frame, at the end farther from other labels.
  void name_axis(double ux, double uy, const char* name) {
    PlotPoint best;
    double farthest = -1.0;
    for (const double sign : {1.0, -1.0}) {
      const double exit = 0.93 * find_exit(sign * ux, sign * uy) * sign;
      const PlotPoint at = {exit * ux, exit * uy};
      double distance = 1e300;
      for (const Label& other : plot_.labels) {
        distance = std::min(distance, calc_distance(at, other.at));
      }
      if (distance <= farthest) continue;
      farthest = distance;
      best = at;
    }
    const bool is_right = best.x > 0.5 * (frame_.x().low + frame_.x().high);
    plot_.labels.push_back({.at = best,
                            .text = name,
                            .dx = is_right ? -10.0 : 10.0,
                            .dy = -8.0,
                            .anchor = is_right ? Label::Anchor::kEnd : Label::Anchor::kStart});
  }

  double find_exit(double ux, double uy) const {
    const auto limit = [](double u, const Range& range) {
      if (std::fabs(u) < 1e-9) return 1e300;
      return (u > 0.0 ? range.high : range.low) / u;
    };
    return std::min(limit(ux, frame_.x()), limit(uy, frame_.y()));
  }

  void draw_path() {
    Series path{.colour = Colour::kBlue, .style = Series::Style::kLineAndDots};
    for (int i = 0; i < impact_.num_points; ++i) {
      const PlotPoint at = place(point(i));
      path.points.push_back(at);
      plot_.labels.push_back({.at = at,
                              .text = std::string(1, letter_of(impact_, i)),
                              .dx = 11.0,
                              .dy = -8.0,
                              .colour = Colour::kVermilion});
    }
    plot_.series.push_back(std::move(path));
  }

  // Draws L_n and -+ mu L_t per unit of normal impulse, scaled to fit.
  void draw_directions() {
    if (impact_.num_points < 2) return;
    const PlanarPoint& a = point(0);
    const PlanarPoint& next = point(1);
    const double p = next.p_n - a.p_n;
    const double ratio = (next.p_t - a.p_t) / p;
    const auto& c = picture_.contact;
    const PlotPoint from = place(a);
    const PlotPoint normal = plane_.at(a.v_t + p * c.W_tn, a.v_n + p * c.W_nn);
    const PlotPoint sum = place(next);
    frame_.include(normal);
    plot_.arrows.push_back({from, normal, Colour::kGreen});
    plot_.arrows.push_back({normal, sum, Colour::kOrange});
    const auto middle = [](const PlotPoint& x, const PlotPoint& y) {
      return PlotPoint{0.5 * (x.x + y.x), 0.5 * (x.y + y.y)};
    };
    plot_.labels.push_back({.at = middle(from, normal),
                            .text = "L_n",
                            .dx = 16.0,
                            .dy = 4.0,
                            .colour = Colour::kGreen});
    plot_.labels.push_back({.at = middle(normal, sum),
                            .text = ratio > 0.0 ? "+μ L_t" : "−μ L_t",
                            .dy = -9.0,
                            .colour = Colour::kOrange});
  }

  // Draws where the first slope would have met v_n = 0 if friction had not changed.
  void draw_first_line() {
    if (impact_.tangential_pause != 1) return;
    const PlanarPoint& a = point(0);
    const PlanarPoint& b = point(1);
    const double rate = (b.v_n - a.v_n) / b.p_n;
    if (!(rate > 0.0)) return;
    const double p = -a.v_n / rate;
    const PlotPoint end = plane_.at(a.v_t + p * (b.v_t - a.v_t) / b.p_n, 0.0);
    frame_.include(end);
    plot_.outlines.push_back({.points = {place(b), end},
                              .colour = Colour::kBlue,
                              .closed = false,
                              .dashed = true,
                              .width = 1.4});
  }

  const PlanarPicture& picture_;
  const PlanarImpact& impact_;
  VelocityPlane plane_;
  Frame frame_;
  Plot plot_;
};

struct Works {
  Series normal{.name = "E_n, normal", .colour = Colour::kVermilion};
  Series friction{.name = "E_f, friction", .colour = Colour::kGreen};
  Series total{.name = "E_n + E_f", .colour = Colour::kInk};

  void add(double p_n, double E_n, double E_f) {
    normal.points.push_back({p_n, E_n});
    friction.points.push_back({p_n, E_f});
    total.points.push_back({p_n, E_n + E_f});
  }
};

Plot make_energy_plot(Works works, const PlotPoint& compression, const PlotPoint& end) {
  Plot plot{.x_label = "normal impulse (N s)", .y_label = "work on the bodies (J)"};
  plot.description = "Work of the impact against the normal impulse";
  plot.series = {std::move(works.normal), std::move(works.friction), std::move(works.total)};
  plot.series.push_back(
      {.points = {compression, end}, .colour = Colour::kVermilion, .style = Series::Style::kDots});
  plot.labels.push_back({.at = compression, .text = "compression ends", .dy = 18.0});
  plot.labels.push_back(
      {.at = end, .text = "impact ends", .dx = -8.0, .dy = 19.0, .anchor = Label::Anchor::kEnd});
  return plot;
}

// Draws paths of this field from starting points all around, until they come to rest or leave the
// frame.
void draw_flow_lines(const SpatialPicture& picture, double radius, Plot* plot) {
  constexpr int kPerSide = 7;
  const impact::SlipField field(picture.contact.W, picture.surface.mu);
  const double p = 8.0 * radius / field.scale();
  for (int i = 0; i < kPerSide * kPerSide; ++i) {
    const int row = i / kPerSide;
    const int column = i % kPerSide;
    const double x = radius * (-1.0 + 2.0 * column / (kPerSide - 1));
    const double y = radius * (-1.0 + 2.0 * row / (kPerSide - 1));
    if (x == 0.0 && y == 0.0) continue;
    std::vector<impact::SpatialPoint> trace;
    impact::Surface surface = picture.surface;
    surface.restitution = 0.0;
    impact::SpatialContact contact{picture.contact.W, Vec3(x, y, -p * picture.contact.W(2, 2))};
    static_cast<void>(solve_spatial(contact, surface, &trace));
    Outline line{.colour = Colour::kSky, .closed = false, .width = 1.0};
    for (const impact::SpatialPoint& point : trace) {
      line.points.push_back({point.v[0], point.v[1]});
    }
    plot->outlines.push_back(std::move(line));
    const double c = 0.018 * radius;
    for (const double s : {-1.0, 1.0}) {
      plot->outlines.push_back({.points = {{x - c, y - s * c}, {x + c, y + s * c}},
                                .colour = Colour::kSky,
                                .closed = false});
    }
  }
}

// An oblique view: v_x to the right, v_z up, v_y away from the viewer.
PlotPoint project(const Vec3& v) {
  return {v[0] + 0.45 * v[1], v[2] + 0.3 * v[1]};
}

void draw_compression_plane(double size, Plot* plot) {
  std::vector<PlotPoint> corners;
  for (const auto& [x, y] :
       {std::pair(-1, -1), std::pair(1, -1), std::pair(1, 1), std::pair(-1, 1)}) {
    corners.push_back(project(Vec3(size * x, size * y, 0.0)));
  }
  plot->outlines.push_back({.points = corners, .colour = Colour::kInk, .fill = 0.06, .width = 0.6});
  plot->labels.push_back({.at = corners[1],
                          .text = "v_z = 0, maximum compression",
                          .dy = 15.0,
                          .anchor = Label::Anchor::kEnd});
  for (const Vec3& axis : {Vec3(size, 0.0, 0.0), Vec3(0.0, size, 0.0), Vec3(0.0, 0.0, size)}) {
    plot->outlines.push_back(
        {.points = {project(-axis), project(axis)}, .closed = false, .dashed = true, .width = 0.7});
  }
  plot->labels.push_back({.at = project(Vec3(size, 0, 0)), .text = "v_x", .dx = 12.0, .dy = 4.0});
  plot->labels.push_back({.at = project(Vec3(0, size, 0)), .text = "v_y", .dx = 10.0, .dy = -6.0});
  plot->labels.push_back({.at = project(Vec3(0, 0, size)), .text = "v_z", .dy = -6.0});
}

}  // namespace

Figure draw_velocity_plane(const PlanarPicture& picture, const std::string& caption) {
  Plot plot = PlanePicture(picture).draw();
  plot.description = caption;
  return {caption, draw_svg(plot)};
}

Figure draw_planar_energy(const PlanarPicture& picture, const std::string& caption) {
  constexpr int kPieces = 24;
  const PlanarImpact& impact = picture.impact;
  Works works;
  for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(impact.num_points); ++i) {
    const PlanarPoint& a = impact.points[i];
    const PlanarPoint& b = impact.points[i + 1];
    const double p = b.p_n - a.p_n;
    const double ratio = p > 0.0 ? (b.p_t - a.p_t) / p : 0.0;
    for (int k = 0; k <= kPieces; ++k) {
      const double s = p * k / kPieces;
      const double half = 0.5 * k / kPieces;
      works.add(a.p_n + s, a.E_n + s * (a.v_n + half * (b.v_n - a.v_n)),
                a.E_f + s * ratio * (a.v_t + half * (b.v_t - a.v_t)));
    }
  }
  const PlanarPoint& c = impact.compression();
  const PlanarPoint& end = impact.end();
  return {caption,
          draw_svg(make_energy_plot(std::move(works), {c.p_n, c.E_n}, {end.p_n, end.E_n}))};
}

Figure draw_slip_flow(const SpatialPicture& picture, const std::string& caption) {
  Plot plot{.x_label = "v_x (m/s)", .y_label = "v_y (m/s)", .equal_scale = true, .width = 620.0};
  plot.description = caption;
  double radius = 1e-9;
  for (const impact::SpatialPoint& point : picture.trace) {
    radius = std::max({radius, std::fabs(point.v[0]), std::fabs(point.v[1])});
  }
  radius *= 1.15;
  plot.x_range = plot.y_range = Range{-1.08 * radius, 1.08 * radius};
  if (picture.surface.mu > 0.0) draw_flow_lines(picture, radius, &plot);
  const impact::SlipField field(picture.contact.W, picture.surface.mu);
  for (const impact::Ray& ray : field.find_rays()) {
    const Vec2 end = 2.0 * radius * ray.direction;
    plot.outlines.push_back({.points = {{0.0, 0.0}, {end[0], end[1]}},
                             .colour = ray.growth > 0.0 ? Colour::kVermilion : Colour::kGreen,
                             .closed = false,
                             .dashed = true,
                             .width = 1.6});
  }
  Series path{.name = "this impact", .colour = Colour::kBlue};
  for (const impact::SpatialPoint& point : picture.trace) {
    path.points.push_back({point.v[0], point.v[1]});
  }
  plot.series.push_back(std::move(path));
  plot.series.push_back({.points = {plot.series[0].points.front(), plot.series[0].points.back()},
                         .colour = Colour::kBlue,
                         .style = Series::Style::kDots});
  return {caption, draw_svg(plot)};
}

Figure draw_velocity_space(const SpatialPicture& picture, const std::string& caption) {
  struct Path {
    const char* name;
    double share;
    Colour colour;
  };
  constexpr std::array<Path, 3> kPaths = {{{"A: a third of the friction", 1.0 / 3.0, Colour::kSky},
                                           {"B: this friction", 1.0, Colour::kBlue},
                                           {"C: thrice the friction", 3.0, Colour::kVermilion}}};
  Plot plot{.equal_scale = true, .axes = false, .width = 640.0};
  plot.description = caption;
  double size = 1e-9;
  for (const impact::SpatialPoint& point : picture.trace) {
    size = std::max(size, point.v.cwiseAbs().maxCoeff());
  }
  draw_compression_plane(size, &plot);
  for (const Path& path : kPaths) {
    impact::Surface surface = picture.surface;
    surface.mu *= path.share;
    surface.mu_static *= path.share;
    std::vector<impact::SpatialPoint> trace;
    static_cast<void>(solve_spatial(picture.contact, surface, &trace));
    Series series{.name = path.name, .colour = path.colour};
    for (const impact::SpatialPoint& point : trace) series.points.push_back(project(point.v));
    plot.series.push_back(std::move(series));
  }
  return {caption, draw_svg(plot)};
}

Figure draw_spatial_energy(const SpatialPicture& picture, const std::string& caption) {
  constexpr int kPieces = 16;
  Works works;
  for (std::size_t i = 0; i + 1 < picture.trace.size(); ++i) {
    const impact::SpatialPoint& a = picture.trace[i];
    const impact::SpatialPoint& b = picture.trace[i + 1];
    // Straight segments are long, and work along them is a parabola; segments of a curve are short.
    const Vec3 p = b.p - a.p;
    for (int k = 0; k < kPieces; ++k) {
      const double s = static_cast<double>(k) / kPieces;
      const Vec3 v = a.v + 0.5 * s * (b.v - a.v);
      works.add(a.p[2] + s * p[2], a.E_n + s * p[2] * v[2],
                a.E_f + s * (p[0] * v[0] + p[1] * v[1]));
    }
  }
  works.add(picture.impact.end.p[2], picture.impact.end.E_n, picture.impact.end.E_f);
  const impact::SpatialPoint& c = picture.impact.compression;
  const impact::SpatialPoint& end = picture.impact.end;
  return {caption,
          draw_svg(make_energy_plot(std::move(works), {c.p[2], c.E_n}, {end.p[2], end.E_n}))};
}

}  // namespace tenpin::lab

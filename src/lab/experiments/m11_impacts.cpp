#include "lab/experiments/m11_impacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/rng.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/m11_pendulum.h"
#include "lab/svg_plot.h"
#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

using impact::PlanarImpact;
using impact::PlanarPoint;
using Impacts = std::map<std::string, PendulumImpact, std::less<>>;

void measure(const std::string& key, const PendulumImpact& x, Measurements* m) {
  const PlanarPoint& end = x.impact.end();
  (*m)[key + "/u1"] = x.u_after[0];
  (*m)[key + "/u2"] = x.u_after[1];
  (*m)[key + "/v_t"] = end.v_t;
  (*m)[key + "/v_n"] = end.v_n;
  (*m)[key + "/p_n"] = end.p_n;
  (*m)[key + "/E_n"] = end.E_n;
  (*m)[key + "/E_f"] = end.E_f;
  (*m)[key + "/dK"] = x.after - x.before;
  (*m)[key + "/stick_ratio"] = x.impact.stick_ratio;
  for (const char* order : {"abce", "ace", "acde"}) {
    (*m)[key + "/" + order] = x.impact.order() == order ? 1.0 : 0.0;
  }
}

// Integrates in many small steps of normal impulse. In each step, friction opposes the slip, or
// stops it within the step if it can. This is the continuous model that the closed form replaces.
Vec2 integrate(const PendulumImpact& x, int num_steps) {
  const impact::PlanarContact& c = x.contact;
  const double mu = x.given.surface.mu;
  const double h = x.impact.end().p_n / num_steps;
  double v_t = c.v_t;
  double p_t = 0.0;
  for (int i = 0; i < num_steps; ++i) {
    const double ratio = std::clamp(-(v_t / h + c.W_tn) / c.W_tt, -mu, mu);
    v_t += h * (c.W_tn + c.W_tt * ratio);
    p_t += h * ratio;
  }
  return x.given.u + calc_collision_matrix(x.mechanism) * Vec2(p_t, x.impact.end().p_n);
}

double calc_integration_error(const Impacts& impacts, int num_steps) {
  double worst = 0.0;
  for (const auto& [name, x] : impacts) {
    worst = std::max(worst, (integrate(x, num_steps) - x.u_after).norm());
  }
  return worst;
}

// Checks, on random poses and speeds, that a path crosses v_t = 0 at most once and that no impact
// gains energy.
void measure_random(Measurements* m) {
  constexpr int kDraws = 30'000;
  int num_impacts = 0;
  int num_gains = 0;
  double ledger = 0.0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const RandomStream r(2011, i);
    PendulumCase c;
    c.pendulum.q = {r.uniform(0, -kPi, kPi), r.uniform(1, -kPi, kPi)};
    c.u = {r.uniform(2, -3.0, 3.0), r.uniform(3, -3.0, 3.0)};
    c.surface = {.mu = 0.5, .mu_static = 0.5, .restitution = 0.5};
    const PendulumImpact x = solve_pendulum(c);
    if (x.impact.status != impact::ImpactStatus::kSolved) continue;
    ++num_impacts;
    num_gains += x.impact.end().E_n + x.impact.end().E_f > 1e-12 * x.before ? 1 : 0;
    ledger = std::max(ledger, x.calc_ledger_error());
  }
  (*m)["random/share"] = static_cast<double>(num_impacts) / kDraws;
  (*m)["random/gains"] = num_gains;
  (*m)["random/ledger"] = ledger;
}

// --- figures -------------------------------------------------------------------------------------

Figure draw_mechanism(const PendulumImpact& x) {
  const Vec2& q = x.given.pendulum.q;
  const double r = x.given.pendulum.length;
  const SinCos upper = sin_cos(q[0]);
  const SinCos lower = sin_cos(q[0] + q[1]);
  const PlotPoint elbow = {r * upper.cos, r * upper.sin};
  const PlotPoint tip = {elbow.x + r * lower.cos, elbow.y + r * lower.sin};
  Plot plot{.equal_scale = true, .axes = false, .width = 460.0};
  plot.description = "Double pendulum that touches the floor";
  const double left = std::min({0.0, elbow.x, tip.x}) - 0.5 * r;
  const double right = std::max({0.0, elbow.x, tip.x}) + 0.5 * r;
  plot.outlines.push_back(
      {.points = {{left, tip.y}, {right, tip.y}}, .closed = false, .width = 2.0});
  plot.outlines.push_back(
      {.points = {{0.0, 0.0}, elbow, tip}, .colour = Colour::kBlue, .closed = false, .width = 5.0});
  for (const PlotPoint& joint : {PlotPoint{0.0, 0.0}, elbow}) {
    plot.outlines.push_back({.points = make_circle(joint, 0.035 * r), .fill = 1.0});
  }
  plot.arrows.push_back({tip, {tip.x + 0.25 * x.contact.v_t, tip.y + 0.25 * x.contact.v_n}});
  plot.labels.push_back({.at = elbow, .text = "q2", .dx = 20.0, .dy = 4.0});
  plot.labels.push_back({.at = {0.0, 0.0}, .text = "q1", .dx = 20.0, .dy = 4.0});
  return {
      "Fig. 2.1: the double pendulum at the pose of the impact called \"reverse\"; the arrow is "
      "the velocity of its tip (0.25 s of it).",
      draw_svg(plot)};
}

void draw_example(const PendulumImpact& x, std::vector<Figure>* figures) {
  PlanarPicture picture = x.make_picture();
  picture.with_directions = true;
  figures->push_back(draw_velocity_plane(
      picture,
      "Figs. 2.2 and 2.3: the first slope is the sum of the normal part L_n and of friction; "
      "from the start a it meets v_t = 0 at b before v_n = 0."));
  picture.with_directions = false;
  picture.with_first_line = true;
  figures->push_back(draw_velocity_plane(
      picture,
      "Figs. 2.4, 2.5 and 2.7: at b friction changes its direction and the path bends; the "
      "dashed rest of the first slope is not valid any more, and c is found again. The "
      "impact ends at e."));
  figures->push_back(draw_planar_energy(
      picture,
      "Fig. 2.6: work of the normal impulse, of friction, and their sum, which is the change "
      "of the kinetic energy. Restitution returns e² of the compression's work."));
}

void draw_orders(const Impacts& impacts, std::vector<Figure>* figures) {
  const auto add = [&](const char* name, const char* caption) {
    figures->push_back(draw_velocity_plane(impacts.at(name).make_picture(), caption));
  };
  add("stick",
      "Fig. 2.8, order a-b-c-e: slip ends in compression; here friction holds it, and the "
      "path stays on v_t = 0.");
  add("jam",
      "Fig. 2.8, order a-b-c-e with a jam: strong friction first drives the normal velocity "
      "down, farther into the floor, until slip ends.");
  add("late reverse",
      "Fig. 2.8, order a-c-d-e: slip ends in restitution and goes on the other way.");
  add("late stick", "Fig. 2.8, order a-c-d-e: slip ends in restitution and sticks.");
  add("slide, no stick",
      "Fig. 2.9 (a), order a-c-e: the collision ends before v_t = 0 is reached.");
  add("slide", "Fig. 2.9 (b), order a-c-e: the collision pushes the velocity away from v_t = 0.");
}

// Draws [M11, Fig. 4.1]: friction at a planar and at a spatial contact.
Figure draw_directions() {
  constexpr int kDirections = 24;
  constexpr double kTilt = 0.4;  // of the tangent plane towards the viewer: depth divided by width
  constexpr double kApart = 4.0;
  Plot plot{.x_range = Range{-1.7, kApart + 1.9},
            .y_range = Range{-1.0, 1.5},
            .equal_scale = true,
            .axes = false};
  plot.description = "Two directions of friction in the plane, a circle of directions in space";
  for (const double x : {0.0, kApart}) {
    plot.arrows.push_back({{x, 0.0}, {x, 1.2}, Colour::kInk});
    plot.labels.push_back(
        {.at = {x, 1.2}, .text = "normal", .dx = 8.0, .dy = 6.0, .anchor = Label::Anchor::kStart});
  }
  plot.outlines.push_back({.points = {{-1.5, 0.0}, {1.5, 0.0}}, .closed = false, .width = 2.0});
  for (const double side : {-1.0, 1.0}) plot.arrows.push_back({{0.0, 0.0}, {side, 0.0}});
  plot.labels.push_back({.at = {-1.0, 0.0}, .text = "−", .dy = 22.0});
  plot.labels.push_back({.at = {1.0, 0.0}, .text = "+", .dy = 22.0});
  std::vector<PlotPoint> plane;
  for (const auto& [a, b] : {std::pair{-1.4, -1.4}, {1.4, -1.4}, {1.4, 1.4}, {-1.4, 1.4}}) {
    plane.push_back({kApart + a + 0.3 * b, kTilt * b});
  }
  plot.outlines.push_back({.points = plane, .fill = 0.05});
  for (int k = 0; k < kDirections; ++k) {
    const SinCos at = sin_cos(2.0 * kPi * k / kDirections);
    plot.arrows.push_back({{kApart, 0.0}, {kApart + at.cos + 0.3 * at.sin, kTilt * at.sin}});
  }
  plot.labels.push_back({.at = {0.0, -0.75}, .text = "in the plane: a sign"});
  plot.labels.push_back(
      {.at = {kApart, -0.75}, .text = "in space: any direction of the tangent plane"});
  return {
      "Fig. 4.1: two directions become an infinity of directions. In space slip turns within an "
      "impact, and friction with it (page MC95/impact).",
      draw_svg(plot)};
}

Figure draw_convergence(const Impacts& impacts) {
  Plot plot{.x_label = "steps of the integration",
            .y_label = "largest difference of u (rad/s)",
            .log_x = true,
            .log_y = true};
  plot.description = "Integration in the impulse domain converges to the closed form";
  Series series{.name = "all impacts of this page", .style = Series::Style::kLineAndDots};
  for (const int n : {30, 100, 300, 1'000, 3'000, 10'000, 30'000}) {
    series.points.push_back({static_cast<double>(n), calc_integration_error(impacts, n)});
  }
  plot.series.push_back(std::move(series));
  return {
      "Integration in the impulse domain, step by step, converges to the closed form at its first "
      "order.",
      draw_svg(plot)};
}

Table make_table(const Impacts& impacts) {
  Table table{
      .caption = "Every impact",
      .header = {"impact", "order", "u1", "u2", "p_n", "v_t", "v_n", "E_n", "E_f", "K+/K-"}};
  for (const auto& [name, x] : impacts) {
    const PlanarPoint& end = x.impact.end();
    std::vector<std::string> row = {name, std::string(x.impact.order())};
    for (const double value : {x.u_after[0], x.u_after[1], end.p_n, end.v_t, end.v_n, end.E_n,
                               end.E_f, x.after / x.before}) {
      row.push_back(fmt::format("{:.6f}", value));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

ExperimentResult run_m11_impacts(const ExperimentOptions& options) {
  Impacts impacts;
  Measurements m;
  double ledger = 0.0;
  for (const PendulumCase& c : read_pendulum_cases(options.folder + "/cases.json")) {
    if (options.on_progress) options.on_progress(c.name);
    const PendulumImpact x = solve_pendulum(c);
    measure(c.name, x, &m);
    ledger = std::max(ledger, x.calc_ledger_error());
    impacts.emplace(c.name, x);
  }
  m["ledger"] = ledger;
  m["integration/10000"] = calc_integration_error(impacts, 10'000);
  measure_random(&m);

  ExperimentResult result;
  result.findings = judge("M11/impacts", options.folder + "/expected.json", m);
  result.notes = read_notes(options.folder + "/expected.json");
  if (options.with_figures) {
    result.figures.push_back(draw_mechanism(impacts.at("reverse")));
    draw_example(impacts.at("reverse"), &result.figures);
    draw_orders(impacts, &result.figures);
    result.figures.push_back(draw_convergence(impacts));
    result.figures.push_back(draw_directions());
    result.tables.push_back(make_table(impacts));
  }
  return result;
}

}  // namespace tenpin::lab::experiments

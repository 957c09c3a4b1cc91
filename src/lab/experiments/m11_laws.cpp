#include "lab/experiments/m11_laws.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/rng.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/m11_pendulum.h"
#include "lab/svg_plot.h"
#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

using impact::Law;

struct Entry {
  Law law;
  const char* name;
  Colour colour;
};
constexpr std::array<Entry, 3> kLaws = {{{Law::kNewton, "Newton", Colour::kVermilion},
                                         {Law::kPoisson, "Poisson", Colour::kGreen},
                                         {Law::kEnergetic, "energetic", Colour::kBlue}}};

PendulumImpact solve_by(Law law, PendulumCase c) {
  c.surface.law = law;
  return solve_pendulum(c);
}

double calc_ratio(const PendulumImpact& x) {
  return x.after / x.before;
}

// --- random impacts ------------------------------------------------------------------------------

constexpr int kDraws = 30'000;

PendulumCase draw_case(std::uint64_t number) {
  const RandomStream r(1985, number);
  PendulumCase c;
  c.pendulum.q = {r.uniform(0, -kPi, kPi), r.uniform(1, -kPi, kPi)};
  c.u = {r.uniform(2, -3.0, 3.0), r.uniform(3, -3.0, 3.0)};
  c.surface = {.mu = 0.5, .mu_static = 0.5, .restitution = 0.5};
  return c;
}

// The place of an impact in the plot: the coupling of tangential and normal direction, with the
// sign for which slip is positive, and the slip. Both are dimensionless.
PlotPoint locate(const impact::PlanarContact& c) {
  const double coupling = c.W_tn / std::sqrt(c.W_tt * c.W_nn);
  const double slip = c.v_t / std::fabs(c.v_n) * std::sqrt(c.W_nn / c.W_tt);
  return {slip > 0.0 ? coupling : -coupling, std::fabs(slip)};
}

struct Survey {
  struct OfLaw {
    int num_gains = 0;
    double largest = 0.0;        // -   of K+/K-
    std::vector<double> ratios;  // K+/K-
  };
  int num_impacts = 0;
  double ledger = 0.0;
  std::array<OfLaw, 3> laws;
  std::vector<PlotPoint> gains, losses;  // by Newton's law, at the places that locate() gives
};

Survey run_survey() {
  Survey survey;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const PendulumCase c = draw_case(i);
    for (std::size_t k = 0; k < kLaws.size(); ++k) {
      const PendulumImpact x = solve_by(kLaws[k].law, c);
      if (x.impact.status != impact::ImpactStatus::kSolved) break;
      const bool is_gain = x.impact.end().E_n + x.impact.end().E_f > 1e-12 * x.before;
      Survey::OfLaw& of_law = survey.laws[k];
      of_law.num_gains += is_gain ? 1 : 0;
      of_law.largest = std::max(of_law.largest, calc_ratio(x));
      of_law.ratios.push_back(calc_ratio(x));
      survey.ledger = std::max(survey.ledger, x.calc_ledger_error());
      if (k > 0) continue;
      ++survey.num_impacts;
      (is_gain ? survey.gains : survey.losses).push_back(locate(x.contact));
    }
  }
  return survey;
}

void measure_survey(const Survey& survey, Measurements* m) {
  for (std::size_t k = 0; k < kLaws.size(); ++k) {
    const std::string key = fmt::format("random/{}", kLaws[k].name);
    (*m)[key + "/gains"] = survey.laws[k].num_gains;
    (*m)[key + "/largest"] = survey.laws[k].largest;
  }
  (*m)["random/share"] = static_cast<double>(survey.num_impacts) / kDraws;
  (*m)["random/newton_gains"] = survey.laws[0].num_gains > 0 ? 1.0 : 0.0;
  (*m)["ledger"] = survey.ledger;
}

// --- figures -------------------------------------------------------------------------------------

// Kinetic energy along the impact, relative to that before it.
std::vector<PlotPoint> sample_energy(const PendulumImpact& x) {
  constexpr int kPieces = 40;
  std::vector<PlotPoint> points;
  for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(x.impact.num_points); ++i) {
    const impact::PlanarPoint& a = x.impact.points[i];
    const impact::PlanarPoint& b = x.impact.points[i + 1];
    for (int k = 0; k <= kPieces; ++k) {
      const double s = static_cast<double>(k) / kPieces;
      const auto work = [s](double p, double v0, double v1) {
        return s * p * (v0 + 0.5 * s * (v1 - v0));
      };
      const double E =
          a.E_n + a.E_f + work(b.p_n - a.p_n, a.v_n, b.v_n) + work(b.p_t - a.p_t, a.v_t, b.v_t);
      points.push_back({a.p_n + s * (b.p_n - a.p_n), 1.0 + E / x.before});
    }
  }
  return points;
}

// Draws one path and its ends under three laws.
Figure draw_ends(const PendulumCase& c) {
  Plot plot{.x_label = "normal impulse (N s)", .y_label = "kinetic energy over that before"};
  plot.description = "Kinetic energy along the impact and where each law ends it";
  double last = 0.0;  // N s
  for (const Entry& entry : kLaws) {
    Series series{.colour = entry.colour};
    series.points = sample_energy(solve_by(entry.law, c));
    const PlotPoint end = series.points.back();
    last = std::max(last, end.x);
    plot.series.push_back({.name = fmt::format("{} ends at {:.5f}", entry.name, end.y),
                           .points = {end},
                           .colour = entry.colour,
                           .style = Series::Style::kDots});
    plot.series.push_back(std::move(series));
  }
  plot.x_range = Range{0.0, 1.05 * last};
  plot.outlines.push_back(
      {.points = {{0.0, 1.0}, {1.05 * last, 1.0}}, .closed = false, .dashed = true});
  return {fmt::format(
              "\"{}\": kinetic energy along the impact. The three laws follow one path and end it "
              "at different impulses.",
              c.name),
          draw_svg(plot)};
}

template <typename Change>
Figure draw_sweep(PendulumCase c, const std::string& x_label, const std::string& caption,
                  Change change) {
  Plot plot{.x_label = x_label, .y_label = "K+/K-"};
  plot.description = caption;
  for (const Entry& entry : kLaws) {
    Series series{.name = entry.name, .colour = entry.colour};
    for (int i = 0; i <= 200; ++i) {
      const double x = i / 200.0;
      change(x, &c);
      series.points.push_back({x, calc_ratio(solve_by(entry.law, c))});
    }
    plot.series.push_back(std::move(series));
  }
  plot.outlines.push_back({.points = {{0.0, 1.0}, {1.0, 1.0}}, .closed = false, .dashed = true});
  return {caption, draw_svg(plot)};
}

// Keeps some of the impacts: every tenth is enough to show the regions.
std::vector<PlotPoint> thin_out(const std::vector<PlotPoint>& points, std::size_t every) {
  std::vector<PlotPoint> some;
  for (std::size_t i = 0; i < points.size(); i += every) {
    if (points[i].y < 6.0) some.push_back(points[i]);
  }
  return some;
}

Figure draw_map(const Survey& survey) {
  Plot plot{.x_label = "coupling W_tn / √(W_tt W_nn), positive: the normal impulse speeds slip up",
            .y_label = "slip |v_t| √(W_nn/W_tt) / |v_n|"};
  plot.description = "Where Newton's law gains energy";
  plot.x_range = Range{-1.0, 1.0};
  plot.y_range = Range{0.0, 6.0};
  plot.series = {{.name = "loses",
                  .points = thin_out(survey.losses, 8),
                  .colour = Colour::kSky,
                  .style = Series::Style::kDots},
                 {.name = "gains",
                  .points = thin_out(survey.gains, 3),
                  .colour = Colour::kVermilion,
                  .style = Series::Style::kDots}};
  return {fmt::format(
              "Random impacts of the pendulum, μ = 0.5, e = 0.5, under Newton's law: {} of {} gain "
              "energy. Under Poisson's and the energetic law none does.",
              survey.laws[0].num_gains, survey.num_impacts),
          draw_svg(plot)};
}

Figure draw_distribution(const Survey& survey) {
  Plot plot{.x_label = "K+/K-", .y_label = "share of impacts with less"};
  plot.description = "Distribution of the energy ratio by law";
  plot.x_range = Range{0.0, 1.5};
  plot.y_range = Range{0.0, 1.0};
  for (std::size_t k = 0; k < kLaws.size(); ++k) {
    std::vector<double> ratios = survey.laws[k].ratios;
    std::sort(ratios.begin(), ratios.end());
    Series series{.name = kLaws[k].name, .colour = kLaws[k].colour};
    for (std::size_t i = 0; i < ratios.size(); i += 1 + ratios.size() / 300) {
      const double share = static_cast<double>(i) / static_cast<double>(ratios.size());
      series.points.push_back({ratios[i], share});
    }
    plot.series.push_back(std::move(series));
  }
  plot.outlines.push_back({.points = {{1.0, 0.0}, {1.0, 1.0}}, .closed = false, .dashed = true});
  return {"Distribution of K+/K- over the random impacts. What lies right of 1 gained energy.",
          draw_svg(plot)};
}

Table make_table(const std::vector<PendulumCase>& cases) {
  Table table{.caption = "Laws side by side",
              .header = {"impact", "law", "p_n", "v_n after", "v_t after", "E_n", "E_f", "K+/K-"}};
  for (const PendulumCase& c : cases) {
    for (const Entry& entry : kLaws) {
      const PendulumImpact x = solve_by(entry.law, c);
      const impact::PlanarPoint& end = x.impact.end();
      std::vector<std::string> row = {c.name, entry.name};
      for (const double v : {end.p_n, end.v_n, end.v_t, end.E_n, end.E_f, calc_ratio(x)}) {
        row.push_back(fmt::format("{:.6f}", v));
      }
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

void draw_all(const std::vector<PendulumCase>& cases, const Survey& survey,
              ExperimentResult* result) {
  for (const PendulumCase& c : cases) result->figures.push_back(draw_ends(c));
  result->figures.push_back(draw_sweep(cases[0], "μ",
                                       "K+/K- of the first impact against friction, e = 0.7",
                                       [](double x, PendulumCase* c) {
                                         c->surface.mu = c->surface.mu_static = x;
                                       }));
  result->figures.push_back(draw_sweep(
      cases[0], "e", "K+/K- of the first impact against e, μ = 0.5", [](double x, PendulumCase* c) {
        c->surface.restitution = x;
      }));
  result->figures.push_back(draw_map(survey));
  result->figures.push_back(draw_distribution(survey));
  result->tables.push_back(make_table(cases));
}

}  // namespace

ExperimentResult run_m11_laws(const ExperimentOptions& options) {
  const std::vector<PendulumCase> cases = read_pendulum_cases(options.folder + "/cases.json");
  Measurements m;
  for (const PendulumCase& c : cases) {
    for (const Entry& entry : kLaws) {
      m[fmt::format("{}/{}", c.name, entry.name)] = calc_ratio(solve_by(entry.law, c));
    }
  }
  if (options.on_progress) options.on_progress("random impacts");
  const Survey survey = run_survey();
  measure_survey(survey, &m);

  ExperimentResult result;
  result.findings = judge("M11/laws", options.folder + "/expected.json", m);
  result.notes = read_notes(options.folder + "/expected.json");
  if (options.with_figures) draw_all(cases, survey, &result);
  return result;
}

}  // namespace tenpin::lab::experiments

#include "lab/experiments/b89_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "contact/chosen_normal.h"
#include "contact/finder.h"
#include "dynamics/kinematics.h"
#include "impact/multiple.h"
#include "lab/experiment_expected.h"
#include "lab/experiments/scene_drawing.h"
#include "scene/build.h"
#include "scene/read.h"

namespace tenpin::lab::experiments {

namespace {

constexpr int kRounds = 20;

std::string name_of_folder(const std::string& folder) {
  const std::filesystem::path path = std::filesystem::path(folder + "/").lexically_normal();
  return "B89/" + path.parent_path().filename().string();
}

std::vector<contact::Contact> find_at_start(const dynamics::Model& model,
                                            const std::vector<Pose>& X_WB) {
  constexpr double kReach = 0.005;    // m   of each body: contacts that touch or nearly touch
  constexpr double kTouching = 1e-8;  // m
  contact::ContactFinder finder(model);
  const std::vector<double> reach(model.bodies.size(), kReach);
  std::vector<contact::Contact> contacts;
  finder.find(X_WB, reach, &contacts);
  for (std::span<contact::Contact> rest = contacts; !rest.empty();) {
    const std::span<contact::Contact> pair = contact::first_pair(rest);
    rest = rest.subspan(pair.size());
    static_cast<void>(choose_normal(model, X_WB, kTouching, pair));
  }
  const auto place_of = [](const contact::Contact& c) {
    constexpr double kPerMetre = 1e6;  // points closer than a micrometre count as having the same x
    return std::make_tuple(std::floor(c.p_a.x() * kPerMetre + 0.5), c.p_a.y());
  };
  std::sort(contacts.begin(), contacts.end(), [&](const auto& a, const auto& b) {
    return place_of(a) < place_of(b);
  });
  return contacts;
}

Measurements measure_geometry(const std::vector<contact::Contact>& contacts) {
  Measurements m;
  m["contacts"] = static_cast<double>(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const contact::Contact& c = contacts[k];
    const Vec3 middle = 0.5 * (c.p_a + c.p_b);
    const char* axes[] = {"x", "y", "z"};
    for (int i = 0; i < 3; ++i) {
      m[fmt::format("{}/{}", axes[i], k + 1)] = middle[i];
      m[fmt::format("n_{}/{}", axes[i], k + 1)] = c.normal[i];
    }
    m[fmt::format("gap/{}", k + 1)] = c.gap;
  }
  return m;
}

// Reads the mass of the heavy ball divided by that of the light one, by case.
std::vector<double> read_ratios(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw InputError(file + ": cannot be read");
  try {
    std::vector<double> ratios;
    const nlohmann::json cases = nlohmann::json::parse(stream);
    for (const nlohmann::json& given : cases.at("cases")) {
      const nlohmann::json& masses = given.at("masses");
      ratios.push_back(masses.at(1).get<double>() / masses.at(0).get<double>());
    }
    return ratios;
  } catch (const nlohmann::json::exception& error) {
    throw InputError(file + ": " + error.what());
  }
}

// Two contacts, floor to light ball and light to heavy ball; masses are 1 and `ratio` kg, the speed
// 1 m/s.
impact::Collision make_fall(double ratio) {
  impact::Collision fall{.W = MatX(2, 2), .v = VecX(2), .restitution = VecX::Zero(2)};
  fall.W << 1.0, -1.0, -1.0, 1.0 + 1.0 / ratio;
  fall.v << 0.0, -1.0;
  return fall;
}

// -   Velocity of the heavy ball after a number of rounds, each with one impulse between the balls
// and one at the floor.
double calc_top(const impact::Collision& fall, double ratio, int rounds) {
  const impact::CollisionSolution solution =
      solve_propagation(fall, {.tolerance = 0.0, .max_impulses = 2 * rounds});
  return 1.0 - solution.impulse[1] / ratio;
}

Figure draw_rounds(const std::vector<double>& ratios) {
  Plot plot{.x_label = "rounds", .y_label = "velocity of the heavy ball / m/s"};
  constexpr Colour kColours[] = {Colour::kBlue, Colour::kVermilion, Colour::kGreen,
                                 Colour::kPurple};
  for (std::size_t k = 0; k < ratios.size(); ++k) {
    Series series{.name = fmt::format("mass ratio {:g}", ratios[k]),
                  .colour = kColours[k % std::size(kColours)],
                  .style = Series::Style::kLineAndDots};
    const impact::Collision fall = make_fall(ratios[k]);
    for (int n = 0; n <= kRounds; ++n) {
      series.points.push_back({static_cast<double>(n), calc_top(fall, ratios[k], n)});
    }
    plot.series.push_back(series);
  }
  plot.description = "Velocity of the heavy ball over the rounds of the propagation model";
  return {.caption =
              "Fig. 12: propagation needs the more rounds the heavier the upper ball; the "
              "simultaneous model is at rest after one solve",
          .svg = draw_svg(plot)};
}

}  // namespace

ExperimentResult run_b89_contacts(const ExperimentOptions& options) {
  const std::string id = name_of_folder(options.folder);
  if (options.on_progress) options.on_progress(id);
  const scene::Built built = scene::build(scene::read_scene(options.folder + "/scene.yaml", {}));
  std::vector<Pose> X_WB;
  update_poses(built.model, built.state.q, 0.0, &X_WB);
  const std::vector<contact::Contact> contacts = find_at_start(built.model, X_WB);
  const std::string expected = options.folder + "/expected.json";
  ExperimentResult result{.findings = judge(id, expected, measure_geometry(contacts)),
                          .notes = read_notes(expected)};
  if (!options.with_figures) return result;
  const View view = calc_view(built.model, {X_WB});
  Plot plot = draw_bodies(built.model, X_WB, view);
  for (const contact::Contact& c : contacts) {
    plot.arrows.push_back(draw_normal(c.p_a, c.normal, view));
  }
  plot.description = "Bodies and the normals of their contacts";
  result.figures.push_back(
      {.caption =
           fmt::format("Fig. {}: contact points and their normals, from the first body to the "
                       "second",
                       id.substr(std::string("B89/fig").size())),
       .svg = draw_svg(plot)});
  return result;
}

ExperimentResult run_b89_rounds(const ExperimentOptions& options) {
  const std::string id = name_of_folder(options.folder);
  if (options.on_progress) options.on_progress(id);
  Measurements m;
  const std::vector<double> ratios = read_ratios(options.folder + "/cases.json");
  for (const double ratio : ratios) {
    const impact::Collision fall = make_fall(ratio);
    for (int n = 1; n <= kRounds; ++n) {
      m[fmt::format("top/{:g}/{}", ratio, n)] = calc_top(fall, ratio, n);
    }
    const impact::CollisionSolution at_once = solve_simultaneous(fall);
    m[fmt::format("solves/{:g}", ratio)] = at_once.num_rounds;
    m[fmt::format("speed/{:g}", ratio)] = at_once.v_after.cwiseAbs().maxCoeff();
  }
  const std::string expected = options.folder + "/expected.json";
  ExperimentResult result{.findings = judge(id, expected, m), .notes = read_notes(expected)};
  if (options.with_figures) result.figures.push_back(draw_rounds(ratios));
  return result;
}

}  // namespace tenpin::lab::experiments

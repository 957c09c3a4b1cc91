#include "lab/experiments/mc95_impact.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "base/check.h"
#include "base/rng.h"
#include "impact/certify.h"
#include "impact/slip_field.h"
#include "lab/experiment_expected.h"
#include "lab/impact_figures.h"
#include "math/rotation.h"
#include "math/trig.h"

namespace tenpin::lab::experiments {

namespace {

using impact::SlipMode;
using impact::SpatialContact;
using impact::SpatialImpact;
using impact::SpatialPoint;
using impact::Surface;
using Json = nlohmann::json;

struct Path {
  SpatialContact contact;
  Surface surface;
  SpatialImpact impact;
  std::vector<SpatialPoint> trace;

  bool is(SlipMode first) const { return impact.num_modes == 1 && impact.modes[0] == first; }
  bool is(SlipMode first, SlipMode second) const {
    return impact.num_modes == 2 && impact.modes[0] == first && impact.modes[1] == second;
  }
};

Path follow(const SpatialContact& contact, const Surface& surface) {
  Path path = {.contact = contact, .surface = surface};
  path.impact = solve_spatial(contact, surface, &path.trace);
  return path;
}

std::vector<Path> read_paths(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw InputError(file + ": cannot be read");
  try {
    std::vector<Path> paths;
    const Json root = Json::parse(stream);
    for (const Json& entry : root.at("cases")) {
      const Json& in = entry.at("inputs");
      SpatialContact contact;
      for (int i = 0; i < 3; ++i) {
        contact.v[i] = in.at("u0").at(i).get<double>();
        for (int j = 0; j < 3; ++j) contact.W(i, j) = in.at("K").at(i).at(j).get<double>();
      }
      const double mu = in.at("mu");
      const double e = in.at("e");
      paths.push_back(follow(
          contact, {.mu = mu, .mu_static = mu, .restitution = e, .law = impact::Law::kPoisson}));
    }
    return paths;
  } catch (const Json::exception& error) {
    throw InputError(file + ": " + error.what());
  }
}

// A box of random size and pose that is hit at a corner.
SpatialContact draw_contact(const RandomStream& r) {
  const Vec3 half(r.uniform(0, 0.1, 1.0), r.uniform(1, 0.1, 1.0), r.uniform(2, 0.1, 1.0));
  const Vec3 square = half.cwiseProduct(half);
  const Vec3 moments =
      Vec3(square[1] + square[2], square[0] + square[2], square[0] + square[1]) / 3.0;
  const Quat q = Quat(r.uniform(3, -1.0, 1.0), r.uniform(4, -1.0, 1.0), r.uniform(5, -1.0, 1.0),
                      r.uniform(6, -1.0, 1.0))
                     .normalized();
  const Mat3 R = to_matrix(q);
  const Mat3 S = skew(R * half);
  const Mat3 W = Mat3::Identity() - S * R * moments.cwiseInverse().asDiagonal() * R.transpose() * S;
  return {.W = 0.5 * (W + W.transpose()),
          .v = Vec3(r.uniform(7, -1.0, 1.0), r.uniform(8, -1.0, 1.0), -r.uniform(9, 0.1, 1.0))};
}

// rad   The angle by which the slip direction turns until the slip vanishes, up to rounding.
double calc_turn(const std::vector<SpatialPoint>& trace) {
  const double nothing = 1e-6 * trace.front().v.head<2>().norm();
  double turn = 0.0;
  for (std::size_t i = 1; i < trace.size(); ++i) {
    const Vec2 a = trace[i - 1].v.head<2>();
    const Vec2 b = trace[i].v.head<2>();
    if (!(b.norm() > nothing)) break;
    turn += arc_tangent(a.x() * b.y() - a.y() * b.x(), a.dot(b));
  }
  return std::fabs(turn);
}

// -   The difference between the work along the path and the change of kinetic energy.
double calc_ledger_error(const Path& path) {
  const Vec3& p = path.impact.end.p;
  const Vec3 change = path.contact.W * p;
  const double kinetic = p.dot(path.contact.v + 0.5 * change);
  const double scale = p.norm() * (path.contact.v.norm() + change.norm());
  return std::fabs(path.impact.end.E_n + path.impact.end.E_f - kinetic) / scale;
}

// Measures random impacts. [MC95, §Sticking mode]
void survey(Measurements* m) {
  constexpr int kDraws = 20'000;
  int spirals = 0;
  int not_one_way = 0;
  double ledger = 0.0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const RandomStream r(1995, i);
    const SpatialContact contact = draw_contact(r);
    const double mu = r.uniform(10, 0.02, 1.0);
    const impact::SlipField field(contact.W, mu);
    if (!field.sticks(mu)) {
      const impact::Rays rays = field.find_rays();
      const auto outward = std::count_if(rays.begin(), rays.end(), [](const impact::Ray& ray) {
        return ray.growth > 0.0;
      });
      not_one_way += outward == 1 ? 0 : 1;
    }
    const Path path = follow(contact, {.mu = mu, .mu_static = mu, .restitution = 0.5});
    spirals += calc_turn(path.trace) >= 2.0 * kPi ? 1 : 0;
    ledger = std::max(ledger, calc_ledger_error(path));
  }
  (*m)["ledger"] = ledger;
  (*m)["spirals"] = spirals;
  (*m)["not_one_way"] = not_one_way;
}

}  // namespace

ExperimentResult run_mc95_impact(const ExperimentOptions& options) {
  const std::vector<Path> paths = read_paths(options.folder + "/cases.json");
  TENPIN_REQUIRE(paths.size() == 3, options.folder + "/cases.json: want three cases");
  Measurements m;
  m["A"] = paths[0].is(SlipMode::kSlide) ? 1.0 : 0.0;
  m["B"] = paths[1].is(SlipMode::kSlideIn, SlipMode::kSlideOut) ||
                   paths[1].is(SlipMode::kSlide, SlipMode::kSlideOut)
               ? 1.0
               : 0.0;
  m["C"] = paths[2].is(SlipMode::kSlideIn, SlipMode::kStick) ||
                   paths[2].is(SlipMode::kSlide, SlipMode::kStick)
               ? 1.0
               : 0.0;
  double residual = 0.0;
  for (const Path& path : paths) {
    const impact::ImpactCertificate c =
        certify(path.contact, path.surface, path.impact, path.trace);
    residual = std::max({residual, c.momentum, c.energy, c.friction, c.restitution, c.gain});
  }
  m["residual"] = residual;
  survey(&m);
  ExperimentResult result;
  result.findings = judge("MC95/impact", options.folder + "/expected.json", m);
  result.notes = read_notes(options.folder + "/expected.json");
  if (!options.with_figures) return result;
  const SpatialPicture medium = {paths[1].contact, paths[1].surface, paths[1].impact,
                                 paths[1].trace};
  result.figures = {draw_slip_flow(medium, "Fig. 3: how slip flows in an impact"),
                    draw_velocity_space(medium,
                                        "Fig. 4: paths through velocity space for low (A), "
                                        "medium (B) and high friction (C)")};
  return result;
}

}  // namespace tenpin::lab::experiments

#include "impact_results.h"

#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "math/trig.h"

namespace tenpin::app {

namespace {

using impact::ImpactCertificate;
using impact::ImpactStatus;
using impact::Law;
using impact::PlanarImpact;
using impact::PlanarPoint;
using impact::Slip;
using impact::SpatialImpact;
using Json = nlohmann::ordered_json;

// -   a few dozen rounding errors; an impact with a larger error fails its certificate
constexpr double kCertified = 1e-9;

template <typename Vector>
Json to_list(const Vector& vector) {
  auto list = Json::array();
  for (const double value : vector) list.push_back(value);
  return list;
}

Json to_json(const ImpactCertificate& c) {
  return {{"momentum", c.momentum},       {"energy", c.energy}, {"friction", c.friction},
          {"restitution", c.restitution}, {"gain", c.gain},     {"tolerance", kCertified}};
}

// The names of laws in the reference data: stronge stands for the energetic law.
std::string_view name_of(Law law) {
  return law == Law::kEnergetic ? "stronge" : to_string(law);
}

std::string find_fault(ImpactStatus status, const ImpactCertificate& certificate, Law law) {
  if (status == ImpactStatus::kUnbounded) {
    return "no finite impulse ends it, status UNBOUNDED";
  }
  if (certificate.passes(kCertified, law == Law::kNewton)) return "";
  return fmt::format(
      "fails its certificate, status CERTIFICATE, momentum {:.1e}, energy {:.1e}, friction {:.1e}, "
      "restitution {:.1e}, gain {:.1e}",
      certificate.momentum, certificate.energy, certificate.friction, certificate.restitution,
      certificate.gain);
}

std::string status_of(ImpactStatus status, const std::string& fault) {
  const bool is_refuted = status != ImpactStatus::kUnbounded && !fault.empty();
  return is_refuted ? "CERTIFICATE" : std::string(to_string(status));
}

std::vector<std::string> list_modes(const PlanarImpact& impact) {
  constexpr std::array<const char*, 3> kNames = {"slide", "stick", "reverse"};
  if (impact.status == ImpactStatus::kSeparating) return {"separate"};
  std::vector<std::string> modes;
  for (std::size_t i = 0; i + 1 < static_cast<std::size_t>(impact.num_points); ++i) {
    const char* name = kNames[static_cast<std::size_t>(impact.slips[i])];
    if (modes.empty() || modes.back() != name) modes.emplace_back(name);
  }
  return modes;
}

std::string print_modes(const SpatialImpact& impact) {
  if (impact.status == ImpactStatus::kSeparating) return "separate";
  std::string text;
  for (int i = 0; i < impact.num_modes; ++i) {
    text += i > 0 ? ">" : "";
    text += to_string(impact.modes[static_cast<std::size_t>(i)]);
  }
  return text;
}

Json list_events(const PlanarImpact& impact) {
  auto events = Json::array();
  for (int i = 0; i < impact.num_points; ++i) {
    const double p_n = impact.points[static_cast<std::size_t>(i)].p_n;
    if (i == impact.tangential_pause) events.push_back({"T", p_n});
    if (i == impact.normal_pause) events.push_back({"N", p_n});
  }
  return events;
}

Json list_events(const SpatialImpact& impact) {
  auto events = Json::array();
  if (impact.status != ImpactStatus::kSolved) return events;
  const bool is_early = impact.slip_ends_in_compression;
  events.push_back({"max_compression", impact.compression.p[2]});
  if (impact.slip_end >= 0.0) {
    const Json slip = {"slip_vanishes", impact.slip_end, is_early ? "compression" : "restitution"};
    events.insert(is_early ? events.begin() : events.end(), slip);
  }
  const Vec2& out = impact.out_direction;
  if (!out.isZero()) events.push_back({"out_direction", arc_tangent(out[1], out[0])});
  return events;
}

double calc_change(const SpatialImpact& impact) {
  return 0.5 * impact.end.p.dot(impact.start.v + impact.end.v);
}

Json to_json(const SpatialResult& result) {
  const SpatialImpact& impact = result.impact;
  Json out;
  out["status"] = status_of(impact.status, find_fault(result));
  out["u"] = to_list(impact.end.v);
  out["p"] = to_list(impact.end.p);
  out["pz_compression"] = impact.compression.p[2];
  out["W_compression"] = impact.compression.E_n;
  out["W_normal"] = impact.end.E_n;
  out["W_friction"] = impact.end.E_f;
  out["dE"] = calc_change(impact);
  out["mode"] = print_modes(impact);
  out["events"] = list_events(impact);
  out["recompressions"] = impact.num_recompressions;
  out["certificate"] = to_json(result.certificate);
  return out;
}

VecX calc_velocities(const CollisionCase& c, const VecX& impulse) {
  VecX v = c.v0;
  for (std::size_t i = 0; i < c.contacts.size(); ++i) {
    const auto [a, b] = c.contacts[i];
    const double j = impulse[static_cast<Eigen::Index>(i)];
    if (a >= 0) v[a] -= j / c.masses[a];
    if (b >= 0) v[b] += j / c.masses[b];
  }
  return v;
}

double calc_kinetic(const CollisionCase& c, const VecX& v) {
  return 0.5 * v.dot(c.masses.cwiseProduct(v));
}

bool is_solved(const impact::CollisionSolution& solution) {
  return solution.status == complementarity::SolveStatus::kSolved;
}

std::string find_fault(const impact::CollisionSolution& solution,
                       const ImpactCertificate& certificate, std::string_view model) {
  if (!is_solved(solution)) {
    return fmt::format("{}: not solved, status {}", model, to_string(solution.status));
  }
  const std::string fault = find_fault(ImpactStatus::kSolved, certificate, Law::kPoisson);
  return fault.empty() ? "" : fmt::format("{}: {}", model, fault);
}

}  // namespace

PlanarResult solve_case(const PlanarCase& c, std::optional<Law> law) {
  PlanarResult result{.surface = c.surface};
  result.surface.law = law.value_or(c.surface.law);
  result.impact = solve_planar(c.contact, result.surface);
  result.certificate = certify(c.contact, result.surface, result.impact);
  return result;
}

std::vector<SpatialResult> solve_case(const SpatialCase& c, std::optional<Law> law) {
  std::vector<SpatialResult> results;
  for (const Law each : {Law::kPoisson, Law::kEnergetic, Law::kNewton, Law::kEnergeticRatio}) {
    if (law ? each != *law : each == Law::kEnergeticRatio) continue;
    SpatialResult result{.surface = c.surface};
    result.surface.law = each;
    result.impact = solve_spatial(c.contact, result.surface, &result.trace);
    result.certificate = certify(c.contact, result.surface, result.impact, result.trace);
    results.push_back(std::move(result));
  }
  return results;
}

CollisionResult solve_case(const CollisionCase& c) {
  CollisionResult result{solve_simultaneous(c.collision), solve_propagation(c.collision), {}, {}};
  result.simultaneous_certificate = certify_simultaneous(c.collision, result.simultaneous);
  result.propagation_certificate = certify_propagation(c.collision, result.propagation);
  return result;
}

std::string find_fault(const PlanarResult& result) {
  return find_fault(result.impact.status, result.certificate, result.surface.law);
}

std::string find_fault(const SpatialResult& result) {
  return find_fault(result.impact.status, result.certificate, result.surface.law);
}

std::string find_fault(const CollisionResult& result) {
  std::string first =
      find_fault(result.simultaneous, result.simultaneous_certificate, "simultaneous");
  if (!first.empty()) return first;
  return find_fault(result.propagation, result.propagation_certificate, "propagation");
}

Json to_json(const PlanarCase& c, const PlanarResult& result) {
  const PlanarImpact& impact = result.impact;
  const PlanarPoint& end = impact.end();
  Json out;
  if (c.mechanism) {
    out["u"] = to_list(Vec2(c.u + calc_collision_matrix(*c.mechanism) * Vec2(end.p_t, end.p_n)));
  }
  out["pn"] = end.p_n;
  out["pt"] = end.p_t;
  out["vn"] = end.v_n;
  out["vt"] = end.v_t;
  out["pn_compression"] = impact.compression().p_n;
  out["En_min"] = impact.compression().E_n;
  out["En"] = end.E_n;
  out["Ef"] = end.E_f;
  out["dK"] = 0.5 * (end.p_n * (c.contact.v_n + end.v_n) + end.p_t * (c.contact.v_t + end.v_t));
  out["path"] = impact.order();
  out["modes"] = list_modes(impact);
  out["events"] = list_events(impact);
  return {{"kind", "planar"},
          {"law", name_of(result.surface.law)},
          {"status", status_of(impact.status, find_fault(result))},
          {"outputs", out},
          {"certificate", to_json(result.certificate)}};
}

Json to_json(const std::vector<SpatialResult>& results) {
  Json outputs;
  for (const SpatialResult& result : results) {
    outputs[std::string(name_of(result.surface.law))] = to_json(result);
  }
  return {{"kind", "spatial"}, {"outputs", outputs}};
}

Json to_json(const CollisionCase& c, const CollisionResult& result) {
  Json out;
  out["kind"] = "collision";
  out["status"] = is_solved(result.simultaneous) ? to_string(result.propagation.status)
                                                 : to_string(result.simultaneous.status);
  if (is_solved(result.simultaneous)) {
    out["v_simultaneous"] = to_list(calc_velocities(c, result.simultaneous.impulse));
    out["j_simultaneous"] = to_list(result.simultaneous.impulse);
  }
  if (is_solved(result.propagation)) {
    out["v_propagation"] = to_list(calc_velocities(c, result.propagation.impulse));
    out["propagation_impulses"] = result.propagation.num_rounds;
  }
  out["certificate"] = {{"simultaneous", to_json(result.simultaneous_certificate)},
                        {"propagation", to_json(result.propagation_certificate)}};
  return out;
}

ResultLine make_line(const PlanarResult& result) {
  std::string mode(result.impact.order());
  for (const std::string& name : list_modes(result.impact)) mode += " " + name;
  const PlanarPoint& end = result.impact.end();
  return {"planar",
          std::string(to_string(result.surface.law)),
          mode,
          end.p_n,
          end.E_n + end.E_f,
          result.certificate};
}

ResultLine make_line(const SpatialResult& result) {
  return {"spatial",
          std::string(to_string(result.surface.law)),
          print_modes(result.impact),
          result.impact.end.p[2],
          calc_change(result.impact),
          result.certificate};
}

std::vector<ResultLine> make_lines(const CollisionCase& c, const CollisionResult& result) {
  const auto make = [&c](const char* model, const impact::CollisionSolution& solution,
                         const ImpactCertificate& certificate) {
    const VecX v = calc_velocities(c, solution.impulse);
    return ResultLine{"collision",
                      "newton",
                      fmt::format("{}, {}", model, solution.num_rounds),
                      solution.impulse.sum(),
                      calc_kinetic(c, v) - calc_kinetic(c, c.v0),
                      certificate};
  };
  return {make("simultaneous", result.simultaneous, result.simultaneous_certificate),
          make("propagation", result.propagation, result.propagation_certificate)};
}

}  // namespace tenpin::app

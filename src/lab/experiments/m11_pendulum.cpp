#include "lab/experiments/m11_pendulum.h"

#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "base/check.h"

namespace tenpin::lab::experiments {

namespace {

using Json = nlohmann::json;

Vec2 to_vec2(const Json& values) {
  return Vec2(values.at(0).get<double>(), values.at(1).get<double>());
}

PendulumCase read_case(const Json& json) {
  const Json& in = json.at("inputs");
  PendulumCase result;
  result.name = json.at("name");
  result.pendulum = {.mass = in.at("mass"), .length = in.at("length"), .q = to_vec2(in.at("q"))};
  result.u = to_vec2(in.at("u"));
  result.surface.mu = result.surface.mu_static = in.at("mu");
  result.surface.restitution = in.at("e");
  return result;
}

double calc_kinetic(const Mat2& M, const Vec2& u) {
  return 0.5 * u.dot(M * u);
}

}  // namespace

std::vector<PendulumCase> read_pendulum_cases(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw InputError(file + ": cannot be read");
  try {
    const Json root = Json::parse(stream);
    std::vector<PendulumCase> cases;
    for (const Json& json : root.at("cases")) cases.push_back(read_case(json));
    return cases;
  } catch (const Json::exception& error) {
    throw InputError(file + ": " + error.what());
  }
}

double PendulumImpact::calc_ledger_error() const {
  const impact::PlanarPoint& end = impact.end();
  const double p_t = std::fabs(end.p_t);
  const double p_n = std::fabs(end.p_n);
  const double alone = contact.W_tt * p_t * p_t + contact.W_nn * p_n * p_n;
  return std::fabs(end.E_n + end.E_f - (after - before)) / (before + after + alone);
}

PlanarPicture PendulumImpact::make_picture() const {
  return {contact, given.surface, impact, mechanism.J, false, false};
}

PendulumImpact solve_pendulum(const PendulumCase& given) {
  PendulumImpact result;
  result.given = given;
  result.mechanism = calc_mechanism(given.pendulum);
  result.contact = make_planar_contact(result.mechanism, given.u);
  result.impact = solve_planar(result.contact, given.surface);
  const impact::PlanarPoint& end = result.impact.end();
  result.u_after = given.u + calc_collision_matrix(result.mechanism) * Vec2(end.p_t, end.p_n);
  result.before = calc_kinetic(result.mechanism.M, given.u);
  result.after = calc_kinetic(result.mechanism.M, result.u_after);
  return result;
}

}  // namespace tenpin::lab::experiments

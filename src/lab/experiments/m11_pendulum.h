// Impacts of M11's double pendulum, from the experiments' cases.json.
#pragma once

#include <string>
#include <vector>

#include "impact/double_pendulum.h"
#include "lab/impact_figures.h"

namespace tenpin::lab::experiments {

struct PendulumCase {
  std::string name;
  impact::DoublePendulum pendulum;
  Vec2 u;  // rad/s   before the impact
  impact::Surface surface;
};

// Throws InputError for a file that is missing or malformed.
[[nodiscard]] std::vector<PendulumCase> read_pendulum_cases(const std::string& file);

struct PendulumImpact {
  PendulumCase given;
  impact::PlanarMechanism mechanism;
  impact::PlanarContact contact;
  impact::PlanarImpact impact;
  Vec2 u_after;         // rad/s
  double before = 0.0;  // J   kinetic energy
  double after = 0.0;   // J

  // |E_n + E_f - (after - before)| relative to the energies, including the energies that each
  // impulse alone would transfer: near singular poses these nearly cancel.
  double calc_ledger_error() const;
  PlanarPicture make_picture() const;
};

[[nodiscard]] PendulumImpact solve_pendulum(const PendulumCase& given);

}  // namespace tenpin::lab::experiments

// Energy that lifts gave to bodies and that no contact has taken since.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/union_find.h"
#include "contact/report.h"
#include "dynamics/kinematics.h"
#include "dynamics/model.h"

namespace tenpin::methods::impulse {

// Lifts give energy, other contacts and forces in joints take it. The mechanisms that contacts
// connect in an interval share an account, however heavy the others are. It may not grow beyond
// what raises each of their bodies by one envelope for every body that may be below it. An island
// that falls apart divides its account and its bound by mass; that bound lasts until the account is
// empty. Keeps its buffers.
class LiftAccount {
 public:
  struct Interval {
    std::span<const contact::ContactRecord> records;
    const std::vector<dynamics::Twist>& V_start;  // m/s, rad/s   by body
    const std::vector<dynamics::Twist>& V_end;
    std::span<const double> applied;  // J   by mechanism: work of forces other than gravity
    double lift = 0.0;                // m2/s2   gravity times the envelope
    double tolerance = 0.0;           // -       of works and kinetic energies: rounding
  };
  // The island whose account is farthest beyond its bound.
  struct Excess {
    int body = -1;         // the first of the island; -1: no account is beyond
    double gained = 0.0;   // J
    double allowed = 0.0;  // J
  };

  // By mechanism, as save() wrote it; nothing means zero.
  void load(const dynamics::Model& model, std::span<const std::uint64_t> memory);
  [[nodiscard]] std::vector<std::uint64_t> save() const;

  // Adds the work of all contacts of an interval.
  [[nodiscard]] Excess add(const dynamics::Model& model, const Interval& interval);

 private:
  struct Island {
    int body = -1;
    int count = 0;          // bodies
    double mass = 0.0;      // kg
    double before = 0.0;    // J
    double allowed = 0.0;   // J
    double gained = 0.0;    // J
    double turnover = 0.0;  // J   works and kinetic energies
  };
  void sum_up(const dynamics::Model& model, const Interval& interval);

  std::vector<double> accounts_;  // J   by mechanism
  std::vector<double> bounds_;    // J   by mechanism: share of a former island; 0 with its account
  UnionFind connected_;           // mechanisms
  std::vector<Island> islands_;   // by root mechanism
};

}  // namespace tenpin::methods::impulse

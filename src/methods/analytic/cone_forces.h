// The forces of an island of contacts at one instant, over accelerations, by the solver for the
// round friction cone: the problem of friction_lcp.h without its directions, and sparse. Impulses
// over velocities are the same problem.
#pragma once

#include <span>
#include <vector>

#include "complementarity/cone/cone_solver.h"
#include "contact/coupled_contacts.h"
#include "methods/analytic/friction_lcp.h"

namespace tenpin::methods::analytic {

class ConeForces {
 public:
  static constexpr double kUsual = 1e-8;  // -   largest residual() of an accepted answer
  explicit ConeForces(double tolerance = kUsual);

  // Starts from a guess of the forces, if given. False if no solution is found; there may be none.
  [[nodiscard]] bool solve(std::span<const FrictionContact> contacts,
                           const contact::ContactJacobian& J, std::span<const Vec3> guess = {});

  // Along normal, t1, t2 of contact k of the island. Accurate enough to decide the contact modes.
  [[nodiscard]] Vec3 force(int k) const;                         // N
  [[nodiscard]] Vec3 acceleration(int k) const;                  // m/s^2
  double residual() const { return solution_.residual.energy; }  // -   of the law, certified
  int systems() const { return solution_.effort.newton + solution_.effort.interior_point; }

 private:
  contact::CoupledContacts coupled_;
  std::vector<int> indices_;
  std::vector<double> mu_, guess_;
  complementarity::cone::ConeProblem problem_;
  complementarity::cone::ConeSolver solver_;
  complementarity::cone::ConeSolution solution_;
};

}  // namespace tenpin::methods::analytic

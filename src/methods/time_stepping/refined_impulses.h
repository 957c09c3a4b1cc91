// Corrects impulses that passed in a solver's own error measure but fail the contact law by little.
#pragma once

#include <span>
#include <vector>

#include "complementarity/least_norm.h"
#include "contact/friction_cone.h"
#include "methods/time_stepping/core/contact_problem.h"

namespace tenpin::methods::time_stepping {

// Where masses differ by many orders of magnitude, a small error of an impulse is a large error of
// the velocity of a light body. The correction has the least size that gives loaded contacts the
// velocities that their law requires: exact normal velocities, exact sticking, and friction of full
// size against the slip of sliding contacts. Its right hand side is a velocity that is computed
// from the masses, not from the matrix, so that a few rounds reach rounding. Corrections that are
// smaller than the last digit of an impulse go to the answer's remainders. Reuses its buffers
// between calls.
class RefinedImpulses {
 public:
  struct Accuracy {
    double tolerance = 0.0;  // -     of the law
    double speed = 0.0;      // m/s   scale of the island's velocities
  };
  // Corrects the impulses of an island that fail the law, if that reduces their error. The answer
  // has room for the remainders of all contacts. *v is scratch. Returns the error (-), or infinity
  // for contacts that cannot be corrected.
  [[nodiscard]] double refine(const ContactProblem& problem, const contact::FrictionCone& cone,
                              std::span<const int> island, const Accuracy& accuracy, VecX* v,
                              ContactAnswer* answer);

 private:
  // A velocity with a required value, and the unit impulse that may change it.
  struct Row {
    int contact = 0;
    contact::ContactVector measured = contact::ContactVector::Zero();  // -   weights of velocities
    contact::ContactVector impulse = contact::ContactVector::Zero();   // -
    double target = 0.0;                                               // m/s
  };
  void choose_rows(const ContactProblem& problem, std::span<const int> island, double small,
                   const VecX& v, const ContactAnswer& answer);
  void correct(const ContactProblem& problem, const VecX& v,
               std::vector<contact::ContactVector>* impulses);

  complementarity::LeastNormSolver solver_;
  std::vector<Row> rows_;
  std::vector<contact::ContactVector> best_, best_remainders_;  // N s   by place in the island
};

}  // namespace tenpin::methods::time_stepping

// The forces of all touches, island by island: what no mechanism connects is solved apart, and an
// island that stands as it stood when it was last asked gives the same answer at once.
#pragma once

#include <span>
#include <vector>

#include "contact/islands.h"
#include "dynamics/model.h"
#include "methods/analytic/grip_system.h"

namespace tenpin::methods::analytic {

class GripIslands {
 public:
  explicit GripIslands(const dynamics::Model& model) : model_(&model) {}

  // Touches are not those of before, or something moves as time wants: nothing is known any more.
  void forget();

  // Writes the forces as GripSystem does, for bodies at q with velocities v. False if they are not
  // finite.
  [[nodiscard]] bool solve(const GripSystem::Instant& instant, GripSystem::Start start,
                           ConstVecRef q, ConstVecRef v, std::vector<Vec3>* forces);

 private:
  // All that an answer depends on while nothing moves.
  struct Question {
    GripSystem::Start start = GripSystem::Start::kDecided;
    std::vector<double> numbers;  // places, and what is asked of each touch
    bool operator==(const Question&) const = default;
  };
  struct Island {
    std::vector<int> touches;
    std::vector<int> mechanisms;
    Question question;
    std::vector<Vec3> answer;  // N   by touch; empty: not known
    GripSystem system;
  };
  void update_islands(const std::vector<Touch>& touches);
  [[nodiscard]] bool stands(const Island& island, ConstVecRef v) const;
  void ask(const Island& island, const GripSystem::Instant& instant, GripSystem::Start start,
           ConstVecRef q);

  const dynamics::Model* model_;
  bool is_known_ = false;                   // found_ and islands_ belong to these touches
  std::vector<int> found_, now_;            // touches whose forces are sought
  std::vector<contact::Contact> contacts_;  // of those
  contact::Islands groups_;
  std::vector<Island> islands_;
  int num_islands_ = 0;
  Question question_;
};

}  // namespace tenpin::methods::analytic

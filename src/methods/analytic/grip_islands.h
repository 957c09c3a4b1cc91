// The forces of all tracked contacts, island by island: islands that no mechanism connects are
// solved separately, and an island in the same situation as at its last solve returns the same
// forces immediately.
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

  // Forgets all answers, because the tracked contacts changed or motion depends explicitly on time.
  void forget();

  // Writes the forces like GripSystem, for bodies at q with velocities v. False if they are not
  // finite.
  [[nodiscard]] bool solve(const GripSystem::Instant& instant, GripSystem::Start start,
                           ConstVecRef q, ConstVecRef v, std::vector<Vec3>* forces);

 private:
  // Everything that an answer depends on while nothing moves.
  struct Question {
    GripSystem::Start start = GripSystem::Start::kDecided;
    std::vector<double> numbers;  // poses and the input of each contact
    bool operator==(const Question&) const = default;
  };
  struct Island {
    std::vector<int> touches;
    std::vector<int> mechanisms;
    Question question;
    std::vector<Vec3> answer;  // N   by contact; empty: unknown
    GripSystem system;
  };
  void update_islands(const std::vector<Touch>& touches);
  [[nodiscard]] bool stands(const Island& island, ConstVecRef v) const;
  void ask(const Island& island, const GripSystem::Instant& instant, GripSystem::Start start,
           ConstVecRef q);

  const dynamics::Model* model_;
  bool is_known_ = false;                   // do found_ and islands_ belong to these contacts?
  std::vector<int> found_, now_;            // touches whose forces are sought
  std::vector<contact::Contact> contacts_;  // of those
  contact::Islands groups_;
  std::vector<Island> islands_;
  int num_islands_ = 0;
  Question question_;
};

}  // namespace tenpin::methods::analytic

// Finds pairs that pass through each other within a step. A fast body may start a step on one side
// of a thin one and end it on the other: the distances at start and end do not show that they met.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "collide/narrow_phase.h"
#include "contact/sweep.h"

namespace tenpin::contact {

// Searches the motion for such pairs by conservative advancement. [MC95, §Time of impact estimator]
class PassageFinder {
 public:
  PassageFinder(const dynamics::Model& model, ContactFinder* finder, const Workers* workers)
      : model_(&model), finder_(finder), swept_(model, *finder, workers) {}

  // *contacts must be the contacts at the end of the sweep, sorted by key. Replaces the contacts of
  // pairs that met on the way and changed sides or separated again by the contacts at the moment of
  // meeting: their points are carried along with the bodies, their normal is unchanged, and their
  // gap is as deep as the bodies moved on. Returns true if there are any.
  bool restore_met(const Sweep& sweep, std::vector<Contact>* contacts);

 private:
  struct Meeting {
    double s = 0.0;              // -   fraction of the step
    Vec3 normal = Vec3::Zero();  // -   from the first part to the second
    double way = 0.0;            // m   bound on the relative motion of the bodies during the step
  };
  std::optional<Meeting> find_meeting(const Sweep& sweep, const collide::Pair& pair);
  [[nodiscard]] collide::Distance calc_distance(const collide::Pair& pair, double s);
  [[nodiscard]] bool keeps_side(const collide::Pair& pair, const Meeting& meeting);
  void append_contacts(const Sweep& sweep, const collide::Pair& pair, const Meeting& meeting);

  const dynamics::Model* model_;
  ContactFinder* finder_;
  SweptPairs swept_;
  collide::NarrowPhase narrow_phase_;
  std::vector<Leg> legs_;             // of the pair's two bodies
  std::vector<Pose> X_met_;           // by body; only those of the pair are up to date
  std::vector<double> reach_;         // m   by body; only those of the pair are up to date
  std::vector<Contact> met_;          // of all pairs that changed sides
  std::vector<collide::Pair> pairs_;  // the pairs of these contacts
};

// A pair of bodies that passed through each other.
struct Passage {
  int body_a = -1;
  int body_b = -1;
  double depth = 0.0;  // m   overlap on the way beyond that at the start
};

// The certificate of a step's motion: examines all pairs fast enough to change sides, and bisects
// time until the answer is certain. Shares the motion and the distance function with the finder,
// but not the search.
class PassageCheck {
 public:
  PassageCheck(const dynamics::Model& model, const ContactFinder& finder, const Workers* workers)
      : model_(&model), swept_(model, finder, workers) {}

  // The pair with the deepest passage. Bodies that kept their sides have no passage deeper than a
  // fraction of their thickness.
  [[nodiscard]] std::optional<Passage> find_worst(const Sweep& sweep);

  // m   Radius of the largest ball in the smaller of the two parts of a contact. (If a ball lies on
  // a thin wall, the ball is the smaller part.) Infinite if both are half spaces.
  [[nodiscard]] double calc_size(const ContactKey& key) const;
  // m   The smaller of the radii of the largest balls inside the two parts of a contact.
  [[nodiscard]] double calc_least_size(const ContactKey& key) const {
    return std::min(swept_.thickness(key.part_a), swept_.thickness(key.part_b));
  }
  // m   Farthest point of a part from its own origin. Infinite for half spaces.
  [[nodiscard]] double calc_extent(int part) const { return swept_.extent(part); }

 private:
  double calc_depth(const collide::Pair& pair, double limit);
  double calc_overlap(const collide::Pair& pair, const Leg& a, const Leg& b, double s);

  const dynamics::Model* model_;
  SweptPairs swept_;
  collide::NarrowPhase narrow_phase_;
  std::vector<Leg> legs_a_, legs_b_;
  std::vector<std::pair<double, double>> open_;  // undecided intervals of time
};

// Example: "wall and ball passed through each other within the step, at least 0.1 m deep".
[[nodiscard]] std::string to_text(const Passage& passage, const dynamics::Model& model);

}  // namespace tenpin::contact

#include "contact/passage.h"

#include <algorithm>
#include <cmath>

#include "collide/core.h"

namespace tenpin::contact {

namespace {

// -   of a pair's thickness: bodies have met if they overlap this deep on their paths. A smaller
// value costs more distance queries for bodies that slide along each other. A larger value detects
// the meeting late, when normals have begun to turn.
constexpr double kMet = 0.01;
// pairs that are still undecided then are left to the certificate
constexpr int kMaxAdvances = 500;

// Moves the points of a contact with their bodies. The normal does not change, even where rounded
// surfaces turn.
Contact carry_rounded(const Contact& c, const std::vector<Pose>& from,
                      const std::vector<Pose>& to) {
  const auto carry = [&](int body, const Vec3& p, const Vec3& rounding) -> Vec3 {
    return to[body] * (from[body].inverse() * (p - rounding)) + rounding;
  };
  Contact moved = c;
  moved.p_a = carry(c.body_a, c.p_a, c.radius_a * c.normal);
  moved.p_b = carry(c.body_b, c.p_b, -c.radius_b * c.normal);
  moved.gap = c.normal.dot(moved.p_b - moved.p_a);
  return moved;
}

collide::Pair pair_of(const Contact& c) {
  return {.first = c.key.part_a, .second = c.key.part_b};
}

}  // namespace

collide::Distance PassageFinder::calc_distance(const collide::Pair& pair, double s) {
  const dynamics::Part& a = model_->parts[pair.first];
  const dynamics::Part& b = model_->parts[pair.second];
  return narrow_phase_.calc_distance({.A = a.placed.shape,
                                      .X_WA = legs_[0].at(s) * a.placed.X_BS,
                                      .B = b.placed.shape,
                                      .X_WB = legs_[1].at(s) * b.placed.X_BS});
}

// The first time at which the pair overlaps by more than it did at the start.
std::optional<PassageFinder::Meeting> PassageFinder::find_meeting(const Sweep& sweep,
                                                                  const collide::Pair& pair) {
  const dynamics::Part& a = model_->parts[pair.first];
  const dynamics::Part& b = model_->parts[pair.second];
  legs_.clear();
  swept_.find_legs(sweep, a.body, &legs_);
  swept_.find_legs(sweep, b.body, &legs_);
  if (legs_.size() != 2) return std::nullopt;  // one of the bodies has reached its end
  const collide::Core core_a(a.placed.shape);
  const collide::Core core_b(b.placed.shape);
  const double radius_a = swept_.core_radius(pair.first);
  const double radius_b = swept_.core_radius(pair.second);
  const double met = kMet * swept_.calc_thickness(pair);
  const double way = legs_[0].calc_speed(radius_a) + legs_[1].calc_speed(radius_b);
  double goal = 0.0;
  double s = std::max(legs_[0].begin(), legs_[1].begin());
  for (int look = 0; look < kMaxAdvances; ++look) {
    const collide::Distance distance = calc_distance(pair, s);
    if (look == 0) goal = std::min(distance.gap, 0.0) - met;
    if (distance.gap <= goal + 0.1 * met) {
      return Meeting{.s = s, .normal = distance.normal, .way = (1.0 - s) * way};
    }
    const collide::BallisticMotion motion_a = legs_[0].motion(s);
    const collide::BallisticMotion motion_b = legs_[1].motion(s);
    const Pose X_WA = legs_[0].at(s) * a.placed.X_BS;
    const Pose X_WB = legs_[1].at(s) * b.placed.X_BS;
    s += collide::calc_time_of_impact_bound({.core = &core_a,
                                             .X_WS = X_WA,
                                             .motion = motion_a,
                                             .radius = legs_[0].calc_radius(radius_a)},
                                            {.core = &core_b,
                                             .X_WS = X_WB,
                                             .motion = motion_b,
                                             .radius = legs_[1].calc_radius(radius_b)},
                                            {.normal = distance.normal, .gap = distance.gap}, goal,
                                            1.0 - s);
    if (s >= 1.0) return std::nullopt;
  }
  return std::nullopt;
}

// True if the bodies still overlap at the end, with a normal on the side from which they met.
bool PassageFinder::keeps_side(const collide::Pair& pair, const Meeting& meeting) {
  constexpr double kAlike = 0.5;  // cosine
  const collide::Distance end = calc_distance(pair, 1.0);
  return end.gap < 0.0 && end.normal.dot(meeting.normal) > kAlike;
}

// Adds the contacts of a pair at its meeting, including points that would have met later.
void PassageFinder::append_contacts(const Sweep& sweep, const collide::Pair& pair,
                                    const Meeting& meeting) {
  const int body_a = model_->parts[pair.first].body;
  const int body_b = model_->parts[pair.second].body;
  X_met_.resize(sweep.X_end.size());
  X_met_[body_a] = legs_[0].at(meeting.s);
  X_met_[body_b] = legs_[1].at(meeting.s);
  reach_.assign(sweep.X_end.size(), 0.0);
  reach_[body_a] = meeting.way;
  const std::size_t first = met_.size();
  finder_->find_pairs({&pair, 1}, X_met_, reach_, &met_);
  for (std::size_t i = first; i < met_.size(); ++i) {
    met_[i] = carry_rounded(met_[i], X_met_, sweep.X_end);
  }
}

bool PassageFinder::restore_met(const Sweep& sweep, std::vector<Contact>* contacts) {
  met_.clear();
  pairs_.clear();
  for (const collide::Pair& pair : swept_.find(sweep)) {
    const std::optional<Meeting> meeting = find_meeting(sweep, pair);
    if (!meeting || keeps_side(pair, *meeting)) continue;
    append_contacts(sweep, pair, *meeting);
    pairs_.push_back(pair);
  }
  if (met_.empty()) return false;
  const auto is_replaced = [this](const Contact& c) {
    return c.kind == ContactKind::kSurface &&
           std::binary_search(pairs_.begin(), pairs_.end(), pair_of(c));
  };
  contacts->erase(std::remove_if(contacts->begin(), contacts->end(), is_replaced), contacts->end());
  contacts->insert(contacts->end(), met_.begin(), met_.end());
  std::sort(contacts->begin(), contacts->end(), [](const Contact& a, const Contact& b) {
    return a.key < b.key;
  });
  return true;
}

}  // namespace tenpin::contact

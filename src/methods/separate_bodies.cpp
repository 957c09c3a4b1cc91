// Newton's method on the conditions of the least motion (see start_overlaps.h). With d the motion
// so far, each round finds a further motion dq and pushes p with
//   dq = -d + M^-1 J'p,     0 <= p  _|_  J dq + gap + c (p - p_before) >= 0,
// so that d = M^-1 J'p and gap >= 0 once a round changes nothing: this is the least motion. The
// effect of the compliance c vanishes with p - p_before where bodies can be separated; where they
// cannot, it distributes the remaining overlap. Gauss-Seidel sweeps solve for p, and the contact
// finder then measures whether the bodies are apart.
#include "methods/separate_bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "contact/finder.h"
#include "contact/jacobian.h"
#include "contact/joint_contacts.h"
#include "dynamics/flight.h"
#include "dynamics/kinematics.h"
#include "dynamics/mass_matrix.h"
#include "shapes/bounds.h"

namespace tenpin::methods {

namespace {

using contact::Contact;
using contact::ContactKey;
using contact::ContactKind;
using dynamics::Model;
using dynamics::State;

// m, rad   Bodies that overlap by less than this count as touching. A tenth of what is reported as
// an overlap, and a hundred times the rounding error of a metre.
constexpr double kApart = 1e-10;
// -   Compliance as a fraction of a contact's own mobility. A round leaves about this fraction of
// an overlap. Smaller values make sweeps between opposed contacts slow.
constexpr double kCompliance = 0.03;
constexpr int kMaxSweeps = 500;
// -   of the sweeps; stacks need a third as many sweeps as with 1
constexpr double kRelaxation = 1.5;
// Rounds in each of the two stages. Single bodies need 5 to 15, heaps with many deep overlaps more.
constexpr int kMaxRounds = 40;
// -   A round that leaves a larger fraction of the deepest overlap makes no progress. After several
// such rounds in a row the stage ends.
constexpr double kProgress = 0.95;
constexpr int kMaxIdleRounds = 6;
constexpr double kMaxTurn = 0.2;  // rad   in one round: gaps are nearly linear up to this angle
// rad   A link that must turn farther than this to separate overlaps by design: the hulls of robot
// links intersect at their joints.
constexpr double kFarTurn = 0.5;
// -   Mobility of a contact relative to that of its bodies without joints. Below this, the joints
// effectively prevent the contact from opening.
constexpr double kImmobile = 1e-6;

std::vector<double> calc_radii(const Model& model) {
  // m   by body, about its centre of mass; 0 for bodies that do not move
  std::vector<double> radii;
  for (const dynamics::Body& body : model.bodies) {
    double radius = 0.0;
    for (int i = body.parts_begin; body.is_mobile() && i < body.parts_end; ++i) {
      const shapes::PlacedShape& part = model.parts[i].placed;
      const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
      radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
    }
    radii.push_back(radius);
  }
  return radii;
}

double calc_energy(const Model& model, const State& state) {
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  update_poses(model, state.q, state.t, &X_WB);
  update_twists(model, X_WB, state.v, state.t, &V_WB);
  return calc_kinetic_energy(model, X_WB, V_WB, state.v) +
         calc_potential_energy(model, X_WB, state.q);
}

using Pair = std::pair<int, int>;  // bodies, smaller first
Pair bodies_of(const Contact& c) {
  return std::minmax(c.body_a, c.body_b);
}

class Separator {
 public:
  explicit Separator(const Model& model)
      : model_(&model),
        finder_(model),
        radii_(calc_radii(model)),
        zero_(VecX::Zero(model.nv)),
        V_zero_(model.bodies.size()) {}

  // Leaves the pairs in `kept` as they are. Returns the number of rounds.
  int move_apart(const std::set<Pair>& kept, VecX* q);

  // Pairs of bodies in one mechanism that took part and moved farther than `kFarTurn`.
  [[nodiscard]] std::set<Pair> find_far_links(const VecX& q_start, const VecX& q_end) const;

 private:
  int run_stage(const std::set<Pair>& kept, bool pulls_back, VecX* q);
  void find_contacts(const std::set<Pair>& kept, ConstVecRef q);
  [[nodiscard]] double find_deepest() const;
  [[nodiscard]] double calc_mobility(int i) const;
  void solve(const VecX& moved);
  [[nodiscard]] double calc_scale() const;
  void displace_bodies(const VecX& by, VecX* q) const;

  const Model* model_;
  contact::ContactFinder finder_;
  std::vector<double> radii_;
  VecX zero_;
  std::vector<dynamics::Twist> V_zero_;
  std::vector<double> reach_;  // m   by body
  std::set<Pair> overlapped_;  // pairs that overlapped in any round

  // Values of the current round.
  std::vector<Pose> X_WB_;
  dynamics::MassMatrix M_;
  std::vector<Contact> contacts_;
  contact::ContactJacobian J_;
  std::vector<double> mobility_;         // 1/kg, 1/(kg m^2)   by contact; 0 if it cannot open
  std::map<ContactKey, double> pushes_;  // kg m, kg m^2   of the round before
  VecX dq_;                              // m, rad
};

// Finds contacts that moving bodies may reach. The reach grows with the overlaps, so that a body
// that is pushed out of one overlap does not end in another. It never shrinks, because bodies that
// were pushed slightly too far apart must be found again.
void Separator::find_contacts(const std::set<Pair>& kept, ConstVecRef q) {
  constexpr double kNeighbours = 0.1;  // -   of a body's radius
  update_poses(*model_, q, 0.0, &X_WB_);
  std::vector<Contact> found;
  finder_.find(X_WB_, std::vector<double>(model_->bodies.size(), 0.0), &found);
  double deepest = 0.0;
  for (const Contact& c : found) {
    if (c.gap >= 0.0 || kept.contains(bodies_of(c))) continue;
    overlapped_.insert(bodies_of(c));
    deepest = std::max(deepest, -c.gap);
    for (const int body : {c.body_a, c.body_b}) reach_[body] = std::max(reach_[body], -c.gap);
  }
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    reach_[i] = std::max(reach_[i], std::min(deepest, kNeighbours * radii_[i]));
  }
  contacts_.clear();
  append_joint_limits(*model_, q, zero_, 0.0, &contacts_);
  for (const Contact& c : contacts_) {
    if (c.gap < 0.0) overlapped_.insert(bodies_of(c));
  }
  finder_.find(X_WB_, reach_, &contacts_);
  std::erase_if(contacts_, [&](const Contact& c) {
    return kept.contains(bodies_of(c));
  });
  M_.update(*model_, X_WB_, q, zero_);
  J_.update(*model_, contacts_, X_WB_, V_zero_, M_, contact::FrictionPoint::kSurface);
  mobility_.resize(contacts_.size());
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) mobility_[i] = calc_mobility(i);
}

double Separator::calc_mobility(int i) const {
  const Contact& c = contacts_[i];
  const double own = J_.own_delassus(i)(contact::kNormalRow, contact::kNormalRow);
  if (c.kind != ContactKind::kSurface) return own;
  double loose = 0.0;  // 1/kg
  for (const int body : {c.body_a, c.body_b}) {
    const double mass = model_->bodies[body].mass;
    if (mass > 0.0) loose += 1.0 / mass;
  }
  return own > kImmobile * loose ? own : 0.0;
}

double Separator::find_deepest() const {
  double deepest = 0.0;
  for (int i = 0; i < static_cast<int>(contacts_.size()); ++i) {
    if (mobility_[i] > 0.0) deepest = std::max(deepest, -contacts_[i].gap);
  }
  return deepest;
}

// Solves for the impulses and the motion of one round; fills dq_ and pushes_.
void Separator::solve(const VecX& moved) {
  const int n = static_cast<int>(contacts_.size());
  std::vector<double> push(n, 0.0);
  std::vector<double> before(n, 0.0);
  dq_ = -moved;
  for (int i = 0; i < n; ++i) {
    const auto known = pushes_.find(contacts_[i].key);
    if (known == pushes_.end() || mobility_[i] == 0.0) continue;
    push[i] = before[i] = known->second;
    J_.add_velocity_change(i, {push[i], 0.0, 0.0, 0.0}, dq_);
  }
  const double enough = 1e-4 * std::max(find_deepest(), kApart);  // m
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double largest = 0.0;  // m   motion of a contact in this sweep
    for (int i = 0; i < n; ++i) {
      const double W = mobility_[i];
      if (W == 0.0) continue;
      const double short_of = -(J_.normal_velocity(i, dq_) + contacts_[i].gap +
                                kCompliance * W * (push[i] - before[i]));
      const double next =
          std::max(0.0, push[i] + kRelaxation * short_of / ((1.0 + kCompliance) * W));
      const double change = next - push[i];
      if (change == 0.0) continue;
      push[i] = next;
      J_.add_velocity_change(i, {change, 0.0, 0.0, 0.0}, dq_);
      largest = std::max(largest, std::fabs(change) * W);
    }
    if (largest <= enough) break;
  }
  pushes_.clear();
  for (int i = 0; i < n; ++i) {
    if (push[i] > 0.0) pushes_[contacts_[i].key] = push[i];
  }
}

// -   The largest fraction of dq_ that turns no body beyond the range in which gaps are nearly
// linear.
double Separator::calc_scale() const {
  double turn = 0.0;  // rad
  for (const dynamics::Body& body : model_->bodies) {
    const int begin = body.joint.v_begin;
    switch (body.joint.type) {
      case dynamics::JointType::kFree:
        turn = std::max(turn, dq_.segment<3>(begin + 3).norm());
        break;
      case dynamics::JointType::kPlanar:
        turn = std::max(turn, std::fabs(dq_[begin + 2]));
        break;
      case dynamics::JointType::kHinge:
        turn = std::max(turn, std::fabs(dq_[begin]));
        break;
      case dynamics::JointType::kBall:
        turn = std::max(turn, dq_.segment<3>(begin).norm());
        break;
      default:
        break;
    }
  }
  return turn > kMaxTurn ? kMaxTurn / turn : 1.0;
}

void Separator::displace_bodies(const VecX& by, VecX* q) const {
  const VecX q_before = *q;
  displace(*model_, q_before, by, *q);
  for (const dynamics::Mechanism& mechanism : model_->mechanisms) {
    if (!mechanism.loops.empty()) (void)close_loops(*model_, mechanism, 0.0, q);
  }
}

// The second stage only removes the overlaps that the first one leaves. It does not pull bodies
// back to their start, so it converges even where contacts appear and vanish between rounds.
int Separator::move_apart(const std::set<Pair>& kept, VecX* q) {
  reach_.assign(model_->bodies.size(), 0.0);
  const int rounds = run_stage(kept, /*pulls_back=*/true, q);
  return rounds + run_stage(kept, /*pulls_back=*/false, q);
}

// Returns the number of rounds. *q becomes the configuration with the smallest deepest overlap.
int Separator::run_stage(const std::set<Pair>& kept, bool pulls_back, VecX* q) {
  VecX moved = zero_;
  VecX q_least = *q;
  double least = std::numeric_limits<double>::infinity();  // m   deepest overlap of a round
  int idle = 0;
  int round = 0;
  pushes_.clear();
  for (; round < kMaxRounds && idle < kMaxIdleRounds; ++round) {
    find_contacts(kept, *q);
    const double deepest = find_deepest();
    const bool are_apart = deepest <= kApart;
    idle = deepest < kProgress * least || are_apart ? 0 : idle + 1;
    if (deepest < least || are_apart) q_least = *q;
    least = std::min(least, deepest);
    if (!pulls_back && are_apart) break;
    if (!pulls_back) pushes_.clear();
    solve(pulls_back ? moved : zero_);
    const VecX step = calc_scale() * dq_;
    if (are_apart && step.lpNorm<Eigen::Infinity>() <= kApart) break;
    displace_bodies(step, q);
    moved += step;
  }
  *q = q_least;
  return round;
}

std::set<Pair> Separator::find_far_links(const VecX& q_start, const VecX& q_end) const {
  std::vector<Pose> X_start;
  std::vector<Pose> X_end;
  update_poses(*model_, q_start, 0.0, &X_start);
  update_poses(*model_, q_end, 0.0, &X_end);
  std::vector<char> is_far(model_->mechanisms.size(), 0);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const int m = model_->bodies[i].mechanism;
    if (m < 0 || model_->mechanisms[m].is_loose) continue;
    // |R_1 - R_0| is sqrt(8) times the sine of half the angle.
    const double sine = (X_end[i].R - X_start[i].R).norm() / std::sqrt(8.0);
    if (sine > std::sin(0.5 * kFarTurn)) is_far[m] = 1;
  }
  std::set<Pair> links;
  for (const Pair& pair : overlapped_) {
    const int a = model_->bodies[pair.first].mechanism;
    const int b = model_->bodies[pair.second].mechanism;
    const bool is_one = pair.first != pair.second && (a == b || a < 0 || b < 0);
    if (is_one && is_far[std::max(a, b)] != 0) links.insert(pair);
  }
  return links;
}

// Removes from the velocities the part that would open loops in the present configuration.
void close_loop_rates(const Model& model, State* state) {
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  const VecX zero = VecX::Zero(model.nv);
  update_poses(model, state->q, state->t, &X_WB);
  update_twists(model, X_WB, state->v, state->t, &V_WB);
  for (const dynamics::Mechanism& mechanism : model.mechanisms) {
    if (mechanism.loops.empty()) continue;
    dynamics::MechanismInverse inverse;
    inverse.update(model, mechanism, X_WB, state->q, zero);
    VecX rates;
    inverse.loops().calc_rates(V_WB, state->v, &rates);
    inverse.close_rates(rates, state->v.segment(mechanism.v_begin, mechanism.nv));
  }
}

}  // namespace

std::vector<Contact> find_overlapping(const Model& model, ConstVecRef q) {
  std::vector<Pose> X_WB;
  update_poses(model, q, 0.0, &X_WB);
  std::vector<Contact> contacts;
  append_joint_limits(model, q, VecX::Zero(model.nv), 0.0, &contacts);
  contact::ContactFinder finder(model);
  finder.find(X_WB, std::vector<double>(model.bodies.size(), 0.0), &contacts);
  std::erase_if(contacts, [](const Contact& c) {
    return c.gap >= 0.0;
  });
  return contacts;
}

Separation separate_bodies(const Model& model, State* state) {
  const double energy = calc_energy(model, *state);
  const VecX q_start = state->q;
  Separation result;
  std::set<Pair> kept;
  Separator separator(model);
  // Each attempt may find more links that overlap by design. Usually there are none, and one
  // attempt suffices.
  for (std::size_t attempt = 0; attempt <= model.bodies.size(); ++attempt) {
    VecX q = q_start;
    result.rounds += separator.move_apart(kept, &q);
    state->q = q;
    const std::set<Pair> far = separator.find_far_links(q_start, q);
    const std::size_t known = kept.size();
    kept.insert(far.begin(), far.end());
    if (kept.size() == known) break;
  }
  close_loop_rates(model, state);
  std::vector<Pose> X_start;
  std::vector<Pose> X_end;
  update_poses(model, q_start, 0.0, &X_start);
  update_poses(model, state->q, 0.0, &X_end);
  for (std::size_t i = 0; i < X_end.size(); ++i) {
    result.largest_motion = std::max(result.largest_motion, (X_end[i].p - X_start[i].p).norm());
  }
  result.energy_change = calc_energy(model, *state) - energy;
  return result;
}

}  // namespace tenpin::methods

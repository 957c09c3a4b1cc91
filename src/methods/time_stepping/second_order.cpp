#include "methods/time_stepping/second_order.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "contact/joint_contacts.h"
#include "dynamics/forces.h"
#include "shapes/bounds.h"

namespace tenpin::methods::time_stepping {

using contact::Contact;

namespace {

constexpr int kMaxOverlapRounds = 200;  // of looking for overlaps in one step
// What cannot be put in place by so many systems stays where it is: positions are only O(h^3) off.
constexpr int kMaxProjectionSystems = 100;

// For projections, which are repeated: what one leaves of a gap is left to the next.
scene::TimeSteppingOptions loosen(scene::TimeSteppingOptions options) {
  options.tolerance = 1e-3;
  return options;
}

}  // namespace

SecondOrderStepper::SecondOrderStepper(const dynamics::Model& model, const Options& options,
                                       const Workers& workers)
    : model_(&model),
      options_(options),
      by_cone_(options.solver == Options::Solver::kCone),
      cone_(by_cone_ ? contact::FrictionCone::round()
                     : contact::FrictionCone(*options.directions, options.direction_phase)),
      workers_(&workers),
      finder_(model, &workers),
      passages_(model, &finder_, &workers),
      passage_check_(model, finder_, &workers),
      overlap_check_(model, &finder_, passage_check_),
      solver_(model, cone_, options, workers),
      apart_solver_(model, cone_, loosen(options), workers, kMaxProjectionSystems),
      sleepers_(model),
      flight_(model, &workers),
      driven_node_(model.num_mechanisms()),
      zero_(VecX::Zero(model.nv)) {
  problem_.J.set_workers(&workers);
  for (int i = 0; i < model.num_bodies(); ++i) {
    const dynamics::Body& body = model.bodies[i];
    double radius = 0.0;
    for (int k = body.parts_begin; body.is_mobile() && k < body.parts_end; ++k) {
      const shapes::PlacedShape& part = model.parts[k].placed;
      const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
      radius = std::max(radius, shapes::calc_bounding_radius(part.shape, center));
    }
    radius_.push_back(radius);
    if (!body.is_mobile() && !stands_still(model, i)) driven_.push_back(i);
    const dynamics::AppliedForce& a = body.applied;
    resists_ = resists_ || a.viscous > 0.0 || a.viscous_spin > 0.0 || a.drag > 0.0;
  }
  const int nodes = model.num_mechanisms() + 1;
  for (const dynamics::Mechanism& m : model.mechanisms) {
    is_driven_ = is_driven_ || std::any_of(m.bases.begin(), m.bases.end(), [&](int i) {
                   return !stands_still(model, i);
                 });
    for (const int i : m.bodies) {
      is_driven_ = is_driven_ || model.bodies[i].joint.type == dynamics::JointType::kPrescribed;
    }
  }
  flown_.resize(nodes);
  flown_end_.resize(nodes);
  is_moving_.resize(nodes);
  works_.resize(nodes);
  V_zero_.resize(model.bodies.size());
  for (VecX* v : {&v_mid_, &v_far_, &v_end_, &gravity_, &applied_, &impulse_, &scratch_, &v_kicked_,
                  &kick_, &problem_.v}) {
    v->setZero(model.nv);
  }
  V_scratch_.resize(model.bodies.size());
  for (VecX* q : {&q_mid_, &q_far_, &q_end_}) q->setZero(model.nq);
}

// What is known of the end of the last step, its energy and the friction of its contacts, is that
// of the old model, and so are the impulses that hold sleepers.
void SecondOrderStepper::model_changed() {
  end_contacts_h_ = 0.0;
  sleepers_.forget_beds();
}

void SecondOrderStepper::step(double h, double t_end, dynamics::State* state, StepReport* report) {
  const std::span<const std::uint64_t> memory = state->memory;
  active_.load(options_.sleeping ? sleepers_.load(memory) : memory);
  make_beds(h, t_end, *state);
  do {
    *report = {.step = state->step + 1, .t = t_end};
    begin(h, t_end, *state);
    if (!advance(report) && !is_roused_) return;
  } while (is_roused_);
  write_records();
  write_ledger(report);
  write_certificate(*state, report);
  sleepers_.report(&records_, report);
  if (report->status == AdvanceStatus::kReachedEnd) commit(state);
}

// Where everything is, and what touches. The step before knows most of that already.
void SecondOrderStepper::begin(double h, double t_end, const dynamics::State& state) {
  const bool goes_on =
      end_contacts_h_ == h && t1_ == state.t && q_end_ == state.q && v_end_ == state.v;
  h_ = h;
  t0_ = state.t;
  t1_ = t_end;
  q_begin_ = state.q;
  v_begin_ = state.v;
  if (goes_on) {
    std::swap(at_begin_, at_end_);
    std::swap(found_, end_contacts_);
    energy_start_ = energy_end_;
  } else {
    update_poses(*model_, q_begin_, t0_, &at_begin_.X);
    update_twists(*model_, at_begin_.X, v_begin_, t0_, &at_begin_.V);
  }
  start_speed_ = calc_least_speed(h_);
  start_speeds_.resize(model_->bodies.size());
  for (int i = 0; i < model_->num_bodies(); ++i) {
    start_speeds_[i] = calc_body_speed(i, at_begin_.V);
    start_speed_ = std::max(start_speed_, start_speeds_[i]);
  }
  kinetic_start_.resize(model_->mechanisms.size());
  for (int m = 0; m < model_->num_mechanisms(); ++m) {
    kinetic_start_[m] =
        calc_kinetic_energy(*model_, model_->mechanisms[m], at_begin_.X, at_begin_.V, v_begin_);
  }
  if (!goes_on) {
    if (at_end_.X.empty()) at_mid_ = at_far_ = at_end_ = at_begin_;
    find_contacts(at_begin_, q_begin_, &found_);
    energy_start_ = calc_kinetic_energy(*model_, at_begin_.X, at_begin_.V, v_begin_, workers_) +
                    calc_potential_energy(*model_, at_begin_.X, q_begin_, workers_);
  }
  while (rouse(&found_)) find_contacts(at_begin_, q_begin_, &found_);
  end_contacts_h_ = 0.0;
  begin_.assign(is_moving_.size(), 0.0);
  end_.assign(is_moving_.size(), h_);
  works_.assign(is_moving_.size(), {});
  done_ = {};
  projected_.assign(is_moving_.size(), 0.0);
  too_fast_ = false;
  entries_.clear();
  kinks_.clear();
  near_.clear();
  held_.clear();
  for (const Contact& c : found_) {
    if (c.gap <= kTouching && takes_part(node_of(c))) held_.push_back(c);
  }
}

// m/s   Of its fastest point.
double SecondOrderStepper::calc_body_speed(int body,
                                           const std::vector<dynamics::Twist>& V_WB) const {
  return V_WB[body].v.norm() + V_WB[body].w.norm() * radius_[body];
}

// How far apart bodies may be to be looked at: a contact must be found although it opens a little.
// What comes to rest within the step was fast when it began, and its residuals are measured by
// that.
void SecondOrderStepper::update_reach(const std::vector<dynamics::Twist>& V_WB) {
  reach_.resize(model_->bodies.size());
  wide_reach_.resize(model_->bodies.size());
  const double fall = model_->gravity.norm() * h_ * h_;
  body_speed_ = std::max(start_speed_, model_->gravity.norm() * h_);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const double speed = calc_body_speed(i, V_WB);
    body_speed_ = std::max(body_speed_, speed);
    reach_[i] = 2e-3 * radius_[i] + 2.0 * fall + 0.25 * h_ * speed;
    wide_reach_[i] = reach_[i] + 2.0 * h_ * speed;
  }
}

void SecondOrderStepper::find_contacts(const BodyMotion& motion, const VecX& q,
                                       std::vector<Contact>* contacts) {
  update_reach(motion.V);
  contacts->clear();
  append_joint_limits(*model_, q, zero_, h_, contacts);
  if (sleepers_.size() == 0) {
    finder_.find(motion.X, reach_, contacts);
    return;
  }
  const auto who = is_bedding_ ? sleepers_.asleep() : sleepers_.awake();
  finder_.find_again(motion.X, reach_, who, {}, contacts);
}

// What touches at the end, after the groups that were hit have moved once more.
void SecondOrderStepper::find_end_contacts_again() {
  is_moved_.resize(model_->bodies.size());
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const int mechanism = model_->bodies[i].mechanism;
    is_moved_[i] = mechanism >= 0 ? is_hit_[mechanism] : is_hit_[driven_node_];
  }
  update_reach(at_end_.V);
  std::swap(found_, end_contacts_);
  end_contacts_.clear();
  append_joint_limits(*model_, q_end_, zero_, h_, &end_contacts_);
  finder_.find_again(at_end_.X, reach_, is_moved_, found_, &end_contacts_);
  restore_met();
}

// Adds to the contacts at the end those of bodies that met on the way there.
void SecondOrderStepper::restore_met() {
  begun_.assign(model_->bodies.size(), 0.0);
  for (int i = 0; i < model_->num_bodies(); ++i) {
    const int mechanism = model_->bodies[i].mechanism;
    if (mechanism >= 0) begun_[i] = begin_[mechanism] / h_;
  }
  for (const int body : driven_) begun_[body] = begin_[driven_node_] / h_;
  const bool is_divided = std::any_of(begun_.begin(), begun_.end(), [](double s) {
    return s > 0.0;
  });
  (void)passages_.restore_met({.X_begin = at_begin_.X,
                               .X_end = at_end_.X,
                               .V = at_begin_.V,
                               .h = h_,
                               .begin = is_divided ? begun_ : std::span<const double>()},
                              &end_contacts_);
}

// The contacts of pairs_ and all joints near their stops, by key, in shown_.
void SecondOrderStepper::find_known(const BodyMotion& motion, const VecX& q,
                                    std::span<const double> reach) {
  shown_.clear();
  append_joint_limits(*model_, q, v_begin_, h_, &shown_);
  finder_.find_pairs(pairs_, motion.X, reach, &shown_);
}

// The mechanism by which a contact belongs to a group.
int SecondOrderStepper::node_of(const Contact& c) const {
  return std::max(model_->bodies[c.body_a].mechanism, model_->bodies[c.body_b].mechanism);
}

void SecondOrderStepper::join(const Contact& c) {
  const int node = node_of(c);
  for (const int body : {c.body_a, c.body_b}) {
    const int other = model_->bodies[body].mechanism;
    if (other >= 0) {
      groups_.join(node, other);
    } else if (std::binary_search(driven_.begin(), driven_.end(), body)) {
      groups_.join(node, driven_node_);
    }
  }
}

void SecondOrderStepper::make_groups() {
  groups_.reset(driven_node_ + 1);
  for (const Contact& c : held_) join(c);
  for (int m = 0; m < model_->num_mechanisms() && is_driven_; ++m) {
    for (const int base : model_->mechanisms[m].bases) {
      if (!stands_still(*model_, base)) groups_.join(m, driven_node_);
    }
  }
  marked_.assign(is_moving_.size(), 0);
}

double SecondOrderStepper::time(int node, double part) const {
  const double at = begin_[node] + part * length(node);
  return at == h_ ? t1_ : t0_ + at;
}

// Poses and velocities of all that move, at that part of their pieces.
void SecondOrderStepper::place(const VecX& q, const VecX& v, double part, BodyMotion* motion) {
  for (const int node : moving_) {
    const double t = time(node, part);
    if (node == driven_node_) {
      for (const int body : driven_) update_pose(*model_, body, q, t, &motion->X);
      for (const int body : driven_) update_twist(*model_, body, motion->X, v, t, &motion->V);
    } else {
      update_poses(*model_, model_->mechanisms[node], q, t, &motion->X);
      update_twists(*model_, model_->mechanisms[node], motion->X, v, t, &motion->V);
    }
  }
}

// The piece in work stands: what moves goes on from its end.
void SecondOrderStepper::begin_anew() {
  const auto keep_kink = [this](int node, int body) {
    kinks_.push_back({.body = body,
                      .s = begin_[node] / h_,
                      .X_WB = at_begin_.X[body],
                      .w = at_begin_.V[body].w});
  };
  for (const int node : moving_) {
    for (const int body : node == driven_node_ ? driven_ : model_->mechanisms[node].bodies) {
      keep_kink(node, body);
    }
    begin_[node] = end_[node];
    end_[node] = h_;
    done_ += works_[node];
    projected_[node] += works_[node].projection;
    works_[node] = {};
    if (node == driven_node_) {
      for (const int body : driven_) {
        at_begin_.X[body] = at_end_.X[body];
        at_begin_.V[body] = at_end_.V[body];
      }
      continue;
    }
    const dynamics::Mechanism& m = model_->mechanisms[node];
    q_begin_.segment(m.q_begin, m.nq) = q_end_.segment(m.q_begin, m.nq);
    v_begin_.segment(m.v_begin, m.nv) = v_end_.segment(m.v_begin, m.nv);
    for (const int body : m.bodies) {
      at_begin_.X[body] = at_end_.X[body];
      at_begin_.V[body] = at_end_.V[body];
    }
  }
  for (Entry& entry : entries_) {
    if (is_moving_[node_of(entry.contact)] != 0) entry.is_final = true;
  }
}

// All pieces of the step, until nothing overlaps at its end. What overlaps is looked for with one
// solve of each piece; only pieces that stand are worth more.
bool SecondOrderStepper::advance(StepReport* report) {
  move_where([this](int node) {
    return takes_part(node);
  });
  hold_others();
  report->iterations = 1;
  divisions_.assign(is_moving_.size(), 0);
  is_open_.assign(is_moving_.size(), 0);
  is_waiting_.assign(is_moving_.size(), 0);
  is_late_.assign(is_moving_.size(), 0);
  tried_.clear();
  tried_impacts_.clear();
  if (!move(report)) return false;
  find_contacts(at_end_, q_end_, &end_contacts_);
  restore_met();
  if (rouse(&end_contacts_)) return false;
  for (int round = 0; round < kMaxOverlapRounds; ++round) {
    if (find_violated()) {
      if (!resolve_violated(report)) return false;
    } else {
      move_where([this](int node) {
        return is_open_[node] != 0;
      });
      if (moving_.empty()) return true;
      if (!finish(report)) return false;
      is_hit_ = is_changed_;
      if (std::count(is_hit_.begin(), is_hit_.end(), 0) == std::ssize(is_hit_)) return true;
    }
    find_end_contacts_again();
    if (rouse(&end_contacts_)) return false;
  }
  report->message = "bodies still overlap after as many divisions of the step as are allowed";
  return true;
}

// The new state, and what the next step starts its solver with.
void SecondOrderStepper::commit(dynamics::State* state) {
  end_contacts_h_ = h_;
  active_.clear();
  auto bed = sleepers_.beds().begin();
  const auto insert_beds = [&](const contact::ContactKey* before) {  // in the order of the keys
    for (; bed != sleepers_.beds().end() && (before == nullptr || bed->contact.key < *before);
         ++bed) {
      if (bed->impulse.x() > 0.0)
        active_.insert({.key = bed->contact.key, .impulse = bed->impulse});
    }
  };
  // Of all that happened at a contact the latest counts.
  for (std::size_t first = 0, last = 0; first < entries_.size(); first = last) {
    const contact::ContactKey key = entries_[first].contact.key;
    std::size_t latest = entries_.size();
    for (; last < entries_.size() && entries_[last].contact.key == key; ++last) {
      const Entry& entry = entries_[last];
      if (entry.is_smooth && entry.share > 0.0 && entry.impulse.x() > 0.0) latest = last;
    }
    if (latest == entries_.size()) continue;
    insert_beds(&key);
    active_.insert(
        {.key = key, .impulse = entries_[latest].impulse.head<3>() / entries_[latest].share});
  }
  insert_beds(nullptr);
  active_.save(&state->memory);
  state->q = q_end_;
  state->v = v_end_;
  state->t = t1_;
  ++state->step;
  if (options_.sleeping) settle(state);
}

}  // namespace tenpin::methods::time_stepping

#include "simulation/impl.h"
// The line above must come first.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "dynamics/flight.h"
#include "dynamics/mass_matrix.h"
#include "math/rotation.h"
#include "methods/scheduled_method.h"
#include "methods/start_overlaps.h"
#include "scene/build.h"
#include "scene/words.h"
#include "simulation/reactions.h"
#include "simulation/state_hash.h"

namespace tenpin {

namespace {

constexpr double kUnitLength = 1e-6;  // -   allowed deviation of a given quaternion from length 1
constexpr double kExact = 4e-16;      // -   a quaternion this close to length 1 is not changed

Controls read_controls(const dynamics::Model& model) {
  Controls controls;
  controls.gravity = model.gravity;
  for (const dynamics::Body& body : model.bodies) {
    controls.bodies.push_back({.motor_target = body.joint.forces.motor.target,
                               .motor_curve = body.joint.forces.motor.curve,
                               .motion = body.motion,
                               .X_PJ = body.joint.X_PJ});
  }
  controls.joint_forces.assign(static_cast<std::size_t>(model.nv), 0.0);
  controls.surfaces = model.surfaces;
  return controls;
}

// True if the records of a step stay valid until the next step as long as no control changes.
// Event-driven methods clear their records when a step begins, which the caller may interrupt; and
// an event or a jump of a force changes the model right after a step.
bool keeps_records(const Scene& scene, const dynamics::Model& model) {
  return !is_event_driven(scene.contents().method) && model.events.empty() && !model.has_breaks;
}

// Normalises the quaternion at `begin`.
void normalize(const std::string& body, int begin, VecX* q) {
  const double length = q->segment<4>(begin).norm();
  TENPIN_REQUIRE(std::fabs(length - 1.0) <= kUnitLength,
                 fmt::format("q: quaternion of {}, got length {:g}, want 1", body, length));
  if (std::fabs(length - 1.0) > kExact) q->segment<4>(begin) /= length;
}

}  // namespace

void close_all_loops(const dynamics::Model& model, double t, VecX* q, VecX* v) {
  constexpr double kNear = 1e-3;  // m, rad   how far a loop of a given state may be open
  const VecX zero = VecX::Zero(model.nv);
  for (const dynamics::Mechanism& m : model.mechanisms) {
    if (m.loops.empty()) continue;
    std::vector<Pose> X_WB;
    update_poses(model, *q, t, &X_WB);
    dynamics::MechanismInverse inverse;
    inverse.update(model, m, X_WB, *q, zero);
    const double error = inverse.loops().errors().lpNorm<Eigen::Infinity>();
    TENPIN_REQUIRE(error <= kNear, fmt::format("q: loop {}, got coordinates that leave it open by "
                                               "{:g}, want at most {:g}",
                                               model.loops[m.loops.front()].name, error, kNear));
    (void)close_loops(model, m, t, q);
    std::vector<dynamics::Twist> V_WB;
    update_poses(model, *q, t, &X_WB);
    update_twists(model, X_WB, *v, t, &V_WB);
    inverse.update(model, m, X_WB, *q, zero);
    VecX rates;
    inverse.loops().calc_rates(V_WB, *v, &rates);
    inverse.close_rates(rates, v->segment(m.v_begin, m.nv));
  }
}

void check_numbers(const char* argument, const double* numbers, Eigen::Index count,
                   double largest) {
  for (Eigen::Index i = 0; i < count; ++i) {
    TENPIN_REQUIRE(std::fabs(numbers[i]) <= largest,
                   fmt::format("{}: got {}, want a number from -{:g} to {:g}", argument, numbers[i],
                               largest, largest));
  }
}

void check_size(const char* argument, Eigen::Index got, Eigen::Index want) {
  TENPIN_REQUIRE(got == want, fmt::format("{}: got {} numbers, want {}", argument, got, want));
}

std::string_view to_string(JointKind kind) {
  constexpr std::array<std::string_view, 7> kWords = {"free",  "planar", "fixed", "prescribed",
                                                      "hinge", "slider", "ball"};
  return kWords[static_cast<std::size_t>(kind)];
}

double Snapshot::time() const {
  return contents_->state.t;
}

Simulation::Impl::Impl(const Scene& its_scene, int its_threads)
    : scene(its_scene), threads(its_threads) {
  constexpr int kMostThreads = 1024;
  TENPIN_REQUIRE(threads >= 1 && threads <= kMostThreads,
                 fmt::format("threads: got {}, want 1 to {}", threads, kMostThreads));
  scene::Built built = scene::build(scene.contents());
  const methods::StartReport overlaps =
      methods::treat_start_overlaps(scene.contents().start.overlaps, &built.model, &built.state);
  check_kept_overlaps(built.model, overlaps, scene.contents().method);
  model = std::move(built.model);
  start = state = std::move(built.state);
  for (const dynamics::Body& body : model.bodies) scene_forces.push_back(body.applied);
  scene_controls = controls = read_controls(model);
  joint_forces = controls.joint_forces;
  method = methods::make_scheduled_method(&model, scene.contents().method, threads);
  method_keeps_records = keeps_records(scene, model);
  publish();
  forget_last_step();
}

Simulation::Impl::Impl(const Impl& other)
    : scene(other.scene),
      threads(other.threads),
      model(other.model),
      scene_forces(other.scene_forces),
      start(other.start),
      scene_controls(other.scene_controls),
      state(other.state),
      controls(other.controls),
      method(methods::make_scheduled_method(&model, scene.contents().method, threads)),
      joint_forces(other.joint_forces),
      method_keeps_records(other.method_keeps_records) {
  method->model_changed();  // the model contains the settings of past events
  publish();
  forget_last_step();
}

Controls Simulation::Impl::calc_controls() {
  if (model.events.empty()) return controls;
  method->prepare(state);
  Controls now = read_controls(model);
  now.joint_forces = controls.joint_forces;
  for (std::size_t k = 0; k < now.bodies.size(); ++k) {
    now.bodies[k].force = controls.bodies[k].force;
    now.bodies[k].torque = controls.bodies[k].torque;
  }
  return now;
}

void Simulation::Impl::publish() {
  q = state.q;
  v = state.v;
  kinematics.is_current = false;
}

void Simulation::Impl::forget_last_step() {
  last.report = {};
  last.report.time = state.t;
  totals = {};
  last.records = {};
  last.contacts.clear();
  last.reactions.clear();
  last.has_contacts = last.has_reactions = true;
  last.after = {.t = state.t, .q = state.q, .v = state.v};
}

void Simulation::Impl::keep_records() {
  if ((last.has_contacts && last.has_reactions) || last.records.data() == last.kept_records.data())
    return;
  last.kept_records.assign(last.records.begin(), last.records.end());
  last.records = last.kept_records;
}

methods::AdvanceStatus Simulation::Impl::advance_method(
    const std::function<methods::AdvanceStatus()>& advance) {
  try {
    return advance();
  } catch (...) {
    if (last.records.data() != last.kept_records.data()) last.records = {};
    throw;
  }
}

void Simulation::Impl::update_kinematics() {
  if (kinematics.is_current) return;
  update_poses(model, state.q, state.t, &kinematics.X_WB);
  update_twists(model, kinematics.X_WB, state.v, state.t, &kinematics.V_WB);
  kinematics.is_current = true;
}

int Simulation::Impl::check(BodyId body) const {
  TENPIN_REQUIRE(body.index >= 0 && body.index < model.num_bodies(),
                 fmt::format("body: got id {}, want 0 to {}", body.index, model.num_bodies() - 1));
  return body.index;
}

int Simulation::Impl::check(JointId joint) const {
  TENPIN_REQUIRE(joint.body >= 0 && joint.body < model.num_bodies(),
                 fmt::format("joint: got id {}, want 0 to {}", joint.body, model.num_bodies() - 1));
  return joint.body;
}

bool Simulation::Impl::on_step(const methods::StepReport& step,
                               std::span<const contact::ContactRecord> its_records,
                               const dynamics::State& state_after) {
  const double t_before = last.report.time;
  last.report = to_public(step, 0.0);
  last.records = {};
  last.contacts.clear();
  last.reactions.clear();
  last.has_contacts = last.has_reactions = true;
  if (step.status != methods::AdvanceStatus::kReachedEnd) {
    last.report.time = t_before;
    return true;
  }
  last.report.time = state_after.t;
  last.report.duration = state_after.t - t_before;
  add_step(step, &totals);
  if (!method_keeps_records) {
    last.kept_records.assign(its_records.begin(), its_records.end());
    its_records = last.kept_records;
  }
  last.records = its_records;
  last.has_contacts = last.has_reactions = false;
  if (!model.jointed.empty()) {
    std::swap(last.before, last.after);
    last.after.t = state_after.t;
    last.after.q = state_after.q;
    last.after.v = state_after.v;
  }
  return !goes_on || goes_on();
}

Simulation::Simulation(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Simulation::Simulation(const Scene& scene, int threads)
    : impl_(std::make_unique<Impl>(scene, threads)) {}
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;
Simulation::~Simulation() = default;

Simulation Simulation::load(const std::string& file, const LoadOptions& options, int threads) {
  return Simulation(Scene::load(file, options), threads);
}

Simulation Simulation::clone() const {
  impl_->method->prepare(impl_->state);
  return Simulation(std::make_unique<Impl>(*impl_));
}

const StepReport& Simulation::step() {
  Impl& i = *impl_;
  i.use_joint_forces();
  i.goes_on = nullptr;
  (void)i.advance_method([&i] {
    return i.method->step(std::numeric_limits<double>::infinity(), &i.state, &i);
  });
  i.publish();
  return i.last.report;
}

const StepReport& Simulation::advance_to(double t, const std::function<bool()>& goes_on) {
  Impl& i = *impl_;
  TENPIN_REQUIRE(std::isfinite(t) && t >= i.state.t,
                 fmt::format("t: got {}, want a time from now ({} s) on", t, i.state.t));
  // A step that is only as long as rounding is not taken: for example, 0.1 + 0.2 counts as the 0.3
  // that steps have reached.
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  if (t - i.state.t <= kRounding * t) return i.last.report;
  i.use_joint_forces();
  i.goes_on = goes_on;
  const methods::AdvanceStatus status = i.advance_method([&i, t] {
    return i.method->advance(t, t, &i.state, &i);
  });
  i.last.report.status = to_public(status);
  i.goes_on = nullptr;
  i.publish();
  return i.last.report;
}

const StepReport& Simulation::report() const {
  return impl_->last.report;
}

void Simulation::reset() {
  restore(Snapshot(std::make_shared<SnapshotContents>(
      SnapshotContents{.state = impl_->start, .controls = impl_->scene_controls})));
}

Snapshot Simulation::save() const {
  Impl& i = *impl_;
  SnapshotContents contents{.state = i.state, .controls = i.calc_controls()};
  contents.controls.joint_forces = i.joint_forces;
  return Snapshot(std::make_shared<const SnapshotContents>(std::move(contents)));
}

void Simulation::restore(const Snapshot& snapshot) {
  Impl& i = *impl_;
  const SnapshotContents& contents = snapshot.contents();
  const bool fits = contents.state.q.size() == i.model.nq &&
                    contents.state.v.size() == i.model.nv &&
                    contents.controls.bodies.size() == i.model.bodies.size() &&
                    contents.controls.surfaces.size() == i.model.surfaces.size();
  TENPIN_REQUIRE(fits, "snapshot: got one of another scene, want one of this scene");
  std::copy(contents.controls.joint_forces.begin(), contents.controls.joint_forces.end(),
            i.joint_forces.begin());
  i.use(contents.controls);
  i.state = contents.state;
  i.publish();
  i.forget_last_step();
}

const Scene& Simulation::scene() const {
  return impl_->scene;
}

std::vector<FiredEvent> Simulation::fired_events() const {
  std::vector<FiredEvent> result;
  for (const dynamics::FiredEvent& fired : impl_->state.fired) {
    result.push_back(
        {.name = impl_->model.events[static_cast<std::size_t>(fired.event)].name, .time = fired.t});
  }
  return result;
}

double Simulation::time() const {
  return impl_->state.t;
}

std::int64_t Simulation::num_steps() const {
  return impl_->totals.num_steps;
}

std::uint64_t Simulation::state_hash() const {
  return simulation::calc_state_hash(impl_->state);
}

int Simulation::num_bodies() const {
  return impl_->model.num_bodies();
}

BodyId Simulation::body(const std::string& name) const {
  const auto& bodies = impl_->model.bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k].name == name) return {static_cast<int>(k)};
  }
  std::string known;
  constexpr std::size_t kShown = 8;
  for (std::size_t k = 0; k < std::min(bodies.size(), kShown); ++k) {
    known += (k == 0 ? "" : ", ") + bodies[k].name;
  }
  throw InputError(fmt::format("body: got '{}', want one of {}{}", name, known,
                               bodies.size() > kShown ? ", ..." : ""));
}

const std::string& Simulation::name(BodyId body) const {
  return impl_->model.bodies[impl_->check(body)].name;
}

JointId Simulation::joint(const std::string& name) const {
  return {body(name).index};
}

JointLayout Simulation::layout(JointId joint) const {
  const dynamics::Joint& of = impl_->model.bodies[impl_->check(joint)].joint;
  return {.kind = static_cast<JointKind>(of.type),
          .q_begin = of.q_begin,
          .nq = num_positions(of.type),
          .v_begin = of.v_begin,
          .nv = num_velocities(of.type)};
}

const VecX& Simulation::q() const {
  return impl_->q;
}

const VecX& Simulation::v() const {
  return impl_->v;
}

VecX Simulation::joint_position(JointId joint) const {
  const JointLayout of = layout(joint);
  return impl_->q.segment(of.q_begin, of.nq);
}

VecX Simulation::joint_velocity(JointId joint) const {
  const JointLayout of = layout(joint);
  return impl_->v.segment(of.v_begin, of.nv);
}

Transform Simulation::pose(BodyId body) const {
  Impl& i = *impl_;
  const int index = i.check(body);
  i.update_kinematics();
  const Pose& X = i.kinematics.X_WB[index];
  Transform transform = Transform::Identity();
  transform.linear() = X.R;
  transform.translation() = X * i.model.bodies[index].p_BO;
  return transform;
}

Velocity Simulation::velocity(BodyId body) const {
  Impl& i = *impl_;
  const int index = i.check(body);
  i.update_kinematics();
  const Vec3 arm = i.kinematics.X_WB[index].R * i.model.bodies[index].p_BO;
  return {.linear = i.kinematics.V_WB[index].at(arm), .angular = i.kinematics.V_WB[index].w};
}

void Simulation::set_state(const VecX& q, const VecX& v) {
  Impl& i = *impl_;
  check_size("q", q.size(), i.model.nq);
  check_size("v", v.size(), i.model.nv);
  check_numbers("q", q.data(), q.size(), kLargestPosition);
  check_numbers("v", v.data(), v.size(), kLargestVelocity);
  VecX q_new = q;
  VecX v_new = v;
  for (const dynamics::Body& body : i.model.bodies) {
    const dynamics::Joint& joint = body.joint;
    if (joint.type == dynamics::JointType::kFree) normalize(body.name, joint.q_begin + 3, &q_new);
    if (joint.type == dynamics::JointType::kBall) normalize(body.name, joint.q_begin, &q_new);
  }
  i.method->prepare(i.state);
  close_all_loops(i.model, i.state.t, &q_new, &v_new);
  i.state.q = q_new;
  i.state.v = v_new;
  i.state.memory.clear();
  i.publish();
  i.forget_last_step();
}

const std::vector<Contact>& Simulation::contacts() const {
  Impl& i = *impl_;
  if (!i.last.has_contacts) {
    i.last.contacts.clear();
    for (const contact::ContactRecord& record : i.last.records) {
      i.last.contacts.push_back(to_public(record, i.last.report.duration));
    }
    i.last.has_contacts = true;
  }
  return i.last.contacts;
}

const std::vector<Reaction>& Simulation::reactions() const {
  Impl& i = *impl_;
  if (!i.last.has_reactions) {
    i.last.reactions.clear();
    i.last.has_reactions = true;
    if (i.model.jointed.empty()) return i.last.reactions;
    for (const simulation::JointReaction& r :
         simulation::calc_reactions(i.model, i.last.before, i.last.after, i.last.records)) {
      i.last.reactions.push_back(to_public(r, i.last.report.duration));
    }
  }
  return i.last.reactions;
}

const Ledger& Simulation::ledger() const {
  return impl_->totals.ledger;
}

const Certificate& Simulation::certificate() const {
  return impl_->totals.certificate;
}

double Simulation::kinetic_energy() const {
  Impl& i = *impl_;
  i.update_kinematics();
  return calc_kinetic_energy(i.model, i.kinematics.X_WB, i.kinematics.V_WB, i.state.v);
}

double Simulation::potential_energy() const {
  Impl& i = *impl_;
  i.update_kinematics();
  return calc_potential_energy(i.model, i.kinematics.X_WB, i.state.q);
}

}  // namespace tenpin

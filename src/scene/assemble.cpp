#include "scene/assemble.h"

#include <cmath>
#include <string>

#include "base/check.h"
#include "base/text.h"
#include "dynamics/flight.h"
#include "dynamics/mass_matrix.h"
#include "math/frame.h"
#include "math/rotation.h"

namespace tenpin::scene {

namespace {

constexpr double kClosed = 1e-9;  // m, rad

// m, rad   A mechanism that is overdetermined by its loops, with joints given in decimals, cannot
// close better than the rounding of the decimals: 27 nm in a public robot. Loops that are open by
// no more than this limit keep their distance of time 0. With a limit ten times larger, wrong
// lengths would pass; with one ten times smaller, files with six decimals would fail.
constexpr double kRounding = 1e-6;

// Adds a problem. `entry` is the body or loop that the problem is about.
template <typename Entry>
std::string locate(const Scene& scene, const Entry& entry, const std::string& path,
                   const std::string& problem) {
  return (entry.file.empty() ? scene.file : entry.file) + ":" + std::to_string(entry.line) +
         ":1: " + path + ": " + problem;
}

template <typename Entry>
[[noreturn]] void refuse(const Scene& scene, const Entry& entry, const std::string& path,
                         const std::string& problem) {
  throw InputError(locate(scene, entry, path, problem));
}

Vec3 center_of(const Scene& scene, int body) {
  return body == kWorld ? Vec3(Vec3::Zero()) : scene.bodies[body].center;
}

Pose pose_of(int body, const std::vector<Pose>& X_WB) {
  return body == kWorld ? Pose{} : X_WB[body];
}

// Sets the values of a loop that come from the state at time 0: the angle of a weld, the length of
// a rod.
void complete_loops(const Scene& scene, const std::vector<Pose>& X_WB, dynamics::Model* model) {
  for (std::size_t i = 0; i < scene.loops.size(); ++i) {
    const Loop& told = scene.loops[i];
    dynamics::Loop& loop = model->loops[i];
    const Pose X_WA = pose_of(loop.body_a, X_WB);
    const Pose X_WC = pose_of(loop.body_b, X_WB);
    if (told.kind == Loop::Kind::kWeld && !told.orientation) {
      loop.R_A = X_WA.R.transpose() * X_WC.R;
    }
    if (told.kind == Loop::Kind::kDistance && !told.length) {
      loop.length = (X_WC * loop.p_B - X_WA * loop.p_A).norm();
      if (loop.length == 0.0) {
        refuse(scene, told, "loops." + told.name,
               "no distance between the anchors, got 0 m, want more, or a ball instead");
      }
    }
  }
}

// Moves the end of a loop on body b to where the end on body a is.
void take_as_it_is(const Pose& X_WA, const Pose& X_WC, dynamics::Loop* loop) {
  using Kind = dynamics::Loop::Kind;
  if (loop->kind == Kind::kCoupling) return;
  if (loop->kind == Kind::kDistance) {
    loop->length = (X_WC * loop->p_B - X_WA * loop->p_A).norm();
    return;
  }
  loop->p_B = X_WC.inverse() * (X_WA * loop->p_A);
  if (loop->kind != Kind::kBall) loop->R_B = X_WC.R.transpose() * X_WA.R * loop->R_A;
}

void take_as_they_are(const dynamics::Mechanism& mechanism, const std::vector<Pose>& X_WB,
                      dynamics::Model* model) {
  for (const int i : mechanism.loops) {
    dynamics::Loop& loop = model->loops[i];
    take_as_it_is(pose_of(loop.body_a, X_WB), pose_of(loop.body_b, X_WB), &loop);
  }
}

void refuse_open(const Scene& scene, const dynamics::LoopRows& rows, double residual) {
  int worst = 0;
  for (int i = 1; i < rows.size(); ++i) {
    if (std::fabs(rows.errors()[i]) > std::fabs(rows.errors()[worst])) worst = i;
  }
  const Loop& loop = scene.loops[rows.loop(worst)];
  throw NumericalError(locate(scene, loop, "loops." + loop.name,
                              "does not close, got a residual of " + to_text(residual) +
                                  ", want at most 1e-6 (m, rad), or joints that begin bent (`at`) "
                                  "where they are stretched out"));
}

// Refuses welds that are half a turn from their correct angle, where the rows of a weld vanish as
// well.
void refuse_turned_welds(const Scene& scene, const dynamics::Model& model,
                         const dynamics::Mechanism& mechanism, const std::vector<Pose>& X_WB) {
  for (const int i : mechanism.loops) {
    const dynamics::Loop& loop = model.loops[i];
    if (loop.kind != dynamics::Loop::Kind::kWeld) continue;
    const Mat3 R_a = pose_of(loop.body_a, X_WB).R * loop.R_A;
    const Mat3 R_b = pose_of(loop.body_b, X_WB).R * loop.R_B;
    const double turned = 3.0 - (R_a.transpose() * R_b).trace();
    if (turned <= kClosed) continue;
    throw NumericalError(locate(scene, scene.loops[i], "loops." + loop.name,
                                "does not close, got the bodies turned the wrong way, want them "
                                "nearer to the weld's orientation at time 0"));
  }
}

void refuse_massless(const Scene& scene, const dynamics::Mechanism& mechanism,
                     const dynamics::ArticulatedInertia& trees) {
  for (std::size_t k = 0; k < mechanism.bodies.size(); ++k) {
    if (trees.is_regular(static_cast<int>(k))) continue;
    const Body& body = scene.bodies[mechanism.bodies[k]];
    refuse(scene, body, "bodies." + body.name,
           "its joint moves no mass, got 0 kg, want mass on it or on what hangs from it");
  }
}

}  // namespace

dynamics::Loop make_loop(const Scene& scene, const Loop& loop) {
  dynamics::Loop result;
  result.kind = static_cast<dynamics::Loop::Kind>(loop.kind);
  result.name = loop.name;
  result.body_a = loop.body_a;
  result.body_b = loop.body_b;
  result.p_A = loop.anchor_a - center_of(scene, loop.body_a);
  result.p_B = loop.anchor_b - center_of(scene, loop.body_b);
  if (loop.kind == Loop::Kind::kHinge) {
    result.R_A = frame_along(loop.axis_a);
    result.R_B = frame_along(loop.axis_b);
  }
  if (loop.orientation) result.R_A = to_matrix(*loop.orientation);
  if (loop.length) result.length = *loop.length;
  result.polynomial = loop.polynomial;
  return result;
}

LoopCount assemble(const Scene& scene, dynamics::Model* model, dynamics::State* state) {
  LoopCount count;
  std::vector<Pose> X_WB;
  std::vector<dynamics::Twist> V_WB;
  const VecX zero = VecX::Zero(model->nv);
  update_poses(*model, state->q, 0.0, &X_WB);
  complete_loops(scene, X_WB, model);
  for (const dynamics::Mechanism& mechanism : model->mechanisms) {
    if (mechanism.is_loose) continue;
    dynamics::MechanismInverse inverse;
    inverse.update(*model, mechanism, X_WB, state->q, zero);
    refuse_massless(scene, mechanism, inverse.trees());
    if (mechanism.loops.empty()) continue;
    const double residual = close_loops(*model, mechanism, 0.0, &state->q);
    update_poses(*model, state->q, 0.0, &X_WB);
    inverse.update(*model, mechanism, X_WB, state->q, zero);
    if (!(residual <= kRounding)) refuse_open(scene, inverse.loops(), residual);
    refuse_turned_welds(scene, *model, mechanism, X_WB);
    if (residual > kClosed) {
      take_as_they_are(mechanism, X_WB, model);
      inverse.update(*model, mechanism, X_WB, state->q, zero);
      const double rest = inverse.loops().errors().lpNorm<Eigen::Infinity>();
      if (!(rest <= kClosed)) refuse_open(scene, inverse.loops(), rest);
    }
    update_twists(*model, X_WB, state->v, 0.0, &V_WB);
    VecX rates;
    inverse.loops().calc_rates(V_WB, state->v, &rates);
    inverse.close_rates(rates, state->v.segment(mechanism.v_begin, mechanism.nv));
    count.rows += inverse.loops().size();
    count.redundant += inverse.num_redundant();
  }
  return count;
}

}  // namespace tenpin::scene

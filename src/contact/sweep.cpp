#include "contact/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "contact/tolerances.h"
#include "math/rotation.h"
#include "shapes/bounds.h"
#include "shapes/convex_mesh.h"

namespace tenpin::contact {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr int kFew = 16;  // up to this many fast bodies are compared with every other body

// m   Radius of the largest ball inside the shape, or of a ball almost as large.
double calc_inner_radius(const shapes::Shape& shape) {
  if (const auto* sphere = std::get_if<shapes::Sphere>(&shape)) return sphere->radius;
  if (const auto* box = std::get_if<shapes::Box>(&shape)) return box->half.minCoeff();
  if (const auto* capsule = std::get_if<shapes::Capsule>(&shape)) return capsule->radius;
  if (const auto* ellipsoid = std::get_if<shapes::Ellipsoid>(&shape)) {
    return ellipsoid->semiaxes.minCoeff();
  }
  if (const auto* cylinder = std::get_if<shapes::Cylinder>(&shape)) {
    return std::min(cylinder->radius, cylinder->half_length);
  }
  if (const auto* cone = std::get_if<shapes::Cone>(&shape)) {
    const double r = cone->radius;  // the radius of a circle inside of a triangle: area over half
    const double h = 2.0 * cone->half_length;  // of its circumference
    return r * h / (r + std::sqrt(r * r + h * h));
  }
  const auto* polyhedron = std::get_if<shapes::Polyhedron>(&shape);
  if (polyhedron == nullptr) return kInfinite;
  const shapes::ConvexMesh& mesh = *polyhedron->mesh;
  Vec3 center = Vec3::Zero();
  for (const Vec3& vertex : mesh.vertices) center += vertex / mesh.num_vertices();
  double radius = kInfinite;
  for (int f = 0; f < mesh.num_faces(); ++f) {
    radius = std::min(radius, mesh.offsets[f] - mesh.normals[f].dot(center));
  }
  return radius;
}

bool overlap(const shapes::Aabb& a, const shapes::Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

}  // namespace

Leg::Leg(const Ends& ends, bool is_loose)
    : begin_(ends.begin),
      end_(ends.end),
      R_begin_(ends.X_first.R),
      pivot_(ends.X_first.p),
      shift_(ends.X_last.p - ends.X_first.p) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  Vec3 turn = log_map(to_quaternion(Mat3(ends.X_last.R * ends.X_first.R.transpose())));
  const double angle = turn.norm();
  if (angle > 0.0) {  // the poses do not show complete turns
    const double more = ends.spin.dot(turn) / angle - angle;
    turn *= 1.0 + kTurn * std::round(more / kTurn) / angle;
  }
  const double all = turn.norm();
  if (!is_loose && all > kSmallTurn && std::fabs(std::sin(0.5 * all)) > kSmallTurn) {
    const Vec3 axis = turn / all;
    const Vec3 across = shift_ - axis * axis.dot(shift_);
    arm_ = -0.5 * across - axis.cross(across) * (0.5 / std::tan(0.5 * all));
    pivot_ -= arm_;
    shift_ -= across;
  }
  const double length = std::max(end_ - begin_, std::numeric_limits<double>::min());
  shift_ /= length;
  turn_ = turn / length;
}

Pose Leg::at(double s) const {
  const double passed = s - begin_;
  const Mat3 R = to_matrix(exp_map(passed * turn_));
  return {.R = R * R_begin_, .p = pivot_ + passed * shift_ + R * arm_};
}

collide::BallisticMotion Leg::motion(double s) const {
  return {.center = pivot_ + (s - begin_) * shift_,
          .velocity = shift_,
          .spin = turn_,
          .spin_bound = turn_.norm()};
}

double Leg::calc_speed(double radius) const {
  return shift_.norm() + turn_.norm() * calc_radius(radius);
}

SweptPairs::SweptPairs(const dynamics::Model& model, const ContactFinder& finder,
                       const Workers* workers)
    : model_(&model), finder_(&finder), workers_(workers) {
  for (const dynamics::Body& body : model.bodies) {
    double least = kInfinite;
    double bounding = 0.0;
    double turning = 0.0;
    for (int i = body.parts_begin; i < body.parts_end; ++i) {
      const shapes::PlacedShape& part = model.parts[i].placed;
      const bool is_boundless = shapes::is_boundless(part.shape);
      const Vec3 center = part.X_BS.inverse() * Vec3(Vec3::Zero());
      const double radius = is_boundless ? 0.0 : shapes::calc_bounding_radius(part.shape, center);
      thickness_.push_back(calc_inner_radius(part.shape));
      core_radius_.push_back(std::max(0.0, radius - shapes::calc_rounding(part.shape)));
      extent_.push_back(
          is_boundless ? kInfinite : shapes::calc_bounding_radius(part.shape, Vec3(Vec3::Zero())));
      least = std::min(least, thickness_.back());
      bounding = std::max(bounding, radius);
      turning = std::max(turning, core_radius_.back());
    }
    least_thickness_.push_back(least);
    bounding_radius_.push_back(bounding);
    turn_radius_.push_back(turning);
  }
  const std::size_t count = model.bodies.size();
  way_.resize(count);
  turn_.resize(count);
  is_fast_.resize(count);
  is_bent_.resize(count);
}

bool SweptPairs::is_loose(int body) const {
  const int mechanism = model_->bodies[body].mechanism;
  return mechanism >= 0 && model_->mechanisms[mechanism].is_loose;
}

// Measures how far a body moves, and marks it as fast if its poses at both ends show that.
void SweptPairs::measure_way(const Sweep& sweep, int i) {
  is_fast_[i] = 0;
  is_bent_[i] = 0;
  way_[i] = 0.0;
  turn_[i] = 0.0;
  if (least_thickness_[i] == kInfinite) return;
  way_[i] = (sweep.X_end[i].p - sweep.X_begin[i].p).norm();
  if (turn_radius_[i] > 0.0) {
    // The norm of the difference is sqrt(8) sin(angle / 2), and angle / 2 <= pi / 2 sin(angle / 2).
    constexpr double kAngle = 0.5 * std::numbers::pi / std::numbers::sqrt2;
    constexpr double kHalfTurn = 2.0;  // rad   the poses at the ends do not show a larger turn
    const double spun = sweep.h * sweep.V[i].w.norm();
    turn_[i] = kAngle * (sweep.X_end[i].R - sweep.X_begin[i].R).norm();
    if (spun > kHalfTurn) turn_[i] = std::max(turn_[i], spun) + std::numbers::pi;
    if (!is_loose(i) && turn_[i] > 0.0) {
      way_[i] *= 0.5 * std::numbers::pi;  // an arc is at most half a circle over its chord
      is_bent_[i] = 1;
    }
  }
  if (way_[i] + turn_[i] * turn_radius_[i] > kSweptShare * least_thickness_[i]) is_fast_[i] = 1;
}

void SweptPairs::add_kinks(const Sweep& sweep) {
  for (std::size_t k = 0; k < sweep.kinks.size();) {
    const int body = sweep.kinks[k].body;
    while (k < sweep.kinks.size() && sweep.kinks[k].body == body) ++k;
    legs_.clear();
    find_legs(sweep, body, &legs_);
    way_[body] = 0.0;
    for (const Leg& leg : legs_) {
      way_[body] += (leg.end() - leg.begin()) * leg.calc_speed(turn_radius_[body]);
    }
    turn_[body] = 0.0;  // is already contained in way_
    is_bent_[body] = 2;
    is_fast_[body] = way_[body] > kSweptShare * least_thickness_[body] ? 1 : 0;
  }
}

void SweptPairs::find_legs(const Sweep& sweep, int body, std::vector<Leg>* legs) const {
  const bool loose = is_loose(body);
  const auto first =
      std::lower_bound(sweep.kinks.begin(), sweep.kinks.end(), body, [](const Kink& kink, int b) {
        return kink.body < b;
      });
  const auto add = [&](const Kink& from, const Pose& to, double end) {
    if (end <= from.s) return;
    const Vec3 spin = (end - from.s) * sweep.h * from.w;
    legs->emplace_back(
        Leg::Ends{.X_first = from.X_WB, .X_last = to, .begin = from.s, .end = end, .spin = spin},
        loose);
  };
  const bool has_kinks = first != sweep.kinks.end() && first->body == body;
  if (!has_kinks) {
    const double s = sweep.begin.empty() ? 0.0 : sweep.begin[body];
    add({.s = s, .X_WB = sweep.X_begin[body], .w = sweep.V[body].w}, sweep.X_end[body], 1.0);
    return;
  }
  for (auto kink = first; kink != sweep.kinks.end() && kink->body == body; ++kink) {
    const auto next = kink + 1;
    const bool is_last = next == sweep.kinks.end() || next->body != body;
    add(*kink, is_last ? sweep.X_end[body] : next->X_WB, is_last ? 1.0 : next->s);
  }
}

void SweptPairs::find_fast() {
  fast_.clear();
  for (int i = 0; i < model_->num_bodies(); ++i) {
    if (is_fast_[i] != 0) fast_.push_back(i);
  }
}

// Bounds the motion: no point of a path is farther from its end than the length of the path, and no
// point is farther than half the length from both ends.
void SweptPairs::make_boxes(const Sweep& sweep) {
  boxes_.resize(model_->bodies.size());
  workers_->split(model_->num_bodies(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const double bulge = 0.5 * is_bent_[i] * way_[i];
      const Vec3 grow = Vec3::Constant(bounding_radius_[i] + bulge);
      boxes_[i].lower = sweep.X_begin[i].p.cwiseMin(sweep.X_end[i].p) - grow;
      boxes_[i].upper = sweep.X_begin[i].p.cwiseMax(sweep.X_end[i].p) + grow;
    }
  });
}

void SweptPairs::add_pairs(const Sweep& sweep, int body_a, int body_b) {
  if (is_fast_[body_a] == 0 && is_fast_[body_b] == 0) return;
  if (least_thickness_[body_a] == kInfinite || least_thickness_[body_b] == kInfinite) return;
  const dynamics::Body& a = model_->bodies[body_a];
  const dynamics::Body& b = model_->bodies[body_b];
  if (!a.is_mobile() && !b.is_mobile()) return;
  const bool is_straight = is_bent_[body_a] == 0 && is_bent_[body_b] == 0 && sweep.begin.empty();
  const double way = is_straight ? ((sweep.X_end[body_a].p - sweep.X_begin[body_a].p) -
                                    (sweep.X_end[body_b].p - sweep.X_begin[body_b].p))
                                       .norm()
                                 : way_[body_a] + way_[body_b];
  for (int i = a.parts_begin; i < a.parts_end; ++i) {
    for (int k = b.parts_begin; k < b.parts_end; ++k) {
      const collide::Pair pair{.first = std::min(i, k), .second = std::max(i, k)};
      const double past = way + turn_[body_a] * core_radius_[i] + turn_[body_b] * core_radius_[k];
      if (past <= kSweptShare * calc_thickness(pair)) continue;
      if (finder_->may_touch(pair.first, pair.second)) pairs_.push_back(pair);
    }
  }
}

std::span<const collide::Pair> SweptPairs::find(const Sweep& sweep) {
  pairs_.clear();
  workers_->split(model_->num_bodies(), [&](int begin, int end) {
    for (int i = begin; i < end; ++i) measure_way(sweep, i);
  });
  add_kinks(sweep);
  find_fast();
  if (fast_.empty()) return pairs_;
  make_boxes(sweep);
  if (std::ssize(fast_) <= kFew) {
    for (const int i : fast_) {
      for (int k = 0; k < model_->num_bodies(); ++k) {
        if (k == i || (k < i && is_fast_[k] != 0)) continue;
        if (overlap(boxes_[i], boxes_[k])) add_pairs(sweep, i, k);
      }
    }
  } else {
    for (const collide::Pair& pair : broad_phase_.update(boxes_, workers_)) {
      add_pairs(sweep, pair.first, pair.second);
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace tenpin::contact
